/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/tracee.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* As much of the stack below its pointer belongs to it, and is what deeper calls left. */
#define STACK_BELOW 65536
#define BREAKPOINT  0xcc

static void become(char *const command[])
{
	int nowhere = open("/dev/null", O_WRONLY);

	personality(ADDR_NO_RANDOMIZE);
	/* The linker does not get between a call and the function that is called. */
	setenv("LD_BIND_NOW", "1", 1);
	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
	    ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		_exit(126);
	execv(command[0], command);
	_exit(127);
}

static void wait_for(struct tracee *tracee)
{
	if (waitpid(tracee->pid, &tracee->status, 0) < 0)
		err(2, "waitpid");
	tracee->is_over = !WIFSTOPPED(tracee->status);
	if (tracee->is_over)
		return;
	tracee->signal = WSTOPSIG(tracee->status);
	if (tracee->signal == SIGTRAP)
		tracee->signal = 0;
	if (ptrace(PTRACE_GETREGS, tracee->pid, NULL, &tracee->registers) < 0)
		err(2, "PTRACE_GETREGS");
}

static void resume(struct tracee *tracee, int request)
{
	if (ptrace(request, tracee->pid, NULL, (void *)(intptr_t)tracee->signal) < 0)
		err(2, "cannot resume the program");
	wait_for(tracee);
}

static void take_mapping(struct tracee *tracee, const char *path, const char *line)
{
	unsigned long start, end, offset;
	char modes[8], file[PATH_MAX] = "";

	if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095s", &start, &end, modes, &offset,
		   file) < 4)
		return;
	if (strcmp(file, "[stack]") == 0)
		tracee->stack_end = end;
	/* The mapping after the file's last one is its memory without content. */
	if (strcmp(file, path) == 0 ||
	    (!*file && tracee->image_end == start && strchr(modes, 'w'))) {
		if (!tracee->image_end)
			tracee->image_start = start;
		tracee->image_end = end;
		if (strchr(modes, 'x') && !tracee->code_end) {
			tracee->code_start = start;
			tracee->code_end = end;
			tracee->bias = start - offset;
		}
	}
}

static void read_mappings(struct tracee *tracee, const char *program)
{
	char name[64], path[PATH_MAX], line[PATH_MAX + 256];
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/maps", (int)tracee->pid);
	file = fopen(name, "re");
	if (!file || !realpath(program, path))
		err(2, "%s", name);
	while (fgets(line, sizeof(line), file))
		take_mapping(tracee, path, line);
	fclose(file);
	if (!tracee->code_end || !tracee->stack_end)
		errx(2, "'%s' is not mapped", path);
}

void tracee_start(struct tracee *tracee, char *const command[])
{
	char name[64];

	*tracee = (struct tracee){ .pid = fork() };
	if (tracee->pid == 0)
		become(command);
	if (tracee->pid < 0)
		err(2, "fork");
	wait_for(tracee);
	if (tracee->is_over)
		errx(2, "cannot start '%s'", command[0]);
	if (ptrace(PTRACE_SETOPTIONS, tracee->pid, NULL, PTRACE_O_EXITKILL) < 0)
		err(2, "PTRACE_SETOPTIONS");
	snprintf(name, sizeof(name), "/proc/%d/mem", (int)tracee->pid);
	tracee->memory = open(name, O_RDWR | O_CLOEXEC);
	if (tracee->memory < 0)
		err(2, "%s", name);
	read_mappings(tracee, command[0]);
}

void tracee_step(struct tracee *tracee)
{
	resume(tracee, PTRACE_SINGLESTEP);
}

/* Returns the byte that was there. */
static unsigned char put(const struct tracee *tracee, uint64_t address,
			 unsigned char byte)
{
	unsigned char old;

	if (pread(tracee->memory, &old, 1, (off_t)address) != 1 ||
	    pwrite(tracee->memory, &byte, 1, (off_t)address) != 1)
		err(2, "cannot change the code at 0x%llx", (unsigned long long)address);
	return old;
}

/* Continue with breakpoints at both addresses, and return whether one was met. */
static bool run_once(struct tracee *tracee, uint64_t address, uint64_t other)
{
	unsigned char first = put(tracee, address, BREAKPOINT);
	unsigned char second = put(tracee, other, BREAKPOINT);
	uint64_t *pc = (uint64_t *)&tracee->registers.rip;
	bool is_met;

	do
		resume(tracee, PTRACE_CONT);
	while (!tracee->is_over && tracee->signal);
	if (tracee->is_over)
		return false;
	put(tracee, other, second);
	put(tracee, address, first);
	is_met = *pc == address + 1 || *pc == other + 1;
	if (is_met) {
		--*pc;
		if (ptrace(PTRACE_SETREGS, tracee->pid, NULL, &tracee->registers) < 0)
			err(2, "PTRACE_SETREGS");
	}
	return is_met;
}

void tracee_run(struct tracee *tracee, uint64_t address, uint64_t stack, uint64_t other)
{
	while (run_once(tracee, address, other)) {
		if (tracee->registers.rip == other || tracee->registers.rsp >= stack)
			return;
		tracee_step(tracee);
	}
}

bool tracee_finish(struct tracee *tracee)
{
	while (!tracee->is_over)
		resume(tracee, PTRACE_CONT);
	close(tracee->memory);
	return WIFEXITED(tracee->status) && WEXITSTATUS(tracee->status) == 0;
}

bool tracee_read(const struct tracee *tracee, uint64_t address, void *bytes, size_t size)
{
	return pread(tracee->memory, bytes, size, (off_t)address) == (ssize_t)size;
}

bool tracee_is_stack(const struct tracee *tracee, uint64_t address)
{
	return address >= tracee->registers.rsp - STACK_BELOW &&
	       address < tracee->stack_end;
}

bool tracee_is_image(const struct tracee *tracee, uint64_t address)
{
	return address >= tracee->image_start && address < tracee->image_end;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A program that is stepped, by ptrace(2). Failures of ptrace end the harness. */
#ifndef STEP_TRACEE_H
#define STEP_TRACEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

struct tracee {
	pid_t pid;
	int memory; /* /proc/PID/mem */
	struct user_regs_struct registers;
	bool is_over;
	int status; /* once it is over, as wait(2) has it */
	int signal; /* to be delivered */
	/* The program's own file: where its image starts, ends, and has its code, and
	 * where offset 0 of the file would be if all were mapped as the code is. */
	uint64_t image_start, image_end, code_start, code_end, bias;
	uint64_t stack_end;
};

/* Start a program without address space randomisation, its output going nowhere; stop at
 * its first instruction. */
void tracee_start(struct tracee *tracee, char *const command[]);
void tracee_step(struct tracee *tracee);
/* Run until one of two addresses, or to the end. The first counts only if the stack
 * pointer is at least that high, which is false in deeper calls. */
void tracee_run(struct tracee *tracee, uint64_t address, uint64_t stack, uint64_t other);
/* Run to the end, and return whether the program succeeded. */
bool tracee_finish(struct tracee *tracee);

bool tracee_read(const struct tracee *tracee, uint64_t address, void *bytes, size_t size);
bool tracee_is_stack(const struct tracee *tracee, uint64_t address);
/* Whether it is in the program's file, or the memory of its variables. */
bool tracee_is_image(const struct tracee *tracee, uint64_t address);

#endif

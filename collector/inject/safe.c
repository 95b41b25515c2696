/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other threads run on and give back their locks, so only the stopped one may hold
 * one that dlopen(3) needs: that of the allocator, of the loader, or another one of libc.
 * A thread that has been stopped there, or in a handler that has interrupted it there,
 * runs on until it returns from there; a debug register stops it then. A thread that
 * sleeps in a system call can be used as it is: what holds such a lock does not sleep,
 * unless it waits for another lock of libc.
 */
#include "collector/inject/safe.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/inject/interrupts.h"
#include "collector/inject/maps.h"
#include "collector/inject/sleep.h"
#include "collector/inject/slice.h"
#include "collector/inject/stack.h"
#include "collector/tracee/registers.h"
#include "collector/tracee/status.h"
#include "collector/tracee/thread.h"
#include "libexpt/base/time.h"

#define STACK_ROOM  (64 * 1024) /* that dlopen(3) and the collector need */
#define RUN_LIMIT   (50 * MS)	/* for one attempt */
#define TRIES_MAX   8		/* of one thread in a row */
#define THREADS_MAX 64		/* that are tried */
#define TOTAL_LIMIT (10 * NS_PER_SECOND)

#define MOVE_TO_EAX  0xb8 /* an instruction, followed by the number */
#define SYSCALL_CODE 7	  /* bytes of that and of the system call */

struct search {
	struct safe *safe;
	struct maps maps;
	struct stack stack;
	struct user_regs_struct registers;
};

#define NO_CALL UINT64_MAX

/* The system call in which a signal has interrupted a frame, if that was to sleep or will
 * be begun again: code of libc puts its number into eax immediately before it. */
static uint64_t call_at(const struct search *search, uint64_t pc)
{
	static const unsigned char syscall[] = { 0x0f, 0x05 };
	unsigned char code[SYSCALL_CODE + sizeof(syscall)];
	uint32_t number;

	if (!memory_read(search->safe->memory, pc - SYSCALL_CODE, code, sizeof(code)))
		return NO_CALL;
	for (size_t i = 0; i <= sizeof(syscall); i += sizeof(syscall)) {
		const unsigned char *at = code + i;
		bool calls = memcmp(at + 1 + sizeof(number), syscall, sizeof(syscall)) ==
			     0;

		memcpy(&number, at + 1, sizeof(number));
		if (at[0] == MOVE_TO_EAX && calls)
			return number;
	}
	return NO_CALL;
}

/* Calls that change memory or make processes are made with locks held. */
static bool is_delicate_call(uint64_t number)
{
	static const unsigned short numbers[] = {
		SYS_brk,     SYS_mmap,	   SYS_munmap, SYS_mremap,     SYS_mprotect,
		SYS_madvise, SYS_clone,	   SYS_clone3, SYS_fork,       SYS_vfork,
		SYS_execve,  SYS_execveat, SYS_exit,   SYS_exit_group, SYS_rt_sigreturn,
	};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (numbers[i] == number)
			return true;
	return false;
}

/* Whether this is a variable of libc or the loader, such as a lock: of their files, or of
 * the anonymous memory that follows. */
static bool is_of_libc(const struct maps *maps, uint64_t address)
{
	const struct mapping *mapping = maps_find(maps, address);
	const char *name;

	while (mapping && mapping > maps->items && !mapping->name[0] &&
	       mapping[-1].end == mapping->start)
		mapping--;
	name = mapping ? strrchr(mapping->name, '/') : NULL;
	return name &&
	       (strncmp(name, "/libc.so", 8) == 0 || strncmp(name, "/libc-2.", 8) == 0 ||
		strncmp(name, "/ld-", 4) == 0);
}

/* The number of frames, from this one on, that are in libc and what belongs to it. */
static size_t count_delicate(const struct stack *stack, size_t from)
{
	size_t count = 0;

	while (from + count < stack->count && stack->frames[from + count].is_delicate)
		count++;
	return count;
}

/* Whether the frame is in a system call of libc without a lock that is needed. Programs
 * may live in a handler that has interrupted such a call, as workers of PostgreSQL do. */
static bool sleeps_safely(const struct search *search, size_t frame)
{
	const struct user_regs_struct *registers = &search->registers;
	const struct frame *frames = &search->stack.frames[frame];
	uint64_t number = frame == 0 ? registers->orig_rax : call_at(search, frames->pc);

	if ((int64_t)number < 0 || is_delicate_call(number))
		return false;
	/* The collector makes calls while it holds locks of its own. */
	if (frames->is_collector)
		return frame == 0 && number == SYS_rt_sigtimedwait;
	for (size_t i = 0; i < count_delicate(&search->stack, frame); i++)
		if (frames[i].is_loader)
			return false;
	return number != SYS_futex ||
	       (frame == 0 && !is_of_libc(&search->maps, registers->rdi));
}

/* Whether the frame is the code of libc by which a handler returns to what it has
 * interrupted: the next frame. */
static bool is_trampoline(const struct stack *stack, size_t frame)
{
	return frame > 0 && frame + 1 < stack->count &&
	       stack->frames[frame + 1].is_interrupted;
}

/* Returns the number of innermost frames that the thread must leave first. */
static size_t count_unsafe(const struct search *search)
{
	const struct stack *stack = &search->stack;
	size_t count = 0;

	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->frames[i];

		if (frame->is_locked)
			count = i + 1;
		if (frame->is_interrupted && frame->is_delicate &&
		    !is_trampoline(stack, i) && !sleeps_safely(search, i))
			count = i + count_delicate(stack, i);
	}
	return count;
}

/* Whether the stack is that of the thread, and large: the main thread's grows, and others
 * have their own data at the top and a guard below. Some languages run on stacks of their
 * own, and signals may do so. */
static bool has_room(const struct search *search)
{
	const struct user_regs_struct *registers = &search->registers;
	const struct mapping *mapping = maps_find(&search->maps, registers->rsp);

	if (!mapping)
		return false;
	if (strcmp(mapping->name, "[stack]") == 0)
		return true;
	return registers->fs_base > registers->rsp && registers->fs_base < mapping->end &&
	       registers->rsp - mapping->start >= STACK_ROOM &&
	       mapping > search->maps.items && mapping[-1].end == mapping->start &&
	       !mapping[-1].is_accessible;
}

/* Let the thread run to this place: 0 if it is stopped again, there or elsewhere. */
static int run_on(struct search *search, pid_t thread, uint64_t address)
{
	struct safe *safe = search->safe;
	int rc;

	safe->stopped_ns += time_now_ns() - safe->stopped_at;
	rc = thread_run_to(thread, address, RUN_LIMIT);
	safe->stopped_at = time_now_ns();
	return rc == -ETIMEDOUT ? 0 : rc;
}

/* Bring the stopped thread to a safe place: 0 if it is there; 1: it has no such place. */
static int bring(struct search *search, pid_t thread)
{
	for (int i = 0; i < TRIES_MAX; i++) {
		size_t unsafe;
		int rc = thread_registers(thread, &search->registers);

		if (rc < 0)
			return rc;
		stack_read(&search->stack, search->safe->reader, thread);
		unsafe = count_unsafe(search);
		if (search->stack.count == 0 || unsafe == search->stack.count ||
		    (unsafe > 0 && search->stack.frames[unsafe - 1].is_start))
			return 1;
		if (unsafe == 0)
			return has_room(search) ? 0 : 1;
		rc = run_on(search, thread, search->stack.frames[unsafe].pc);
		if (rc < 0)
			return rc == -EINVAL ? 1 : rc;
	}
	return 1;
}

void safe_is_over(struct safe *safe, pid_t thread)
{
	safe->stopped_ns += time_now_ns() - safe->stopped_at;
	slice_restore(thread, safe->slice);
}

/* Returns 0 if the thread is stopped at a safe place, else 1 or a negative errno, and it
 * runs on. */
static int try_thread(struct search *search, pid_t thread)
{
	struct safe *safe = search->safe;
	struct sleep sleep;
	int rc;

	maps_release(&search->maps);
	rc = maps_read(&search->maps, thread);
	if (rc < 0)
		return rc;
	sleep = sleep_ask(safe->process, thread);
	safe->slice = slice_shorten(thread, safe->usual_slice);
	safe->stopped_at = time_now_ns();
	rc = thread_stop(thread);
	if (rc == 0) {
		rc = bring(search, thread);
		if (rc == 0) {
			safe->asleep_since = sleep_began(&sleep, thread);
			return 0;
		}
		thread_detach(thread, 0);
	}
	safe_is_over(safe, thread);
	return rc;
}

/* List threads, the main thread first. Returns how many. */
static size_t list_threads(pid_t process, pid_t threads[THREADS_MAX])
{
	const struct dirent *entry;
	size_t count = 0;
	char path[32];
	DIR *dir;

	threads[count++] = process;
	snprintf(path, sizeof(path), "/proc/%d/task", (int)process);
	dir = opendir(path);
	while (dir && count < THREADS_MAX && (entry = readdir(dir))) {
		pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);

		if (thread > 0 && thread != process)
			threads[count++] = thread;
	}
	if (dir)
		closedir(dir);
	return count;
}

/* Errors of one thread need not be those of others. */
static bool is_final(int rc)
{
	return rc <= 0 && rc != -ESRCH && rc != -EAGAIN;
}

static pid_t find_thread(struct search *search)
{
	uint64_t end = time_now_ns() + TOTAL_LIMIT;
	static const struct timespec pause = { .tv_nsec = 20 * MS };
	pid_t threads[THREADS_MAX];

	do {
		size_t count = list_threads(search->safe->process, threads);

		for (size_t i = 0; i < count; i++) {
			int rc = try_thread(search, threads[i]);

			if (is_final(rc))
				return rc == 0 ? threads[i] : rc;
			if (i == 0 && rc == -ESRCH && count == 1)
				return rc;
		}
		nanosleep(&pause, NULL);
		thread_let_go();
		if (interrupts_are_there())
			return -EINTR;
	} while (time_now_ns() < end);
	return -ETIMEDOUT;
}

pid_t safe_stop(struct safe *safe)
{
	struct search search = { .safe = safe };
	pid_t thread = find_thread(&search);

	maps_release(&search.maps);
	return thread;
}

int safe_open(struct safe *safe, pid_t process)
{
	pid_t thread = process_live_thread(process);

	*safe = (struct safe){ .process = process };
	safe->memory = memory_open(thread);
	if (safe->memory < 0)
		return safe->memory;
	safe->reader = stack_reader_open(thread);
	if (!safe->reader) {
		close(safe->memory);
		return -ESRCH;
	}
	safe->usual_slice = slice_usual();
	safe->own_slice = slice_shorten(0, safe->usual_slice);
	return 0;
}

void safe_close(struct safe *safe)
{
	slice_restore(0, safe->own_slice);
	stack_reader_close(safe->reader);
	safe->reader = NULL;
	close(safe->memory);
}

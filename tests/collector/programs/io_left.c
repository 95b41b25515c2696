/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of I/O that are left by a jump, made in handlers, in children, or by many. */

/* Call the functions themselves, not inline forms. */
#define __NO_INLINE__

#include "expected.h"
#include "situation.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>

/* ---- calls that do not return ---- */

/* Deeper in the stack than any call before. */
__attribute__((noinline)) static void write_deep(int fd, int depth)
{
	volatile char room[512];

	room[0] = (char)depth;
	if (depth > 0) {
		write_deep(fd, depth - 1);
	} else if (write(fd, "deep", 4) == 4) {
		expect(WRITE, fd, 4, "write", NULL);
	}
	room[1] = room[0];
}

static sigjmp_buf out;

static void jump_out(int signal)
{
	siglongjmp(out, 1);
}

static int jumped(char **arguments)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };
	char byte;
	int ends[2];

	signal(SIGALRM, jump_out);
	pipe(ends);
	expect(OPEN, ends[0], 0, "pipe", NULL);
	if (sigsetjmp(out, 1) == 0) {
		setitimer(ITIMER_REAL, &soon, NULL);
		while (read(ends[0], &byte, 1) < 0)
			;
	}
	write_deep(ends[1], 20);
	write_deep(ends[1], 4);
	print_lines();
	return 0;
}

static void clean_up(void *ends)
{
	write_deep(((int *)ends)[1], 20);
}

static void *read_for_ever(void *ends)
{
	char byte;

	pthread_cleanup_push(clean_up, ends);
	while (read(((int *)ends)[0], &byte, 1) < 0)
		;
	pthread_cleanup_pop(0);
	return NULL;
}

static int cancelled(char **arguments)
{
	pthread_t thread;
	int ends[2];

	pipe(ends);
	expect(OPEN, ends[0], 0, "pipe", NULL);
	pthread_create(&thread, NULL, read_for_ever, ends);
	usleep(20000);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	write_deep(ends[1], 2);
	print_lines();
	return 0;
}

/* ---- handlers that do I/O, on an alternate stack above the thread's ---- */

static int null_fd;
static volatile unsigned long handled;

static void write_in_handler(int signal)
{
	int saved = errno;

	handled += write(null_fd, "x", 1) == 1;
	errno = saved;
}

static void *write_often(void *stack)
{
	struct itimerval often = { { 0, 500 }, { 0, 500 } },
			 never = { { 0, 0 }, { 0, 0 } };
	sigset_t alarm;

	sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = 65536 }, NULL);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	while (handled < 50)
		write(null_fd, "abcde", 5);
	setitimer(ITIMER_REAL, &never, NULL);
	return NULL;
}

static int in_handlers(char **arguments)
{
	void *stack = mmap(NULL, 65536, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct sigaction action = { .sa_handler = write_in_handler,
				    .sa_flags = SA_ONSTACK | SA_RESTART };
	sigset_t alarm;
	pthread_t thread;

	null_fd = open("/dev/null", O_WRONLY);
	sigaction(SIGALRM, &action, NULL);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	pthread_create(&thread, NULL, write_often, stack);
	pthread_join(thread, NULL);
	return 0;
}

/* ---- children ---- */

static int vforked(char **arguments)
{
	int null = open("/dev/null", O_WRONLY), status;
	pid_t child;

	expect(OPEN, null, 0, "open", "/dev/null");
	child = vfork();
	if (child == 0) {
		dup2(null, 60);
		write(60, "child", 5);
		_exit(write(null, "child", 5) != 5);
	}
	write(null, "parent", 6);
	expect(WRITE, null, 6, "write", NULL);
	waitpid(child, &status, 0);
	need(status == 0, "the child of vfork\n");
	print_lines();
	return 0;
}

static int forked(char **arguments)
{
	int null = open("/dev/null", O_WRONLY);
	pid_t child = fork();

	if (child == 0) {
		for (int i = 0; i < 3; i++)
			write(null, "child", 5);
		_exit(0);
	}
	write(null, "parent", 6);
	waitpid(child, NULL, 0);
	return 0;
}

static void pipe_and_write(void)
{
	int ends[2];

	if (pipe(ends) == 0)
		write(ends[1], "child", 5);
}

/* A process with this memory, and with what this thread calls its own, on another stack.
 * Wrappers of clone() and syscall() do not see it. */
static pid_t clone_unseen(void (*run)(void), char *stack_end)
{
	long result;
	register long no_tid __asm__("r10") = 0;
	register void (*function)(void) __asm__("r12") = run;

	__asm__ volatile("xor %%r8d, %%r8d\n"
			 "syscall\n"
			 "test %%rax, %%rax\n"
			 "jnz 1f\n"
			 "xor %%ebp, %%ebp\n"
			 "call *%%r12\n"
			 "mov $60, %%eax\n"
			 "xor %%edi, %%edi\n"
			 "syscall\n"
			 "1:"
			 : "=a"(result)
			 : "a"(SYS_clone), "D"(CLONE_VM | SIGCHLD), "S"(stack_end),
			   "d"(0), "r"(no_tid), "r"(function)
			 : "rcx", "r8", "r11", "memory");
	return (pid_t)result;
}

static int beside(char **arguments)
{
	const size_t size = 65536;
	char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int null = open("/dev/null", O_WRONLY), status = 1;
	pid_t child = clone_unseen(pipe_and_write, stack + size);

	expect(OPEN, null, 0, "open", "/dev/null");
	need(child > 0 && waitpid(child, &status, 0) == child && status == 0,
	     "the child of clone\n");
	write(null, "parent", 6);
	expect(WRITE, null, 6, "write", NULL);
	print_lines();
	return 0;
}

/* ---- many ---- */

static void *write_many(void *count)
{
	int fd = open("/dev/null", O_WRONLY);

	for (long i = 0; i < (long)count; i++)
		write(fd, "1234567890", 10);
	close(fd);
	return NULL;
}

static int many(char **arguments)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, write_many, (void *)5000L);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

static const struct situation situations[] = {
	{ "jumped", jumped },
	{ "cancelled", cancelled },
	{ "in_handlers", in_handlers },
	{ "vforked", vforked },
	{ "forked", forked },
	{ "beside", beside },
	{ "many", many },
	{ NULL, NULL },
};

int main(int argc, char **argv)
{
	return run_situation(situations, argc, argv);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pipe threads|processes ROUNDS - sends a byte back and forth between two threads or two
 * processes, ROUNDS times. Everything runs on one processor: with more, the time depends
 * on where the kernel puts the two.
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int to[2], from[2];

static void *answer(void *unused)
{
	char byte;

	while (read(to[0], &byte, 1) == 1)
		if (write(from[1], &byte, 1) != 1)
			break;
	return NULL;
}

static void ask(long rounds)
{
	char byte = 0;

	for (long i = 0; i < rounds; i++)
		if (write(to[1], &byte, 1) != 1 || read(from[0], &byte, 1) != 1)
			exit(1);
	close(to[1]);
}

static void answer_in_process(void)
{
	close(to[1]);
	answer(NULL);
	_exit(0);
}

int main(int argc, char **argv)
{
	bool has_threads = argc > 2 && strcmp(argv[1], "threads") == 0;
	pthread_t thread;
	pid_t child = 1;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (argc < 3 || pipe(to) < 0 || pipe(from) < 0)
		return 2;
	if (has_threads)
		pthread_create(&thread, NULL, answer, NULL);
	else
		child = fork();
	if (child == 0)
		answer_in_process();
	ask(atol(argv[2]));
	if (has_threads)
		pthread_join(thread, NULL);
	else
		wait(NULL);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A bit of everything that tracing records: memory, files, a thread, a child, and some
 * work. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *work(void *argument)
{
	volatile unsigned long sum = 0;

	for (unsigned long i = 0; i < 60000000; i++)
		sum += i;
	return NULL;
}

int main(void)
{
	pthread_t thread;
	FILE *file;
	pid_t child;

	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < 100; i++)
		free(realloc(malloc(10), 1000));
	file = fopen("/dev/null", "w");
	if (!file)
		return 1;
	fputs("text", file);
	fclose(file);
	child = fork();
	if (child == 0) {
		work(NULL);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return 0;
}

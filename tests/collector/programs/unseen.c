/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor table, as the program sees it while much is recorded. */

#include "situation.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS 60000 /* 5 MB of events, including the frees */

__attribute__((noinline)) static void allocate(int blocks)
{
	void *volatile kept;

	for (int i = 0; i < blocks; i++) {
		kept = malloc(24);
		free(kept);
	}
}

/* Prints the open descriptors, found in two ways. */
static void show_table(const char *when)
{
	DIR *directory = opendir("/proc/self/fd");
	struct dirent *entry;

	printf("%s:", when);
	for (int fd = 0; fd < 4096; fd++)
		if (fcntl(fd, F_GETFD) >= 0 && fd != dirfd(directory))
			printf(" %d", fd);
	printf(", listed:");
	while ((entry = readdir(directory)) != NULL)
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != dirfd(directory))
			printf(" %s", entry->d_name);
	puts("");
	fflush(stdout);
	closedir(directory);
}

static int table(char **arguments)
{
	show_table("at first");
	burn(.05);
	allocate(BLOCKS);
	show_table("later");
	if (fork() == 0) {
		burn(.02);
		show_table("in a child");
		allocate(1000);
		show_table("in a child, later");
		_exit(0);
	}
	return wait(NULL) < 0;
}

static atomic_bool is_over;

static void *allocate_until_over(void *unused)
{
	while (!is_over)
		allocate(1000);
	return unused;
}

/* Returns true in a child with more than three open descriptors. */
static int has_more(void)
{
	int count = 0;

	for (int fd = 0; fd < 2048; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count > 3;
}

static int fork_beside(char **arguments)
{
	int strange = 0, status;
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, allocate_until_over, NULL);
	for (int i = 0; i < 300; i++) {
		if (fork() == 0)
			_exit(has_more());
		wait(&status);
		strange += status != 0;
	}
	is_over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("children with more: %d\n", strange);
	return 0;
}

/* Fills the descriptor table. */
static void fill_table(void)
{
	struct rlimit limit = { 64, 64 };
	int last = -1, fd;

	setrlimit(RLIMIT_NOFILE, &limit);
	while ((fd = open("/dev/null", O_RDONLY)) >= 0)
		last = fd;
	printf("the last is %d\n", last);
}

static int full(char **arguments)
{
	fill_table();
	allocate(BLOCKS);
	return 0;
}

/* The program may close all open descriptors. */
static int full_and_new_user(char **arguments)
{
	int closed = 0;

	fill_table();
	if (setgid(65534) < 0 || setuid(65534) < 0)
		return 77;
	fflush(stdout);
	for (int fd = 63; fd >= 0; fd--)
		closed += close(fd) == 0;
	return closed;
}

static int new_root(char **arguments)
{
	if (chroot(arguments[0]) < 0 || chdir("/") < 0)
		return 77;
	allocate(BLOCKS);
	return 0;
}

static int new_user(char **arguments)
{
	if (setgid(65534) < 0 || setuid(65534) < 0)
		return 77;
	allocate(BLOCKS);
	return 0;
}

/* The child becomes another user before its first event. */
static int new_user_in_child(char **arguments)
{
	if (fork() == 0)
		_exit(new_user(arguments));
	return wait(NULL) < 0;
}

int main(int argc, char **argv)
{
	static const struct situation situations[] = {
		{ "table", table },
		{ "fork_beside", fork_beside },
		{ "full", full },
		{ "full_and_new_user", full_and_new_user },
		{ "new_root", new_root },
		{ "new_user", new_user },
		{ "new_user_in_child", new_user_in_child },
		{ NULL, NULL },
	};

	closefrom(3); /* descriptors of the test's caller */
	return run_situation(situations, argc, argv);
}

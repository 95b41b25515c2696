// SPDX-License-Identifier: Apache-2.0
// Faults for the sanitizers of gcc and clang to report, in the same order each time. For
// sanitizers.t, which compiles it.

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_sanitize("thread"), noinline))

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int shared;

// Turns of the threads, invisible to sanitizers.
static volatile int turn;

static UNSEEN void wait_for(int number)
{
	while (turn != number)
		usleep(1000);
}

static UNSEEN void pass_to(int number)
{
	turn = number;
}

static void *touch(void *block)
{
	wait_for(1);
	shared++;
	*static_cast<char *>(block) = 1;
	pass_to(2);
	wait_for(3);
	return nullptr;
}

static void race()
{
	char *block = static_cast<char *>(malloc(7));
	pthread_t thread;

	pthread_create(&thread, nullptr, touch, block);
	pass_to(1);
	wait_for(2);
	shared++;
	block[0] = 2;
	pass_to(3);
	pthread_join(thread, nullptr);
	free(block);
}

static void *lock_backwards(void *)
{
	pthread_mutex_lock(&second);
	pthread_mutex_lock(&first);
	pthread_mutex_unlock(&first);
	pthread_mutex_unlock(&second);
	return nullptr;
}

static void inversion()
{
	pthread_t thread;

	pthread_mutex_lock(&first);
	pthread_mutex_lock(&second);
	pthread_mutex_unlock(&second);
	pthread_mutex_unlock(&first);
	pthread_create(&thread, nullptr, lock_backwards, nullptr);
	pthread_join(thread, nullptr);
}

static void destroyed_while_locked()
{
	pthread_mutex_t *mutex = new pthread_mutex_t;

	pthread_mutex_init(mutex, nullptr);
	pthread_mutex_lock(mutex);
	pthread_mutex_destroy(mutex);
	delete mutex;
}

__attribute__((noinline)) static void leak()
{
	volatile char *block = static_cast<char *>(malloc(33));

	block[0] = 1;
	block = static_cast<char *>(calloc(5, 11));
	block[0] = 1;
	block = new char[77];
	block[0] = 1;
	block = strdup("left");
	block[0] = 1;
}

static void overflow()
{
	volatile char *block = static_cast<char *>(malloc(10));

	block[10] = 1;
	free(const_cast<char *>(block));
	block = new char[20];
	block[20] = 1;
	delete[] block;
	block[0] = 1;
}

static void overflow_by_call()
{
	volatile size_t size = 20;
	int fd = open("/dev/zero", O_RDONLY);
	char *block = static_cast<char *>(malloc(size / 2));

	printf("%zd\n", read(fd, block, size));
	close(fd);
	free(block);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	if (strcmp(kind, "thread") == 0) {
		race();
		inversion();
		destroyed_while_locked();
	} else if (strcmp(kind, "address") == 0) {
		overflow();
		overflow_by_call();
	}
	leak();
	printf("%s\n", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "nothing is preloaded");
	return 0;
}

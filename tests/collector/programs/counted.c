/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counted FILE THREADS ROUNDS [forks | children] - threads that allocate, lock and read,
 * and count in the shared FILE the calls begun and the calls completed. As many must be
 * recorded, whenever the program is killed. With FILE "-" the counts are in the program's
 * own memory. With ROUNDS 0 it runs until it is killed.
 *
 * With "forks" children come and go alongside the threads, and count their calls, too.
 * With "children" that many children, one after the other, run ROUNDS rounds before the
 * threads do.
 */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SLOTS	     4096
#define ERRNO	     4242 /* no call sets this */
#define CHILD_ROUNDS 50

enum call { MALLOC, FREE, REALLOC, MMAP, MUNMAP, LOCK, READ, WRITE, CALLS };

struct slot {
	volatile long pid, thread;
	volatile long begun[CALLS], done[CALLS];
};

static struct {
	_Atomic long used;
	struct slot slots[SLOTS];
} * counts;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int zero, null;
static long rounds;
static _Atomic long spoilt;

static struct slot *take_slot(void)
{
	struct slot *slot = &counts->slots[atomic_fetch_add(&counts->used, 1) % SLOTS];

	slot->thread = syscall(SYS_gettid);
	slot->pid = getpid();
	return slot;
}

#define COUNTED(slot, call, statement) \
	do {                           \
		slot->begun[call]++;   \
		statement;             \
		slot->done[call]++;    \
	} while (0)

static void work(struct slot *slot, long i)
{
	char buffer[16], *block, *pages;

	COUNTED(slot, MALLOC, block = malloc((size_t)(200 + i % 100)));
	/* It shrinks in place; if it moved, the old block would be recorded as freed. */
	COUNTED(slot, REALLOC, block = realloc(block, (size_t)(16 + i % 100)));
	COUNTED(slot, READ,
		spoilt += read(zero, buffer, sizeof(buffer)) != sizeof(buffer));
	COUNTED(slot, LOCK, pthread_mutex_lock(&lock));
	if (i % 16 == 0)
		COUNTED(slot, WRITE, spoilt += write(null, buffer, 3) != 3);
	pthread_mutex_unlock(&lock);
	COUNTED(slot, FREE, free(block));
	if (i % 16 != 0)
		return;
	COUNTED(slot, MMAP,
		pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	pages[4096] = 1; /* a page fault */
	COUNTED(slot, MUNMAP, munmap(pages, 8192));
}

static void *worker(void *argument)
{
	struct slot *slot = take_slot();

	for (long i = 0; rounds == 0 || i < rounds; i++) {
		errno = ERRNO;
		work(slot, i);
		spoilt += errno != ERRNO;
	}
	return NULL;
}

static void run_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		struct slot *slot = take_slot();

		/* Another thread may have held the lock at the fork. */
		pthread_mutex_init(&lock, NULL);
		for (long i = 0; i < (rounds == 0 ? CHILD_ROUNDS : rounds); i++)
			work(slot, i);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		perror("no child");
}

static int map_counts(const char *name)
{
	int fd = strcmp(name, "-") != 0 ? open(name, O_RDWR | O_CREAT, 0666) : -1;

	if (fd >= 0 && ftruncate(fd, sizeof(*counts)) < 0)
		return -1;
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE,
		      MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);
	return counts == MAP_FAILED ? -1 : 0;
}

int main(int argc, char **argv)
{
	int threads = argc > 3 ? atoi(argv[2]) : 0;
	const char *children = argc > 4 ? argv[4] : "";
	pthread_t ids[64];

	if (threads < 1 || threads > 64 || map_counts(argv[1]) < 0)
		return 2;
	rounds = atol(argv[3]);
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	for (int i = 0; strcmp(children, "children") == 0 && i < 3; i++)
		run_child();
	for (int i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, worker, NULL) != 0)
			return 3;
	while (strcmp(children, "forks") == 0)
		run_child();
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	printf("%d threads, %ld rounds, %ld spoilt\n", threads, rounds, (long)spoilt);
	fprintf(stderr, "done\n");
	return 5;
}

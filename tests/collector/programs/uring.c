/* SPDX-License-Identifier: Apache-2.0 */
/*
 * uring SECONDS - has the kernel's workers read for this much CPU time of the process,
 * while the program itself mostly waits, and prints the time used. Status 77: io_uring is
 * not available.
 */

#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SIZE (1 << 20)

struct ring {
	int fd;
	struct io_uring_params parameters;
	char *submissions, *completions;
	struct io_uring_sqe *entries;
};

static void *map(int fd, size_t size, off_t offset)
{
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);

	if (at == MAP_FAILED)
		exit(99);
	return at;
}

static void open_ring(struct ring *ring)
{
	struct io_uring_params *p = &ring->parameters;

	ring->fd = (int)syscall(SYS_io_uring_setup, 1, p);
	if (ring->fd < 0)
		exit(77);
	ring->submissions =
		map(ring->fd, p->sq_off.array + p->sq_entries * 4, IORING_OFF_SQ_RING);
	ring->completions =
		map(ring->fd, p->cq_off.cqes + p->cq_entries * 16, IORING_OFF_CQ_RING);
	ring->entries =
		map(ring->fd, p->sq_entries * sizeof(*ring->entries), IORING_OFF_SQES);
}

/* A worker reads, because the request asks the kernel not to try inline first. */
static void read_once(struct ring *ring, int file, char *buffer)
{
	const struct io_uring_params *p = &ring->parameters;
	_Atomic unsigned *tail = (_Atomic unsigned *)(ring->submissions + p->sq_off.tail);
	_Atomic unsigned *head = (_Atomic unsigned *)(ring->completions + p->cq_off.head);

	ring->entries[0] = (struct io_uring_sqe){
		.opcode = IORING_OP_READ,
		.flags = IOSQE_ASYNC,
		.fd = file,
		.addr = (unsigned long)buffer,
		.len = SIZE,
	};
	((unsigned *)(ring->submissions + p->sq_off.array))[0] = 0;
	atomic_fetch_add(tail, 1);
	if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL,
		    0) != 1)
		exit(99);
	atomic_fetch_add(head, 1);
}

static double used(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv)
{
	double limit = argc == 2 ? atof(argv[1]) : 0;
	struct ring ring = { 0 };
	int file = open("/dev/zero", O_RDONLY);
	char *buffer = malloc(SIZE);

	open_ring(&ring);
	while (used() < limit)
		read_once(&ring, file, buffer);
	close(ring.fd);
	printf("%f\n", used());
	free(buffer);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sampler/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collector/base/system.h"

#define RING_PAGES 16 /* for data; users may lock half a megabyte per processor */

/* sample_id_all appends this to each record, according to sample_type below. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, unused;
};

/* ---- opening ---- */

static struct perf_event_attr attributes(const struct perf *perf, uint64_t period_ns)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.size = sizeof(struct perf_event_attr),
		.sample_period = period_ns,
		.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
			       PERF_SAMPLE_CPU | PERF_SAMPLE_CALLCHAIN,
		.sample_id_all = 1,
		.disabled = 1,
		.enable_on_exec = 1,
		.inherit = 1,
		.inherit_stat = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.exclude_kernel = perf->sees_no_kernel,
		.exclude_hv = 1,
		.exclude_callchain_kernel = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC_RAW,
		.watermark = 1,
		.wakeup_watermark = (uint32_t)perf->ring_size / 4,
	};
}

static int open_event(const struct perf_event_attr *event, pid_t thread, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, event, thread, cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static int map_ring(const struct perf *perf, struct perf_ring *ring)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *memory = mmap(NULL, page + perf->ring_size, PROT_READ | PROT_WRITE,
			    MAP_SHARED, ring->fd, 0);

	if (memory == MAP_FAILED)
		return -errno;
	ring->page = memory;
	return 0;
}

static int open_ring(struct perf *perf, const struct perf_event_attr *event, pid_t thread,
		     int cpu)
{
	struct perf_ring *ring = &perf->rings[perf->count];
	int rc;

	ring->fd = open_event(event, thread, cpu);
	if (ring->fd == -ENODEV) /* the processor is offline */
		return 0;
	if (ring->fd < 0)
		return ring->fd;
	rc = map_ring(perf, ring);
	if (rc < 0)
		close(ring->fd);
	else
		perf->count++;
	return rc;
}

static void close_rings(struct perf *perf)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < perf->count; i++) {
		munmap(perf->rings[i].page, page + perf->ring_size);
		close(perf->rings[i].fd);
	}
	perf->count = 0;
}

/* Open a ring on each processor, or none at all. */
static int open_rings(struct perf *perf, pid_t thread, uint64_t period_ns, long cpus)
{
	struct perf_event_attr event = attributes(perf, period_ns);
	int rc = 0;

	for (int cpu = 0; cpu < cpus && rc == 0; cpu++)
		rc = open_ring(perf, &event, thread, cpu);
	if (rc == 0 && perf->count == 0)
		rc = -ENODEV;
	if (rc < 0)
		close_rings(perf);
	return rc;
}

/* Ask for less after this error. False: nothing is left to give up. */
static bool ask_for_less(struct perf *perf, int error)
{
	if (error == -EACCES && !perf->sees_no_kernel) {
		perf->sees_no_kernel = true;
		return true;
	}
	/* Ring memory is limited per user: smaller rings are better than none. */
	if (error == -EPERM && perf->ring_size > (size_t)sysconf(_SC_PAGESIZE)) {
		perf->ring_size /= 2;
		return true;
	}
	return false;
}

int perf_open(struct perf *perf, pid_t thread, uint64_t period_ns)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int rc;

	*perf = (struct perf){ .ring_size = RING_PAGES * (size_t)sysconf(_SC_PAGESIZE) };
	perf->rings = calloc((size_t)cpus, sizeof(*perf->rings));
	if (!perf->rings)
		return -ENOMEM;
	do
		rc = open_rings(perf, thread, period_ns, cpus);
	while (rc < 0 && ask_for_less(perf, rc));
	if (rc < 0)
		perf_close(perf);
	return rc;
}

void perf_close(struct perf *perf)
{
	close_rings(perf);
	free(perf->rings);
	free(perf->bytes);
	free(perf->entries);
	*perf = (struct perf){ 0 };
}

/* ---- waiting ---- */

/* An event hangs up when its process and all that inherited it are gone. */
bool perf_wait(struct perf *perf, int limit_ms)
{
	struct pollfd ready[perf->count];
	bool is_alive = false;

	for (size_t i = 0; i < perf->count; i++)
		ready[i] = (struct pollfd){ .fd = perf->rings[i].fd, .events = POLLIN };
	if (poll(ready, perf->count, limit_ms) < 0)
		return true;
	for (size_t i = 0; i < perf->count; i++)
		is_alive = is_alive || (ready[i].revents & (POLLHUP | POLLERR)) == 0;
	return is_alive;
}

uint64_t perf_total(const struct perf *perf)
{
	uint64_t total = 0, value;

	for (size_t i = 0; i < perf->count; i++)
		if (read(perf->rings[i].fd, &value, sizeof(value)) == sizeof(value))
			total += value;
	return total;
}

/* ---- collecting ---- */

static void copy_out(const struct perf *perf, const struct perf_ring *ring, uint64_t at,
		     void *to, size_t size)
{
	const char *data = (const char *)ring->page + sysconf(_SC_PAGESIZE);
	size_t start = (size_t)at & (perf->ring_size - 1),
	       first = perf->ring_size - start;

	if (first > size)
		first = size;
	memcpy(to, data + start, first);
	memcpy((char *)to + first, data, size - first);
}

/* Round up, so that the next record is aligned. */
static size_t padded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

static bool make_room(struct perf *perf, size_t size)
{
	if (perf->length + size > perf->room) {
		size_t room = 2 * perf->room + size + 65536;
		char *bytes = realloc(perf->bytes, room);

		if (!bytes)
			return false;
		perf->bytes = bytes;
		perf->room = room;
	}
	if (perf->entry_count == perf->entry_room) {
		size_t room = 2 * perf->entry_room + 1024;
		struct perf_entry *entries =
			realloc(perf->entries, room * sizeof(*entries));

		if (!entries)
			return false;
		perf->entries = entries;
		perf->entry_room = room;
	}
	return true;
}

/* A sample has its time in front, all other records in the trailer. */
static uint64_t time_of(const struct perf_event_header *header)
{
	const char *bytes = (const char *)header;
	struct trailer trailer;
	uint64_t time;

	if (header->type == PERF_RECORD_SAMPLE) {
		memcpy(&time, bytes + sizeof(*header) + 16, sizeof(time));
		return time;
	}
	memcpy(&trailer, bytes + header->size - sizeof(trailer), sizeof(trailer));
	return trailer.time_ns;
}

static void add_entry(struct perf *perf, size_t at)
{
	const struct perf_event_header *header = (const void *)(perf->bytes + at);

	perf->entries[perf->entry_count] =
		(struct perf_entry){ time_of(header), at, perf->entry_count };
	perf->entry_count++;
	perf->length = at + padded(header->size);
}

static void collect_ring(struct perf *perf, struct perf_ring *ring)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;

	while (tail < head) {
		struct perf_event_header header;
		size_t at = perf->length;

		copy_out(perf, ring, tail, &header, sizeof(header));
		if (header.size < sizeof(header) + sizeof(struct trailer)) {
			tail = head; /* not a record of the kernel */
			break;
		}
		if (!make_room(perf, padded(header.size)))
			break;
		copy_out(perf, ring, tail, perf->bytes + at, header.size);
		add_entry(perf, at);
		tail += header.size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

static int compare_entries(const void *a, const void *b)
{
	const struct perf_entry *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Move the entries not yet given out to the front; their bytes are in no order. */
static void drop_given(struct perf *perf)
{
	size_t count = perf->entry_count - perf->given;
	char *bytes = count > 0 ? malloc(perf->length) : NULL;

	if (count > 0 && !bytes)
		return;
	memmove(perf->entries, perf->entries + perf->given,
		count * sizeof(*perf->entries));
	perf->length = perf->entry_count = perf->given = 0;
	for (size_t i = 0; i < count; i++) {
		const char *from = perf->bytes + perf->entries[i].at;
		size_t size =
			((const struct perf_event_header *)(const void *)from)->size;

		memcpy(bytes + perf->length, from, size);
		perf->entries[i] =
			(struct perf_entry){ perf->entries[i].time_ns, perf->length, i };
		perf->length += padded(size);
	}
	perf->entry_count = count;
	if (count == 0)
		return;
	memcpy(perf->bytes, bytes, perf->length);
	free(bytes);
}

void perf_collect(struct perf *perf)
{
	drop_given(perf);
	for (size_t i = 0; i < perf->count; i++)
		collect_ring(perf, &perf->rings[i]);
	if (perf->entry_count > 0)
		qsort(perf->entries, perf->entry_count, sizeof(*perf->entries),
		      compare_entries);
}

/* ---- records ---- */

struct sample_body {
	uint64_t pc;
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, unused;
	uint64_t count;
	uint64_t pcs[];
};

struct task_body {
	uint32_t pid, parent, tid, parent_tid;
};

struct map_body {
	uint32_t pid, tid;
	uint64_t address, size, file_offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
	char name[];
};

struct named_body {
	uint32_t pid, tid;
	char name[];
};

struct value_body { /* of READ */
	uint32_t pid, tid;
	uint64_t value;
};

struct lost_body {
	uint64_t id, lost;
};

static void parse(struct perf_record *record, const struct perf_event_header *header)
{
	const void *body = header + 1;
	const struct sample_body *sample = body;
	const struct map_body *map = body;
	const struct named_body *named = body;
	struct trailer trailer;

	memcpy(&trailer, (const char *)header + header->size - sizeof(trailer),
	       sizeof(trailer));
	*record = (struct perf_record){ .type = header->type,
					.pid = trailer.pid,
					.tid = trailer.tid,
					.cpu = trailer.cpu };
	switch (header->type) {
	case PERF_RECORD_SAMPLE:
		record->pid = sample->pid;
		record->tid = sample->tid;
		record->cpu = sample->cpu;
		record->is_in_kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
				       PERF_RECORD_MISC_KERNEL;
		record->pcs = sample->pcs;
		record->pc_count = sample->count;
		break;
	case PERF_RECORD_MMAP2:
		record->pid = map->pid;
		record->address = map->address;
		record->size = map->size;
		record->file_offset = map->file_offset;
		record->device = makedev(map->major, map->minor);
		record->inode = map->inode;
		record->name = map->name;
		break;
	case PERF_RECORD_COMM:
		record->pid = named->pid;
		record->tid = named->tid;
		record->is_exec = (header->misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
		record->name = named->name;
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		record->pid = ((const struct task_body *)body)->pid;
		record->tid = ((const struct task_body *)body)->tid;
		record->parent = ((const struct task_body *)body)->parent;
		break;
	case PERF_RECORD_READ:
		record->pid = ((const struct value_body *)body)->pid;
		record->tid = ((const struct value_body *)body)->tid;
		record->value = ((const struct value_body *)body)->value;
		break;
	case PERF_RECORD_LOST:
		record->value = ((const struct lost_body *)body)->lost;
		break;
	}
}

bool perf_next(struct perf *perf, uint64_t before_ns, struct perf_record *record)
{
	const struct perf_entry *entry;

	if (perf->given == perf->entry_count)
		return false;
	entry = &perf->entries[perf->given];
	if (entry->time_ns >= before_ns)
		return false;
	perf->given++;
	parse(record, (const void *)(perf->bytes + entry->at));
	record->time_ns = entry->time_ns;
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/rings.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/outside/record.h"

/* ---- opening ---- */

struct perf_event_attr rings_event(uint64_t period_ns)
{
	return (struct perf_event_attr){
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.size = sizeof(struct perf_event_attr),
		.sample_period = period_ns,
		.sample_type = RECORD_SAMPLE_TYPE,
		.sample_id_all = 1,
		.disabled = 1,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.exclude_hv = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC_RAW,
		.watermark = 1,
	};
}

static int open_event(const struct perf_event_attr *event, pid_t thread, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, event, thread, cpu, -1,
			      PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static int map_ring(struct ring *ring)
{
	void *memory = mmap(NULL, page_size() + ring->size, PROT_READ | PROT_WRITE,
			    MAP_SHARED, ring->fd, 0);

	if (memory == MAP_FAILED)
		return -errno;
	ring->page = memory;
	return 0;
}

static int open_ring(struct rings *rings, const struct perf_event_attr *event,
		     pid_t thread, int cpu, size_t size)
{
	struct ring *ring = &rings->items[rings->count];
	int rc;

	*ring = (struct ring){ .fd = open_event(event, thread, cpu),
			       .cpu = cpu,
			       .size = size,
			       .mark = rings->mark,
			       .keeps_stacks = rings->keep_stacks };
	if (ring->fd == -ENODEV) /* the processor is offline */
		return 0;
	if (ring->fd < 0)
		return ring->fd;
	rc = map_ring(ring);
	if (rc < 0)
		close(ring->fd);
	else
		rings->count++;
	return rc;
}

static void close_from(struct rings *rings, size_t first)
{
	for (size_t i = first; i < rings->count; i++) {
		munmap(rings->items[i].page, page_size() + rings->items[i].size);
		close(rings->items[i].fd);
	}
	rings->count = first;
}

/* Open a ring on each processor, or none at all. */
static int open_rings(struct rings *rings, struct perf_event_attr *event, pid_t thread,
		      size_t size, long cpus)
{
	size_t first = rings->count;
	int rc = 0;

	event->wakeup_watermark = (uint32_t)size / 4;
	for (int cpu = 0; cpu < cpus && rc == 0; cpu++)
		rc = open_ring(rings, event, thread, cpu, size);
	if (rc == 0 && rings->count == first)
		rc = -ENODEV;
	if (rc < 0)
		close_from(rings, first);
	return rc;
}

int rings_add_large(struct rings *rings, struct perf_event_attr *event, pid_t thread,
		    size_t size)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct ring *items =
		realloc(rings->items, (rings->count + (size_t)cpus) * sizeof(*items));

	if (!items)
		return -ENOMEM;
	rings->items = items;
	rings->have_stacks = (event->sample_type & RECORD_STACK_TYPE) != 0;
	return open_rings(rings, event, thread, size, cpus);
}

int rings_add(struct rings *rings, struct perf_event_attr *event, pid_t thread,
	      size_t size)
{
	int rc;

	/* Ring memory is limited per user: smaller rings are better than none. */
	do
		rc = rings_add_large(rings, event, thread, size);
	while ((rc == -EPERM || rc == -ENOMEM) && (size /= 2) >= page_size());
	return rc;
}

static int join_ring(struct rings *rings, const struct perf_event_attr *event,
		     pid_t thread, const struct ring *ring)
{
	int fd = open_event(event, thread, ring->cpu), rc = 0;

	if (fd < 0)
		return fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) < 0)
		rc = -errno;
	if (rc < 0)
		close(fd);
	else
		rings->joined[rings->joined_count++] = fd;
	return rc;
}

int rings_join(struct rings *rings, const struct perf_event_attr *event, pid_t thread,
	       size_t count)
{
	size_t joined = rings->joined_count;
	int *grown = realloc(rings->joined, (joined + count) * sizeof(*grown)), rc = 0;

	if (!grown)
		return -ENOMEM;
	rings->joined = grown;
	for (size_t i = rings->count - count; i < rings->count && rc == 0; i++)
		rc = join_ring(rings, event, thread, &rings->items[i]);
	while (rc < 0 && rings->joined_count > joined)
		close(rings->joined[--rings->joined_count]);
	return rc;
}

void rings_enable(const struct rings *rings, bool are_enabled)
{
	unsigned long request = are_enabled ? PERF_EVENT_IOC_ENABLE
					    : PERF_EVENT_IOC_DISABLE;

	for (size_t i = 0; i < rings->count; i++)
		ioctl(rings->items[i].fd, request, 0);
	for (size_t i = 0; i < rings->joined_count; i++)
		ioctl(rings->joined[i], request, 0);
}

void rings_close(struct rings *rings)
{
	for (size_t i = 0; i < rings->joined_count; i++)
		close(rings->joined[i]);
	close_from(rings, 0);
	free(rings->joined);
	free(rings->items);
	*rings = (struct rings){ 0 };
}

/* ---- waiting ---- */

/* An event hangs up when its process and all that inherited it are gone. From then on
 * poll() would not wait for the others. */
bool rings_wait(struct rings *rings, int limit_ms)
{
	struct pollfd ready[rings->count];
	bool is_alive = false;

	for (size_t i = 0; i < rings->count; i++) {
		struct ring *ring = &rings->items[i];

		ready[i] = (struct pollfd){ .fd = ring->is_over ? -1 : ring->fd,
					    .events = POLLIN };
	}
	if (poll(ready, rings->count, limit_ms) < 0)
		return true;
	for (size_t i = 0; i < rings->count; i++) {
		struct ring *ring = &rings->items[i];

		ring->is_over = ring->is_over ||
				(ready[i].revents & (POLLHUP | POLLERR)) != 0;
		is_alive = is_alive || !ring->is_over;
	}
	return is_alive;
}

uint64_t rings_total(const struct rings *rings)
{
	uint64_t total = 0, value;

	for (size_t i = 0; i < rings->count; i++)
		if (read(rings->items[i].fd, &value, sizeof(value)) == sizeof(value))
			total += value;
	return total;
}

/* ---- draining ---- */

static void copy_out(const struct ring *ring, uint64_t at, void *to, size_t size)
{
	const char *data = (const char *)ring->page + page_size();
	size_t start = (size_t)at & (ring->size - 1), first = ring->size - start;

	if (first > size)
		first = size;
	memcpy(to, data + start, first);
	memcpy((char *)to + first, data, size - first);
}

static uint64_t word_at(const struct ring *ring, uint64_t record, size_t at)
{
	uint64_t word;

	copy_out(ring, record + at, &word, sizeof(word));
	return word;
}

/* Where a sample has its copy of the stack: the offset of its size. 0: it has none, or is
 * not as it should be. */
static size_t find_stack(const struct ring *ring, uint64_t record,
			 const struct perf_event_header *header)
{
	uint64_t frames, size;
	size_t at;

	if (header->size < record_kind_at(0) + 8)
		return 0;
	frames = word_at(ring, record, RECORD_CHAIN_AT);
	if (frames > header->size / 8 || record_kind_at(frames) + 8 > header->size)
		return 0;
	at = record_kind_at(frames);
	at = record_stack_at(at, word_at(ring, record, at));
	if (at + 8 > header->size)
		return 0;
	size = word_at(ring, record, at);
	return size > 0 && size <= header->size && at + 16 + size == header->size ? at
										  : 0;
}

static void set_mark(struct perf_event_header *header, const struct ring *ring)
{
	header->misc &= (uint16_t) ~(RECORD_SOURCE_MASK << RECORD_SOURCE_SHIFT);
	header->misc |= (uint16_t)(ring->mark << RECORD_SOURCE_SHIFT);
}

/* A thread in the kernel is recorded with its stack there, unless it is about to wait. */
static bool needs_stack(const struct ring *ring, const struct perf_event_header *header)
{
	return (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) !=
		       PERF_RECORD_MISC_KERNEL ||
	       ring->keeps_stacks;
}

/* The kernel reserves more room for a copy of a stack than it uses: leave out the rest.
 * False: out of memory. */
static bool take_sample(const struct ring *ring, uint64_t record, size_t stack_at,
			const struct perf_event_header *header, struct batch *batch)
{
	uint64_t used = word_at(ring, record, header->size - 8U);
	struct perf_event_header *copy;
	uint64_t *size;

	if (used > word_at(ring, record, stack_at) || !needs_stack(ring, header))
		used = 0;
	copy = batch_room(batch, stack_at + 8 + used);
	if (!copy)
		return false;
	copy_out(ring, record, copy, stack_at + 8 + used);
	copy->size = (uint16_t)(stack_at + 8 + used);
	set_mark(copy, ring);
	size = (uint64_t *)(void *)((char *)copy + stack_at);
	*size = used;
	batch_add(batch);
	return true;
}

static bool take(const struct rings *rings, const struct ring *ring, uint64_t record,
		 const struct perf_event_header *header, struct batch *batch)
{
	bool is_sample = header->type == PERF_RECORD_SAMPLE;
	size_t stack_at =
		rings->have_stacks && is_sample ? find_stack(ring, record, header) : 0;
	struct perf_event_header *room;

	if (is_sample && batch_is_full(batch)) {
		batch->skipped++;
		return true;
	}
	if (stack_at > 0)
		return take_sample(ring, record, stack_at, header, batch);
	room = batch_room(batch, header->size);
	if (!room)
		return false;
	copy_out(ring, record, room, header->size);
	if (is_sample || header->type == PERF_RECORD_LOST)
		set_mark(room, ring);
	batch_add(batch);
	return true;
}

static void drain(const struct rings *rings, const struct ring *ring, struct batch *batch)
{
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = ring->page->data_tail;

	while (tail < head) {
		struct perf_event_header header;

		copy_out(ring, tail, &header, sizeof(header));
		if (!record_is_whole(&header)) {
			tail = head; /* not a record of the kernel */
			break;
		}
		if (!take(rings, ring, tail, &header, batch))
			break;
		tail += header.size;
	}
	__atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
}

void rings_drain(const struct rings *rings, struct batch *batch)
{
	batch->has_stacks = rings->have_stacks;
	for (size_t i = 0; i < rings->count; i++)
		drain(rings, &rings->items[i], batch);
}

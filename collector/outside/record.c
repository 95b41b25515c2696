/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/record.h"

#include <string.h>
#include <sys/sysmacros.h>

/* sample_id_all appends this to each record, according to its type of sample. */
struct trailer {
	uint32_t pid, tid;
	uint64_t time_ns;
	uint32_t cpu, unused;
};

bool record_is_whole(const struct perf_event_header *header)
{
	return header->size >= sizeof(*header) + sizeof(struct trailer);
}

/* A sample has its time in front, all other records in the trailer. */
uint64_t record_time(const struct perf_event_header *header)
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

struct switch_body {
	uint32_t next_pid, next_tid; /* or the one before, if this is the next one */
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

/* The sizes were checked when the record was taken. */
static void parse_stack(struct perf_record *record,
			const struct perf_event_header *header)
{
	const char *bytes = (const char *)header;
	size_t kind_at = record_kind_at(record->pc_count), stack_at;
	uint64_t kind, size;

	memcpy(&kind, bytes + kind_at, sizeof(kind));
	if (kind == RECORD_REGISTERS_64_BIT)
		record->registers = (const uint64_t *)(const void *)(bytes + kind_at + 8);
	stack_at = record_stack_at(kind_at, kind);
	memcpy(&size, bytes + stack_at, sizeof(size));
	record->stack = bytes + stack_at + sizeof(size);
	record->stack_size = size;
}

void record_parse(struct perf_record *record, const struct perf_event_header *header,
		  bool has_stack)
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
		record->pc = sample->pc;
		record->is_in_kernel = (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
				       PERF_RECORD_MISC_KERNEL;
		record->source = header->misc >> RECORD_SOURCE_SHIFT & RECORD_SOURCE_MASK;
		record->pcs = sample->pcs;
		record->pc_count = sample->count;
		if (has_stack)
			parse_stack(record, header);
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
	case PERF_RECORD_SWITCH_CPU_WIDE:
		record->next_pid = ((const struct switch_body *)body)->next_pid;
		record->next_tid = ((const struct switch_body *)body)->next_tid;
		/* fall through */
	case PERF_RECORD_SWITCH:
		record->is_out = (header->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
		record->is_preempted =
			(header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
		break;
	case PERF_RECORD_READ:
		record->pid = ((const struct value_body *)body)->pid;
		record->tid = ((const struct value_body *)body)->tid;
		record->value = ((const struct value_body *)body)->value;
		break;
	case PERF_RECORD_LOST:
		record->source = header->misc >> RECORD_SOURCE_SHIFT & RECORD_SOURCE_MASK;
		record->value = ((const struct lost_body *)body)->lost;
		break;
	}
}

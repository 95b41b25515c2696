/* SPDX-License-Identifier: Apache-2.0 */
/* How many packets of each type a block file has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/packets.h"
#include "libexpt/format.h"

static const char *type_name(uint32_t type)
{
	static const char *const names[] = {
		[PACKET_CLOCK_OLD] = "old clock",
		[PACKET_SYNC] = "sync",
		[PACKET_HWC] = "counter",
		[PACKET_HWC_OLD] = "old counter",
		[PACKET_HEAP] = "heap",
		[PACKET_MPI] = "MPI",
		[PACKET_HWC_ADDRESS] = "counter with address",
		[PACKET_CLOCK] = "clock",
		[PACKET_OMP_FORK] = "OpenMP fork",
		[PACKET_RACE] = "race",
		[PACKET_FRAME] = "frame",
		[PACKET_OMP_REGION_ENTER] = "OpenMP region entry",
		[PACKET_DEADLOCK] = "deadlock",
		[PACKET_OMP_TASK_ENTER] = "OpenMP task entry",
		[PACKET_OMP_REGION] = "OpenMP region",
		[PACKET_OMP_TASK] = "OpenMP task",
		[PACKET_UID] = "uid",
		[PACKET_IO] = "I/O",
		[PACKET_HEAP_FREE] = "heap free",
		[PACKET_HEAP_MOVE] = "heap move",
		[PACKET_IO_OPEN] = "I/O open",
		[PACKET_MPI_CALL] = "MPI call",
		[PACKET_MPI_SENT] = "MPI sent",
		[PACKET_MPI_RECEIVED] = "MPI received",
	};

	if (type < sizeof(names) / sizeof(*names) && names[type])
		return names[type];
	return "unknown";
}

struct expt_packet_counts {
	struct expt_packet_count *items; /* by type */
	size_t count, capacity;
};

struct expt_packet_counts *expt_packet_counts_new(void)
{
	return calloc(1, sizeof(struct expt_packet_counts));
}

void expt_packet_counts_free(struct expt_packet_counts *counts)
{
	if (counts)
		array_release(counts);
	free(counts);
}

/* Returns the entry of a type, in order; there are few, so a search from the end is
 * fast. */
static struct expt_packet_count *count_of_type(struct expt_packet_counts *counts,
					       uint32_t type)
{
	struct expt_packet_count *entry;
	size_t i = counts->count;

	while (i > 0 && counts->items[i - 1].type > type)
		i--;
	if (i > 0 && counts->items[i - 1].type == type)
		return &counts->items[i - 1];
	if (!array_add(counts))
		return NULL;
	entry = &counts->items[i];
	memmove(entry + 1, entry, (counts->count - 1 - i) * sizeof(*entry));
	*entry = (struct expt_packet_count){ .type = type, .name = type_name(type) };
	return entry;
}

static bool count_packet(struct expt_packet_counts *counts, const struct packet *packet)
{
	struct expt_packet_count *count = count_of_type(counts, packet->type);

	if (!count)
		return false;
	count->packets++;
	count->bytes += packet->size;
	return true;
}

int expt_packet_counts_add(struct expt_packet_counts *counts, struct expt *expt,
			   const char *name, struct expt_error *err)
{
	struct packet_file file;
	struct packet packet;
	int rc = packet_file_open(&file, expt, name, err);

	if (rc <= 0)
		return rc;
	while ((rc = packet_file_next(&file, &packet, err)) > 0)
		if (counts && !count_packet(counts, &packet)) {
			rc = expt_fail(err, -ENOMEM, "cannot count the packets of '%s'",
				       name);
			break;
		}
	packet_file_close(&file);
	return rc;
}

size_t expt_packet_counts_count(const struct expt_packet_counts *counts)
{
	return counts->count;
}

const struct expt_packet_count *
expt_packet_counts_entry(const struct expt_packet_counts *counts, size_t i)
{
	return &counts->items[i];
}

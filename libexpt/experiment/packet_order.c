/* SPDX-License-Identifier: Apache-2.0 */
/* Merging the stretches of a block file by time. Packets with the same time keep the
 * order of the file. */
#include "libexpt/experiment/packet_order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"

#define WINDOW_SIZE 16384

bool packet_order_add(struct packet_order *order, const struct packet *packet,
		      uint64_t time_ns)
{
	size_t count = order->stretches.count;
	struct packet_stretch *stretch = count ? &order->stretches.items[count - 1]
					       : NULL;

	if (!stretch || packet->offset != stretch->end || time_ns < order->last_ns) {
		stretch = array_add(&order->stretches);
		if (!stretch)
			return false;
		stretch->start = packet->offset;
		stretch->first_ns = time_ns;
	}
	stretch->end = packet->offset + packet->size;
	order->last_ns = time_ns;
	return true;
}

static int compare_stretches(const void *left, const void *right)
{
	const struct packet_stretch *a = left, *b = right;

	if (a->first_ns != b->first_ns)
		return a->first_ns < b->first_ns ? -1 : 1;
	return a->start < b->start ? -1 : a->start > b->start;
}

void packet_order_start(struct packet_order *order)
{
	if (order->stretches.count > 1)
		qsort(order->stretches.items, order->stretches.count,
		      sizeof(*order->stretches.items), compare_stretches);
}

void packet_order_release(struct packet_order *order)
{
	for (size_t i = 0; i < order->readers.count; i++)
		free(order->readers.items[i].window);
	array_release(&order->readers);
	array_release(&order->stretches);
}

/* ---- the heap of readers ---- */

static bool is_before(const struct packet_reader *a, const struct packet_reader *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->offset < b->offset;
}

static void swap(struct packet_reader *a, struct packet_reader *b)
{
	struct packet_reader kept = *a;

	*a = *b;
	*b = kept;
}

static void sift_up(struct packet_reader *items, size_t i)
{
	while (i > 0 && is_before(&items[i], &items[(i - 1) / 2])) {
		swap(&items[i], &items[(i - 1) / 2]);
		i = (i - 1) / 2;
	}
}

static void sift_down(struct packet_reader *items, size_t count)
{
	for (size_t i = 0;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < count && is_before(&items[child + 1], &items[child]))
			child++;
		if (child >= count || !is_before(&items[child], &items[i]))
			return;
		swap(&items[i], &items[child]);
		i = child;
	}
}

/* ---- one stretch ---- */

/* Read wanted bytes of the current packet into the window. */
static int look_at(struct packet_reader *reader, const struct packet_file *file,
		   size_t wanted, struct expt_error *err)
{
	size_t size = reader->end - reader->offset < WINDOW_SIZE
			      ? (size_t)(reader->end - reader->offset)
			      : WINDOW_SIZE;
	unsigned char *window;
	ssize_t got;

	if (reader->window && reader->offset - reader->start + wanted <= reader->length)
		return 0;
	if (size < wanted)
		size = wanted;
	window = realloc(reader->window, size);
	if (!window)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", file->name);
	reader->window = window;
	got = io_pread_full(file->fd, window, size, (off_t)reader->offset);
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read '%s'", file->name);
	reader->start = reader->offset;
	reader->length = (size_t)got;
	if (reader->length < wanted)
		return expt_fail(err, -EIO, "'%s' shrank while it was read", file->name);
	return 0;
}

static int read_packet(struct packet_reader *reader, const struct packet_file *file,
		       struct packet *packet, struct expt_error *err)
{
	struct packet_head head;
	int rc = look_at(reader, file, sizeof(head), err);

	if (rc < 0)
		return rc;
	memcpy(&head, reader->window + (reader->offset - reader->start), sizeof(head));
	if (head.size < sizeof(head) || head.size > reader->end - reader->offset)
		return expt_fail(err, -EIO, "'%s' changed while it was read", file->name);
	rc = look_at(reader, file, head.size, err);
	*packet = (struct packet){
		.bytes = reader->window + (reader->offset - reader->start),
		.size = head.size,
		.type = head.type,
		.offset = reader->offset,
	};
	return rc;
}

/* ---- all stretches ---- */

static int open_next(struct packet_order *order, struct packet_file *file,
		     struct expt_error *err)
{
	const struct packet_stretch *stretch = &order->stretches.items[order->next++];
	struct packet_reader *reader = array_add(&order->readers);

	if (!reader)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", file->name);
	reader->time_ns = stretch->first_ns;
	reader->offset = stretch->start;
	reader->end = stretch->end;
	sift_up(order->readers.items, order->readers.count - 1);
	return 0;
}

/* Advance the first reader past the packet it has delivered. */
static int advance_first(struct packet_order *order, struct packet_file *file,
			 packet_time time, void *context, struct expt_error *err)
{
	struct packet_reader *first = &order->readers.items[0];
	struct packet packet;

	first->offset += order->delivered;
	if (first->offset < first->end) {
		int rc = read_packet(first, file, &packet, err);

		if (rc < 0)
			return rc;
		first->time_ns = time(context, &packet);
	} else {
		free(first->window);
		*first = order->readers.items[--order->readers.count];
	}
	sift_down(order->readers.items, order->readers.count);
	return 0;
}

int packet_order_next(struct packet_order *order, struct packet_file *file,
		      packet_time time, void *context, struct packet *packet,
		      struct expt_error *err)
{
	int rc = 0;

	if (order->delivered)
		rc = advance_first(order, file, time, context, err);
	order->delivered = 0;
	while (rc == 0 && order->next < order->stretches.count &&
	       (order->readers.count == 0 ||
		order->stretches.items[order->next].first_ns <=
			order->readers.items[0].time_ns))
		rc = open_next(order, file, err);
	if (rc < 0 || order->readers.count == 0)
		return rc;
	rc = read_packet(&order->readers.items[0], file, packet, err);
	if (rc < 0)
		return rc;
	order->delivered = packet->size;
	return 1;
}

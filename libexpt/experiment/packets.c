/* SPDX-License-Identifier: Apache-2.0 */
/* A walk through a block file by the sizes of its packets, with gprofng's rules for
 * resuming after zeros and damage. */
#include "libexpt/experiment/packets.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/experiment/log.h"
#include "libexpt/format.h"

#define WINDOW_SIZE (1 << 17) /* fits into a cache, and larger than a packet */

/* Compare the file with what the log says of it. fd is -1 if there is no file. */
static void check_length(struct expt *expt, const char *name, int fd)
{
	uint64_t recorded = expt->log ? log_recorded_length(expt->log, name) : 0;
	struct stat status;

	if (recorded == 0)
		return;
	if (fd < 0)
		expt_add_damage(expt,
				"%s: the file is missing; %" PRIu64
				" bytes were recorded",
				name, recorded);
	else if (fstat(fd, &status) == 0 && (uint64_t)status.st_size < recorded)
		expt_add_damage(expt,
				"%s: the file has %lld of the %" PRIu64
				" bytes that were recorded",
				name, (long long)status.st_size, recorded);
}

int packet_file_open(struct packet_file *file, struct expt *expt, const char *name,
		     struct expt_error *err)
{
	cleanup_fd int fd = folder_file(&expt->folder, name, err);

	if (fd >= 0 || fd == -ENOENT)
		check_length(expt, name, fd);
	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	*file = (struct packet_file){ .expt = expt, .limit = UINT64_MAX };
	snprintf(file->name, sizeof(file->name), "%s", name);
	file->window = io_buffer(WINDOW_SIZE);
	if (!file->window)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", name);
	file->fd = steal_fd(&fd);
	return 1;
}

void packet_file_close(struct packet_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->window);
}

/* Returns the bytes of the window from the position on. */
static size_t bytes_ahead(const struct packet_file *file)
{
	uint64_t done = file->position - file->start;

	return done < file->length ? file->length - (size_t)done : 0;
}

/* Make wanted bytes available in the window, or all that are left. */
static int look_ahead(struct packet_file *file, size_t wanted, struct expt_error *err)
{
	ssize_t got;

	if (bytes_ahead(file) >= wanted || file->is_last_window)
		return 0;
	got = io_pread_full(file->fd, file->window, WINDOW_SIZE, (off_t)file->position);
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read '%s'", file->name);
	file->start = file->position;
	file->length = (size_t)got;
	file->is_last_window = got < WINDOW_SIZE;
	return 0;
}

static bool is_zero(const unsigned char *bytes, size_t length)
{
	return length == 0 ||
	       (bytes[0] == 0 && memcmp(bytes, bytes + 1, length - 1) == 0);
}

/* Returns the start of the next piece where reading may resume. */
static uint64_t next_piece(uint64_t position)
{
	return (position / RESYNC_SIZE + 1) * RESYNC_SIZE;
}

/* Skip to the end of a hole in a sparse file, which reads as zeros. */
static uint64_t skip_hole(const struct packet_file *file, uint64_t position)
{
	off_t data = lseek(file->fd, (off_t)position, SEEK_DATA);

	if (data < 0 && errno == ENXIO)
		return UINT64_MAX;
	if (data > (off_t)position)
		return (uint64_t)data / RESYNC_SIZE * RESYNC_SIZE;
	return position;
}

/* Check whether a missing head has been written since: recorders store it last, and may
 * have gone on while we were reading. The bytes after the gap are then not a packet, so
 * reread from the gap. */
static bool has_come_meanwhile(struct packet_file *file)
{
	struct packet_head head;

	file->has_gap = false;
	if (io_pread_full(file->fd, &head, sizeof(head), (off_t)file->gap) !=
		    (ssize_t)sizeof(head) ||
	    head.size < sizeof(head))
		return false;
	file->position = file->start = file->gap;
	file->length = 0;
	file->is_last_window = false;
	return true;
}

static void begin_gap(struct packet_file *file)
{
	if (!file->has_gap && file->position % 4 == 0) {
		file->has_gap = true;
		file->gap = file->position;
	}
}

/* Skip bytes that are not a packet: nothing was written here, or it is lost. */
static void resynchronize(struct packet_file *file)
{
	const unsigned char *bytes = file->window + (file->position - file->start);
	uint64_t next = next_piece(file->position);
	size_t length = bytes_ahead(file);

	if (length > next - file->position)
		length = (size_t)(next - file->position);
	begin_gap(file);
	if (!is_zero(bytes, length)) {
		if (file->has_gap && has_come_meanwhile(file))
			return;
		file->has_damage = true;
		if (file->expt)
			expt_add_damage(file->expt,
					"%s: offset %" PRIu64
					": no packet here, %zu bytes skipped",
					file->name, file->position, length);
	} else if (next >= file->start + file->length && !file->is_last_window)
		next = skip_hole(file, next);
	file->position = next;
}

static void end_in_packet(struct packet_file *file, const struct packet_head *head)
{
	bool is_filler = head->type == PACKET_EMPTY || head->type == PACKET_CLOSED;

	file->has_damage = true;
	if (file->expt)
		expt_add_damage(file->expt,
				"%s: offset %" PRIu64
				": the file ends within a %s of %u bytes, %zu are there",
				file->name, file->position,
				is_filler ? "filler" : "packet", head->size,
				bytes_ahead(file));
	file->position = UINT64_MAX;
}

int packet_file_next(struct packet_file *file, struct packet *packet,
		     struct expt_error *err)
{
	while (file->position < file->limit) {
		size_t ahead = bytes_ahead(file);
		const unsigned char *bytes;
		struct packet_head head;

		if (ahead < PACKET_MAX) {
			int rc = look_ahead(file, PACKET_MAX, err);

			if (rc < 0)
				return rc;
			ahead = bytes_ahead(file);
		}
		if (ahead < sizeof(head)) {
			if (ahead > 0)
				resynchronize(file);
			return 0;
		}
		bytes = file->window + (file->position - file->start);
		memcpy(&head, bytes, sizeof(head));
		if (file->position % 4 != 0 || head.size < sizeof(head)) {
			resynchronize(file);
			continue;
		}
		if (file->has_gap && has_come_meanwhile(file))
			continue;
		if (head.size > ahead) {
			end_in_packet(file, &head);
			return 0;
		}
		*packet = (struct packet){
			.bytes = bytes,
			.size = head.size,
			.type = head.type,
			.offset = file->position,
		};
		file->position += head.size;
		if (head.type != PACKET_EMPTY && head.type != PACKET_CLOSED)
			return 1;
	}
	return 0;
}

/* ---- parts ---- */

int packet_file_divide(struct packet_file *first, struct packet_file *second,
		       uint64_t position)
{
	*second = (struct packet_file){
		.fd = fcntl(first->fd, F_DUPFD_CLOEXEC, 0),
		.window = io_buffer(WINDOW_SIZE),
		.begin = position,
		.start = position,
		.position = position,
		.limit = first->limit,
	};
	memcpy(second->name, first->name, sizeof(second->name));
	if (second->fd < 0 || !second->window) {
		packet_file_close(second);
		return -ENOMEM;
	}
	first->limit = position;
	return 0;
}

bool packet_file_catch_up(struct packet_file *first, const struct packet_file *second)
{
	bool is_good = first->position == second->begin && !first->has_gap &&
		       !second->has_damage;

	first->limit = is_good ? second->limit : UINT64_MAX;
	if (!is_good)
		return false;
	first->position = first->start = second->position;
	first->length = 0;
	first->is_last_window = false;
	first->has_gap = second->has_gap;
	first->gap = second->gap;
	return true;
}

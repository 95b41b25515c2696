/* SPDX-License-Identifier: Apache-2.0 */
/* The file of perf record: its header, and bytes of it. None of it is trusted. */
#ifndef COLLECTOR_PERF_RECORDING_H
#define COLLECTOR_PERF_RECORDING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDING_MAGIC	  "PERFILE2"
#define RECORDING_REVERSE "2ELIFREP" /* of the other byte order */

struct section {
	uint64_t offset, size;
};

/* An event that was recorded. */
struct event_kind {
	struct perf_event_attr attr;
	char *name; /* as perf names it, or NULL */
	uint64_t samples;
};

struct event_id {
	uint64_t id;
	unsigned kind;
};

struct recording {
	const char *path;
	int fd;
	uint64_t size, modified_ns;
	struct section data;
	bool is_unfinished; /* perf record did not end */
	uint64_t features;  /* bits of those that there are */
	struct event_kind *kinds;
	size_t kind_count;
	struct event_id *ids; /* sorted */
	size_t id_count;
	int spool; /* decompressed records, or -1 */
	uint64_t spool_size;
	struct window {
		char *bytes;
		int fd;
		uint64_t offset;
		size_t length;
	} window;
};

/* Open a regular file and read its header. Returns a status after a message, as do the
 * functions below. */
int recording_open(struct recording *recording, const char *path);
void recording_close(struct recording *recording);
/* Read that many bytes. */
int recording_read(const struct recording *recording, void *bytes, size_t size,
		   uint64_t offset);
/* Returns the bytes, valid until the next call and not aligned, or NULL after a message.
 * At most 65536. */
const void *recording_view(struct recording *recording, bool is_spooled, uint64_t offset,
			   size_t size);
/* Print that the file is damaged there. */
int recording_damaged(const struct recording *recording, bool is_spooled, uint64_t offset,
		      const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Returns the kind of event with this id, or kind_count. */
unsigned recording_kind(const struct recording *recording, uint64_t id);

#endif

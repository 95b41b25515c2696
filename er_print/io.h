/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: what an event is worth, the files behind descriptors, and the commands that show them. */
#ifndef ER_PRINT_IO_H
#define ER_PRINT_IO_H

#include <stdint.h>

#include "er_print/session.h"
#include "libexpt/base/arena.h"
#include "libexpt/expt.h"

/* The metrics of io.c, in their order. */
enum io_metric {
	IO_READ_TIME,
	IO_READ_BYTES,
	IO_READ_COUNT,
	IO_WRITE_TIME,
	IO_WRITE_BYTES,
	IO_WRITE_COUNT,
	IO_OTHER_TIME,
	IO_OTHER_COUNT,
	IO_ERROR_TIME,
	IO_ERROR_COUNT,
	IO_METRIC_COUNT,
};

/* A call, as recorded. */
struct io_event {
	int64_t call; /* enum expt_io_call, or -1 */
	int64_t fd, old_fd, bytes, duration_ns, file_system;
	const char *name; /* NULL: none; see io_event_read() */
};

/* What a record says. Its name is copied into names, if that is given; false: out of memory. */
bool io_event_read(struct io_event *event, const struct expt_record *record,
		   struct arena *names);
/* Add what the event is worth to values, one per metric. */
void io_event_measure(const struct io_event *event, int64_t *values);

/* The number of the first metric above among all; the i-th of them is behind it. */
size_t io_metric_base(void);

/* ---- io_files.c ---- */

/* What a descriptor stood for, from an open to a close. */
struct io_file {
	const char *name;
	size_t member;
	int64_t number; /* 1 to 4: standard streams, and what belongs to no file */
	int64_t fd;	/* less than 0: none */
	int64_t file_system;
	bool is_used; /* there are events */
	int64_t values[IO_METRIC_COUNT];
};

struct io_files {
	struct {
		struct io_file *items;
		size_t count, capacity;
	} list;
	struct arena names;
};

#define IO_FIRST_NUMBER 10 /* of files that were opened, in each experiment */

/* Of all experiments, in the order of their numbers. -1: out of memory, reported. */
int io_files_read(struct session *session, struct io_files *files);
/* The same by name: each has the sum of its files, and the number of the first. */
int io_files_group(struct session *session, struct io_files *files);
void io_files_release(struct io_files *files);
/* "ext4", or NULL for one that is not known. */
const char *io_file_system_name(int64_t file_system);

/* ---- commands ---- */

/* Whether there is I/O data at all; if not, that is said. */
bool io_is_recorded(struct session *session);

int run_ioactivity(struct session *session, int count, char **words);
int run_iodetail(struct session *session, int count, char **words);
int run_iocallstack(struct session *session, int count, char **words);
int run_iostat(struct session *session, int count, char **words);

#endif

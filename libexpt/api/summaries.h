/* SPDX-License-Identifier: Apache-2.0 */
/* Summaries of a view beyond metrics: the heap, I/O, threads, CPU time. */
/* clang-format off */
#ifndef LIBEXPT_API_SUMMARIES_H
#define LIBEXPT_API_SUMMARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/sums.h"

EXPT_DECLARATIONS_BEGIN

/* ---- sizes ------------------------------------------------------------------------- */

/* Ranges of bytes that statistics count by: up to 1 KiB, 8 KiB ... 10 TiB, and more. */
#define EXPT_SIZE_RANGES 15
size_t expt_size_range(uint64_t bytes);

/* ---- heap -------------------------------------------------------------------------- */

#define EXPT_HEAP_LEVELS 1024

/* The metrics of the heap, counted from the first. */
enum expt_heap_metric {
	EXPT_ALLOCATED_BYTES, EXPT_ALLOCATIONS, EXPT_LEAKED_BYTES, EXPT_LEAKS,
};

struct expt_heap_sizes {
	uint64_t ranges[EXPT_SIZE_RANGES];	/* the number of blocks in each */
	uint64_t count, smallest, largest;
	int64_t bytes;
};

/* What a process had from a time on, until its next level. */
struct expt_heap_level {
	size_t expt;				/* its number */
	uint64_t time_ns;			/* since the process's start */
	uint64_t most_bytes, last_bytes;	/* in the time of a level, and after it */
};

struct expt_heap {
	struct expt_heap_sizes allocated, leaked;
	uint64_t peak_bytes;			/* the most that a process had */
	size_t peak_expt;			/* its number; of the last, if equal */
	/* When it was reached: once for each call stack, since the process's start */
	const uint64_t *peak_times_ns;
	size_t peak_count;
	/* Those of a process together, in the order of time; at most EXPT_HEAP_LEVELS of
	 * each, which are equally long, apart from those in which nothing changed */
	const struct expt_heap_level *levels;
	size_t level_count;
};
int expt_view_heap(struct expt_view *view, const struct expt_heap **heap,
		   struct expt_error *err);

/* ---- I/O --------------------------------------------------------------------------- */

/* The metrics of I/O, counted from the first. */
enum expt_io_metric {
	EXPT_READ_TIME, EXPT_READ_BYTES, EXPT_READ_COUNT, EXPT_WRITE_TIME,
	EXPT_WRITE_BYTES, EXPT_WRITE_COUNT, EXPT_OTHER_TIME, EXPT_OTHER_COUNT,
	EXPT_ERROR_TIME, EXPT_ERROR_COUNT, EXPT_IO_METRIC_COUNT,
};

/* A file that a descriptor referred to, from an open to a close. */
struct expt_io_file {
	const char *name;
	size_t expt;
	int64_t number;			/* below EXPT_IO_FIRST: standard, or no file */
	int64_t fd;			/* negative: none */
	const char *file_system;	/* "ext4"; NULL: unknown */
	int64_t values[EXPT_IO_METRIC_COUNT];
};
#define EXPT_IO_FIRST 10		/* of files that were opened */

/* The files that have events, by number; with by_name, those of one name are merged, and
 * have the sums, and the number of the first. */
struct expt_io_files;
int expt_io_files_find(struct expt_io_files **out, struct expt_view *view, bool by_name,
		       struct expt_error *err);
void expt_io_files_free(struct expt_io_files *files);
size_t expt_io_files_count(const struct expt_io_files *files);
const struct expt_io_file *expt_io_file(const struct expt_io_files *files, size_t i);

struct expt_transfers {
	int64_t calls, bytes, time_ns, longest_ns;
	int64_t smallest, largest;	/* smallest: of calls that moved something */
	int64_t ranges[EXPT_SIZE_RANGES];	/* the number of calls in each */
};
struct expt_io {
	struct expt_transfers reads, writes;
	int64_t values[EXPT_IO_METRIC_COUNT];
};
int expt_view_io(struct expt_view *view, struct expt_io *io, struct expt_error *err);

/* ---- threads and time -------------------------------------------------------------- */

/* Different ones among the events of an experiment. */
struct expt_counts {
	uint64_t records, threads, lwps, cpus;
};
int expt_view_counts(struct expt_view *view, size_t i, struct expt_counts *counts,
		     struct expt_error *err);

/* CPU time of an experiment by its clock, and the part of it that has samples. */
struct expt_cpu_time {
	int64_t total_ns, sampled_ns;
};
/* Fills one for each experiment. */
int expt_view_cpu_times(struct expt_view *view, struct expt_cpu_time *times,
			struct expt_error *err);

EXPT_DECLARATIONS_END

#endif

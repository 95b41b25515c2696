/* SPDX-License-Identifier: Apache-2.0 */
/* The formats, and what several of them use. */
#ifndef ER_EXPORT_FORMATS_PRIVATE_H
#define ER_EXPORT_FORMATS_PRIVATE_H

#include "er_export/formats/formats.h"

extern const struct format collapsed_format;
extern const struct format csv_format;
extern const struct format json_format;
extern const struct format pprof_format;
extern const struct format speedscope_format;
extern const struct format chrome_format;
extern const struct format firefox_format;
extern const struct format callgrind_format;

/* ---- names.c ---- */

/* The name of events without a stack, in formats where each has a function. */
#define NO_STACK "<no call stack>"

const char *function_name(const struct source *source, uint32_t function);
/* Make the names of all functions as write_line() writes them; NULL: out of memory. */
char **line_names(const struct source *source, const char *escaped, char doubled);
void line_names_free(const struct source *source, char **names);
/* The path of its source, or NULL; *line: of its definition, or 0. */
const char *function_source(const struct source *source, uint32_t function,
			    uint32_t *line);
/* "nanoseconds", "bytes" or "count". */
const char *metric_unit(const struct expt_metric *metric);
/* The name of its column: times are "totalcpu_ns". */
#define COLUMN_NAME_SIZE 160
void column_name(char out[COLUMN_NAME_SIZE], const struct expt_metric *metric);
const struct expt_metric *source_metric(const struct source *source, size_t i);
/* The experiment and the thread of a table's thread: its process ID, its own one, and
 * "prog (12), Thread 2". */
const struct expt_info *thread_info(const struct source *source, uint32_t thread);
const char *thread_experiment(const struct source *source, uint32_t thread);
#define THREAD_NAME_SIZE 256
void thread_name(char out[THREAD_NAME_SIZE], const struct source *source,
		 uint32_t thread);
/* The program that the process of a thread executes, without its directory. */
void process_name(char out[THREAD_NAME_SIZE], const struct source *source,
		  uint32_t thread);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The files in which programs name code that they make at run time. */
#ifndef LIBEXPT_JIT_FILES_H
#define LIBEXPT_JIT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "libexpt/expt.h"
#include "libexpt/jit/codes.h"

/* Larger ones are not taken. */
#define JIT_FILE_MAX (64u << 20)

#define JIT_PATH_SIZE 48

/* The perf map of a process. */
void jit_perf_map_path(char path[JIT_PATH_SIZE], int64_t pid);
/* Returns whether a file name is that of a perf map, perhaps in an archive. */
bool jit_is_perf_map(const char *name);
/* Returns whether the path is that of a file in jitdump format, as perf expects it. */
bool jit_is_dump_path(const char *path);
/* The files in this format that a process announced, by its log. */
#define JIT_DUMPS_MAX 16
struct jit_dump {
	const char *path;  /* borrowed */
	uint64_t start_ns; /* of the experiment, on the clock of the file */
};
/* Get the distinct ones. Returns how many. */
size_t jit_dumps(struct jit_dump dumps[JIT_DUMPS_MAX], const struct expt *expt);
/* Returns why the file is not one that this process wrote, or NULL: it is another kind of
 * file, or was last written before or after the run. */
const char *jit_file_problem(const struct stat *status, const struct expt_info *info);
/* Returns whether a file that begins like this is of either format. */
bool jit_file_begins(const void *head, size_t length);
/* Add the codes of a file of either format. */
int jit_file_read(struct jit_codes *codes, const void *bytes, size_t length,
		  uint64_t start_ns);

#endif

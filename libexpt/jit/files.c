/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/jit/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/base/time.h"
#include "libexpt/format.h"
#include "libexpt/jit/jitdump.h"
#include "libexpt/jit/perf_map.h"

/* The start is recorded in whole seconds, and a process may end after its recording. */
#define SLACK_NS (2 * NS_PER_SECOND)

void jit_perf_map_path(char path[JIT_PATH_SIZE], int64_t pid)
{
	snprintf(path, JIT_PATH_SIZE, "/tmp/perf-%" PRId64 ".map", pid);
}

bool jit_is_perf_map(const char *name)
{
	return strncmp(name, "perf-", 5) == 0 && strstr(name, ".map");
}

bool jit_is_dump_path(const char *path)
{
	const char *base = path_base(path);
	size_t digits;

	if (strncmp(base, "jit-", 4) != 0)
		return false;
	digits = strspn(base + 4, "0123456789");
	return digits > 0 && strcmp(base + 4 + digits, ".dump") == 0;
}

/* Parse "jitdump: OFFSET PATH". */
static bool parse_comment(struct jit_dump *dump, const struct expt_event *event,
			  uint64_t start_ns)
{
	char number[32] = "";
	const char *text = event->text;
	int64_t offset_ns;
	size_t length;

	if (event->kind != EXPT_EVENT_COMMENT ||
	    strncmp(text, JITDUMP_COMMENT, strlen(JITDUMP_COMMENT)) != 0)
		return false;
	text += strlen(JITDUMP_COMMENT);
	length = strcspn(text, " ");
	if (length >= sizeof(number) || text[length] != ' ')
		return false;
	memcpy(number, text, length);
	if (!number_i64(&offset_ns, number))
		return false;
	*dump = (struct jit_dump){ text + length + 1, start_ns + (uint64_t)offset_ns };
	return jit_is_dump_path(dump->path);
}

static bool is_known(const struct jit_dump *dumps, size_t count, const char *path)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(dumps[i].path, path) == 0)
			return true;
	return false;
}

size_t jit_dumps(struct jit_dump dumps[JIT_DUMPS_MAX], const struct expt *expt)
{
	uint64_t start_ns = expt_info(expt)->start_ns;
	size_t count = 0;

	for (size_t i = 0; i < expt_event_count(expt) && count < JIT_DUMPS_MAX; i++)
		if (parse_comment(&dumps[count], expt_event(expt, i), start_ns) &&
		    !is_known(dumps, count, dumps[count].path))
			count++;
	return count;
}

const char *jit_file_problem(const struct stat *status, const struct expt_info *info)
{
	uint64_t written_ns = timespec_ns(&status->st_mtim);
	uint64_t start_ns, end_ns;

	if (!S_ISREG(status->st_mode))
		return "not a regular file";
	if (status->st_size > JIT_FILE_MAX)
		return "too large";
	if (!info->has_run || info->started_at <= 0 || status->st_mtim.tv_sec <= 0 ||
	    __builtin_mul_overflow((uint64_t)info->started_at, NS_PER_SECOND,
				   &start_ns) ||
	    __builtin_add_overflow(start_ns, info->end_ns, &end_ns) ||
	    __builtin_add_overflow(end_ns, SLACK_NS, &end_ns))
		return "the time of the run is not known";
	return written_ns < start_ns || written_ns > end_ns ? "not written during the run"
							    : NULL;
}

bool jit_file_begins(const void *head, size_t length)
{
	return jitdump_begins(head, length) || perf_map_begins(head, length);
}

int jit_file_read(struct jit_codes *codes, const void *bytes, size_t length,
		  uint64_t start_ns)
{
	return jitdump_begins(bytes, length)
		       ? jitdump_read(codes, bytes, length, start_ns)
		       : perf_map_read(codes, bytes, length);
}

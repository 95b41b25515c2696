/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each record's content is written first, and its head, with a size other than 0, last: a
 * concurrent reader sees complete records only. The kernel copies the code, so that code
 * which has been unmapped causes an error code instead of a fault.
 */

#include "collector/experiment/dyntext.h"

#include <errno.h>
#include <string.h>

#include "collector/base/system.h"
#include "collector/experiment/directory.h"
#include "collector/files/create.h"
#include "collector/files/files.h"
#include "collector/files/limits.h"
#include "collector/files/log.h"
#include "collector/files/output.h"
#include "collector/process/guard.h"
#include "libexpt/format.h"

#define ALIGNMENT 16

static bool is_broken, has_left_out;

static bool fail(int message, int error)
{
	if (!is_broken)
		log_message("cerror", message, DYNTEXT_FILE, error);
	is_broken = true;
	return false;
}

static bool put_record(int fd, enum dyntext_type type, const void *content, size_t size,
		       size_t alignment)
{
	static const char zeros[ALIGNMENT];
	size_t at = atomic_load(&files.dyntext.end);
	size_t padded = (size + alignment - 1) / alignment * alignment;
	struct dyntext_record head = { type, (uint32_t)(sizeof(head) + padded) };
	int rc = writer_put(fd, content, size, (off_t)(at + sizeof(head)));

	if (rc == 0 && padded > size)
		rc = writer_put(fd, zeros, padded - size,
				(off_t)(at + sizeof(head) + size));
	if (rc == 0)
		rc = writer_put(fd, (const char *)&head, sizeof(head), (off_t)at);
	if (rc == 0) {
		atomic_store(&files.dyntext.end, at + sizeof(head) + padded);
		return true;
	}
	sys_ftruncate(fd, (off_t)at);
	return rc == -EFAULT ? false : fail(EXPT_ERROR_DYNTEXT_WRITE, -rc);
}

static bool put_header(int fd, const struct dynamic_function *function, uint64_t time)
{
	struct dyntext_header header = { .time_ns = (int64_t)time,
					 .address = function->address };

	return put_record(fd, DYNTEXT_HEADER,
			  (const char *)&header + sizeof(header.record),
			  sizeof(header) - sizeof(header.record), 1);
}

static bool open_file(void)
{
	int rc;

	if (output_is_open(&files.dyntext))
		return true;
	rc = directory_add_file(&files.dyntext, DYNTEXT_FILE);
	return rc == 0 || fail(EXPT_ERROR_DYNTEXT_OPEN, -rc);
}

/* A function has its name without this, so this is left out first. */
static bool is_too_much(const struct dynamic_function *function)
{
	size_t source = function->source ? strlen(function->source) : 0;

	if (collector_has_room(function->size + source +
			       function->line_count * sizeof(*function->lines)))
		return false;
	if (!has_left_out)
		log_message("cwarn", EXPT_WARNING_SIZE_LIMIT,
			    "size limit: dynamic code is left out", 0);
	has_left_out = true;
	return true;
}

struct loaded {
	const struct dynamic_function *function;
	uint64_t time;
};

static long put(int fd, const struct stat *status, void *argument)
{
	const struct loaded *loaded = argument;
	const struct dynamic_function *function = loaded->function;

	(void)status;
	if (!put_header(fd, function, loaded->time))
		return 0;
	put_record(fd, DYNTEXT_CODE, (const void *)function->address, function->size,
		   ALIGNMENT);
	if (function->source)
		put_record(fd, DYNTEXT_SOURCE, function->source,
			   strlen(function->source) + 1, ALIGNMENT);
	if (function->line_count > 0)
		put_record(fd, DYNTEXT_LINES, function->lines,
			   function->line_count * sizeof(*function->lines), 1);
	return 0;
}

void dyntext_put(const struct dynamic_function *function, uint64_t time)
{
	struct loaded loaded = { function, time };
	long rc;

	if (is_broken || collector_is_frozen() || is_too_much(function) || !open_file())
		return;
	rc = file_run(&files.dyntext.file, put, &loaded);
	if (rc < 0)
		fail(EXPT_ERROR_DYNTEXT_WRITE, (int)-rc);
}

void dyntext_forget(void)
{
	is_broken = has_left_out = false;
}

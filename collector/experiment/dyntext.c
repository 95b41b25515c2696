/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The head of a function's first record, with a size other than 0, is written last: a
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

/* ---- the records of a function ---- */

#define RECORDS_MAX 3			  /* after the first one */
#define PIECES_MAX  (1 + 3 * RECORDS_MAX) /* of each: its head, its content, zeros */

struct records {
	struct dyntext_record heads[RECORDS_MAX];
	size_t count;
	struct iovec pieces[PIECES_MAX];
	size_t piece_count, size;
};

static void add_piece(struct records *records, const void *bytes, size_t size)
{
	if (size == 0)
		return;
	records->pieces[records->piece_count++] =
		(struct iovec){ .iov_base = (void *)bytes, .iov_len = size };
	records->size += size;
}

static void add_record(struct records *records, enum dyntext_type type,
		       const void *content, size_t size, size_t alignment)
{
	static const char zeros[ALIGNMENT];
	size_t padded = (size + alignment - 1) / alignment * alignment;
	struct dyntext_record *head = &records->heads[records->count++];

	*head = (struct dyntext_record){ type, (uint32_t)(sizeof(*head) + padded) };
	add_piece(records, head, sizeof(*head));
	add_piece(records, content, size);
	add_piece(records, zeros, padded - size);
}

static void add_records(struct records *records, const struct dynamic_function *function,
			bool has_code)
{
	if (has_code)
		add_record(records, DYNTEXT_CODE, (const void *)function->address,
			   function->size, ALIGNMENT);
	if (function->source)
		add_record(records, DYNTEXT_SOURCE, function->source,
			   strlen(function->source) + 1, ALIGNMENT);
	if (function->line_count > 0)
		add_record(records, DYNTEXT_LINES, function->lines,
			   function->line_count * sizeof(*function->lines), 1);
}

/* Write all but the head of the first record, and then that. */
static int put_records(int fd, const struct loaded *loaded, bool has_code)
{
	struct dyntext_header header = {
		.record = { DYNTEXT_HEADER, sizeof(header) },
		.time_ns = (int64_t)loaded->time,
		.address = loaded->function->address,
	};
	size_t at = atomic_load(&files.dyntext.end), size;
	struct records records = { .count = 0 };
	int rc;

	add_piece(&records, (const char *)&header + sizeof(header.record),
		  sizeof(header) - sizeof(header.record));
	add_records(&records, loaded->function, has_code);
	size = sizeof(header.record) + records.size;
	rc = writer_put_pieces(fd, records.pieces, records.piece_count,
			       (off_t)(at + sizeof(header.record)));
	if (rc == 0)
		rc = writer_put(fd, (const char *)&header, sizeof(header.record),
				(off_t)at);
	if (rc == 0)
		atomic_store(&files.dyntext.end, at + size);
	else
		sys_ftruncate(fd, (off_t)at);
	return rc;
}

static long put(int fd, const struct stat *status, void *argument)
{
	int rc = put_records(fd, argument, true);

	(void)status;
	if (rc == -EFAULT)
		rc = put_records(fd, argument, false);
	if (rc < 0)
		fail(EXPT_ERROR_DYNTEXT_WRITE, -rc);
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

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/files/create.h"

#include <errno.h>

#include "collector/base/in_place.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

bool writer_may_grow(size_t size)
{
	struct rlimit limit;

	return sys_get_limit(RLIMIT_FSIZE, &limit) < 0 ||
	       limit.rlim_cur == RLIM_INFINITY || size <= limit.rlim_cur;
}

int writer_put(int fd, const char *bytes, size_t length, off_t offset)
{
	if (!writer_may_grow((size_t)offset + length))
		return -EFBIG;
	while (length > 0) {
		ssize_t put = sys_pwrite(fd, bytes, length, offset);

		if (put <= 0)
			return put < 0 ? (int)put : -ENOSPC;
		bytes += put;
		offset += put;
		length -= (size_t)put;
	}
	return 0;
}

/* Skip what has been written. */
static void skip(struct iovec **pieces, size_t *count, size_t length)
{
	while (*count > 0 && length >= (*pieces)->iov_len) {
		length -= (*pieces)->iov_len;
		++*pieces;
		--*count;
	}
	if (*count > 0) {
		(*pieces)->iov_base = (char *)(*pieces)->iov_base + length;
		(*pieces)->iov_len -= length;
	}
}

int writer_put_pieces(int fd, struct iovec *pieces, size_t count, off_t offset)
{
	size_t length = 0;

	for (size_t i = 0; i < count; i++)
		length += pieces[i].iov_len;
	if (!writer_may_grow((size_t)offset + length))
		return -EFBIG;
	for (skip(&pieces, &count, 0); count > 0;) {
		ssize_t put = sys_pwritev(fd, pieces, count, offset);

		if (put <= 0)
			return put < 0 ? (int)put : -ENOSPC;
		offset += put;
		skip(&pieces, &count, (size_t)put);
	}
	return 0;
}

int writer_create(int directory, const char *name, const char *content, size_t length)
{
	int fd = sys_openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
			    FILE_MODE);
	int rc;

	if (fd < 0)
		return fd;
	if (length > 0) /* mainly the log; block files share their blocks with copies */
		write_in_place(fd);
	rc = writer_put(fd, content, length, 0);
	if (rc < 0) {
		sys_close(fd);
		system_call(SYS_unlinkat, directory, (long)name, 0, 0, 0, 0);
		return rc;
	}
	return fd;
}

/* Adds ".NAME.record.part" in the directory of name; tools recognise a leftover by it. */
static void add_draft(struct text *draft, const char *name)
{
	const char *base = name;

	for (const char *at = name; *at != '\0'; at++)
		if (*at == '/')
			base = at + 1;
	text_add_bytes(draft, name, (size_t)(base - name));
	text_add(draft, ".");
	text_add(draft, base);
	text_add(draft, RECORDER_PART_SUFFIX);
}

int writer_rename(int directory, const char *from, const char *to)
{
	int rc = sys_renameat(directory, from, to);

	if (rc == -EINVAL || rc == -ENOSYS) /* the file system lacks RENAME_NOREPLACE */
		rc = (int)system_call(SYS_renameat, directory, (long)from, directory,
				      (long)to, 0, 0);
	return rc;
}

int writer_create_at_once(int directory, const char *name, const char *content,
			  size_t length)
{
	char buffer[LINEAGE_MAX + 64];
	struct text draft = TEXT_ON(buffer);
	int fd, rc;

	if (length == 0)
		return writer_create(directory, name, content, length);
	add_draft(&draft, name);
	fd = writer_create(directory, draft.start, content, length);
	if (fd < 0)
		return fd;
	rc = writer_rename(directory, draft.start, name);
	if (rc < 0) {
		sys_close(fd);
		system_call(SYS_unlinkat, directory, (long)draft.start, 0, 0, 0, 0);
		return rc;
	}
	return fd;
}

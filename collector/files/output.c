/* SPDX-License-Identifier: Apache-2.0 */
/* Growing, mapped files. Code that a handler can reach uses no locks and no libc. */

#include "collector/files/output.h"

#include <errno.h>

#include "collector/base/system.h"
#include "collector/files/create.h"
#include "collector/process/guard.h"
#include "libexpt/format.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE                                         \
	23 /* since Linux 5.14; older kernels fault pages in one by \
	    * one */
#endif

void output_open(struct output *output, const char *name, int fd, size_t length,
		 size_t window_size)
{
	output->windows.size = window_size;
	atomic_store(&output->end, length);
	file_note(&output->file, name, fd);
}

bool output_is_open(const struct output *output)
{
	return atomic_load_explicit(&output->file.is_there, memory_order_relaxed);
}

static size_t cut(int fd, const struct stat *status, size_t length)
{
	if (length >= (size_t)status->st_size)
		return (size_t)status->st_size;
	sys_ftruncate(fd, (off_t)length);
	return length;
}

static long cut_to(int fd, const struct stat *status, void *length)
{
	return (long)cut(fd, status, *(const size_t *)length);
}

/* Cut off blocks that were handed out in vain because no window could be made. Extending
 * the file to cover them could be fatal (RLIMIT_FSIZE). Returns the length of the file,
 * or 0 if it cannot be reached. */
static size_t shrink_file(const struct output *output, size_t length)
{
	long rc = file_run(&output->file, cut_to, &length);

	return rc > 0 ? (size_t)rc : 0;
}

struct addition {
	const char *bytes;
	size_t length, end;
};

static long append(int fd, const struct stat *before, void *argument)
{
	const struct addition *addition = argument;
	int rc = writer_put(fd, addition->bytes, addition->length, (off_t)addition->end);
	struct stat now;

	if (rc < 0 && sys_fstat(fd, &now) == 0)
		cut(fd, &now, (size_t)before->st_size);
	return rc;
}

bool output_append(const struct output *output, const char *bytes, size_t length,
		   size_t end)
{
	struct addition addition = { bytes, length, end };

	return file_run(&output->file, append, &addition) == 0;
}

static int write_zeros(int fd, size_t from, size_t size)
{
	static const char zeros[4096];
	int rc = 0;

	for (size_t at = from; at < from + size && rc == 0; at += sizeof(zeros))
		rc = writer_put(fd, zeros, sizeof(zeros), (off_t)at);
	return rc;
}

/* Allocate room on the disk, so that a store into the mapping cannot fail. */
static int grow_file(int fd, const struct stat *status, size_t from, size_t size)
{
	size_t length = (size_t)status->st_size;
	int rc;

	if (!writer_may_grow(from + size))
		return -EFBIG;
	rc = sys_fallocate(fd, (off_t)from, (off_t)size);
	if (rc != -EOPNOTSUPP && rc != -ENOSYS)
		return rc;
	if (length >= from + size)
		return 0;
	if (length > from) {
		/* The first window begins with the content, whose end is not
		 * page-aligned. */
		size_t next = (length + 4095) & ~(size_t)4095;

		sys_ftruncate(fd, (off_t)next);
		size -= next - from;
		from = next;
	}
	return write_zeros(fd, from, size);
}

struct extent {
	size_t from, size;
	char *start; /* where it is mapped */
};

static long grow(int fd, const struct stat *status, void *argument)
{
	const struct extent *extent = argument;

	return grow_file(fd, status, extent->from, extent->size);
}

static long map(int fd, const struct stat *status, void *argument)
{
	struct extent *extent = argument;
	int rc = grow_file(fd, status, extent->from, extent->size);

	if (rc != 0)
		return rc;
	extent->start = sys_mmap(extent->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
				 (off_t)extent->from);
	return extent->start ? 0 : -ENOMEM;
}

static char *make_window(const struct output *output, size_t index, int *error)
{
	size_t size = output->windows.size;
	struct extent extent = { index * size, size, NULL };

	*error = (int)-file_run(&output->file, map, &extent);
	if (*error != 0)
		return NULL;
	/* A thread that has filled one window will fill the next. Bring in its pages all
	 * together rather than one fault at a time in calls that are measured. On a disk
	 * file system MAP_POPULATE would map them for reading only. */
	if (index > 0)
		sys_madvise(extent.start, size, MADV_POPULATE_WRITE);
	sys_madvise(extent.start, size, MADV_DONTFORK);
	return extent.start;
}

/* Two threads may make the same window; one of them wins. */
char *output_window(struct output *output, size_t index, int *error)
{
	size_t size = output->windows.size;
	struct window *window = windows_at(&output->windows, index);
	char *start, *expected = NULL;

	if (window)
		return window->start;
	*error = index < WINDOWS_MAX ? EPERM : EFBIG;
	if (index >= WINDOWS_MAX || collector_is_frozen())
		return NULL;
	*error = ENOMEM;
	window = windows_place(&output->windows, index);
	if (!window)
		return NULL;
	start = make_window(output, index, error);
	if (!start || atomic_compare_exchange_strong(&window->start, &expected, start))
		return start;
	sys_munmap(start, size);
	return expected;
}

bool output_reserve(struct output *output)
{
	int error;

	return output_window(output, atomic_load(&output->end) / output->windows.size,
			     &error) != NULL;
}

void output_forget(struct output *output, bool is_writing)
{
	if (is_writing)
		windows_let_go(&output->windows);
	file_forget(&output->file);
	atomic_store(&output->end, 0);
	windows_forget(&output->windows);
}

/* Windows become memory: another thread may be storing into one, or the program may go
 * on. */
size_t output_close(struct output *output, size_t length)
{
	size_t kept = 0;

	if (!output_is_open(output))
		return 0;
	windows_let_go(&output->windows);
	if (windows_at(&output->windows, 0))
		kept = shrink_file(output, length);
	file_forget(&output->file);
	return kept;
}

void output_open_in_memory(struct output *output, char *block)
{
	output->windows.size = BLOCK_SIZE;
	atomic_store(&output->windows.near[0].start, block);
}

/* ---- text files ---- */

/* On a full disk the last page may still have room. */
static bool put_without_window(struct output *output, const char *record, size_t length)
{
	if (collector_is_frozen() || !output_append(output, record, length, output->end))
		return false;
	output->end += length;
	return true;
}

bool output_put_text(struct output *output, const char *record, size_t length)
{
	size_t at = output->end;
	char *window;
	int error;

	if (!output_is_open(output) || length > output->windows.size || length == 0)
		return false;
	/* A record never crosses a window: readers treat the NULs before the next window
	 * as white space. */
	if (at % output->windows.size + length > output->windows.size)
		at += output->windows.size - at % output->windows.size;
	window = output_window(output, at / output->windows.size, &error);
	if (!window)
		return put_without_window(output, record, length);
	window += at % output->windows.size;
	copy_bytes(window + 1, record + 1, length - 1);
	__atomic_store_n(window, record[0], __ATOMIC_RELEASE);
	output->end = at + length;
	return true;
}

static long size_of(int fd, const struct stat *status, void *argument)
{
	(void)fd;
	(void)argument;
	return status->st_size;
}

/* A store fails past the end of the file, or when the file system finds no room for it.
 * Some need more than was set aside for a page that was written before. */
static int why_lost(const struct output *output, size_t offset)
{
	long size = file_run(&output->file, size_of, NULL);

	return size > 0 && offset < (size_t)size ? ENOSPC : EBADF;
}

int output_absorb_fault(const struct output *output, uintptr_t address)
{
	size_t offset = windows_let_go_at(&output->windows, address);

	return offset == SIZE_MAX ? 0 : why_lost(output, offset);
}

/* ---- around an exec, which may fail ---- */

void output_suspend(struct output *output)
{
	if (output_is_open(output))
		shrink_file(output, output->end);
}

bool output_resume(struct output *output)
{
	struct extent extent = { 0 };
	size_t mapped = 0;

	if (!output_is_open(output))
		return true;
	while (windows_at(&output->windows, mapped))
		mapped++;
	extent.size = mapped * output->windows.size;
	return mapped == 0 || file_run(&output->file, grow, &extent) == 0;
}

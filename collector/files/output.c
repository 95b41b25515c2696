/* SPDX-License-Identifier: Apache-2.0 */
/* Growing, mapped files. Everything that a handler reaches is free of locks and of libc.
 */

#include "collector/files/output.h"

#include <errno.h>

#include "collector/base/in_place.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/collector.h"
#include "libexpt/format.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* since Linux 5.14; before it pages come by faults */
#endif

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

int writer_create(int directory, const char *name, const char *content, size_t length)
{
	int fd = sys_openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC,
			    FILE_MODE);
	int rc;

	if (fd < 0)
		return fd;
	if (length > 0) /* the log above all; the others share their blocks with copies */
		write_in_place(fd);
	rc = writer_put(fd, content, length, 0);
	if (rc < 0) {
		sys_close(fd);
		system_call(SYS_unlinkat, directory, (long)name, 0, 0, 0, 0);
		return rc;
	}
	return fd;
}

/* ".NAME.record.part" in the directory of name: tools know it, should it be left behind.
 */
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

	if (rc == -EINVAL || rc == -ENOSYS) /* no RENAME_NOREPLACE in this file system */
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

static void cut(int fd, const struct stat *status, size_t length)
{
	if (length < (size_t)status->st_size)
		sys_ftruncate(fd, (off_t)length);
}

static long cut_to(int fd, const struct stat *status, void *length)
{
	cut(fd, status, *(const size_t *)length);
	return 0;
}

/* Blocks handed out in vain, because no window could be made, are not in the file: to
 * make it longer may be fatal (RLIMIT_FSIZE). */
static void shrink_file(const struct output *output, size_t length)
{
	file_run(&output->file, cut_to, &length);
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

/* Room on the disk, so that a store into the mapping cannot fail. */
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
		/* The first window begins with the content, which ends anywhere. */
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
	/* Whoever has filled one window will fill the next: its pages come all together,
	 * not by a fault for each in a call that is measured. MAP_POPULATE maps them for
	 * reading only, where a disk lies below. */
	if (index > 0)
		sys_madvise(extent.start, size, MADV_POPULATE_WRITE);
	sys_madvise(extent.start, size, MADV_DONTFORK);
	return extent.start;
}

/* The window's address; made if need be. Two threads may make it: one of them wins. */
static char *get_window(struct output *output, size_t index, int *error)
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

	return get_window(output, atomic_load(&output->end) / output->windows.size,
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

/* Another thread may be at a store into a window, or the program goes on. */
void output_close(struct output *output, size_t length)
{
	if (!output_is_open(output))
		return;
	windows_let_go(&output->windows);
	if (windows_at(&output->windows, 0))
		shrink_file(output, length);
	file_forget(&output->file);
}

/* ---- block files ---- */

void output_open_in_memory(struct output *output, char *block)
{
	output->windows.size = BLOCK_SIZE;
	atomic_store(&output->windows.near[0].start, block);
}

static bool is_in_memory(const struct output *output)
{
	return !output_is_open(output) && windows_at(&output->windows, 0) != NULL;
}

static char *claim_block(struct output *output, size_t *offset)
{
	char *window;
	int error;

	if ((!output_is_open(output) && !is_in_memory(output)) ||
	    collector_is_full(BLOCK_SIZE))
		return NULL;
	*offset = atomic_fetch_add(&output->end, BLOCK_SIZE);
	if (collector_is_suspended())
		return NULL;
	window = get_window(output, *offset / output->windows.size, &error);
	if (!window) {
		collector_stop(EXPT_ERROR_FILE_RESIZE, error);
		return NULL;
	}
	/* Whoever comes to the middle of a window makes the next one: before it is needed
	 * in a sandbox, and while others still have blocks, who would make it, too. */
	if (*offset % output->windows.size == output->windows.size / 2)
		get_window(output, *offset / output->windows.size + 1, &error);
	return window + *offset % output->windows.size;
}

static void close_block(struct cursor *cursor, struct output *output)
{
	size_t rest = BLOCK_SIZE - cursor->used;

	if (rest >= sizeof(struct packet_head) && rest <= UINT16_MAX)
		cursor_publish(cursor->block + cursor->used, PACKET_CLOSED, rest);
	cursor->block = NULL;
	windows_count_full_block(&output->windows, cursor->offset / output->windows.size);
}

/* A handler that comes here and forks would leave the child with windows half made. */
static __attribute__((noinline)) char *next_block(struct cursor *cursor,
						  struct output *output)
{
	uint64_t mask = collector_enter();
	char *block;

	if (cursor->block)
		close_block(cursor, output);
	cursor->block = block = claim_block(output, &cursor->offset);
	cursor->used = 0;
	collector_leave(mask);
	return block;
}

/* Readers skip what is never published: the process is killed meanwhile, or a handler
 * jumps away. */
char *cursor_reserve(struct cursor *cursor, struct output *output, size_t size)
{
	/* Read once: in the child of a handler's fork there is none all of a sudden. */
	char *block = __atomic_load_n(&cursor->block, __ATOMIC_RELAXED), *room;

	if (!block || cursor->used + size > BLOCK_SIZE)
		block = next_block(cursor, output);
	if (!block)
		return NULL;
	room = block + cursor->used;
	cursor_publish(room, PACKET_EMPTY, size);
	cursor->used += (uint32_t)size;
	return room;
}

void cursor_publish(char *room, uint16_t type, size_t size)
{
	uint32_t head = (uint32_t)size | (uint32_t)type << 16;

	__atomic_store_n((uint32_t *)(void *)room, head, __ATOMIC_RELEASE);
}

void cursor_put(struct cursor *cursor, struct output *output, uint16_t type,
		const void *packet, size_t size)
{
	char *room = cursor_reserve(cursor, output, size);

	if (!room)
		return;
	copy_bytes(room + sizeof(struct packet_head),
		   (const char *)packet + sizeof(struct packet_head),
		   size - sizeof(struct packet_head));
	cursor_publish(room, type, size);
}

size_t cursor_limit(const struct cursor *cursor, size_t length)
{
	if (cursor->block && cursor->offset + BLOCK_SIZE == length)
		return cursor->offset + cursor->used;
	return length;
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
	/* No record crosses a window: readers take the NULs between for white space. */
	if (at % output->windows.size + length > output->windows.size)
		at += output->windows.size - at % output->windows.size;
	window = get_window(output, at / output->windows.size, &error);
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

/* A store fails where the file ends, or where the file system finds no room for it: some
 * want more than what was set aside for a page that they have written before. */
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

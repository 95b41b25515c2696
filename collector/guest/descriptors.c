/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors that the collector must hold (see access.h) do not exist for the program's
 * close, dup2, closefrom and close_range.
 */

#include <errno.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/files/files.h"
#include "collector/process/process.h"

#define OTHER_PLACES 6
#define PLACES	     (OTHER_PLACES + DATA_COUNT)

/* ---- what the program sees ---- */

static _Atomic int *place_at(int i)
{
	static _Atomic int *const others[OTHER_PLACES] = {
		&process.founder_fd,	 &files.log.file.held,
		&files.map.file.held,	 &files.overview.file.held,
		&files.frames.file.held, &files.dyntext.file.held,
	};

	return i < OTHER_PLACES ? others[i] : &files.data[i - OTHER_PLACES].file.held;
}

/* Returns the place of a descriptor of the collector, NULL for the program's own. A child
 * of vfork shares the memory, but may change its descriptor table, which is its own. */
static _Atomic int *place_of(int fd)
{
	for (int i = 0; i < PLACES && fd >= 0; i++)
		if (atomic_load_explicit(place_at(i), memory_order_relaxed) == fd)
			return sys_getpid() == process.pid ? place_at(i) : NULL;
	return NULL;
}

static int refuse(void)
{
	errno = EBADF;
	return -1;
}

/* Give up a number that the program is about to use. */
static void move_away(_Atomic int *place)
{
	int fd = atomic_load(place), moved = sys_fcntl(fd, F_DUPFD_CLOEXEC, fd + 1);

	if (moved < 0)
		moved = sys_fcntl(fd, F_DUPFD_CLOEXEC, 3);
	atomic_store(place, moved);
}

static int close_unless_ours(struct real *function, int fd)
{
	int (*close)(int) = real_function(function);

	return place_of(fd) ? refuse() : close(fd);
}

INTERPOSE(int, close_2_2_5, "close@@GLIBC_2.2.5", (int fd))
{
	static struct real real = { "close", "GLIBC_2.2.5", NULL };

	return close_unless_ours(&real, fd);
}

INTERPOSE(int, close_internal_2_2_5, "__close@@GLIBC_2.2.5", (int fd))
{
	static struct real real = { "__close", "GLIBC_2.2.5", NULL };

	return close_unless_ours(&real, fd);
}

static int duplicate(struct real *function, int from, int to)
{
	int (*dup)(int, int) = real_function(function);
	_Atomic int *place = place_of(to);

	if (place_of(from))
		return refuse();
	if (place)
		move_away(place);
	return dup(from, to);
}

INTERPOSE(int, dup2_2_2_5, "dup2@@GLIBC_2.2.5", (int from, int to))
{
	static struct real real = { "dup2", "GLIBC_2.2.5", NULL };

	return duplicate(&real, from, to);
}

INTERPOSE(int, dup2_internal_2_2_5, "__dup2@@GLIBC_2.2.5", (int from, int to))
{
	static struct real real = { "__dup2", "GLIBC_2.2.5", NULL };

	return duplicate(&real, from, to);
}

INTERPOSE(int, dup3_2_9, "dup3@@GLIBC_2.9", (int from, int to, int flags))
{
	REAL(dup3, "GLIBC_2.9", int, (int, int, int));
	_Atomic int *place = place_of(to);

	if (place_of(from))
		return refuse();
	if (place)
		move_away(place);
	return real(from, to, flags);
}

/* ---- ranges: in pieces around descriptors of the collector ---- */

/* Returns the lowest descriptor of the collector from this number on. */
static unsigned next_of_ours(unsigned from)
{
	unsigned lowest = ~0U;

	for (int i = 0; i < PLACES; i++) {
		int fd = atomic_load(place_at(i));

		if (fd >= 0 && (unsigned)fd >= from && (unsigned)fd < lowest &&
		    place_of(fd))
			lowest = (unsigned)fd;
	}
	return lowest;
}

static int close_pieces(unsigned first, unsigned last, int flags)
{
	for (;;) {
		unsigned ours = next_of_ours(first);
		unsigned end = ours <= last ? ours - 1 : last;
		long rc = 0;

		if (ours != first)
			rc = system_call(SYS_close_range, first, end, flags, 0, 0, 0);
		if (rc < 0) {
			errno = (int)-rc;
			return -1;
		}
		if (end == last || ours >= last)
			return 0;
		first = ours + 1;
	}
}

INTERPOSE(int, close_range_2_34, "close_range@@GLIBC_2.34",
	  (unsigned first, unsigned last, int flags))
{
	REAL(close_range, "GLIBC_2.34", int, (unsigned, unsigned, int));

	if (first > last || next_of_ours(first) > last)
		return real(first, last, flags);
	return close_pieces(first, last, flags);
}

INTERPOSE(void, closefrom_2_34, "closefrom@@GLIBC_2.34", (int first))
{
	REAL(closefrom, "GLIBC_2.34", void, (int));
	unsigned from = first > 0 ? (unsigned)first : 0;
	int saved = errno;

	if (next_of_ours(from) == ~0U || close_pieces(from, ~0U, 0) < 0)
		real(first);
	errno = saved;
}

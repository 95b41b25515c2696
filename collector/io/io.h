/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Common parts of the wrappers of I/O. Each records the call that the program made: calls
 * inside libc, such as printf's write, are not the program's.
 */
#ifndef COLLECTOR_IO_IO_H
#define COLLECTOR_IO_IO_H

/* The headers must only declare functions: no inline forms, and none that check their
 * arguments first. */
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__
#endif

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "collector/base/interpose.h"
#include "collector/files/files.h"
#include "collector/sources/io.h"
#include "collector/trace/file_system.h"
#include "collector/trace/trace.h"

#define IO_WRAPPER(type, name, parameters)                                 \
	type name parameters __attribute__((visibility("default"), used)); \
	type name parameters

/* Like REAL, but looked up when the library is initialised: the first call may come from
 * a handler or a child of vfork, which must not search. */
#define IO_REAL(symbol, version, type, parameters)                                     \
	static struct real real_##symbol                                               \
		__attribute__((section("io_reals"), aligned(8))) = { #symbol, version, \
								     NULL };           \
	type(*const real) parameters = real_function(&real_##symbol)

/* A new descriptor. */
struct io_new {
	int fd, old_fd; /* fd: -1 if the call failed; old_fd: of dup and the like,
			   otherwise 0 */
	enum expt_file_system file_system;
	/* The next two are for io_end_named() only. */
	const char *name; /* of the opened file; NULL: none */
	bool is_path;	  /* the name is a path from the current directory */
};

#define IO_INLINE static inline __attribute__((always_inline))

/* ---- the files of descriptors: one that no wrapper saw opened is named at its first use
 * ---- */

/* The standard ones are called so, and need no name. */
IO_INLINE bool io_may_be_unknown(int fd)
{
	return fd > STDERR_FILENO && fd < IO_KNOWN_MAX;
}

IO_INLINE bool io_is_unknown(int fd)
{
	return io_may_be_unknown(fd) &&
	       (atomic_load_explicit(&io_known[fd / 64], memory_order_relaxed) &
		UINT64_C(1) << fd % 64) == 0;
}

/* Returns false if it was known before. */
IO_INLINE bool io_know(int fd)
{
	return io_is_unknown(fd) &&
	       (atomic_fetch_or_explicit(&io_known[fd / 64], UINT64_C(1) << fd % 64,
					 memory_order_relaxed) &
		UINT64_C(1) << fd % 64) == 0;
}

/* Call before the descriptor is closed: afterwards, another thread may have opened it. A
 * child of vfork closes its own. */
IO_INLINE void io_forget(int fd)
{
	if (io_may_be_unknown(fd) && !trace_is_in_vfork())
		atomic_fetch_and_explicit(&io_known[fd / 64], ~(UINT64_C(1) << fd % 64),
					  memory_order_relaxed);
}

/* Record the name of an unknown descriptor's file, if it has a path. */
void io_name(int fd);

/* ---- calls ---- */

/* These record a call that has returned. They are inlined, so that the wrapper is the
 * leaf of the stack. Recording begins only now: until here the thread could be cancelled,
 * jump away, or handle a signal whose calls are recorded as well. */
IO_INLINE struct io_packet io_packet(uint64_t begun, enum expt_io_call what,
				     bool has_failed, int fd, int64_t bytes)
{
	return (struct io_packet){
		.head = { .what = (int)what + (has_failed ? EXPT_IO_FAILED : 0),
			  .fd = fd,
			  .time_ns = trace_now() },
		.bytes = bytes,
		.requested_ns = begun,
	};
}

IO_INLINE void io_end(uint64_t begun, enum expt_io_call what, bool has_failed, int fd,
		      int64_t bytes)
{
	struct io_packet packet = io_packet(begun, what, has_failed, fd, bytes);

	trace_returned(DATA_IO, PACKET_IO, &packet.head, sizeof(packet),
		       TRACE_WITH_STACK);
	if (__builtin_expect(io_is_unknown(fd), 0) && !has_failed &&
	    what != EXPT_IO_CLOSE)
		io_name(fd);
}

/* A call that moved this many bytes; -1: it failed. */
IO_INLINE void io_end_transfer(uint64_t begun, enum expt_io_call what, int fd,
			       int64_t bytes)
{
	io_end(begun, what, bytes == -1, fd, bytes);
}

/* A call that neither opens nor moves anything. */
IO_INLINE void io_end_other(uint64_t begun, enum expt_io_call what, int fd,
			    bool has_failed)
{
	io_end(begun, what, has_failed, fd, 0);
}

/* ---- new descriptors ---- */

IO_INLINE struct io_open_packet io_open_packet(uint64_t begun, const struct io_new *new)
{
	return (struct io_open_packet){
		.io = io_packet(begun, EXPT_IO_OPEN, new->fd < 0, new->fd, 0),
		.old_fd = new->old_fd,
		.file_system = new->file_system,
	};
}

/* fd is a descriptor without a file, or -1. */
IO_INLINE void io_end_new(uint64_t begun, int fd, int old_fd,
			  enum expt_file_system file_system)
{
	struct io_open_packet packet;

	if (io_is_unknown(old_fd) && fd >= 0)
		io_name(old_fd); /* before the packet has its time */
	packet = io_open_packet(begun, &(struct io_new){ .fd = fd,
							 .old_fd = old_fd,
							 .file_system = file_system });
	if (trace_returned(DATA_IO, PACKET_IO_OPEN, &packet.io.head, sizeof(packet),
			   TRACE_WITH_STACK))
		io_know(fd);
}

/* The name follows the packet's fixed fields. One longer than PATH_MAX is cut. */
IO_INLINE void io_record_named(struct thread *thread, const struct io_open_packet *packet,
			       const char *name)
{
	size_t at = offsetof(struct io_open_packet, name),
	       length = strnlen(name, PATH_MAX);
	size_t size = (at + length + 1 + 7) & ~(size_t)7;
	char *room = __builtin_alloca_with_align(size, 8 * __alignof__(*packet));

	memset(room + size - 8, 0, 8);
	memcpy(room, packet, at);
	memcpy(room + at, name, length);
	trace_record(thread, DATA_IO, PACKET_IO_OPEN, (struct trace_head *)(void *)room,
		     size, TRACE_WITH_STACK);
}

/* The file system of an opened file is determined only if the call is recorded. */
IO_INLINE void io_end_named(uint64_t begun, const struct io_new *new)
{
	struct io_open_packet packet = io_open_packet(begun, new);
	struct thread *thread = trace_begin();

	if (!thread)
		return;
	io_know(new->fd);
	if (new->fd >= 0)
		packet.file_system =
			trace_file_system(new->fd, new->is_path ? new->name : NULL);
	if (new->name)
		io_record_named(thread, &packet, new->name);
	else
		trace_record(thread, DATA_IO, PACKET_IO_OPEN, &packet.io.head,
			     sizeof(packet), TRACE_WITH_STACK);
	trace_end(thread);
}

/* With these errors the kernel may not have looked at the name, which need not be a
 * string then. */
IO_INLINE bool io_has_read_name(int error)
{
	return error != EFAULT && error != EINVAL && error != ENOMEM && error != ENOSYS;
}

/* fd is a file's, or -1. */
IO_INLINE void io_end_open(uint64_t begun, int fd, const char *name, bool is_path)
{
	io_end_named(begun,
		     &(struct io_new){
			     .fd = fd,
			     .file_system = EXPT_FS_UNKNOWN,
			     .name = fd >= 0 || io_has_read_name(errno) ? name : NULL,
			     .is_path = is_path,
		     });
}

/* ---- common forms of wrappers; `on` is the descriptor's parameter, or -1 ---- */

/* Define a wrapper that returns a count of bytes, or -1. */
#define IO_TRANSFER(what, on, type, symbol, version, parameters, arguments) \
	IO_WRAPPER(type, symbol, parameters)                                \
	{                                                                   \
		IO_REAL(symbol, version, type, parameters);                 \
		uint64_t begun = trace_now();                               \
		type moved = real arguments;                                \
                                                                            \
		io_end_transfer(begun, what, on, (int64_t)moved);           \
		return moved;                                               \
	}

/* Define a wrapper that returns -1 on failure. */
#define IO_OTHER(on, type, symbol, version, parameters, arguments)             \
	IO_WRAPPER(type, symbol, parameters)                                   \
	{                                                                      \
		IO_REAL(symbol, version, type, parameters);                    \
		uint64_t begun = trace_now();                                  \
		type result = real arguments;                                  \
                                                                               \
		io_end_other(begun, EXPT_IO_OTHER, on, (int64_t)result == -1); \
		return result;                                                 \
	}

/* Define a wrapper that returns an error number. */
#define IO_OTHER_ERROR(on, symbol, version, parameters, arguments)  \
	IO_WRAPPER(int, symbol, parameters)                         \
	{                                                           \
		IO_REAL(symbol, version, int, parameters);          \
		uint64_t begun = trace_now();                       \
		int error = real arguments;                         \
                                                                    \
		io_end_other(begun, EXPT_IO_OTHER, on, error != 0); \
		return error;                                       \
	}

/* Define a wrapper that returns a new descriptor, or -1. */
#define IO_NEW(old, file_system, symbol, version, parameters, arguments) \
	IO_WRAPPER(int, symbol, parameters)                              \
	{                                                                \
		IO_REAL(symbol, version, int, parameters);               \
		uint64_t begun = trace_now();                            \
		int new_fd = real arguments;                             \
                                                                         \
		io_end_new(begun, new_fd, old, file_system);             \
		return new_fd;                                           \
	}

#endif

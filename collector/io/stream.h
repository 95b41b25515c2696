/* SPDX-License-Identifier: Apache-2.0 */
/* Common parts of the wrappers of streams. */
#ifndef COLLECTOR_IO_STREAM_H
#define COLLECTOR_IO_STREAM_H

#include <stdio.h>

#include "collector/io/io.h"

/* The functions themselves, without the header's macros. */
#undef fread_unlocked
#undef fwrite_unlocked
#undef getc
#undef putc

/* fileno(3) sets errno for a stream that has no descriptor. */
IO_INLINE int stream_fd(const FILE *stream)
{
	return stream->_fileno >= 0 ? stream->_fileno : -1;
}

/* Did reading fail? The end of a file is not a failure. */
IO_INLINE bool stream_has_failed(FILE *stream)
{
	return !feof_unlocked(stream) && ferror_unlocked(stream);
}

/* A call that read this many bytes; 0 and less at the end of the file or on failure. */
IO_INLINE void io_end_stream_read(uint64_t begun, FILE *stream, int fd, int64_t bytes)
{
	int64_t got = bytes > 0 ? bytes : stream_has_failed(stream) ? -1 : 0;

	io_end_transfer(begun, EXPT_IO_READ, fd, got);
}

/* Define the wrapper of a function that reads from a stream, or writes to one; the
 * expression bytes may use its result. */
#define STREAM_READ(type, symbol, version, parameters, arguments, stream, bytes) \
	IO_WRAPPER(type, symbol, parameters)                                     \
	{                                                                        \
		IO_REAL(symbol, version, type, parameters);                      \
		uint64_t begun = trace_now();                                    \
		int fd = stream_fd(stream);                                      \
		type result = real arguments;                                    \
                                                                                 \
		io_end_stream_read(begun, stream, fd, bytes);                    \
		return result;                                                   \
	}

#define STREAM_WRITE(type, symbol, parameters, arguments, stream, bytes) \
	IO_WRAPPER(type, symbol, parameters)                             \
	{                                                                \
		IO_REAL(symbol, "GLIBC_2.2.5", type, parameters);        \
		uint64_t begun = trace_now();                            \
		int fd = stream_fd(stream);                              \
		type result = real arguments;                            \
                                                                         \
		io_end_transfer(begun, EXPT_IO_WRITE, fd, bytes);        \
		return result;                                           \
	}

#endif

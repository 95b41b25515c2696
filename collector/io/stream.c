/* SPDX-License-Identifier: Apache-2.0 */
/* Opening, closing and positioning of streams. */

#include "collector/io/stream.h"

#include <stdlib.h>

#define OPEN(symbol)                                                                  \
	IO_WRAPPER(FILE *, symbol, (const char *path, const char *mode))              \
	{                                                                             \
		IO_REAL(symbol, "GLIBC_2.2.5", FILE *, (const char *, const char *)); \
		uint64_t begun = trace_now();                                         \
		FILE *stream = real(path, mode);                                      \
                                                                                      \
		io_end_open(begun, stream ? stream_fd(stream) : -1, path, true);      \
		return stream;                                                        \
	}

OPEN(fopen)
OPEN(fopen64)

/* The call closes the former file. Without a path it only changes the mode. */
#define REOPEN(symbol)                                                                 \
	IO_WRAPPER(FILE *, symbol, (const char *path, const char *mode, FILE *stream)) \
	{                                                                              \
		IO_REAL(symbol, "GLIBC_2.2.5", FILE *,                                 \
			(const char *, const char *, FILE *));                         \
		uint64_t begun = trace_now();                                          \
		FILE *result = real(path, mode, stream);                               \
		int fd = result ? stream_fd(result) : -1;                              \
                                                                                       \
		if (path)                                                              \
			io_end_open(begun, fd, path, true);                            \
		else                                                                   \
			io_end_other(begun, EXPT_IO_OTHER, fd, !result);               \
		return result;                                                         \
	}

REOPEN(freopen)
REOPEN(freopen64)

/* The descriptor stays the same. */
IO_WRAPPER(FILE *, fdopen, (int fd, const char *mode))
{
	IO_REAL(fdopen, "GLIBC_2.2.5", FILE *, (int, const char *));
	uint64_t begun = trace_now();
	FILE *stream = real(fd, mode);

	io_end_other(begun, EXPT_IO_OTHER, fd, !stream);
	return stream;
}

#define NEW(symbol, parameters, arguments, file_system)                             \
	IO_WRAPPER(FILE *, symbol, parameters)                                      \
	{                                                                           \
		IO_REAL(symbol, "GLIBC_2.2.5", FILE *, parameters);                 \
		uint64_t begun = trace_now();                                       \
		FILE *stream = real arguments;                                      \
                                                                                    \
		io_end_new(begun, stream ? stream_fd(stream) : -1, 0, file_system); \
		return stream;                                                      \
	}

NEW(tmpfile, (void), (), EXPT_FS_UNKNOWN)
NEW(tmpfile64, (void), (), EXPT_FS_UNKNOWN)
NEW(popen, (const char *command, const char *mode), (command, mode), EXPT_FS_FIFO)

#define CLOSE(symbol)                                                  \
	IO_WRAPPER(int, symbol, (FILE * stream))                       \
	{                                                              \
		IO_REAL(symbol, "GLIBC_2.2.5", int, (FILE *));         \
		uint64_t begun = trace_now();                          \
		int fd = stream_fd(stream);                            \
		int result;                                            \
                                                                       \
		io_forget(fd);                                         \
		result = real(stream);                                 \
		io_end_other(begun, EXPT_IO_CLOSE, fd, result == EOF); \
		return result;                                         \
	}

CLOSE(fclose)
CLOSE(pclose)

IO_OTHER(-1, int, fcloseall, "GLIBC_2.2.5", (void), ())

/* NULL means all streams. */
#define FLUSH(symbol)                                                               \
	IO_WRAPPER(int, symbol, (FILE * stream))                                    \
	{                                                                           \
		IO_REAL(symbol, "GLIBC_2.2.5", int, (FILE *));                      \
		uint64_t begun = trace_now();                                       \
		int result = real(stream);                                          \
                                                                                    \
		io_end_other(begun, EXPT_IO_OTHER, stream ? stream_fd(stream) : -1, \
			     result == EOF);                                        \
		return result;                                                      \
	}

FLUSH(fflush)
FLUSH(fflush_unlocked)

/* ---- positions ---- */

#define PLACE(type, symbol, parameters, arguments) \
	IO_OTHER(stream_fd(stream), type, symbol, "GLIBC_2.2.5", parameters, arguments)

PLACE(int, fseek, (FILE * stream, long at, int whence), (stream, at, whence))
PLACE(int, fseeko, (FILE * stream, off_t at, int whence), (stream, at, whence))
PLACE(int, fseeko64, (FILE * stream, off64_t at, int whence), (stream, at, whence))
PLACE(long, ftell, (FILE * stream), (stream))
PLACE(off_t, ftello, (FILE * stream), (stream))
PLACE(off64_t, ftello64, (FILE * stream), (stream))
PLACE(int, fgetpos, (FILE *restrict stream, fpos_t *restrict at), (stream, at))
PLACE(int, fgetpos64, (FILE *restrict stream, fpos64_t *restrict at), (stream, at))
PLACE(int, fsetpos, (FILE * stream, const fpos_t *at), (stream, at))
PLACE(int, fsetpos64, (FILE * stream, const fpos64_t *at), (stream, at))

IO_WRAPPER(void, rewind, (FILE * stream))
{
	IO_REAL(rewind, "GLIBC_2.2.5", void, (FILE *));
	uint64_t begun = trace_now();

	real(stream);
	io_end_other(begun, EXPT_IO_OTHER, stream_fd(stream), false);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printf and scanf, of bytes and of wide characters. Each variadic form calls libc's
 * equivalent with a va_list. The bytes that scanf read are unknown: it is recorded as a
 * call of no bytes.
 */
#ifndef COLLECTOR_IO_STREAM_FORMAT_H
#define COLLECTOR_IO_STREAM_FORMAT_H

#include <stdarg.h>

#include "collector/io/stream.h"

/* ---- printf ---- */

/* fd is an expression for the descriptor; the result is the bytes written, or
 * negative. */
#define PRINT_LIST(fd, symbol, version, parameters, arguments)                       \
	IO_WRAPPER(int, symbol, parameters)                                          \
	{                                                                            \
		IO_REAL(symbol, version, int, parameters);                           \
		uint64_t begun = trace_now();                                        \
		int to = fd, length = real arguments;                                \
                                                                                     \
		io_end_transfer(begun, EXPT_IO_WRITE, to, length < 0 ? -1 : length); \
		return length;                                                       \
	}

#define PRINT(fd, symbol, list_symbol, version, parameters, list_parameters, ...)    \
	IO_WRAPPER(int, symbol, parameters)                                          \
	{                                                                            \
		IO_REAL(list_symbol, version, int, list_parameters);                 \
		uint64_t begun;                                                      \
		va_list list;                                                        \
		int to, length;                                                      \
                                                                                     \
		va_start(list, format);                                              \
		begun = trace_now();                                                 \
		to = fd;                                                             \
		length = real(__VA_ARGS__, list);                                    \
		io_end_transfer(begun, EXPT_IO_WRITE, to, length < 0 ? -1 : length); \
		va_end(list);                                                        \
		return length;                                                       \
	}

#define STREAM(stream) stream_fd(stream)

#define PRINT_FAMILY(type, version, vprint, vfprint, print, fprint)                      \
	PRINT_LIST(STREAM(stdout), vprint, version, (const type *format, va_list list),  \
		   (format, list))                                                       \
	PRINT_LIST(STREAM(stream), vfprint, version,                                     \
		   (FILE * stream, const type *format, va_list list),                    \
		   (stream, format, list))                                               \
	PRINT(STREAM(stdout), print, vprint, version, (const type *format, ...),         \
	      (const type *, va_list), format)                                           \
	PRINT(STREAM(stream), fprint, vfprint, version,                                  \
	      (FILE * stream, const type *format, ...), (FILE *, const type *, va_list), \
	      stream, format)

/* Compilers call these with _FORTIFY_SOURCE. */
#define PRINT_CHECKED_FAMILY(type, version, vprint, vfprint, print, fprint)            \
	PRINT_LIST(STREAM(stdout), vprint, version,                                    \
		   (int flag, const type *format, va_list list), (flag, format, list)) \
	PRINT_LIST(STREAM(stream), vfprint, version,                                   \
		   (FILE * stream, int flag, const type *format, va_list list),        \
		   (stream, flag, format, list))                                       \
	PRINT(STREAM(stdout), print, vprint, version,                                  \
	      (int flag, const type *format, ...), (int, const type *, va_list), flag, \
	      format)                                                                  \
	PRINT(STREAM(stream), fprint, vfprint, version,                                \
	      (FILE * stream, int flag, const type *format, ...),                      \
	      (FILE *, int, const type *, va_list), stream, flag, format)

/* ---- scanf ---- */

/* Headers map the plain names to the functions of the selected standard. */
#define SCAN_WRAPPER(symbol, parameters)                      \
	int io_##symbol parameters __asm__(#symbol)           \
		__attribute__((visibility("default"), used)); \
	int io_##symbol parameters

#define SCAN_LIST(stream, symbol, version, parameters, arguments)        \
	SCAN_WRAPPER(symbol, parameters)                                 \
	{                                                                \
		IO_REAL(symbol, version, int, parameters);               \
		uint64_t begun = trace_now();                            \
		int items = real arguments;                              \
                                                                         \
		io_end_stream_read(begun, stream, stream_fd(stream), 0); \
		return items;                                            \
	}

#define SCAN(stream, symbol, list_symbol, version, parameters, list_parameters, ...) \
	SCAN_WRAPPER(symbol, parameters)                                             \
	{                                                                            \
		IO_REAL(list_symbol, version, int, list_parameters);                 \
		uint64_t begun;                                                      \
		va_list list;                                                        \
		int items;                                                           \
                                                                                     \
		va_start(list, format);                                              \
		begun = trace_now();                                                 \
		items = real(__VA_ARGS__, list);                                     \
		io_end_stream_read(begun, stream, stream_fd(stream), 0);             \
		va_end(list);                                                        \
		return items;                                                        \
	}

/* The variants for one standard of C: some conversions differ. */
#define SCAN_FAMILY(type, version, vscan, vfscan, scan, fscan)                           \
	SCAN_LIST(stdin, vscan, version, (const type *format, va_list list),             \
		  (format, list))                                                        \
	SCAN_LIST(from, vfscan, version,                                                 \
		  (FILE * from, const type *format, va_list list), (from, format, list)) \
	SCAN(stdin, scan, vscan, version, (const type *format, ...),                     \
	     (const type *, va_list), format)                                            \
	SCAN(from, fscan, vfscan, version, (FILE * from, const type *format, ...),       \
	     (FILE *, const type *, va_list), from, format)

#endif

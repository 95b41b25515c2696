/* SPDX-License-Identifier: Apache-2.0 */
/*
 * printf and scanf. Each form with arguments goes to libc's form with a list of them, which does the
 * same. What scanf has read is not known: it is counted as a call of no bytes.
 */

#include <collector/io/stream.h>
#include <stdarg.h>

/* An expression for the descriptor, and how many bytes were written, or less than 0. */
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

PRINT_LIST(STREAM(stdout), vprintf, "GLIBC_2.2.5", (const char *format, va_list list),
	   (format, list))
PRINT_LIST(STREAM(stream), vfprintf, "GLIBC_2.2.5",
	   (FILE * stream, const char *format, va_list list), (stream, format, list))
PRINT_LIST(descriptor, vdprintf, "GLIBC_2.2.5",
	   (int descriptor, const char *format, va_list list), (descriptor, format, list))
PRINT_LIST(STREAM(stdout), __vprintf_chk, "GLIBC_2.3.4",
	   (int flag, const char *format, va_list list), (flag, format, list))
PRINT_LIST(STREAM(stream), __vfprintf_chk, "GLIBC_2.3.4",
	   (FILE * stream, int flag, const char *format, va_list list),
	   (stream, flag, format, list))
PRINT_LIST(descriptor, __vdprintf_chk, "GLIBC_2.8",
	   (int descriptor, int flag, const char *format, va_list list),
	   (descriptor, flag, format, list))

PRINT(STREAM(stdout), printf, vprintf, "GLIBC_2.2.5", (const char *format, ...),
      (const char *, va_list), format)
PRINT(STREAM(stream), fprintf, vfprintf, "GLIBC_2.2.5",
      (FILE * stream, const char *format, ...), (FILE *, const char *, va_list), stream,
      format)
PRINT(descriptor, dprintf, vdprintf, "GLIBC_2.2.5",
      (int descriptor, const char *format, ...), (int, const char *, va_list), descriptor,
      format)
PRINT(STREAM(stdout), __printf_chk, __vprintf_chk, "GLIBC_2.3.4",
      (int flag, const char *format, ...), (int, const char *, va_list), flag, format)
PRINT(STREAM(stream), __fprintf_chk, __vfprintf_chk, "GLIBC_2.3.4",
      (FILE * stream, int flag, const char *format, ...),
      (FILE *, int, const char *, va_list), stream, flag, format)
PRINT(descriptor, __dprintf_chk, __vdprintf_chk, "GLIBC_2.8",
      (int descriptor, int flag, const char *format, ...),
      (int, int, const char *, va_list), descriptor, flag, format)

/* ---- scanf ---- */

/* Headers give the plain names to the functions of their standard. */
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

/* The functions of a standard of C: what they make of some conversions differs. */
#define SCAN_FAMILY(prefix, version)                                                     \
	SCAN_LIST(stdin, prefix##vscanf, version, (const char *format, va_list list),    \
		  (format, list))                                                        \
	SCAN_LIST(from, prefix##vfscanf, version,                                        \
		  (FILE * from, const char *format, va_list list), (from, format, list)) \
	SCAN(stdin, prefix##scanf, prefix##vscanf, version, (const char *format, ...),   \
	     (const char *, va_list), format)                                            \
	SCAN(from, prefix##fscanf, prefix##vfscanf, version,                             \
	     (FILE * from, const char *format, ...), (FILE *, const char *, va_list),    \
	     from, format)

SCAN_FAMILY(, "GLIBC_2.2.5")
SCAN_FAMILY(__isoc99_, "GLIBC_2.7")
SCAN_FAMILY(__isoc23_, "GLIBC_2.38")

/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing streams: blocks, lines and characters. */

#include "collector/io/stream.h"

/* ---- blocks ---- */

/* fread may read part of the last item without reporting it: that part is not counted. */
#define READ_BLOCK(symbol, version, parameters, arguments)                      \
	IO_WRAPPER(size_t, symbol, parameters)                                  \
	{                                                                       \
		IO_REAL(symbol, version, size_t, parameters);                   \
		uint64_t begun = trace_now();                                   \
		int fd = stream_fd(stream);                                     \
		size_t items = real arguments;                                  \
                                                                                \
		io_end_stream_read(begun, stream, fd, (int64_t)(items * size)); \
		return items;                                                   \
	}

READ_BLOCK(fread, "GLIBC_2.2.5", (void *buffer, size_t size, size_t count, FILE *stream),
	   (buffer, size, count, stream))
READ_BLOCK(fread_unlocked, "GLIBC_2.2.5",
	   (void *buffer, size_t size, size_t count, FILE *stream),
	   (buffer, size, count, stream))
READ_BLOCK(__fread_chk, "GLIBC_2.7",
	   (void *buffer, size_t room, size_t size, size_t count, FILE *stream),
	   (buffer, room, size, count, stream))
READ_BLOCK(__fread_unlocked_chk, "GLIBC_2.7",
	   (void *buffer, size_t room, size_t size, size_t count, FILE *stream),
	   (buffer, room, size, count, stream))

#define WRITE_BLOCK(symbol)                                                       \
	IO_WRAPPER(size_t, symbol,                                                \
		   (const void *buffer, size_t size, size_t count, FILE *stream)) \
	{                                                                         \
		IO_REAL(symbol, "GLIBC_2.2.5", size_t,                            \
			(const void *, size_t, size_t, FILE *));                  \
		uint64_t begun = trace_now();                                     \
		int fd = stream_fd(stream);                                       \
		size_t items = real(buffer, size, count, stream);                 \
                                                                                  \
		io_end_transfer(begun, EXPT_IO_WRITE, fd,                         \
				items == 0 && size > 0 && count > 0               \
					? -1                                      \
					: (int64_t)(items * size));               \
		return items;                                                     \
	}

WRITE_BLOCK(fwrite)
WRITE_BLOCK(fwrite_unlocked)

/* ---- lines ---- */

#define GET_LINE(symbol, version, parameters, arguments, stream)            \
	STREAM_READ(char *, symbol, version, parameters, arguments, stream, \
		    result ? (int64_t)strlen(result) : 0)

GET_LINE(fgets, "GLIBC_2.2.5", (char *line, int size, FILE *from), (line, size, from),
	 from)
GET_LINE(fgets_unlocked, "GLIBC_2.2.5", (char *line, int size, FILE *from),
	 (line, size, from), from)
GET_LINE(__fgets_chk, "GLIBC_2.4", (char *line, size_t room, int size, FILE *from),
	 (line, room, size, from), from)
GET_LINE(__fgets_unlocked_chk, "GLIBC_2.4",
	 (char *line, size_t room, int size, FILE *from), (line, room, size, from), from)
GET_LINE(gets, "GLIBC_2.2.5", (char *line), (line), stdin)
GET_LINE(__gets_chk, "GLIBC_2.3.4", (char *line, size_t room), (line, room), stdin)

#define GET_DELIMITED(symbol, version, parameters, arguments) \
	STREAM_READ(ssize_t, symbol, version, parameters, arguments, stream, result)

GET_DELIMITED(getline, "GLIBC_2.2.5",
	      (char **restrict line, size_t *restrict size, FILE *restrict stream),
	      (line, size, stream))
GET_DELIMITED(getdelim, "GLIBC_2.2.5",
	      (char **restrict line, size_t *restrict size, int delimiter,
	       FILE *restrict stream),
	      (line, size, delimiter, stream))
GET_DELIMITED(__getdelim, "GLIBC_2.2.5",
	      (char **restrict line, size_t *restrict size, int delimiter,
	       FILE *restrict stream),
	      (line, size, delimiter, stream))

#define PUT_TEXT(symbol, parameters, arguments, stream, more)    \
	STREAM_WRITE(int, symbol, parameters, arguments, stream, \
		     result == EOF ? -1 : (int64_t)strlen(text) + (more))

PUT_TEXT(fputs, (const char *text, FILE *to), (text, to), to, 0)
PUT_TEXT(fputs_unlocked, (const char *text, FILE *to), (text, to), to, 0)
PUT_TEXT(puts, (const char *text), (text), stdout, 1 /* the end of the line */)

/* ---- characters ---- */

#define GET_CHARACTER(symbol, parameters, arguments, stream, width, nothing)   \
	STREAM_READ(int, symbol, "GLIBC_2.2.5", parameters, arguments, stream, \
		    result == EOF && (nothing) ? 0 : (width))

GET_CHARACTER(fgetc, (FILE * from), (from), from, 1, true)
GET_CHARACTER(fgetc_unlocked, (FILE * from), (from), from, 1, true)
GET_CHARACTER(getc, (FILE * from), (from), from, 1, true)
GET_CHARACTER(getc_unlocked, (FILE * from), (from), from, 1, true)
GET_CHARACTER(_IO_getc, (FILE * from), (from), from, 1, true)
GET_CHARACTER(getchar, (void), (), stdin, 1, true)
GET_CHARACTER(getchar_unlocked, (void), (), stdin, 1, true)
/* -1 may be a valid number. */
GET_CHARACTER(getw, (FILE * from), (from), from, (int)sizeof(int),
	      feof_unlocked(from) || ferror_unlocked(from))

#define PUT_CHARACTER(symbol, parameters, arguments, stream, width) \
	STREAM_WRITE(int, symbol, parameters, arguments, stream,    \
		     result == EOF ? -1 : (width))

PUT_CHARACTER(fputc, (int character, FILE *to), (character, to), to, 1)
PUT_CHARACTER(fputc_unlocked, (int character, FILE *to), (character, to), to, 1)
PUT_CHARACTER(putc, (int character, FILE *to), (character, to), to, 1)
PUT_CHARACTER(putc_unlocked, (int character, FILE *to), (character, to), to, 1)
PUT_CHARACTER(_IO_putc, (int character, FILE *to), (character, to), to, 1)
PUT_CHARACTER(putchar, (int character), (character), stdout, 1)
PUT_CHARACTER(putchar_unlocked, (int character), (character), stdout, 1)
PUT_CHARACTER(putw, (int number, FILE *to), (number, to), to, (int)sizeof(int))

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of wide characters. They are counted as the bytes that they are in the file; what wprintf has
 * written is known in characters only.
 */

#include <collector/io/stream_format.h>
#include <stdlib.h>
#include <wchar.h>

#undef getwc
#undef putwc
#undef getwchar
#undef putwchar

static int64_t bytes_of(wchar_t character)
{
	char bytes[MB_LEN_MAX];
	mbstate_t state = { 0 };
	int saved = errno;
	size_t length = wcrtomb(bytes, character, &state);

	errno = saved;
	return length != (size_t)-1 ? (int64_t)length : 1;
}

static int64_t bytes_in(const wchar_t *text)
{
	int64_t bytes = 0;

	for (; *text != L'\0'; text++)
		bytes += bytes_of(*text);
	return bytes;
}

/* ---- lines ---- */

#define GET_LINE(symbol, version, parameters, arguments)                   \
	IO_WRAPPER(wchar_t *, symbol, parameters)                          \
	{                                                                  \
		IO_REAL(symbol, version, wchar_t *, parameters);           \
		uint64_t begun = trace_now();                              \
		int fd = stream_fd(from);                                  \
		wchar_t *result = real arguments;                          \
                                                                           \
		io_end_stream_read(begun, from, fd,                        \
				   result != NULL ? bytes_in(result) : 0); \
		return result;                                             \
	}

GET_LINE(fgetws, "GLIBC_2.2.5", (wchar_t * line, int size, FILE *from), (line, size, from))
GET_LINE(fgetws_unlocked, "GLIBC_2.2.5", (wchar_t * line, int size, FILE *from),
	 (line, size, from))
GET_LINE(__fgetws_chk, "GLIBC_2.4", (wchar_t * line, size_t room, int size, FILE *from),
	 (line, room, size, from))
GET_LINE(__fgetws_unlocked_chk, "GLIBC_2.4",
	 (wchar_t * line, size_t room, int size, FILE *from), (line, room, size, from))

#define PUT_TEXT(symbol)                                                        \
	IO_WRAPPER(int, symbol, (const wchar_t *text, FILE *to))                \
	{                                                                       \
		IO_REAL(symbol, "GLIBC_2.2.5", int, (const wchar_t *, FILE *)); \
		uint64_t begun = trace_now();                                   \
		int fd = stream_fd(to);                                         \
		int result = real(text, to);                                    \
                                                                                \
		io_end_transfer(begun, EXPT_IO_WRITE, fd,                       \
				result == -1 ? -1 : bytes_in(text));            \
		return result;                                                  \
	}

PUT_TEXT(fputws)
PUT_TEXT(fputws_unlocked)

/* ---- characters ---- */

#define GET_CHARACTER(symbol, parameters, arguments, stream)                              \
	IO_WRAPPER(wint_t, symbol, parameters)                                            \
	{                                                                                 \
		IO_REAL(symbol, "GLIBC_2.2.5", wint_t, parameters);                       \
		uint64_t begun = trace_now();                                             \
		int fd = stream_fd(stream);                                               \
		wint_t character = real arguments;                                        \
                                                                                          \
		io_end_stream_read(begun, stream, fd,                                     \
				   character == WEOF ? 0 : bytes_of((wchar_t)character)); \
		return character;                                                         \
	}

GET_CHARACTER(fgetwc, (FILE * from), (from), from)
GET_CHARACTER(fgetwc_unlocked, (FILE * from), (from), from)
GET_CHARACTER(getwc, (FILE * from), (from), from)
GET_CHARACTER(getwc_unlocked, (FILE * from), (from), from)
GET_CHARACTER(getwchar, (void), (), stdin)
GET_CHARACTER(getwchar_unlocked, (void), (), stdin)

#define PUT_CHARACTER(symbol, parameters, arguments, stream)                      \
	IO_WRAPPER(wint_t, symbol, parameters)                                    \
	{                                                                         \
		IO_REAL(symbol, "GLIBC_2.2.5", wint_t, parameters);               \
		uint64_t begun = trace_now();                                     \
		int fd = stream_fd(stream);                                       \
		wint_t result = real arguments;                                   \
                                                                                  \
		io_end_transfer(begun, EXPT_IO_WRITE, fd,                         \
				result == WEOF ? -1 : bytes_of((wchar_t)result)); \
		return result;                                                    \
	}

PUT_CHARACTER(fputwc, (wchar_t character, FILE *to), (character, to), to)
PUT_CHARACTER(fputwc_unlocked, (wchar_t character, FILE *to), (character, to), to)
PUT_CHARACTER(putwc, (wchar_t character, FILE *to), (character, to), to)
PUT_CHARACTER(putwc_unlocked, (wchar_t character, FILE *to), (character, to), to)
PUT_CHARACTER(putwchar, (wchar_t character), (character), stdout)
PUT_CHARACTER(putwchar_unlocked, (wchar_t character), (character), stdout)

/* ---- printf and scanf ---- */

PRINT_FAMILY(wchar_t, "GLIBC_2.2.5", vwprintf, vfwprintf, wprintf, fwprintf)
PRINT_CHECKED_FAMILY(wchar_t, "GLIBC_2.4", __vwprintf_chk, __vfwprintf_chk, __wprintf_chk,
		     __fwprintf_chk)

SCAN_FAMILY(wchar_t, "GLIBC_2.2.5", vwscanf, vfwscanf, wscanf, fwscanf)
SCAN_FAMILY(wchar_t, "GLIBC_2.7", __isoc99_vwscanf, __isoc99_vfwscanf, __isoc99_wscanf,
	    __isoc99_fwscanf)
SCAN_FAMILY(wchar_t, "GLIBC_2.38", __isoc23_vwscanf, __isoc23_vfwscanf, __isoc23_wscanf,
	    __isoc23_fwscanf)

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of wide characters. They are counted in bytes of the file, except that the
 * output of wprintf is known in characters only.
 */

#include <stdlib.h>
#include <wchar.h>

#include "collector/io/stream_format.h"

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

#define GET_LINE(symbol, version, parameters, arguments)                     \
	STREAM_READ(wchar_t *, symbol, version, parameters, arguments, from, \
		    result ? bytes_in(result) : 0)

GET_LINE(fgetws, "GLIBC_2.2.5", (wchar_t * line, int size, FILE *from),
	 (line, size, from))
GET_LINE(fgetws_unlocked, "GLIBC_2.2.5", (wchar_t * line, int size, FILE *from),
	 (line, size, from))
GET_LINE(__fgetws_chk, "GLIBC_2.4", (wchar_t * line, size_t room, int size, FILE *from),
	 (line, room, size, from))
GET_LINE(__fgetws_unlocked_chk, "GLIBC_2.4",
	 (wchar_t * line, size_t room, int size, FILE *from), (line, room, size, from))

#define PUT_TEXT(symbol)                                                           \
	STREAM_WRITE(int, symbol, (const wchar_t *text, FILE *to), (text, to), to, \
		     result == -1 ? -1 : bytes_in(text))

PUT_TEXT(fputws)
PUT_TEXT(fputws_unlocked)

/* ---- characters ---- */

#define GET_CHARACTER(symbol, parameters, arguments, stream)                      \
	STREAM_READ(wint_t, symbol, "GLIBC_2.2.5", parameters, arguments, stream, \
		    result == WEOF ? 0 : bytes_of((wchar_t)result))

GET_CHARACTER(fgetwc, (FILE * from), (from), from)
GET_CHARACTER(fgetwc_unlocked, (FILE * from), (from), from)
GET_CHARACTER(getwc, (FILE * from), (from), from)
GET_CHARACTER(getwc_unlocked, (FILE * from), (from), from)
GET_CHARACTER(getwchar, (void), (), stdin)
GET_CHARACTER(getwchar_unlocked, (void), (), stdin)

#define PUT_CHARACTER(symbol, parameters, arguments, stream)        \
	STREAM_WRITE(wint_t, symbol, parameters, arguments, stream, \
		     result == WEOF ? -1 : bytes_of((wchar_t)result))

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

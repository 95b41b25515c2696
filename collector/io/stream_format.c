/* SPDX-License-Identifier: Apache-2.0 */
/* printf and scanf of bytes, and of descriptors. */

#include "collector/io/stream_format.h"

PRINT_FAMILY(char, "GLIBC_2.2.5", vprintf, vfprintf, printf, fprintf)
PRINT_CHECKED_FAMILY(char, "GLIBC_2.3.4", __vprintf_chk, __vfprintf_chk, __printf_chk,
		     __fprintf_chk)

PRINT_LIST(descriptor, vdprintf, "GLIBC_2.2.5",
	   (int descriptor, const char *format, va_list list), (descriptor, format, list))
PRINT_LIST(descriptor, __vdprintf_chk, "GLIBC_2.8",
	   (int descriptor, int flag, const char *format, va_list list),
	   (descriptor, flag, format, list))
PRINT(descriptor, dprintf, vdprintf, "GLIBC_2.2.5",
      (int descriptor, const char *format, ...), (int, const char *, va_list), descriptor,
      format)
PRINT(descriptor, __dprintf_chk, __vdprintf_chk, "GLIBC_2.8",
      (int descriptor, int flag, const char *format, ...),
      (int, int, const char *, va_list), descriptor, flag, format)

SCAN_FAMILY(char, "GLIBC_2.2.5", vscanf, vfscanf, scanf, fscanf)
SCAN_FAMILY(char, "GLIBC_2.7", __isoc99_vscanf, __isoc99_vfscanf, __isoc99_scanf,
	    __isoc99_fscanf)
SCAN_FAMILY(char, "GLIBC_2.38", __isoc23_vscanf, __isoc23_vfscanf, __isoc23_scanf,
	    __isoc23_fscanf)

/* SPDX-License-Identifier: Apache-2.0 */
/* Status of files and file systems. Before glibc 2.33 programs bound to the forms with an
 * x. */

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include "collector/io/io.h"

#define BY_NAME(...) IO_OTHER(-1, int, __VA_ARGS__)
#define BY_FD(...)   IO_OTHER(fd, int, __VA_ARGS__)

#define STATUS(bits, status)                                                         \
	BY_NAME(stat##bits, "GLIBC_2.33", (const char *path, struct status *out),    \
		(path, out))                                                         \
	BY_NAME(lstat##bits, "GLIBC_2.33", (const char *path, struct status *out),   \
		(path, out))                                                         \
	BY_FD(fstat##bits, "GLIBC_2.33", (int fd, struct status *out), (fd, out))    \
	BY_NAME(fstatat##bits, "GLIBC_2.33",                                         \
		(int directory, const char *path, struct status *out, int flags),    \
		(directory, path, out, flags))                                       \
	BY_NAME(__xstat##bits, "GLIBC_2.2.5",                                        \
		(int form, const char *path, struct status *out), (form, path, out)) \
	BY_NAME(__lxstat##bits, "GLIBC_2.2.5",                                       \
		(int form, const char *path, struct status *out), (form, path, out)) \
	BY_FD(__fxstat##bits, "GLIBC_2.2.5", (int form, int fd, struct status *out), \
	      (form, fd, out))                                                       \
	BY_NAME(__fxstatat##bits, "GLIBC_2.4",                                       \
		(int form, int directory, const char *path, struct status *out,      \
		 int flags),                                                         \
		(form, directory, path, out, flags))

STATUS(, stat)
STATUS(64, stat64)

BY_NAME(statx, "GLIBC_2.28",
	(int directory, const char *path, int flags, unsigned wanted, struct statx *out),
	(directory, path, flags, wanted, out))

BY_NAME(statfs, "GLIBC_2.2.5", (const char *path, struct statfs *out), (path, out))
BY_NAME(statfs64, "GLIBC_2.2.5", (const char *path, struct statfs64 *out), (path, out))
BY_FD(fstatfs, "GLIBC_2.2.5", (int fd, struct statfs *out), (fd, out))
BY_FD(fstatfs64, "GLIBC_2.2.5", (int fd, struct statfs64 *out), (fd, out))
BY_NAME(statvfs, "GLIBC_2.2.5", (const char *path, struct statvfs *out), (path, out))
BY_NAME(statvfs64, "GLIBC_2.2.5", (const char *path, struct statvfs64 *out), (path, out))
BY_FD(fstatvfs, "GLIBC_2.2.5", (int fd, struct statvfs *out), (fd, out))
BY_FD(fstatvfs64, "GLIBC_2.2.5", (int fd, struct statvfs64 *out), (fd, out))

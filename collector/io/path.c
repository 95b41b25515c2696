/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on files by name, and on directories. */

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#include "collector/io/io.h"

#define OTHER(...)    IO_OTHER(-1, int, __VA_ARGS__)
#define OTHER_FD(...) IO_OTHER(fd, int, __VA_ARGS__)

/* ---- names ---- */

OTHER(unlink, "GLIBC_2.2.5", (const char *path), (path))
OTHER(unlinkat, "GLIBC_2.4", (int directory, const char *path, int flags),
      (directory, path, flags))
OTHER(remove, "GLIBC_2.2.5", (const char *path), (path))
OTHER(rename, "GLIBC_2.2.5", (const char *from, const char *to), (from, to))
OTHER(renameat, "GLIBC_2.4", (int from_at, const char *from, int to_at, const char *to),
      (from_at, from, to_at, to))
OTHER(renameat2, "GLIBC_2.28",
      (int from_at, const char *from, int to_at, const char *to, unsigned flags),
      (from_at, from, to_at, to, flags))
OTHER(link, "GLIBC_2.2.5", (const char *from, const char *to), (from, to))
OTHER(linkat, "GLIBC_2.4",
      (int from_at, const char *from, int to_at, const char *to, int flags),
      (from_at, from, to_at, to, flags))
OTHER(symlink, "GLIBC_2.2.5", (const char *from, const char *to), (from, to))
OTHER(symlinkat, "GLIBC_2.4", (const char *from, int to_at, const char *to),
      (from, to_at, to))
OTHER(shm_unlink, "GLIBC_2.34", (const char *path), (path))

#define LINK(...) IO_OTHER(-1, ssize_t, __VA_ARGS__)

LINK(readlink, "GLIBC_2.2.5", (const char *path, char *buffer, size_t size),
     (path, buffer, size))
LINK(readlinkat, "GLIBC_2.4",
     (int directory, const char *path, char *buffer, size_t size),
     (directory, path, buffer, size))
LINK(__readlink_chk, "GLIBC_2.4",
     (const char *path, char *buffer, size_t size, size_t room),
     (path, buffer, size, room))
LINK(__readlinkat_chk, "GLIBC_2.5",
     (int directory, const char *path, char *buffer, size_t size, size_t room),
     (directory, path, buffer, size, room))

/* ---- rights, owners, times, sizes ---- */

OTHER(access, "GLIBC_2.2.5", (const char *path, int mode), (path, mode))
OTHER(faccessat, "GLIBC_2.4", (int directory, const char *path, int mode, int flags),
      (directory, path, mode, flags))
OTHER(eaccess, "GLIBC_2.4", (const char *path, int mode), (path, mode))
OTHER(euidaccess, "GLIBC_2.2.5", (const char *path, int mode), (path, mode))
OTHER(chmod, "GLIBC_2.2.5", (const char *path, mode_t mode), (path, mode))
OTHER_FD(fchmod, "GLIBC_2.2.5", (int fd, mode_t mode), (fd, mode))
OTHER(fchmodat, "GLIBC_2.4", (int directory, const char *path, mode_t mode, int flags),
      (directory, path, mode, flags))
OTHER(chown, "GLIBC_2.2.5", (const char *path, uid_t user, gid_t group),
      (path, user, group))
OTHER(lchown, "GLIBC_2.2.5", (const char *path, uid_t user, gid_t group),
      (path, user, group))
OTHER_FD(fchown, "GLIBC_2.2.5", (int fd, uid_t user, gid_t group), (fd, user, group))
OTHER(fchownat, "GLIBC_2.4",
      (int directory, const char *path, uid_t user, gid_t group, int flags),
      (directory, path, user, group, flags))
OTHER(utime, "GLIBC_2.2.5", (const char *path, const struct utimbuf *times),
      (path, times))
OTHER(utimes, "GLIBC_2.2.5", (const char *path, const struct timeval times[2]),
      (path, times))
OTHER(lutimes, "GLIBC_2.3", (const char *path, const struct timeval times[2]),
      (path, times))
OTHER_FD(futimes, "GLIBC_2.3", (int fd, const struct timeval times[2]), (fd, times))
OTHER_FD(futimens, "GLIBC_2.6", (int fd, const struct timespec times[2]), (fd, times))
OTHER(futimesat, "GLIBC_2.4",
      (int directory, const char *path, const struct timeval times[2]),
      (directory, path, times))
OTHER(utimensat, "GLIBC_2.6",
      (int directory, const char *path, const struct timespec times[2], int flags),
      (directory, path, times, flags))
OTHER(truncate, "GLIBC_2.2.5", (const char *path, off_t size), (path, size))
OTHER(truncate64, "GLIBC_2.2.5", (const char *path, off64_t size), (path, size))

#define ATTRIBUTE(...) IO_OTHER(-1, ssize_t, __VA_ARGS__)

ATTRIBUTE(getxattr, "GLIBC_2.3",
	  (const char *path, const char *name, void *value, size_t size),
	  (path, name, value, size))
ATTRIBUTE(lgetxattr, "GLIBC_2.3",
	  (const char *path, const char *name, void *value, size_t size),
	  (path, name, value, size))
IO_OTHER(fd, ssize_t, fgetxattr, "GLIBC_2.3",
	 (int fd, const char *name, void *value, size_t size), (fd, name, value, size))
ATTRIBUTE(listxattr, "GLIBC_2.3", (const char *path, char *list, size_t size),
	  (path, list, size))
ATTRIBUTE(llistxattr, "GLIBC_2.3", (const char *path, char *list, size_t size),
	  (path, list, size))
IO_OTHER(fd, ssize_t, flistxattr, "GLIBC_2.3", (int fd, char *list, size_t size),
	 (fd, list, size))
OTHER(setxattr, "GLIBC_2.3",
      (const char *path, const char *name, const void *value, size_t size, int flags),
      (path, name, value, size, flags))
OTHER(lsetxattr, "GLIBC_2.3",
      (const char *path, const char *name, const void *value, size_t size, int flags),
      (path, name, value, size, flags))
OTHER_FD(fsetxattr, "GLIBC_2.3",
	 (int fd, const char *name, const void *value, size_t size, int flags),
	 (fd, name, value, size, flags))
OTHER(removexattr, "GLIBC_2.3", (const char *path, const char *name), (path, name))
OTHER(lremovexattr, "GLIBC_2.3", (const char *path, const char *name), (path, name))
OTHER_FD(fremovexattr, "GLIBC_2.3", (int fd, const char *name), (fd, name))

/* ---- special files ---- */

OTHER(mkfifo, "GLIBC_2.2.5", (const char *path, mode_t mode), (path, mode))
OTHER(mkfifoat, "GLIBC_2.4", (int directory, const char *path, mode_t mode),
      (directory, path, mode))
OTHER(mknod, "GLIBC_2.33", (const char *path, mode_t mode, dev_t device),
      (path, mode, device))
OTHER(mknodat, "GLIBC_2.33", (int directory, const char *path, mode_t mode, dev_t device),
      (directory, path, mode, device))
OTHER(__xmknod, "GLIBC_2.2.5", (int form, const char *path, mode_t mode, dev_t *device),
      (form, path, mode, device))
OTHER(__xmknodat, "GLIBC_2.4",
      (int form, int directory, const char *path, mode_t mode, dev_t *device),
      (form, directory, path, mode, device))

/* ---- directories ---- */

OTHER(mkdir, "GLIBC_2.2.5", (const char *path, mode_t mode), (path, mode))
OTHER(mkdirat, "GLIBC_2.4", (int directory, const char *path, mode_t mode),
      (directory, path, mode))
OTHER(rmdir, "GLIBC_2.2.5", (const char *path), (path))

IO_WRAPPER(char *, mkdtemp, (char *path))
{
	IO_REAL(mkdtemp, "GLIBC_2.2.5", char *, (char *));
	uint64_t begun = trace_now();
	char *result = real(path);

	io_end_other(begun, EXPT_IO_OTHER, -1, !result);
	return result;
}

/* Names refer to other files from now on. */
#define CHANGE(symbol, parameters, arguments, fd)                     \
	IO_WRAPPER(int, symbol, parameters)                           \
	{                                                             \
		IO_REAL(symbol, "GLIBC_2.2.5", int, parameters);      \
		uint64_t begun = trace_now();                         \
		int result = real arguments;                          \
                                                                      \
		trace_forget_file_systems();                          \
		io_end_other(begun, EXPT_IO_OTHER, fd, result == -1); \
		return result;                                        \
	}

CHANGE(chdir, (const char *path), (path), -1)
CHANGE(fchdir, (int fd), (fd), fd)
CHANGE(chroot, (const char *path), (path), -1)

IO_WRAPPER(DIR *, opendir, (const char *path))
{
	IO_REAL(opendir, "GLIBC_2.2.5", DIR *, (const char *));
	uint64_t begun = trace_now();
	DIR *directory = real(path);

	io_end_open(begun, directory ? dirfd(directory) : -1, path, true);
	return directory;
}

IO_WRAPPER(DIR *, fdopendir, (int fd))
{
	IO_REAL(fdopendir, "GLIBC_2.4", DIR *, (int));
	uint64_t begun = trace_now();
	DIR *directory = real(fd);

	io_end_other(begun, EXPT_IO_OTHER, fd, !directory);
	return directory;
}

IO_WRAPPER(int, closedir, (DIR * directory))
{
	IO_REAL(closedir, "GLIBC_2.2.5", int, (DIR *));
	uint64_t begun = trace_now();
	int fd = dirfd(directory);
	int result;

	io_forget(fd);
	result = real(directory);
	io_end_other(begun, EXPT_IO_CLOSE, fd, result == -1);
	return result;
}

/* errno is unchanged at the end of the directory. */
#define READ_ENTRY(symbol, entry)                                        \
	IO_WRAPPER(struct entry *, symbol, (DIR * directory))            \
	{                                                                \
		IO_REAL(symbol, "GLIBC_2.2.5", struct entry *, (DIR *)); \
		uint64_t begun = trace_now();                            \
		int former = errno;                                      \
		struct entry *result = real(directory);                  \
                                                                         \
		io_end_other(begun, EXPT_IO_OTHER, dirfd(directory),     \
			     !result && errno != former);                \
		return result;                                           \
	}

READ_ENTRY(readdir, dirent)
READ_ENTRY(readdir64, dirent64)

#define GET_ENTRIES(symbol, entry, compare)                                             \
	IO_WRAPPER(int, symbol,                                                         \
		   (const char *path, struct entry ***list,                             \
		    int (*filter)(const struct entry *),                                \
		    int (*order)(const struct entry **, const struct entry **)))        \
	{                                                                               \
		IO_REAL(symbol, "GLIBC_2.2.5", int,                                     \
			(const char *, struct entry ***, int (*)(const struct entry *), \
			 int (*)(const struct entry **, const struct entry **)));       \
		uint64_t begun = trace_now();                                           \
		int result = real(path, list, filter, order);                           \
                                                                                        \
		io_end_other(begun, EXPT_IO_OTHER, -1, result == -1);                   \
		return result;                                                          \
	}

GET_ENTRIES(scandir, dirent, alphasort)
GET_ENTRIES(scandir64, dirent64, alphasort64)

IO_TRANSFER(EXPT_IO_READ, fd, ssize_t, getdents64, "GLIBC_2.30",
	    (int fd, void *buffer, size_t size), (fd, buffer, size))

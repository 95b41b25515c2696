/* SPDX-License-Identifier: Apache-2.0 */
/* Opening without surprises, for io.h: nothing follows a link that was not asked for. */
#ifndef LIBEXPT_BASE_OPEN_H
#define LIBEXPT_BASE_OPEN_H

#include <sys/types.h>

/* The path below the directory fd, never leaving it and never through a symbolic link or
 * a magic link, not even as the last component. Returns a descriptor. Falls back to a
 * walk where openat2(2) is not allowed. */
int io_open_beneath(int dir, const char *path, int flags, mode_t mode);
/* The directory that path, below dir, is in, and path's last component, by which
 * something is made, changed or removed there. The directory is dir itself, or is opened
 * as io_open_beneath() does, with O_PATH; the caller then closes *opened, which is left
 * alone otherwise. */
int io_parent(int dir, const char *path, const char **base, int *opened);
/* As io_open_beneath(), of something that is there, but never into a mount, not even a
 * bind mount of the same file system: -EXDEV. The walk knows mounts by their device only.
 */
int io_open_unmounted(int dir, const char *path, int flags);

/* A regular file below dir, opened so that fifos and devices cannot block or act: -EINVAL
 * for anything that is not a regular file. */
int io_open_regular(int dir, const char *name);
/* What the caller names to be read from its beginning to its end, also a pipe or a
 * device, which may keep the caller waiting. -EPERM: another user's fifo; -EAGAIN: a file
 * that another user has a lease on. */
int io_open_stream(const char *path);

#endif

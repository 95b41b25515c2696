/* SPDX-License-Identifier: Apache-2.0 */
/* Opening without surprises, for io.h: no link is followed unless asked for. */
#ifndef LIBEXPT_BASE_OPEN_H
#define LIBEXPT_BASE_OPEN_H

#include <sys/types.h>

/* Open path below the directory dir, never leaving it and never following a symbolic or
 * magic link, not even as the last component. Returns a descriptor. Opens the components
 * one by one where openat2(2) is not allowed. */
int io_open_beneath(int dir, const char *path, int flags, mode_t mode);
/* Find the directory that holds path, below dir, and the last component, in order to
 * make, change or remove it there. The directory is dir itself, or is opened like
 * io_open_beneath() does, with O_PATH; the caller then closes *opened, which is otherwise
 * unchanged. */
int io_parent(int dir, const char *path, const char **base, int *opened);
/* Like io_open_beneath() for existing files, but never enters a mount, not even a bind
 * mount of the same file system: -EXDEV. Without openat2(2), mounts are recognized only
 * by their device. */
int io_open_unmounted(int dir, const char *path, int flags);

/* Open a regular file below dir, in such a way that fifos and devices cannot block or
 * act. -EINVAL: it is not a regular file. */
int io_open_regular(int dir, const char *name);
/* Open a file that the user names for sequential reading. Pipes and devices are allowed,
 * too, and may block the caller. -EPERM: another user's fifo; -EAGAIN: another user holds
 * a lease on the file. */
int io_open_stream(const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrfs writes each page to a new place, which a full disk does not have: a store into a
 * page that has been written before then fails. Files that are written in place do not
 * share their blocks with copies.
 *
 * This is a file of its own because the kernel's header defines BLOCK_SIZE too.
 */

#include "collector/base/in_place.h"

#include <linux/fs.h>
#include <linux/magic.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/vfs.h>

#include "collector/base/system.h"

/* All files are in the founder's directory or below it, so the answer is cached. It holds
 * in a forked child as well. */
static bool is_on_btrfs(int fd)
{
	static _Atomic long type;
	struct statfs system;

	if (atomic_load(&type) == 0 &&
	    system_call(SYS_fstatfs, fd, (long)&system, 0, 0, 0, 0) == 0)
		atomic_store(&type, (long)system.f_type);
	return atomic_load(&type) == BTRFS_SUPER_MAGIC;
}

void write_in_place(int fd)
{
	int flags = 0;

	if (!is_on_btrfs(fd) ||
	    system_call(SYS_ioctl, fd, FS_IOC_GETFLAGS, (long)&flags, 0, 0, 0) < 0)
		return;
	flags |= FS_NOCOW_FL;
	system_call(SYS_ioctl, fd, FS_IOC_SETFLAGS, (long)&flags, 0, 0, 0);
}

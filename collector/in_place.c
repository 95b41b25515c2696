/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrfs writes each page to a new place, which a full disk does not have: a store into a page that has been
 * written before fails then. Files that are written in place do not share their blocks with copies.
 *
 * On its own: the kernel's header has a BLOCK_SIZE of its own.
 */

#include <collector/in_place.h>
#include <collector/system.h>
#include <linux/fs.h>

void write_in_place(int fd)
{
	int flags = 0;

	if (system_call(SYS_ioctl, fd, FS_IOC_GETFLAGS, (long)&flags, 0, 0, 0) < 0)
		return;
	flags |= FS_NOCOW_FL;
	system_call(SYS_ioctl, fd, FS_IOC_SETFLAGS, (long)&flags, 0, 0, 0);
}

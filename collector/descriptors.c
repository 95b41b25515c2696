/* SPDX-License-Identifier: Apache-2.0 */
/* Where our descriptors are, and the wrappers that keep the program from them. */

#include <collector/collector.h>
#include <collector/descriptors.h>
#include <collector/system.h>

#define HIGHEST 60000 /* a table for more would cost the kernel memory */
#define ROOM	64    /* for all of ours, below the limit */

int descriptor_move_high(int fd)
{
	struct rlimit limit;
	int base = 256, moved;

	if (fd < 0)
		return fd;
	if (sys_get_limit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < HIGHEST)
		base = (int)limit.rlim_cur - ROOM;
	else
		base = HIGHEST - ROOM;
	moved = base > fd ? sys_fcntl(fd, F_DUPFD_CLOEXEC, base) : -1;
	if (moved < 0)
		return fd;
	sys_close(fd);
	return moved;
}

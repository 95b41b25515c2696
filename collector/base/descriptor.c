/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/base/descriptor.h"

#include "collector/base/system.h"

/* A fork copies the table up to the highest descriptor: not higher than most tables are.
 */
#define HIGHEST 1024
#define ROOM	64 /* for all of ours, below the limit */

int descriptor_move_high(int fd)
{
	struct rlimit limit;
	int highest = HIGHEST, base, moved;

	if (fd < 0)
		return fd;
	if (sys_get_limit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < HIGHEST)
		highest = (int)limit.rlim_cur;
	base = highest > 2 * ROOM ? highest - ROOM : highest / 2;
	moved = base > fd ? sys_fcntl(fd, F_DUPFD_CLOEXEC, base) : -1;
	if (moved < 0)
		return fd;
	sys_close(fd);
	return moved;
}

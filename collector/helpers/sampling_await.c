/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the founder: readers may open the experiment as soon as it is gone, while
 * samplers still write. */

#include "collector/helpers/sampling_await.h"

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/settings.h"
#include "collector/files/access.h"
#include "collector/helpers/sampling.h"
#include "collector/process/process.h"
#include "libexpt/format.h"

#define AWAIT_LIMIT_MS 5000

static bool has_ended(pid_t pid)
{
	char path_buffer[32], buffer[512];
	struct text path = TEXT_ON(path_buffer);
	ssize_t length, at;
	int fd;

	text_add(&path, "/proc/");
	text_add_decimal(&path, pid);
	text_add(&path, "/stat");
	fd = sys_openat(AT_FDCWD, path.start, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return true;
	length = sys_read(fd, buffer, sizeof(buffer));
	sys_close(fd);
	/* The state follows the name: "pid (name) S ..." */
	for (at = length - 3; at > 0 && buffer[at] != ')'; at--)
		;
	return at <= 0 || buffer[at + 2] == 'Z' || buffer[at + 2] == 'X';
}

/* For each process that it samples, the sampler holds an exclusive lock on one byte of
 * the founder's log, at the offset of its pid. Readers may hold shared locks, which do
 * not conflict. */
static bool has_unfinished(int log)
{
	struct flock lock = { .l_type = F_RDLCK };

	for (off_t next = 0;; next = lock.l_start + 1) {
		lock = (struct flock){ .l_type = F_RDLCK, .l_start = next };
		if (sys_fcntl(log, F_GETLK, (long)&lock) < 0 || lock.l_type == F_UNLCK)
			return false;
		if (has_ended((pid_t)lock.l_start))
			return true;
	}
}

static long ask(int founder, void *argument)
{
	int log = sys_openat(founder, LOG_FILE, O_RDONLY | O_CLOEXEC, 0);
	bool is_unfinished = log >= 0 && has_unfinished(log);

	(void)argument;
	if (log < 0)
		return log;
	sys_close(log);
	return is_unfinished;
}

/* Only the founder's process waits, in whichever image it ends. */
void sampling_await(void)
{
	if (process.pid != settings.founder_pid || !sampling_is_wanted())
		return;
	for (int ms = 0; ms < AWAIT_LIMIT_MS && access_run(ask, NULL) > 0; ms++)
		sys_sleep(1000000);
}

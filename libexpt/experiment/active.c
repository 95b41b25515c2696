/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an experiment is still being recorded, found from the log and the process that
 * it names. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/format.h"

static int64_t now_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec;
}

/* Get when process pid began, in ticks since boot, and its state; false if there is no
 * such process. The fields of /proc/PID/stat are counted from after the name, which may
 * contain anything. */
static bool process_start(uint64_t *ticks, char *state, int64_t pid)
{
	char path[64], text[1024], *field, *rest;
	cleanup_fd int fd = -1;
	ssize_t size;

	snprintf(path, sizeof(path), "/proc/%" PRId64 "/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? -1 : io_read_full(fd, text, sizeof(text) - 1);
	if (size <= 0)
		return false;
	text[size] = '\0';
	field = strrchr(text, ')');
	if (!field)
		return false;
	field = strtok_r(field + 1, " ", &rest);
	if (!field)
		return false;
	*state = *field;
	for (int i = 3; field && i < 22;
	     i++) /* from state, field 3, to starttime, field 22 */
		field = strtok_r(NULL, " ", &rest);
	return field && number_u64(ticks, field);
}

/* A process with this id is the recorded one if it began no later than the recording; two
 * seconds are allowed for clock adjustments since. */
static bool is_alive(int64_t pid, int64_t recorded_since)
{
	int64_t started, age;
	uint64_t ticks;
	char state;

	if (pid <= 0 || !process_start(&ticks, &state, pid) || state == 'Z' ||
	    state == 'X')
		return false;
	age = now_s(CLOCK_BOOTTIME) - (int64_t)(ticks / (uint64_t)sysconf(_SC_CLK_TCK));
	started = now_s(CLOCK_REALTIME) - age;
	return started <= recorded_since + 2;
}

/* A copy that was made during the recording is no longer written. */
static bool is_cut(const struct expt *expt)
{
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);

		if (event->kind == EXPT_EVENT_WARNING &&
		    expt_event_attribute(event, CUT_ATTRIBUTE))
			return true;
	}
	return false;
}

/* Processes beside a recording of the kernel are recorded by that of its founder. */
static bool is_beside_kernel(const struct expt *expt)
{
	return expt->founder != expt && expt_has_data(expt->founder, EXPT_CLOCK) &&
	       expt_clock_states(expt->founder) == CLOCK_NUMSTATES_KERNEL;
}

bool expt_is_active(const struct expt *expt)
{
	const struct expt_info *info = expt_info(expt);
	int64_t since = info->started_at;
	struct utsname system;
	struct stat status;

	if (info->is_closed || expt->folder.package || is_cut(expt) ||
	    is_cut(expt->founder) || uname(&system) < 0 ||
	    strcmp(system.nodename, info->host) != 0)
		return false;
	if (is_beside_kernel(expt))
		return expt_is_active(expt->founder);
	if (!info->has_run || since == 0) {
		cleanup_fd int own = -1;
		int dir = folder_descriptor(&expt->folder, &own);

		if (dir < 0 || fstatat(dir, LOG_FILE, &status, AT_SYMLINK_NOFOLLOW) < 0)
			return false;
		since = status.st_mtime;
	}
	return is_alive(info->pid, since);
}

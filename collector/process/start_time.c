/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/process/start_time.h"

#include <string.h>
#include <time.h>

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/process/tsc.h"

#define TICK_NS		 (NS_PER_SECOND / 100) /* USER_HZ on all processors */
#define START_TIME_FIELD 22
#define FIELD_AFTER_NAME 3

/* "pid (name) state ...": the name may contain blanks and parentheses. Returns 0 if the
 * line cannot be parsed. */
static uint64_t parse_start_ticks(const char *line)
{
	const char *at = strrchr(line, ')');

	for (int field = FIELD_AFTER_NAME; at && field <= START_TIME_FIELD; field++)
		at = strchr(at + 1, ' ');
	return at ? text_parse_decimal(at + 1, NULL) : 0;
}

static uint64_t start_ticks(void)
{
	char line[1024];
	int fd = sys_openat(AT_FDCWD, "/proc/self/stat", O_RDONLY | O_CLOEXEC, 0);
	ssize_t length = fd < 0 ? -1 : sys_read(fd, line, sizeof(line) - 1);

	if (fd >= 0)
		sys_close(fd);
	if (length <= 0)
		return 0;
	line[length] = '\0';
	return parse_start_ticks(line);
}

uint64_t start_time_after(uint64_t earliest)
{
	uint64_t ticks = start_ticks(), now = collector_now(), age;
	struct timespec boot = { 0 };

	if (ticks == 0 || sys_clock_gettime(CLOCK_BOOTTIME, &boot) < 0 ||
	    timespec_ns(&boot) < ticks * TICK_NS)
		return now;
	age = timespec_ns(&boot) - ticks * TICK_NS;
	return now > earliest && age < now - earliest ? now - age : earliest;
}

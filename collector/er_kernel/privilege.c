/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/privilege.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"

#define PARANOID_FILE "/proc/sys/kernel/perf_event_paranoid"
#define RESTRICT_FILE "/proc/sys/kernel/kptr_restrict"
#define CAPABILITIES  "cap_perfmon,cap_syslog+ep"
#define CURE_MAX      (PATH_MAX + 512)

/* Returns the number in the file, or instead. */
static int read_number(const char *path, int instead)
{
	FILE *file = fopen(path, "re");
	int number;

	if (!file)
		return instead;
	if (fscanf(file, "%d", &number) != 1)
		number = instead;
	fclose(file);
	return number;
}

static const char *own_path(void)
{
	static char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length > 0 ? length : 0] = '\0';
	return path;
}

/* Capabilities of a file count on such a file system only. */
static bool can_have_capabilities(const char *path)
{
	struct statvfs status;

	return statvfs(path, &status) < 0 || (status.f_flag & ST_NOSUID) == 0;
}

/* Set the text of what gives the permission. */
static void compose_cure(char *text, size_t size)
{
	int paranoid = read_number(PARANOID_FILE, INT_MAX);
	const char *path = own_path();

	if (can_have_capabilities(path))
		snprintf(text, size,
			 "permission denied; become root, run 'setcap " CAPABILITIES
			 " %s' once as root, or set " PARANOID_FILE " to -1 (it is %d)",
			 path, paranoid);
	else
		snprintf(text, size,
			 "permission denied; become root, or set " PARANOID_FILE
			 " to -1 (it is %d; capabilities do not count on this file "
			 "system, which is mounted with nosuid)",
			 paranoid);
}

int privilege_refused(int error)
{
	char cure[CURE_MAX];

	if (error == ENOENT || error == EOPNOTSUPP || error == ENOSYS)
		return cli_error("cannot record the kernel: it has no performance "
				 "events, which need CONFIG_PERF_EVENTS");
	if (error != EACCES && error != EPERM)
		return cli_error("cannot record the kernel: %s", strerrordesc_np(error));
	if (geteuid() == 0)
		return cli_error("cannot record the kernel: this container or user "
				 "namespace does not permit it; record outside of it, or "
				 "give it CAP_PERFMON and perf_event_open(2)");
	if (read_number(PARANOID_FILE, INT_MAX) <= 0)
		return cli_error("cannot record the kernel: too little memory may be "
				 "locked; raise 'ulimit -l', or "
				 "/proc/sys/kernel/perf_event_mlock_kb as root");
	compose_cure(cure, sizeof(cure));
	return cli_error("cannot record the kernel: %s", cure);
}

void privilege_warn_of_scope(bool has_kernel)
{
	char cure[CURE_MAX];

	compose_cure(cure, sizeof(cure));
	cli_warn("recording only your own processes%s: %s",
		 has_kernel ? "" : ", and not the kernel", cure);
}

void privilege_warn_of_names(void)
{
	if (read_number(RESTRICT_FILE, 0) >= 2)
		cli_warn("functions of the kernel have no names: set " RESTRICT_FILE
			 " to 1 as root (it is 2)");
	else
		cli_warn(
			"functions of the kernel have no names: run 'setcap " CAPABILITIES
			" %s' once as root",
			own_path());
}

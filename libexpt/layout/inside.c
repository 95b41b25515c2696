/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/layout/inside.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/io.h"
#include "libexpt/expt.h"
#include "libexpt/format.h"

bool directory_path(char path[PATH_MAX], int dir)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
	length = readlink(link, path, PATH_MAX - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	return true;
}

/* Returns whether a component of the directory's path is an experiment: named NAME.er and
 * containing a log. */
static bool is_in_experiment(const char *directory)
{
	char path[PATH_MAX + sizeof(LOG_FILE) + 1];

	for (const char *end = strchr(directory, '/'); end; end = strchr(end, '/')) {
		size_t length;

		end += strspn(end, "/");
		length = strcspn(end, "/");
		if (length == 0)
			break;
		end += length;
		length = (size_t)(end - directory);
		memcpy(path, directory, length);
		path[length] = '\0';
		if (!expt_name_is_experiment(path))
			continue;
		strcpy(path + length, "/" LOG_FILE);
		if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			return true;
	}
	return false;
}

bool expt_directory_is_inside(int dir)
{
	char path[PATH_MAX];

	return directory_path(path, dir) && is_in_experiment(path);
}

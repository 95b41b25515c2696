/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/mounts.h"

#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOUNTS_FILE "/proc/self/mounts"
#define LINE_SIZE   (2 * PATH_MAX) /* what is mounted, and where; options may be cut */

/* As the kernel names the directory now, in the same view that the list of mounts has. */
static bool path_of(char path[PATH_MAX], int dir)
{
	char link[64];
	ssize_t length;

	snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
	length = readlink(link, path, PATH_MAX - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	return *path == '/';
}

/* What of a path is below the directory, or NULL. */
static const char *part_below(const char *path, const char *directory)
{
	size_t length = strlen(directory);

	return strncmp(path, directory, length) == 0 && path[length] == '/'
		       ? path + length + 1
		       : NULL;
}

bool mounts_find_below(int dir, char place[PATH_MAX])
{
	char directory[PATH_MAX], line[LINE_SIZE];
	const char *below = NULL;
	struct mntent mount;
	FILE *mounts;

	if (!path_of(directory, dir))
		return false;
	mounts = setmntent(MOUNTS_FILE, "re");
	if (!mounts)
		return false;
	while (!below && getmntent_r(mounts, &mount, line, sizeof line))
		below = part_below(mount.mnt_dir, directory);
	endmntent(mounts);
	if (below)
		snprintf(place, PATH_MAX, "%s", below);
	return below;
}

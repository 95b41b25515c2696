/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/layout/mounts.h"

#include <mntent.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/layout/inside.h"

#define MOUNTS_FILE "/proc/self/mounts"
#define LINE_SIZE   (2 * PATH_MAX) /* device and mount point; options may be cut */

/* Returns the part of path below the directory, or NULL. */
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

	if (!directory_path(directory, dir))
		return false;
	mounts = setmntent(MOUNTS_FILE, "re");
	if (!mounts)
		return false;
	while (!below && getmntent_r(mounts, &mount, line, sizeof(line)))
		below = part_below(mount.mnt_dir, directory);
	endmntent(mounts);
	if (below)
		snprintf(place, PATH_MAX, "%s", below);
	return below;
}

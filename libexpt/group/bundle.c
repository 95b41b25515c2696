/* SPDX-License-Identifier: Apache-2.0 */
/* Bundles opened as groups of the experiments in them. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/group/private.h"

static void group_closep(struct expt_group **group)
{
	expt_group_close(*group);
}

bool expt_is_bundle(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
	       !expt_name_is_group(path);
}

/* Add the bundle's experiments in its order, by the paths that expt_open() accepts. */
static int add_experiments(struct expt_group *group)
{
	const struct members *members = package_members(group->package);

	for (size_t i = 0; i < package_count(group->package); i++) {
		size_t member = package_experiment(group->package, i);
		cleanup_free char *path = path_join(package_path(group->package),
						    members->items[member].name);

		if (!path || group_add_member(group, path, group->text, 0) < 0)
			return -ENOMEM;
	}
	return 0;
}

int expt_group_open_bundle(struct expt_group **out, const char *path,
			   const struct expt_import_options *options,
			   struct expt_error *err)
{
	cleanup(group_closep) struct expt_group *group = calloc(1, sizeof(*group));
	const char *inside;
	int rc;

	if (!group || !(group->path = strdup(path)) || !(group->text = strdup("")))
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	rc = package_open(&group->package, path, &inside, options, err);
	if (rc < 0)
		return rc;
	if (add_experiments(group) < 0)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", path);
	*out = steal(&group);
	return 0;
}

int expt_group_member_open(struct expt **out, struct expt_group *group, size_t i,
			   struct expt_error *err)
{
	if (group->package)
		return expt_open_in(out, group->package,
				    package_experiment(group->package, i), err);
	return expt_open(out, group->items[i].path, err);
}

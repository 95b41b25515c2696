/* SPDX-License-Identifier: Apache-2.0 */
/* Opening an experiment by its path, a directory or a path into a bundle. Apart from
 * handle.c, so that programs which only open directories do not link the readers of
 * bundles. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/handle.h"

/* Find the named experiment; the only one in a bundle needs no name. */
static int find_inside(size_t *member, const struct package *package, const char *inside,
		       struct expt_error *err)
{
	cleanup_free char *name = strndup(inside, path_length(inside));

	if (!name)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", package_path(package));
	*member = *name ? members_find(package_members(package), name)
			: package_experiment(package, 0);
	if (!*name && package_count(package) > 1)
		return expt_refuse(
			err, -EINVAL,
			"'%s' contains %zu experiments: name one, such as '%s/%s'",
			package_path(package), package_count(package),
			package_path(package),
			package_members(package)->items[*member].name);
	if (*member == MEMBER_NONE ||
	    package_members(package)->items[*member].type != TAR_DIRECTORY)
		return expt_fail(err, -ENOENT, "cannot open '%s/%s'",
				 package_path(package), name);
	return 0;
}

static int open_bundle(struct expt **out, const char *path,
		       const struct expt_import_options *options, struct expt_error *err)
{
	struct package *package;
	const char *inside;
	size_t member = 0;
	int rc = package_open(&package, path, &inside, options, err);

	if (rc < 0)
		return rc;
	rc = find_inside(&member, package, inside, err);
	if (rc == 0)
		rc = expt_open_in(out, package, member, err);
	package_close(package);
	return rc;
}

/* The directory and its founder's stay open, unless descriptors are scarce. */
static int open_directory(struct expt **out, const char *path, struct folder folder,
			  struct expt_error *err)
{
	struct expt *founder;
	int rc = expt_open_folder(out, path, folder, err);

	if (rc < 0)
		return rc;
	founder = (*out)->founder;
	folder_rest(&(*out)->folder, NULL, path);
	if (founder != *out)
		folder_rest(&founder->folder, NULL, founder->path);
	return 0;
}

int expt_open_with(struct expt **out, const char *path,
		   const struct expt_import_options *options, struct expt_error *err)
{
	struct folder folder = { .dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };

	if (folder.dir >= 0)
		return open_directory(out, path, folder, err);
	if (errno == ENOTDIR)
		return open_bundle(out, path, options, err);
	return expt_fail(err, -errno, "cannot open '%s'", path);
}

int expt_open(struct expt **out, const char *path, struct expt_error *err)
{
	return expt_open_with(out, path, NULL, err);
}

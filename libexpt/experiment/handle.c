/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment handle: opening it, and the descendants of a founder. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/experiment/private.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"

/* ---- handles ----------------------------------------------------------------------- */

static void expt_closep(struct expt **expt)
{
	expt_close(*expt);
}

void expt_close(struct expt *expt)
{
	if (!expt)
		return;
	sample_table_close(expt->samples);
	log_close(expt->log);
	stack_table_close(expt->stacks);
	if (expt->addresses)
		expt->close_addresses(expt->addresses);
	if (expt->java)
		expt->close_java(expt->java);
	if (expt->objects)
		expt->close_objects(expt->objects);
	array_release(&expt->descendants);
	folder_close(&expt->folder);
	if (expt->owns_founder)
		expt_close(expt->founder);
	array_release(&expt->damage);
	arena_release(&expt->strings);
	free(expt->path);
	free(expt->lineage);
	free(expt);
}

/* Make a handle that owns the folder, which is closed on failure. */
static int make_handle(struct expt **out, const char *path, struct folder folder,
		       struct expt_error *err)
{
	cleanup(expt_closep) struct expt *expt = calloc(1, sizeof(*expt));

	if (!expt) {
		folder_close(&folder);
		return expt_fail(err, -ENOMEM, "cannot open '%s'", path);
	}
	expt->folder = folder;
	expt->founder = expt;
	expt->path = strdup(path);
	expt->lineage = strdup("");
	if (!expt->path || !expt->lineage)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", path);
	*out = steal(&expt);
	return 0;
}

static int read_log(struct expt *expt, struct expt_error *err)
{
	int rc = log_read(&expt->log, expt, err);

	if (rc >= 0)
		return 0;
	if (rc == -ENOENT || rc == -EINVAL || rc == -ELOOP)
		rc = -EBADMSG;
	return expt_fail_in(err, rc,
			    rc == -EBADMSG ? "'%s' is not an experiment" : "'%s'",
			    expt->path);
}

/* ---- descendants ------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
	return expt_name_compare(*(const char *const *)a, *(const char *const *)b);
}

static int add_descendant(struct expt *expt, const char *name)
{
	const char **slot = array_add(&expt->descendants);

	if (!slot)
		return -ENOMEM;
	*slot = arena_text(&expt->strings, name, strlen(name));
	if (*slot)
		return 0;
	expt->descendants.count--;
	return -ENOMEM;
}

static int find_descendants(struct expt *expt, struct expt_error *err)
{
	struct folder_names names;
	int rc = folder_list(&names, &expt->folder);

	if (rc < 0)
		return expt_fail(err, rc, "cannot list '%s'", expt->path);
	for (size_t i = 0; rc == 0 && i < names.count; i++)
		if (names.items[i].is_directory &&
		    layout_entry(names.items[i].name, false) == LAYOUT_DESCENDANT)
			rc = add_descendant(expt, names.items[i].name);
	folder_names_release(&names);
	if (rc < 0)
		return expt_fail(err, rc, "cannot list '%s'", expt->path);
	if (expt->descendants.count)
		qsort(expt->descendants.items, expt->descendants.count,
		      sizeof(*expt->descendants.items), compare_names);
	return 0;
}

static int set_lineage(struct expt *expt, const char *name, struct expt_error *err)
{
	free(expt->lineage);
	expt->lineage = strndup(name, strlen(name) - strlen(EXPERIMENT_SUFFIX));
	if (!expt->lineage)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", expt->path);
	return 0;
}

size_t expt_descendant_count(const struct expt *founder)
{
	return founder->descendants.count;
}

const char *expt_descendant_name(const struct expt *founder, size_t i)
{
	return founder->descendants.items[i];
}

int expt_descendant_open(struct expt **out, struct expt *founder, size_t i,
			 struct expt_error *err)
{
	const char *name = founder->descendants.items[i];
	cleanup(expt_closep) struct expt *expt = NULL;
	cleanup_free char *path = path_join(founder->path, name);
	struct folder folder;
	int rc;

	if (!path)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", name);
	rc = folder_open(&folder, &founder->folder, name);
	if (rc < 0)
		return expt_fail(err, rc, "cannot open '%s'", path);
	rc = make_handle(&expt, path, folder, err);
	if (rc < 0)
		return rc;
	expt->founder = founder;
	rc = set_lineage(expt, name, err);
	if (rc < 0)
		return rc;
	rc = read_log(expt, err);
	if (rc < 0)
		return rc;
	folder_rest(&expt->folder, &founder->folder, name);
	*out = steal(&expt);
	return 0;
}

/* ---- opening by path --------------------------------------------------------------- */

static char *directory_of(const char *path)
{
	size_t length, end = (size_t)(path_last(path, &length) - path);

	while (end > 1 && path[end - 1] == '/')
		end--;
	return end ? strndup(path, end) : strdup("..");
}

/* A descendant opened by its own path uses the archives of its founder. If that cannot be
 * read, the descendant is opened on its own. */
static int join_founder(struct expt *expt, const char *name, struct expt_error *err)
{
	struct expt *founder = NULL;
	cleanup_free char *path = NULL;
	struct folder folder;
	int rc;

	if (name[0] == '.' || layout_entry(name, false) != LAYOUT_DESCENDANT)
		return find_descendants(expt, err);
	path = directory_of(expt->path);
	if (!path)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", expt->path);
	if (folder_parent(&folder, &expt->folder) < 0)
		return 0;
	rc = make_handle(&founder, path, folder, err);
	if (rc < 0)
		return rc;
	if (log_read(&founder->log, founder, NULL) < 0) {
		expt_close(founder);
		return 0;
	}
	expt->founder = founder;
	expt->owns_founder = true;
	return set_lineage(expt, name, err);
}

int expt_open_folder(struct expt **out, const char *path, struct folder folder,
		     struct expt_error *err)
{
	cleanup(expt_closep) struct expt *expt = NULL;
	size_t length;
	const char *last = path_last(path, &length);
	cleanup_free char *name = strndup(last, length);
	int rc;

	if (!name) {
		folder_close(&folder);
		return expt_fail(err, -ENOMEM, "cannot open '%s'", path);
	}
	rc = make_handle(&expt, path, folder, err);
	if (rc < 0)
		return rc;
	if (!expt_name_is_experiment(path))
		return expt_fail_name(err, -EBADMSG, path);
	rc = read_log(expt, err);
	if (rc < 0)
		return rc;
	rc = join_founder(expt, name, err);
	if (rc < 0)
		return rc;
	*out = steal(&expt);
	return 0;
}

int expt_open_in(struct expt **out, struct package *package, size_t member,
		 struct expt_error *err)
{
	struct folder folder = { .dir = -1, .member = member };
	cleanup_free char *path = path_join(package_path(package),
					    package_members(package)->items[member].name);

	if (!path)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", package_path(package));
	folder.package = package_share(package);
	return expt_open_folder(out, path, folder, err);
}

int expt_open_directory(struct expt **out, int dir, const char *path,
			struct expt_error *err)
{
	struct folder folder = { .dir = fcntl(dir, F_DUPFD_CLOEXEC, 0) };

	if (folder.dir < 0)
		return expt_fail(err, -errno, "cannot open '%s'", path);
	return expt_open_folder(out, path, folder, err);
}

const char *expt_path(const struct expt *expt)
{
	return expt->path;
}

const char *expt_lineage(const struct expt *expt)
{
	return expt->lineage;
}

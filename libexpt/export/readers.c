/* SPDX-License-Identifier: Apache-2.0 */
/* Decides who may read the members of a bundle, and follows links into a store.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/archives/store.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/common/report.h"
#include "libexpt/export/private.h"
#include "libexpt/format.h"
#include "libexpt/layout/inside.h"
#include "libexpt/rights/acl.h"

mode_t export_normal_mode(unsigned char type, mode_t mode)
{
	return type == DT_DIR || mode & 0111 ? DIRECTORY_MODE : FILE_MODE;
}

/* If the file has an ACL, the group bits of its mode are not the group's alone. */
static mode_t group_mode(const struct tree_entry *entry, int dir)
{
	cleanup_fd int fd = openat(dir, entry->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct acl_rights rights = { 0 };

	if (fd >= 0)
		acl_read(&rights, fd, entry->mode);
	return rights.plain & S_IRWXG;
}

void export_limit_readers(struct export_plan *plan, struct export_item *item,
			  const struct tree_entry *entry, int dir)
{
	mode_t need = entry->type == DT_DIR ? S_IROTH | S_IXOTH : S_IROTH;
	mode_t mode = entry->mode;

	if ((mode >> 3 & S_IRWXO) != (mode & S_IRWXO))
		mode = (mode & ~(mode_t)S_IRWXG) | group_mode(entry, dir);
	item->mode &= mode | S_IRWXU;
	origin_narrow(&plan->readers, entry->gid, (mode >> 3 & need) == need,
		      (mode >> 3 & mode & need) == need);
}

/* A group of this machine means nothing on another, so a member has only the rights of
 * everyone. */
void export_limit_readers_by_origin(struct export_plan *plan, struct export_item *item,
				    const struct origin *origin)
{
	item->mode &= origin_copy_mode(origin, (gid_t)-1) | S_IRWXU;
	origin_join(&plan->readers, origin);
}

/* Links to a file of a store, or within archives/. */
static bool is_our_link(const char *target)
{
	if (!strchr(target, '/'))
		return strcmp(target, "..") != 0 && strcmp(target, ".") != 0;
	return store_is_target(target);
}

static int open_access(struct export_plan *plan)
{
	const struct operand *operand = &plan->operand;
	int dir = operand->is_descendant ? operand->parent : operand->dir;
	int rc = plan->access.origins ? 0 : access_open(&plan->access, dir, dir);

	access_as_ourselves(&plan->access);
	return rc;
}

int export_open_linked(struct origin *origin, struct stat *status,
		       struct export_plan *plan, const char *target)
{
	char archives[PATH_MAX] = "";
	cleanup_free char *path = NULL;
	int fd, rc = open_access(plan);

	if (rc < 0)
		return rc;
	if (*target != '/' && !directory_path(archives, plan->archives))
		return -ENOENT;
	path = *target == '/' ? strdup(target) : path_join(archives, target);
	if (!path)
		return -ENOMEM;
	access_as_owner(&plan->access);
	fd = origin_open(origin, status, plan->access.origins, path, ORIGIN_REFUSE_LINK);
	access_as_ourselves(&plan->access);
	return fd;
}

int export_follow_link(struct export_item *item, const struct tree_entry *entry,
		       struct export_plan *plan,
		       const struct expt_export_options *options)
{
	cleanup_fd int fd = -1;
	struct origin origin;
	struct stat status;

	if (!is_our_link(entry->target)) {
		expt_report_add(options->operation.report, EXPT_REFUSED, item->name,
				"it links to '%s', which is not in a store",
				entry->target);
		return 0;
	}
	fd = export_open_linked(&origin, &status, plan, entry->target);
	if (fd < 0) {
		bool is_none = fd == -EINVAL || fd == -ELOOP;

		expt_report_add(options->operation.report, EXPT_MISSING, item->name,
				"it links to '%s': %s", entry->target,
				is_none ? "not a regular file" : strerrordesc_np(-fd));
		return 0;
	}
	item->source = EXPORT_LINKED;
	item->dir = plan->archives;
	item->path = entry->target;
	item->size = (uint64_t)status.st_size;
	item->allocated = (uint64_t)status.st_blocks * 512;
	item->mode = export_normal_mode(DT_REG, status.st_mode);
	item->mtime = store_checksum(entry->target) ? entry->mtime : status.st_mtim;
	export_limit_readers_by_origin(plan, item, &origin);
	return 1;
}

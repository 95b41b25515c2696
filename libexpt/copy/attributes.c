/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a copy the mode, owner and times of its original. Syncing comes last. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/copy/private.h"

static mode_t wanted_mode(const struct tree_copy *copy, size_t i)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	mode_t mode = copy->without_attributes ? entry->mode & ~copy->lost_bits
					       : entry->mode & ~copy->files[i].withheld;

	return entry->type == DT_DIR ? mode | copy->inherited_bits : mode;
}

/* File systems without owners or modes refuse; the copy goes on without them. */
static int keep_mode(struct tree_copy *copy, int fd, mode_t mode)
{
	if (fchmod(fd, mode) == 0)
		return 0;
	if (errno != EPERM && errno != EOPNOTSUPP)
		return -errno;
	atomic_store(&copy->lost_modes, true);
	return 0;
}

static int keep_owner(const struct tree_copy *copy, const struct tree_entry *entry,
		      int at, const char *name)
{
	if (!copy->is_root || (entry->uid == copy->uid && entry->gid == copy->gid))
		return 0;
	if (fchownat(at, name, entry->uid, entry->gid,
		     AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) == 0 ||
	    errno == EPERM || errno == EINVAL)
		return 0;
	return -errno;
}

static int keep_times(const struct tree_entry *entry, int at, const char *name)
{
	const struct timespec times[2] = { entry->atime, entry->mtime };
	int rc = *name ? utimensat(at, name, times, AT_SYMLINK_NOFOLLOW)
		       : futimens(at, times);

	return rc < 0 ? -errno : 0;
}

/* Directories that the umask would have made inaccessible had their mode changed
 * already. */
static bool has_other_mode(const struct tree_copy *copy, mode_t created, mode_t wanted)
{
	return wanted != (created & ~copy->lost_bits) || (copy->lost_bits & S_IRWXU) ||
	       copy->inherits_acl;
}

int copy_attributes(struct tree_copy *copy, size_t i, int at, const char *name,
		    mode_t created)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	mode_t mode = wanted_mode(copy, i);
	int rc = 0;

	if (i == 0) /* the stage must stay accessible until it gets its name */
		mode |= S_IRWXU;
	if (!copy->without_attributes)
		rc = keep_owner(copy, entry, at, name);
	if (rc == 0 && entry->type != DT_LNK && has_other_mode(copy, created, mode))
		rc = keep_mode(copy, at, mode);
	if (rc == 0 && !copy->without_attributes)
		rc = keep_times(entry, at, name);
	return rc;
}

/* ---- directories ---- */

static mode_t mode_while_filled(const struct tree_entry *directory)
{
	return directory->mode | S_IRWXU;
}

int copy_make_directory(const struct tree_copy *copy, size_t i)
{
	const struct tree_entry *entry = &copy->tree->items[i];
	mode_t mode = mode_while_filled(entry);
	const char *base;
	cleanup_fd int opened = -1;
	int parent = io_parent(copy->to, entry->name, &base, &opened);

	if (parent < 0)
		return parent;
	/* With some umasks not even the owner may enter a new directory. */
	if (copy->lost_bits & S_IRWXU)
		return io_make_directory(parent, base, mode);
	return mkdirat(parent, base, mode) < 0 ? -errno : 0;
}

int copy_open_directory(const struct tree_copy *copy, size_t i, struct copy_place *place)
{
	cleanup_fd int to = tree_open_directory(copy->tree, copy->to, i);

	if (to < 0)
		return to;
	place->from = tree_open_directory(copy->tree, copy->from, i);
	if (place->from < 0 && place->from != -ENOENT)
		return place->from;
	place->to = steal_fd(&to);
	return 0;
}

void copy_close_directory(const struct copy_place *place)
{
	close(place->to);
	if (place->from >= 0)
		close(place->from);
}

int copy_directory_attributes(struct tree_copy *copy, size_t i,
			      const struct copy_place *directory)
{
	int in = copy->without_attributes ? -1 : directory->from, out = directory->to;
	int rc = 0;

	if (in >= 0 && copy_has_extended(copy, in))
		rc = copy_extended(copy, i, in, out);
	if (rc == 0)
		rc = copy_attributes(copy, i, out, "",
				     mode_while_filled(&copy->tree->items[i]));
	if (rc == 0 && copy->syncs_files && fsync(out) < 0)
		rc = -errno;
	return rc;
}

mode_t tree_copy_directory_mode(const struct tree_copy *copy, size_t i)
{
	return wanted_mode(copy, i);
}

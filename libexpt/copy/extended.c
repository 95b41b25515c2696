/* SPDX-License-Identifier: Apache-2.0 */
/* Copies extended attributes of files and directories: the users', and those that store
 * ACLs. */
#include <errno.h>
#include <linux/limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/copy/private.h"
#include "libexpt/rights/acl.h"

#define NAMES_SIZE 1024 /* far more than most files have */

static bool is_kept(const char *name)
{
	return text_starts_with(name, "user.") || strcmp(name, ACL_ACCESS) == 0 ||
	       strcmp(name, ACL_DEFAULT) == 0;
}

static bool is_refusal(int error)
{
	return error == EOPNOTSUPP || error == EPERM || error == EINVAL ||
	       error == ENOSYS;
}

/* An attribute that the file system of the copy does not accept is lost. The mask of a
 * lost ACL must not become the rights of the group. */
static int copy_one(struct tree_copy *copy, size_t i, int in, int out, const char *name)
{
	cleanup_free unsigned char *value = malloc(XATTR_SIZE_MAX);
	ssize_t size = value ? fgetxattr(in, name, value, XATTR_SIZE_MAX) : -1;

	if (!value)
		return -ENOMEM;
	if (size < 0)
		return errno == ENODATA ? 0 : -errno;
	if (fsetxattr(out, name, value, (size_t)size, 0) == 0)
		return 0;
	if (!is_refusal(errno))
		return -errno;
	atomic_store(&copy->lost_extended, true);
	if (strcmp(name, ACL_ACCESS) == 0)
		copy->files[i].withheld = S_IRWXG & ~acl_group_bits(value, (size_t)size);
	return 0;
}

static int copy_listed(struct tree_copy *copy, size_t i, int in, int out,
		       const char *names, size_t length)
{
	int rc = 0;

	for (const char *name = names; name < names + length && rc == 0;
	     name += strlen(name) + 1)
		if (is_kept(name))
			rc = copy_one(copy, i, in, out, name);
	return rc;
}

/* Remove ACLs that the copy inherited from its directory: they are not the original's. */
static int drop_inherited(const struct tree_copy *copy, int out, bool is_directory)
{
	if (!copy->inherits_acl)
		return 0;
	if (fremovexattr(out, ACL_ACCESS) < 0 && errno != ENODATA)
		return -errno;
	if (is_directory && fremovexattr(out, ACL_DEFAULT) < 0 && errno != ENODATA)
		return -errno;
	return 0;
}

bool copy_has_extended(struct tree_copy *copy, int in)
{
	return copy->inherits_acl ||
	       (!atomic_load(&copy->has_no_extended) && flistxattr(in, NULL, 0) != 0);
}

int copy_extended(struct tree_copy *copy, size_t i, int in, int out)
{
	char some[NAMES_SIZE];
	cleanup_free char *all = NULL;
	const char *names = some;
	ssize_t length = 0;
	int rc = drop_inherited(copy, out, copy->tree->items[i].type == DT_DIR);

	if (rc < 0)
		return rc;
	if (!atomic_load(&copy->has_no_extended))
		length = flistxattr(in, some, sizeof(some));
	if (length < 0 && errno == ERANGE) {
		names = all = malloc(XATTR_LIST_MAX);
		length = all ? flistxattr(in, all, XATTR_LIST_MAX) : -1;
	}
	if (length < 0 && (errno == EOPNOTSUPP || errno == ENOSYS)) {
		atomic_store(&copy->has_no_extended, true);
		length = 0;
	}
	if (length < 0)
		return -errno;
	return copy_listed(copy, i, in, out, names, (size_t)length);
}

int copy_probe_extended(struct tree_copy *copy)
{
	ssize_t size = fgetxattr(copy->to, ACL_DEFAULT, NULL, 0);

	if (size < 0 && errno != ENODATA && !is_refusal(errno))
		return -errno;
	copy->inherits_acl = size > 0;
	return 0;
}

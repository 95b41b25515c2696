/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/access.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/format.h"

#define RIGHTS_TRIES 100

/* Root can read everything, so root's experiments need no check. */
static bool is_others(const struct stat *experiment)
{
	return experiment->st_uid != geteuid() && experiment->st_uid != 0;
}

/* The owner can write to archives/ only if it, or the directory in which it will be made,
 * belongs to the owner. */
static bool is_owners(const struct access *access, int home)
{
	struct stat status, archives;

	if (fstat(home, &status) < 0 || status.st_uid != access->owners.user)
		return false;
	return fstatat(home, ARCHIVES_DIR, &archives, AT_SYMLINK_NOFOLLOW) < 0 ||
	       archives.st_uid == access->owners.user;
}

static int take_rights(struct access *access, uid_t owner, int home)
{
	int rc = rights_of(&access->owners, owner);

	if (rc < 0)
		return rc;
	access->owner = ACCESS_JUDGED;
	access->writes_as_ourselves = !is_owners(access, home);
	rc = rights_own(&access->ourselves);
	if (rc < 0)
		return rc;
	if (rights_take(&access->owners) == 0)
		access->owner = ACCESS_TAKEN;
	else
		rights_take(&access->ourselves);
	return 0;
}

int access_open(struct access *access, int experiment, int home)
{
	struct stat status;
	int rc = 0;

	*access = (struct access)ACCESS_INIT;
	if (fstat(experiment, &status) < 0)
		return -errno;
	if (is_others(&status))
		rc = take_rights(access, status.st_uid, home);
	access->origins = rc == 0 ? origins_open() : NULL;
	if (!access->origins) {
		access_close(access);
		return rc < 0 ? rc : -ENOMEM;
	}
	if (access->owner == ACCESS_JUDGED)
		origins_read_for(access->origins, &access->owners);
	origins_copy_below(access->origins, home);
	return 0;
}

void access_close(struct access *access)
{
	access_as_ourselves(access);
	origins_close(access->origins);
	rights_release(&access->owners);
	rights_release(&access->ourselves);
	*access = (struct access)ACCESS_INIT;
}

const struct access *access_as_ourselves(const struct access *access)
{
	if (access->owner == ACCESS_TAKEN)
		rights_take(&access->ourselves);
	return access;
}

const struct access *access_for_writing(const struct access *access)
{
	return access->writes_as_ourselves ? access_as_ourselves(access) : access;
}

/* If this fails, we keep more rights than the owner, so nothing more may be opened on the
 * owner's behalf. */
void access_as_owner(const struct access *access)
{
	int rc = -EPERM;

	if (access->owner != ACCESS_TAKEN || geteuid() == access->owners.user)
		return;
	for (int i = 0; rc < 0 && i < RIGHTS_TRIES; i++)
		rc = rights_take(&access->owners);
	if (rc < 0)
		origins_stop(access->origins);
}

/* Directories must be opened with the same rights as well, so use no cached ones. */
static bool opens(const struct stat *status, const char *path)
{
	struct origins *origins = origins_open();
	struct origin origin;
	struct stat opened;
	cleanup_fd int fd = -1;

	if (origins)
		fd = origin_open(&origin, &opened, origins, path, ORIGIN_FOLLOW_LINK);
	origins_close(origins);
	return fd >= 0 && io_is_same(&opened, status);
}

bool access_has_user(const struct access *access, uid_t user, const struct origin *origin,
		     const struct stat *status, const char *path)
{
	cleanup_rights struct rights own = RIGHTS_INIT, others = RIGHTS_INIT;
	bool can_open;

	if (access->owner != ACCESS_OURS || user == (uid_t)-1 || rights_own(&own) < 0 ||
	    rights_of(&others, user) < 0)
		return false;
	if (origin_is_readable(origin, &others))
		return true;
	can_open = rights_take(&others) == 0 && opens(status, path);
	rights_take(&own);
	return can_open;
}

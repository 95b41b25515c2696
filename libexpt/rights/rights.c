/* SPDX-License-Identifier: Apache-2.0 */
/* System calls are made directly, as those of libc change all threads of the process. */
#include "libexpt/rights/rights.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"

#define ENTRY_SIZE 65536 /* the longest line of the passwd or group database */
#define GROUPS_MAX 65536 /* the kernel's limit */
#define NO_GROUP   65534 /* of a user whose group is unknown */

/* On some machines the older calls, without the suffix, take 16-bit ids. */
#ifdef SYS_setresuid32
#define SET_USERS  SYS_setresuid32
#define SET_GROUP  SYS_setresgid32
#define SET_GROUPS SYS_setgroups32
#else
#define SET_USERS  SYS_setresuid
#define SET_GROUP  SYS_setresgid
#define SET_GROUPS SYS_setgroups
#endif

/* ---- capabilities ---- */

struct capabilities {
	struct __user_cap_header_struct header;
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
};

static int read_capabilities(struct capabilities *capabilities)
{
	capabilities->header = (struct __user_cap_header_struct){
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	return syscall(SYS_capget, &capabilities->header, capabilities->data) < 0 ? -errno
										  : 0;
}

static uint64_t effective(const struct capabilities *capabilities)
{
	return (uint64_t)capabilities->data[1].effective << 32 |
	       capabilities->data[0].effective;
}

/* Set the capabilities in any case: securebits can keep a change of the user from doing
 * so. */
static int set_effective(uint64_t wanted)
{
	struct capabilities capabilities;
	int rc = read_capabilities(&capabilities);

	if (rc < 0 || effective(&capabilities) == wanted)
		return rc;
	capabilities.data[0].effective = (uint32_t)wanted &
					 capabilities.data[0].permitted;
	capabilities.data[1].effective = (uint32_t)(wanted >> 32) &
					 capabilities.data[1].permitted;
	return syscall(SYS_capset, &capabilities.header, capabilities.data) < 0 ? -errno
										: 0;
}

/* ---- finding rights ---- */

int rights_own(struct rights *rights)
{
	struct capabilities capabilities;
	int count = getgroups(0, NULL), rc = read_capabilities(&capabilities);

	if (count < 0 || rc < 0)
		return rc < 0 ? rc : -errno;
	*rights = (struct rights){
		.user = geteuid(),
		.group = getegid(),
		.groups = calloc((size_t)count + 1, sizeof(*rights->groups)),
		.capabilities = effective(&capabilities),
	};
	if (!rights->groups)
		return -ENOMEM;
	count = getgroups(count, rights->groups);
	if (count < 0) {
		rc = -errno;
		rights_release(rights);
		return rc;
	}
	rights->count = (size_t)count;
	return 0;
}

static int list_groups(struct rights *rights, const char *name)
{
	int count = 32, room = 0, rc = -1;

	while (rc < 0 && count > room && count <= GROUPS_MAX) {
		gid_t *groups =
			reallocarray(rights->groups, (size_t)count, sizeof(*groups));

		if (!groups)
			return -ENOMEM;
		rights->groups = groups;
		room = count;
		rc = getgrouplist(name, rights->group, groups, &count);
	}
	rights->count = rc < 0 ? 0 : (size_t)count;
	return 0;
}

int rights_of(struct rights *rights, uid_t user)
{
	cleanup_free char *buffer = malloc(ENTRY_SIZE);
	struct passwd entry, *found = NULL;
	int rc = 0;

	*rights = (struct rights){ .user = user, .group = NO_GROUP };
	if (!buffer)
		return -ENOMEM;
	getpwuid_r(user, &entry, buffer, ENTRY_SIZE, &found);
	if (found) {
		rights->group = found->pw_gid;
		rc = list_groups(rights, found->pw_name);
	}
	if (rc < 0)
		rights_release(rights);
	return rc;
}

static bool has_other_members(const struct group *group, const char *name)
{
	for (char *const *member = group->gr_mem; *member; member++)
		if (strcmp(*member, name) != 0)
			return true;
	return false;
}

/* A group whose line does not fit is too large to be private. */
gid_t rights_private_group(uid_t user)
{
	cleanup_free char *buffer = malloc(ENTRY_SIZE), *members = malloc(ENTRY_SIZE);
	struct passwd entry, *found = NULL;
	struct group group, *own = NULL;

	if (!buffer || !members)
		return (gid_t)-1;
	getpwuid_r(user, &entry, buffer, ENTRY_SIZE, &found);
	if (found)
		getgrgid_r(found->pw_gid, &group, members, ENTRY_SIZE, &own);
	if (!own || strcmp(own->gr_name, found->pw_name) != 0 ||
	    has_other_members(own, found->pw_name))
		return (gid_t)-1;
	return own->gr_gid;
}

bool rights_include_group(const struct rights *rights, gid_t group)
{
	for (size_t i = 0; i < rights->count; i++)
		if (rights->groups[i] == group)
			return true;
	return rights->group == group;
}

void rights_release(struct rights *rights)
{
	free(rights->groups);
	*rights = (struct rights)RIGHTS_INIT;
}

/* ---- taking rights ---- */

/* Root's rights come back only where the real or the saved user is root. */
static bool can_come_back(void)
{
	uid_t real, current, saved;

	return getresuid(&real, &current, &saved) == 0 && (real == 0 || saved == 0);
}

/* Raise everything that root's saved id allows: the next steps need it. */
static int become_root(void)
{
	struct capabilities capabilities;
	int rc;

	if (!can_come_back() || (geteuid() != 0 && syscall(SET_USERS, -1, 0, -1) < 0))
		return -EPERM;
	rc = read_capabilities(&capabilities);
	return rc < 0 ? rc
		      : set_effective((uint64_t)capabilities.data[1].permitted << 32 |
				      capabilities.data[0].permitted);
}

/* Changing groups requires root's rights, so the user changes last. */
int rights_take(const struct rights *rights)
{
	int rc = become_root();

	if (rc < 0)
		return rc;
	if (syscall(SET_GROUPS, rights->count, rights->groups) < 0 ||
	    syscall(SET_GROUP, -1, rights->group, -1) < 0 ||
	    syscall(SET_USERS, -1, rights->user, -1) < 0)
		return -EPERM;
	return set_effective(rights->capabilities);
}

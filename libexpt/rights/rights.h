/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Acting as another user. Root can give up its rights for a while, in one thread and in
 * the threads that it starts: the kernel then decides what the other user may do. The
 * real user is still root, so that the other one can neither signal nor trace the
 * process.
 */
#ifndef LIBEXPT_RIGHTS_RIGHTS_H
#define LIBEXPT_RIGHTS_RIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct rights {
	uid_t user;
	gid_t group;
	gid_t *groups; /* supplementary groups */
	size_t count;
	uint64_t capabilities; /* effective */
};

/* clang-format off */
#define RIGHTS_INIT	{ .groups = NULL }
/* clang-format on */
#define cleanup_rights __attribute__((__cleanup__(rights_release)))

/* Get the rights of this thread. 0 or a negative errno. */
int rights_own(struct rights *rights);
/* Get the rights that a login gives this user: the groups of the passwd and group
 * databases, no capabilities. A user who is not in them has no groups. 0 or -ENOMEM. */
int rights_of(struct rights *rights, uid_t user);
/* Give this thread these rights, if it is root or was root before it took others. After
 * an error it may have some of both, and the caller takes its own again. */
int rights_take(const struct rights *rights);
/* Returns the user's private group: it has the user's name, and the databases list no
 * other members. (gid_t)-1: there is none. */
gid_t rights_private_group(uid_t user);
bool rights_include_group(const struct rights *rights, gid_t group);
void rights_release(struct rights *rights);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of an experiment, and which files may be read for it. Its maps, the objects
 * that they name and its links make us read other files, and the owner can read what is
 * put into the experiment, or give it away. If he is another user, root takes his rights:
 * it reads only what he could have read himself, and the files that it makes belong to
 * him. Other callers read what he can read by modes and ACLs.
 */
#ifndef LIBEXPT_ARCHIVES_ACCESS_H
#define LIBEXPT_ARCHIVES_ACCESS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/rights/origin.h"
#include "libexpt/rights/rights.h"

enum access_owner {
	ACCESS_OURS,   /* it is the caller's: everything that he can read may be read */
	ACCESS_TAKEN,  /* we are root, and have taken the rights of its owner */
	ACCESS_JUDGED, /* the owner's rights cannot be taken */
};

struct access {
	enum access_owner owner;
	struct rights owners, ourselves; /* unless it is ours */
	bool writes_as_ourselves;	 /* although the owner's rights were taken */
	struct origins *origins;	 /* what opens files outside the experiment */
};

/* clang-format off */
#define ACCESS_INIT	{ .origins = NULL }
/* clang-format on */

/* Take the rights of the owner of this experiment directory, if he is another user, in
 * this thread and in those that it starts. archives/ is, or will be, in home, mostly the
 * same directory. 0 or a negative errno. */
int access_open(struct access *access, int experiment, int home);
/* Take our own rights again. */
void access_close(struct access *access);

/* Take our own rights for a while: always, or only for writing into an archives/ that is
 * not the owner's. */
const struct access *access_as_ourselves(const struct access *access);
const struct access *access_for_writing(const struct access *access);
/* Take the owner's rights again. */
void access_as_owner(const struct access *access);

/* The same at the end of a scope; the variable may be NULL. */
#define cleanup_access __attribute__((__cleanup__(access_end), __unused__))
static inline void access_end(const struct access **access)
{
	if (*access)
		access_as_owner(*access);
}

/* Whether another user could open this file, which is at path, in an experiment of ours.
 */
bool access_has_user(const struct access *access, uid_t user, const struct origin *origin,
		     const struct stat *status, const char *path);

#endif

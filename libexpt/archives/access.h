/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of an experiment, and the files that may be read for it. Its maps, the
 * objects named there and its links make us read other files, and the owner can read what
 * is put into the experiment, or give it away. If the owner is another user, root takes
 * that user's rights: it reads only what the owner could have read, and the files it
 * makes belong to the owner. Other callers read what modes and ACLs allow the owner to
 * read.
 */
#ifndef LIBEXPT_ARCHIVES_ACCESS_H
#define LIBEXPT_ARCHIVES_ACCESS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/rights/origin.h"
#include "libexpt/rights/rights.h"

enum access_owner {
	ACCESS_OURS,   /* the caller's: all files that the caller can read */
	ACCESS_TAKEN,  /* root has taken the owner's rights */
	ACCESS_JUDGED, /* the owner's rights cannot be taken, only checked */
};

struct access {
	enum access_owner owner;
	struct rights owners, ourselves; /* unless ACCESS_OURS */
	bool writes_as_ourselves;	 /* even though the owner's rights were taken */
	struct origins *origins;	 /* opens files outside the experiment */
};

/* clang-format off */
#define ACCESS_INIT	{ .origins = NULL }
/* clang-format on */

/* Take the rights of the owner of this experiment directory, if that is another user, in
 * this thread and those that it starts. archives/ is, or will be, in home, usually the
 * same directory. Returns 0 or a negative errno. */
int access_open(struct access *access, int experiment, int home);
/* Return to our own rights. */
void access_close(struct access *access);

/* Return to our own rights temporarily: always, or only to write into an archives/ that
 * is not the owner's. */
const struct access *access_as_ourselves(const struct access *access);
const struct access *access_for_writing(const struct access *access);
/* Take the owner's rights again. */
void access_as_owner(const struct access *access);

/* Call access_as_owner() at the end of a scope; the variable may be NULL. */
#define cleanup_access __attribute__((__cleanup__(access_end), __unused__))
static inline void access_end(const struct access **access)
{
	if (*access)
		access_as_owner(*access);
}

/* Returns whether another user could open this file, at path, in an experiment of
 * ours. */
bool access_has_user(const struct access *access, uid_t user, const struct origin *origin,
		     const struct stat *status, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The origin of a file whose path another user may have chosen: its owner, and its other
 * readers. The path is followed one component at a time, links included; each directory
 * is judged once it is open, and the file is opened in the last one. So the judgement
 * holds for the open descriptor, whatever is exchanged on the way.
 */
#ifndef LIBEXPT_RIGHTS_ORIGIN_H
#define LIBEXPT_RIGHTS_ORIGIN_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "libexpt/rights/rights.h"

/* Owners and writers of a file and of the directories around it. Members of the user's
 * private group do not count as others, unless the user is root. */
enum origin_trust {
	ORIGIN_CLOSED,	/* root and this user own them, and no others can write */
	ORIGIN_OPEN,	/* root and this user own them, but others can write */
	ORIGIN_FOREIGN, /* another user owns at least one of them */
};

/* Readers of a file, other than its owner, who can also pass through all its
 * directories. */
enum origin_readers { ORIGIN_EVERYONE, ORIGIN_ONE_GROUP, ORIGIN_OWNER };

struct origin {
	enum origin_trust trust;  /* of the file and all directories on the path */
	enum origin_trust itself; /* of the file alone */
	enum origin_trust place;  /* of the file's directory alone */
	uid_t stranger;		  /* if trust is ORIGIN_FOREIGN: the first other owner */
	enum origin_readers readers;
	gid_t group;	 /* for ORIGIN_ONE_GROUP */
	mode_t mode;	 /* of the file, without rights that only an ACL gives */
	mode_t everyone; /* bits of S_IRWXO that everyone but the owner has */
	uid_t owner;	 /* of the file */
	gid_t file_group;
};

/* The origin of a file that nothing is known about. */
/* clang-format off */
#define ORIGIN_UNKNOWN	{ .trust = ORIGIN_FOREIGN, .itself = ORIGIN_FOREIGN, \
			  .place = ORIGIN_FOREIGN, .stranger = (uid_t)-1, \
			  .readers = ORIGIN_OWNER, .mode = 0600, \
			  .owner = (uid_t)-1, .file_group = (gid_t)-1 }
/* clang-format on */

/* Directories that were judged, each once. Threads may share this if they have the same
 * rights. */
struct origins;

struct origins *origins_open(void); /* NULL: out of memory */
void origins_close(struct origins *origins);
/* Copies will go below the directory dir. From then on the directories around it do not
 * restrict readers: they keep the same users from a file and from its copy. After several
 * calls this applies only to the directories around all of them. */
void origins_copy_below(struct origins *origins, int dir);

/* Open only files that a user with these rights can certainly read, for callers that
 * cannot take the rights themselves. The rights are borrowed. */
void origins_read_for(struct origins *origins, const struct rights *reader);

/* Close the directories that were kept open. They are judged again when needed. */
void origins_forget(struct origins *origins);

/* Refuse to open anything from now on. */
void origins_stop(struct origins *origins);

/* Open the regular file at path for reading. Returns a descriptor, or a negative errno:
 * -ELOOP if the last component is a link and links are refused, -EINVAL if it is not a
 * regular file. */
enum origin_links { ORIGIN_REFUSE_LINK, ORIGIN_FOLLOW_LINK };
int origin_open(struct origin *origin, struct stat *status, struct origins *origins,
		const char *path, enum origin_links links);
/* Judge an open file by its current path. */
void origin_of(struct origin *origin, struct origins *origins, int fd);

/* Keep only readers who may also read something else, which everyone, or only this group,
 * or neither may read. */
void origin_narrow(struct origin *origin, gid_t group, bool group_may, bool everyone_may);
/* Keep only the readers of both. */
void origin_join(struct origin *origin, const struct origin *other);
/* Whether all readers of the other one may also read this. */
bool origin_has_readers(const struct origin *origin, const struct origin *other);
/* Returns the mode for a copy of the file, with this group, that adds no readers. */
mode_t origin_copy_mode(const struct origin *origin, gid_t group);
/* Returns the part of a mode that adds no readers, for something else made from the
 * file. */
mode_t origin_limit(const struct origin *origin, gid_t group, mode_t mode);
/* Whether a user with these rights can certainly read the file. */
bool origin_is_readable(const struct origin *origin, const struct rights *rights);

#endif

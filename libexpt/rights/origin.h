/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The origin of a file that another user may have named: whose it is, and who else may
 * read it. Its path is followed one component at a time, links included; each directory
 * is judged when it is open, and the file is opened in the last one. So the judgement is
 * true of the descriptor that was opened, whatever is exchanged on the way.
 */
#ifndef LIBEXPT_RIGHTS_ORIGIN_H
#define LIBEXPT_RIGHTS_ORIGIN_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "libexpt/rights/rights.h"

/* Owners and writers of a file and of the directories around it. The group that nobody
 * but us is in does not count as others, unless we are root. */
enum origin_trust {
	ORIGIN_CLOSED,	/* they are root's and ours, and no others can write */
	ORIGIN_OPEN,	/* they are root's and ours, but others can write */
	ORIGIN_FOREIGN, /* at least one of them is another user's */
};

/* Readers of a file, besides its owner, who can go all the way to it. */
enum origin_readers { ORIGIN_EVERYONE, ORIGIN_ONE_GROUP, ORIGIN_OWNER };

struct origin {
	enum origin_trust trust;  /* of all the way */
	enum origin_trust itself; /* of nothing but the file */
	enum origin_trust place;  /* of nothing but the directory that it is in */
	uid_t stranger;		  /* if trust is ORIGIN_FOREIGN: the first other user */
	enum origin_readers readers;
	gid_t group;	 /* the one group */
	mode_t mode;	 /* of the file, without what only an ACL allows */
	mode_t everyone; /* bits of S_IRWXO that others than the owner all have */
	uid_t owner;	 /* of the file */
	gid_t file_group;
};

/* A file of which nothing is known. */
/* clang-format off */
#define ORIGIN_UNKNOWN	{ .trust = ORIGIN_FOREIGN, .itself = ORIGIN_FOREIGN, \
			  .place = ORIGIN_FOREIGN, .stranger = (uid_t)-1, .readers = ORIGIN_OWNER, .mode = 0600, \
			  .owner = (uid_t)-1, .file_group = (gid_t)-1 }
/* clang-format on */

/* Directories that were judged, each of them once. Threads may share this if they have
 * the same rights. */
struct origins;

struct origins *origins_open(void); /* NULL: out of memory */
void origins_close(struct origins *origins);
/* Copies will be put below the directory dir. The directories around it do not count
 * then: they keep the same users from a file and from its copy. If this is called more
 * than once, only the directories around all of these do not count. */
void origins_copy_below(struct origins *origins, int dir);

/* Open only files that a user with these rights can surely read, for callers who cannot
 * take them. The rights are borrowed. */
void origins_read_for(struct origins *origins, const struct rights *reader);

/* Close the directories that were kept open: they are judged again when they are needed.
 */
void origins_forget(struct origins *origins);

/* Refuse to open anything from now on. */
void origins_stop(struct origins *origins);

/* Open the regular file at path for reading: a descriptor, or a negative errno: -ELOOP if
 * it is a link and links are not followed in the last place, -EINVAL if it is something
 * else. */
enum origin_links { ORIGIN_REFUSE_LINK, ORIGIN_FOLLOW_LINK };
int origin_open(struct origin *origin, struct stat *status, struct origins *origins,
		const char *path, enum origin_links links);
/* Judge an open file, by the path that it has now. */
void origin_of(struct origin *origin, struct origins *origins, int fd);

/* Keep only the readers of something that everyone may read, or only this group, or
 * neither. */
void origin_narrow(struct origin *origin, gid_t group, bool group_may, bool everyone_may);
/* Keep only those who are readers of both. */
void origin_join(struct origin *origin, const struct origin *other);
/* Whether all who may read the other one may read this. */
bool origin_has_readers(const struct origin *origin, const struct origin *other);
/* The mode for a copy of the file, of this group, that has no readers but the file's. */
mode_t origin_copy_mode(const struct origin *origin, gid_t group);
/* The same for something else that is made of the file: the rest of a mode. */
mode_t origin_limit(const struct origin *origin, gid_t group, mode_t mode);
/* Whether a user with these rights can surely read the file. */
bool origin_is_readable(const struct origin *origin, const struct rights *rights);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories on the way to files, for origin.c. Each is opened in the one above it,
 * judged once, and kept open for the next file, as long as there are not too many.
 */
#ifndef LIBEXPT_RIGHTS_ORIGIN_DIRECTORY_H
#define LIBEXPT_RIGHTS_ORIGIN_DIRECTORY_H

#include <pthread.h>

#include "libexpt/base/idmap.h"
#include "libexpt/rights/origin.h"

#define ORIGIN_KEPT_MAX	  128 /* directories that are kept open */
#define ORIGIN_AROUND_MAX 64

/* A judged directory, with a reference count; it holds a reference to the one above
 * it. */
struct origin_directory {
	struct origin_directory *above; /* NULL: the root */
	char *name;
	unsigned references;
	int fd;
	struct stat status;
	struct origin way; /* of the path from the root to it */
};

struct origins {
	pthread_mutex_t lock;
	uid_t ourselves;
	gid_t private_group; /* -1: none; see knows_private_group */
	bool knows_private_group;
	const struct rights *reader; /* or NULL */
	bool is_stopped;
	struct origin_directory *root;
	struct origin_directory *kept[ORIGIN_KEPT_MAX];
	uint32_t count;
	struct idmap by_name; /* indexes in kept, by directory above and name */
	bool has_around;
	struct origin_around {
		dev_t device;
		ino_t inode;
	} around[ORIGIN_AROUND_MAX]; /* the directories that do not restrict readers */
	size_t around_count;
};

/* Judge the owner and the writers of one file or directory, which is open as fd. */
enum origin_trust origin_judge_owner(struct origins *origins, int fd,
				     const struct stat *status);
/* Lower the trust of a path to that of one more file or directory. */
void origin_judge(struct origin *origin, enum origin_trust trust, uid_t owner);

/* Enter the root directory, or the directory of this name in the one above. 0, or a
 * negative errno; -ENOTDIR or -ELOOP: it is a link. The caller gets a reference. */
int origin_directory_root(struct origin_directory **out, struct origins *origins);
int origin_directory_enter(struct origin_directory **out, struct origins *origins,
			   struct origin_directory *above, const char *name);
/* Take another reference. */
struct origin_directory *origin_directory_share(struct origin_directory *directory);
void origin_directory_release(struct origin_directory *directory);

/* Like openat(2), but returns a negative errno. If descriptors run out, the kept
 * directories are closed first. */
int origins_open_below(struct origins *origins, int above, const char *name, int flags);

#endif

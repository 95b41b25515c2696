/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archived files that several experiments share: a directory, the store, has one file for
 * each content, and links in archives/ lead to them. Ours are named by their checksum
 * alone, so that a file tells whether it is unharmed; gprofng's <POSIX checksum>_<base
 * name>. No other link of an archives/ is ever followed: an experiment must not talk
 * anybody into taking /etc/shadow.
 *
 * Objects of the same content may have different times of modification: that of one is
 * its link's.
 */
#ifndef LIBEXPT_ARCHIVES_STORE_H
#define LIBEXPT_ARCHIVES_STORE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/common/hash.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/expt.h"

/* ---- reading ---- */

/* Whether target can be a file of a store: an absolute path, or one that leads out of
 * archives/. */
bool store_is_target(const char *target);
/* Whether it can be one of ours; its name is the checksum then. */
const char *store_checksum(const char *target);

/* The archived file of this name: a plain file, or what the link of a store leads to,
 * with the time of modification of the object that it is a copy of. 0, -ELOOP: another
 * link, -EINVAL: no plain file, or what lstat(2) and open(2) say. */
int store_stat(struct stat *status, int archives, const char *name);
/* The same, and a descriptor. */
int store_open_file(struct stat *status, int archives, const char *name);

/* The same where the archive may be in a bundle, whose own links are followed; what keeps
 * a file in there is said in err. */
int store_open_in(struct stat *status, const struct folder *archives, const char *name,
		  struct expt_error *err);

/* ---- writing ---- */

struct store {
	int dir;     /* -1: there is none */
	char *links; /* what links to it begin with */
};

/* clang-format off */
#define STORE_INIT	{ .dir = -1 }
/* clang-format on */

/* Open the store at path, which is made if it is not there, for links from archives/ of
 * the founder at founder: absolute, or relative to where that is. */
int store_open(struct store *store, const char *path, const char *founder,
	       bool is_relative, struct expt_error *err);
void store_close(struct store *store);
/* Let name in archives be a link to the store's file with this checksum, for an object
 * with this time of modification; what has the name is replaced. 0 or a negative errno. */
int store_link(const struct store *store, int archives, const char *name,
	       const char *checksum, const struct timespec *mtime);
/* Let name in archives be a link to target, at once, with these times of access and
 * modification. */
int store_replace_link(const char *target, int archives, const char *name,
		       const struct timespec times[2]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archived files shared by several experiments: a directory, the store, has one file for
 * each content, and links in archives/ lead to them. erkit names them by their checksum
 * alone, so that damage can be detected; gprofng by <POSIX checksum>_<base name>. No
 * other link in an archives/ is ever followed, so that an experiment cannot trick the
 * reader into copying /etc/shadow.
 *
 * Objects with the same content may have different modification times, so each link has
 * that of its object.
 */
#ifndef LIBEXPT_ARCHIVES_STORE_H
#define LIBEXPT_ARCHIVES_STORE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/common/hash.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/expt.h"

/* ---- reading ---- */

/* Returns whether target can be a file of a store: an absolute path, or one that leads
 * out of archives/. */
bool store_is_target(const char *target);
/* Returns the checksum, which is the file's name, if target can be a file of erkit's;
 * otherwise NULL. */
const char *store_checksum(const char *target);

/* Get the status of an archived file: a plain file, or the target of a link to a store,
 * with the modification time of the object that was copied. Returns 0, -ELOOP: another
 * link, -EINVAL: not a plain file, or the errors of lstat(2) and open(2). */
int store_stat(struct stat *status, int archives, const char *name);
/* Like store_stat(), and returns a descriptor. */
int store_open_file(struct stat *status, int archives, const char *name);

/* Like store_open_file(), for archives that may be in a bundle, where its own links are
 * followed. If extracting the file fails, err has the reason. */
int store_open_in(struct stat *status, const struct folder *archives, const char *name,
		  struct expt_error *err);

/* ---- writing ---- */

struct store {
	int dir;     /* -1: no store */
	char *links; /* prefix of links to it */
};

/* clang-format off */
#define STORE_INIT	{ .dir = -1 }
/* clang-format on */

/* Open the store at path, or make it, for links from archives/ of the founder at founder:
 * absolute, or relative to its location. */
int store_open(struct store *store, const char *path, const char *founder,
	       bool is_relative, struct expt_error *err);
void store_close(struct store *store);
/* Make name in archives a link to the store's file with this checksum, for an object with
 * this modification time, replacing any file of that name. Returns 0 or a negative
 * errno. */
int store_link(const struct store *store, int archives, const char *name,
	       const char *checksum, const struct timespec *mtime);
/* Atomically make name in archives a link to target, with these times of access and
 * modification. */
int store_replace_link(const char *target, int archives, const char *name,
		       const struct timespec times[2]);

#endif

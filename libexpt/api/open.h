/* SPDX-License-Identifier: Apache-2.0 */
/* Names of experiments, and experiments that are open. */
/* clang-format off */
#ifndef LIBEXPT_API_OPEN_H
#define LIBEXPT_API_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/api/operation.h"

EXPT_DECLARATIONS_BEGIN

struct expt;				/* an open experiment, founder or descendant */
struct expt_import_options;		/* limits for reading a bundle, and more */

/* ---- names ------------------------------------------------------------------------- */

/* Whether the last component of path, without trailing slashes, ends in ".er" and is
 * longer. */
bool expt_name_is_experiment(const char *path);
bool expt_name_is_group(const char *path);		/* ".erg" */

/* The order of descendants: runs of digits compare as numbers, so that _f2 precedes
 * _f10. */
int expt_name_compare(const char *a, const char *b);

/* Whether the directory (a descriptor) is an experiment or is inside one: only a recorder
 * may make files there. */
bool expt_directory_is_inside(int dir);

/* The next free name of the form STEM.N.er in the directory dir (a descriptor), written
 * to out: 1 + the largest number in use, whatever kind of file has it; gaps are not
 * filled. wanted is the name that is taken. -EEXIST: wanted has no number. */
int expt_name_next(char *out, size_t out_size, int dir, const char *wanted,
		   struct expt_error *err);

/* Whether an operand is on another host: "[user@]host:path", with a colon before the
 * first slash. An address with colons is put into brackets. "./a:b" is a local name. */
bool expt_name_is_remote(const char *operand);
/* The length of the host part, up to the colon: "me@desk" of "me@desk:runs". 0: a local
 * name. */
size_t expt_name_host(const char *operand);

/* ---- opening ----------------------------------------------------------------------- */

/* Open the experiment at path: a founder, a descendant inside its founder, or one in a
 * bundle: "runs.tar.zst/test.1.er", or the bundle alone if it holds one experiment.
 * Reads log.xml, warnings.xml and the notes; everything else is read when it is first
 * asked for.
 *
 * -ENOENT: it does not exist; -ENOTDIR, -EBADMSG: it is not an experiment; -ENOTSUP:
 * its format version is not known; -ELIBACC: libarchive or libcrypto, which bundles
 * need, cannot be loaded. A damaged log is not an error: everything that could be read
 * is there, and expt_damage() names the place. */
int expt_open(struct expt **out, const char *path, struct expt_error *err);
/* expt_open() with options, which may be NULL: the limits, and the operation's threads,
 * stop and progress, apply to a bundle. */
int expt_open_with(struct expt **out, const char *path,
		   const struct expt_import_options *options, struct expt_error *err);
void expt_close(struct expt *expt);

const char *expt_path(const struct expt *expt);		/* as given to expt_open() */
const char *expt_lineage(const struct expt *expt);	/* "" for a founder, "_f1_x1" */

/* Descendants of a founder, in the order of expt_name_compare(); a descendant has none.
 * An open descendant belongs to the caller, and must be closed before its founder, with
 * which it shares the load objects. */
size_t expt_descendant_count(const struct expt *founder);
const char *expt_descendant_name(const struct expt *founder, size_t i);	/* "_f1_x1.er" */
int expt_descendant_open(struct expt **out, struct expt *founder, size_t i,
			 struct expt_error *err);

/* The places where data was lost: "log.xml:12: ...", "profile: offset 65536: ...". The
 * list grows while records, stacks and maps are read. It has at most a hundred places;
 * then a last text says how many more there are. Zeros at the end of a file, and a log
 * that does not end, are normal and not listed. */
size_t expt_damage_count(const struct expt *expt);
const char *expt_damage(const struct expt *expt, size_t i);

/* Whether it is still being recorded: the log does not end, and the process that writes
 * it is alive on this host. */
bool expt_is_active(const struct expt *expt);

EXPT_DECLARATIONS_END

#endif

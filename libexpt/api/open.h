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
struct expt_import_options;		/* limits of what is read of a bundle, and more */

/* ---- names ------------------------------------------------------------------------- */

/* The name rule: the last component, trailing slashes ignored, ends in ".er" behind something. */
bool expt_name_is_experiment(const char *path);
bool expt_name_is_group(const char *path);		/* ".erg" */

/* The order of descendants: digit runs compare as numbers, so _f2 stands before _f10. */
int expt_name_compare(const char *a, const char *b);

/* Whether the directory (a descriptor) is an experiment or lies in one: nothing but a recorder may
 * make files there. */
bool expt_directory_is_inside(int dir);

/* The next free name of the form STEM.N.er in the directory dir (a descriptor): 1 + the largest
 * number in use, whatever kind of file has it; gaps are not filled. wanted is the taken name.
 * -EEXIST: wanted has no number. The name is written to out. */
int expt_name_next(char *out, size_t out_size, int dir, const char *wanted,
		   struct expt_error *err);

/* Whether an operand is on another host: "[user@]host:path", with a colon before the first slash; an
 * address with colons stands in brackets. "./a:b" is a local name. */
bool expt_name_is_remote(const char *operand);
/* The bytes of its host part, up to the colon: "me@desk" of "me@desk:runs". 0: a local name. */
size_t expt_name_host(const char *operand);

/* ---- opening ----------------------------------------------------------------------- */

/* Open the experiment at path, a founder or a descendant inside its founder, or in a bundle:
 * "runs.tar.zst/test.1.er", or the bundle alone if it holds one experiment. Reads log.xml,
 * warnings.xml and the notes; the rest is read when it is first asked for. -ENOENT: there is none; -ENOTDIR,
 * -EBADMSG: it is no experiment; -ENOTSUP: a format version we do not know; -ELIBACC: libarchive or
 * libcrypto, which bundles need, cannot be loaded. A damaged log is not an error: what could be read is
 * there, and expt_damage() names the place. */
int expt_open(struct expt **out, const char *path, struct expt_error *err);
/* The same. Of the options, which may be NULL, a bundle is read with the limits, threads, stop and
 * progress. */
int expt_open_with(struct expt **out, const char *path,
		   const struct expt_import_options *options, struct expt_error *err);
void expt_close(struct expt *expt);

const char *expt_path(const struct expt *expt);		/* as given to expt_open() */
const char *expt_lineage(const struct expt *expt);	/* "" for a founder, "_f1_x1" */

/* Descendants of a founder, in the order of expt_name_compare(); a descendant has none. An opened
 * descendant is the caller's and must be closed before its founder, with which it shares the load
 * objects. */
size_t expt_descendant_count(const struct expt *founder);
const char *expt_descendant_name(const struct expt *founder, size_t i);	/* "_f1_x1.er" */
int expt_descendant_open(struct expt **out, struct expt *founder, size_t i,
			 struct expt_error *err);

/* Where data was lost, so far: "log.xml:12: ...", "profile: offset 65536: ...". Grows while records,
 * stacks and maps are read; of more than a hundred places the last text is how many more there are. Zero
 * tails and unclosed logs are normal and not listed. */
size_t expt_damage_count(const struct expt *expt);
const char *expt_damage(const struct expt *expt, size_t i);

/* Still being recorded: the log does not end and its process is alive on this host. */
bool expt_is_active(const struct expt *expt);

EXPT_DECLARATIONS_END

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which file a recording means by a path: the one with the recorded build-id; without
 * one, that of the recorded size and time. A build-id is sufficient: the same program
 * with another time is still the same.
 */
#ifndef LIBEXPT_OBJECTS_IDENTITY_H
#define LIBEXPT_OBJECTS_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "libexpt/expt.h"

/* The result of comparing a file with what was recorded. */
enum identity_match { IDENTITY_DIFFERS, IDENTITY_UNKNOWN, IDENTITY_SAME };

/* Returns the identity of a file with that build-id, or "". */
struct expt_identity identity_of(const char *build_id, const struct stat *status);
/* Whether two recordings mean the same file of a path, and a key for hash tables, which
 * is the same if they do. */
bool identity_is_same(const struct expt_identity *a, const struct expt_identity *b);
uint64_t identity_key(const char *path, const struct expt_identity *identity);
/* Compare a file with what was recorded; times only in units of unit_ns, because copies
 * by gprofng have whole seconds. */
enum identity_match identity_compare(const struct expt_identity *recorded,
				     const struct expt_identity *found, uint64_t unit_ns);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members that a bundle, or any tarball of experiments, may have: the rules that every
 * member must pass before anything is written, and the table of those that passed.
 */
#ifndef LIBEXPT_BUNDLE_MEMBERS_H
#define LIBEXPT_BUNDLE_MEMBERS_H

#include "libexpt/base/arena.h"
#include "libexpt/base/idmap.h"
#include "libexpt/bundle/limits.h"
#include "libexpt/bundle/tar.h"
#include "libexpt/common/digest.h"

#define MEMBERS_GROUP_MAX (1u << 20) /* bytes of a group file */

#define MEMBER_NONE SIZE_MAX

struct member {
	const char *name; /* without leading "./" and trailing "/" */
	const char *path; /* the part of name below its top directory; "" for the top */
	enum tar_type type;
	bool is_implied; /* a directory that only occurs in paths */
	bool is_listed;	 /* in a manifest, with the correct sum */
	bool is_manifest;
	struct timespec mtime;
	uint32_t mode; /* normalized */
	uint64_t size;
	const char *target;
	uint64_t place, span;		/* in the tar archive, if known */
	unsigned char sum[DIGEST_SIZE]; /* of a file, set by its reader */
	size_t owner;			/* for the reader: the experiment it belongs to */
	size_t next_of_key;		/* of the table: same hash, or MEMBER_NONE */
};

struct members {
	struct member *items;
	size_t count, capacity;
	struct arena strings;
	struct idmap by_name;
	uint64_t bytes;	   /* by the headers so far, and the cost of entries */
	uint64_t data;	   /* the part of bytes that takes space: no holes */
	uint64_t names;	   /* bytes of all names */
	uint64_t credible; /* maximum of bytes for the input so far */
	struct limits limits;
};

/* Initialize with the limits of the options; see limits.h. */
void members_init(struct members *members, const struct expt_import_options *options);
void members_release(struct members *members);

/* Check a member and enter it: 1 and its index; 0: it is ignored ("./"); -EPERM: refused,
 * with its name and the reason. Directories above it are entered first, as implied.
 * consumed and input_size (or 0) are those of the compressed stream. */
int members_add(struct members *members, size_t *index, const struct tar_member *member,
		uint64_t consumed, uint64_t input_size, struct expt_error *err);
/* Count data of the file, without zeros that become a hole. -EPERM: too much. */
int members_count_data(struct members *members, const char *name, uint64_t bytes,
		       struct expt_error *err);
size_t members_find(const struct members *members,
		    const char *name); /* returns MEMBER_NONE if not found */

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pieces of a copy: tree.c plans them, item.c copies them, attributes.c and
 * extended.c complete what was copied, and verify.c reads it back.
 */
#ifndef LIBEXPT_COPY_PRIVATE_H
#define LIBEXPT_COPY_PRIVATE_H

#include "libexpt/copy/copy.h"

/* What becomes of an entry of the tree. */
struct copied_file {
	size_t first_part, part_count; /* of a regular file */
	atomic_size_t parts_left;      /* of a big one */
	atomic_bool is_short;	       /* a part ended early */
	bool is_made_first; /* a directory that is there before the items are begun */
	atomic_bool has_vanished;
	mode_t withheld; /* bits of the mode: of an ACL that is lost */
	enum file_change change;
	uint64_t end; /* the size of the source when its last byte had been copied */
};

/* A directory with those of its files that are no items; or a file, or a part of a big
 * one. */
struct copy_item {
	size_t entry;
	size_t part;
};

/* Where an entry is, and is to be: in its directory, or below the roots of both trees. */
struct copy_place {
	int from; /* a negative errno: it could not be opened, so nothing in it can be */
	int to;
	const char *name; /* in both */
};

/* Whether a file is an item of its own; and whether it is one in parts. */
bool copy_is_alone(const struct tree_copy *copy, const struct tree_entry *entry);
bool copy_is_big(const struct tree_copy *copy, const struct tree_entry *entry);
bool copy_is_shared(const struct tree_copy *copy, size_t i); /* a file's blocks */
void *copy_buffer(const struct tree_copy *copy, unsigned worker);
int copy_check_stop(const struct tree_copy *copy, struct expt_error *err);
int copy_fail(int code, const struct tree_entry *entry, struct expt_error *err);
/* Returns a descriptor. */
int copy_open_source(const struct copy_place *place);
/* Entry i, where its name is that below the roots. */
struct copy_place copy_place_below(const struct tree_copy *copy, size_t i);

/* Work on item n; for workers_run(), whose context is the copy. */
int copy_item(void *context, unsigned worker, size_t n, struct expt_error *err);

/* Give a big file its final form, after its last part. */
int copy_finish_big_file(struct tree_copy *copy, size_t i, int in, int out);

/* The attributes of entry i: of the descriptor at where name is "", else of name in the
 * directory at. created is the mode with which it was made. */
int copy_attributes(struct tree_copy *copy, size_t i, int at, const char *name,
		    mode_t created);
/* Before them: the extended attributes of the original, open as in, to the copy, open as
 * out. */
int copy_extended(struct tree_copy *copy, size_t i, int in, int out);
bool copy_has_extended(struct tree_copy *copy, int in);
int copy_probe_extended(struct tree_copy *copy);
/* Make the directory that is entry i. It allows everything to us until its attributes are
 * set. */
int copy_make_directory(const struct tree_copy *copy, size_t i);
/* The directory that is entry i: of the original, which may have disappeared, and of the
 * copy. */
int copy_open_directory(const struct tree_copy *copy, size_t i, struct copy_place *place);
void copy_close_directory(const struct copy_place *place);
int copy_directory_attributes(struct tree_copy *copy, size_t i,
			      const struct copy_place *directory);

#endif

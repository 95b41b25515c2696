/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pieces of a copy: tree.c plans them, item.c copies them, attributes.c and
 * extended.c complete what was copied, and verify.c reads it back.
 */
#ifndef LIBEXPT_COPY_PRIVATE_H
#define LIBEXPT_COPY_PRIVATE_H

#include "libexpt/copy/copy.h"

/* The state of an entry of the tree during the copy. */
struct copied_file {
	size_t first_part, part_count; /* of a regular file */
	atomic_size_t parts_left;      /* of a big one */
	atomic_bool is_short;	       /* a part ended early */
	bool is_made_first; /* a directory that exists before any item is started */
	atomic_bool has_vanished;
	mode_t withheld; /* mode bits of an ACL that is lost */
	enum file_change change;
	uint64_t end; /* the size of the source after its last byte was copied */
};

/* A directory with those of its files that are not items, a file, or a part of a big
 * one. */
struct copy_item {
	size_t entry;
	size_t part;
};

/* The source and the target of an entry: in its directory, or below the roots of both
 * trees. */
struct copy_place {
	int from; /* a negative errno if it could not be opened, nor anything in it */
	int to;
	const char *name; /* in both */
};

/* Return true if a file is an item of its own, and if it is copied in parts. */
bool copy_is_separate_item(const struct tree_copy *copy, const struct tree_entry *entry);
bool copy_is_big(const struct tree_copy *copy, const struct tree_entry *entry);
bool copy_is_shared(const struct tree_copy *copy, size_t i); /* the file is a clone */
void *copy_buffer(const struct tree_copy *copy, unsigned worker);
int copy_check_stop(const struct tree_copy *copy, struct expt_error *err);
int copy_fail(int code, const struct tree_entry *entry, struct expt_error *err);
/* Returns a descriptor or a negative errno. */
int copy_open_source(const struct copy_place *place);
/* Returns the place of entry i, by its name below the roots. */
struct copy_place copy_place_below(const struct tree_copy *copy, size_t i);

/* Copy item n. For workers_run(), with the copy as its context. */
int copy_item(void *context, unsigned worker, size_t n, struct expt_error *err);

/* Give a big file its final form, after its last part. */
int copy_finish_big_file(struct tree_copy *copy, size_t i, int in, int out);

/* Set the attributes of entry i: of the descriptor at if name is "", else of name in the
 * directory at. created is the mode with which it was made. */
int copy_attributes(struct tree_copy *copy, size_t i, int at, const char *name,
		    mode_t created);
/* Copy the extended attributes of the original, open as in, to the copy, open as out.
 * Called before copy_attributes(). */
int copy_extended(struct tree_copy *copy, size_t i, int in, int out);
bool copy_has_extended(struct tree_copy *copy, int in);
int copy_probe_extended(struct tree_copy *copy);
/* Make the directory that is entry i. Its owner has all rights until its attributes are
 * set. */
int copy_make_directory(const struct tree_copy *copy, size_t i);
/* Open the directory that is entry i, of the original, which may have disappeared, and of
 * the copy. */
int copy_open_directory(const struct tree_copy *copy, size_t i, struct copy_place *place);
void copy_close_directory(const struct copy_place *place);
int copy_directory_attributes(struct tree_copy *copy, size_t i,
			      const struct copy_place *directory);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies a listed tree into an empty private directory, by several threads: bytes,
 * times, modes, and as root the owner.
 */
#ifndef LIBEXPT_COPY_COPY_H
#define LIBEXPT_COPY_COPY_H

#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/copy/bytes.h"
#include "libexpt/tree/tree.h"

/* A file from this size on is an item of its own; a smaller one belongs to that of its
 * directory. */
#define TREE_COPY_ALONE_SIZE (UINT64_C(1) << 20)
/* A file from this size on may be divided among several threads, in parts of this
 * size. */
#define TREE_COPY_PART_SIZE (UINT64_C(64) << 20)

enum file_change {
	FILE_AS_LISTED,
	FILE_GREW,     /* copied up to the size listed */
	FILE_CHANGED,  /* modified during the copy */
	FILE_SHRANK,   /* copied up to its new end */
	FILE_VANISHED, /* not copied */
};

struct tree_copy {
	const struct tree *tree;
	int from, to;
	unsigned threads;
	bool needs_verify;	 /* tree_copy_verify() will be called */
	bool syncs_files;	 /* sync each file and directory separately */
	bool begins_sync;	 /* start writeback: the caller will sync everything */
	bool without_attributes; /* keep those of new files */
	bool is_live;		 /* copy the files of a directory in order, one by one */
	enum expt_reflink reflink;
	enum expt_sparse sparse;
	const volatile int *stop; /* not NULL and not 0: end with -EINTR */
	struct expt_progress *progress;

	struct copied_file *files; /* one for each entry of the tree */
	struct transfer_part *parts;
	struct copy_item *items;
	size_t part_count, item_count, big_count;
	unsigned char *buffers; /* one for each thread */
	struct transfer_means means;
	mode_t lost_bits;      /* mode bits lost to umask or ACL */
	mode_t inherited_bits; /* of new directories: set-group-id */
	bool is_root;
	uid_t uid; /* of new files */
	gid_t gid;
	atomic_bool lost_modes;	     /* the file system does not keep modes */
	bool inherits_acl;	     /* new entries of to inherit one */
	atomic_bool has_no_extended; /* in the file system of from */
	atomic_bool lost_extended; /* the file system of to does not take an attribute */
};

/* Copy the files. to must be empty, or contain other names only. */
int tree_copy_run(struct tree_copy *copy, struct expt_error *err);
/* Read back everything that was written. Returns -EIO, with the file, if it differs. */
int tree_copy_verify(struct tree_copy *copy, struct expt_error *err);
/* Returns the mode that entry i, a directory, has in the copy. */
mode_t tree_copy_directory_mode(const struct tree_copy *copy, size_t i);
/* Returns how entry i of the tree changed during the copy. */
enum file_change tree_copy_change(const struct tree_copy *copy, size_t i);
void tree_copy_release(struct tree_copy *copy);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The copy of a listed tree into an empty directory of ours, by several threads: bytes,
 * times, modes, and the owner where we are root.
 */
#ifndef LIBEXPT_COPY_COPY_H
#define LIBEXPT_COPY_COPY_H

#include <stdbool.h>
#include <sys/stat.h>

#include "libexpt/copy/bytes.h"
#include "libexpt/tree/tree.h"

/* From this size on a file is work of its own; smaller ones are that of their directory.
 */
#define TREE_COPY_ALONE_SIZE (UINT64_C(1) << 20)
/* From this size on it may be work for several threads, in parts of this size. */
#define TREE_COPY_PART_SIZE (UINT64_C(64) << 20)

enum file_change {
	FILE_AS_LISTED,
	FILE_GREW,     /* copied up to the size listed */
	FILE_CHANGED,  /* written to meanwhile */
	FILE_SHRANK,   /* copied up to its new end */
	FILE_VANISHED, /* not copied */
};

struct tree_copy {
	const struct tree *tree;
	int from, to;
	unsigned threads;
	bool needs_verify; /* tree_copy_verify() will be called */
	bool syncs_files;  /* each by itself, and the directories */
	bool begins_sync;  /* the caller will sync all: begin with what is written */
	bool without_attributes; /* those of new files are good enough */
	bool is_live; /* the files of a directory are copied one after the other, in an
			 order */
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
	mode_t lost_bits;      /* of modes, to umask or ACL */
	mode_t inherited_bits; /* of new directories: set-group-id */
	bool is_root;
	uid_t uid; /* of new files */
	gid_t gid;
	atomic_bool lost_modes;	     /* the file system keeps no modes */
	bool inherits_acl;	     /* what is made in to */
	atomic_bool has_no_extended; /* the file system of from */
	atomic_bool lost_extended; /* the file system of to does not take an attribute */
};

/* Copy the files. to is empty, or holds other names. */
int tree_copy_run(struct tree_copy *copy, struct expt_error *err);
/* Read all that was written: -EIO, and the file, if it differs. */
int tree_copy_verify(struct tree_copy *copy, struct expt_error *err);
/* The mode that entry i, a directory, has in the copy. */
mode_t tree_copy_directory_mode(const struct tree_copy *copy, size_t i);
/* What became of entry i of the tree meanwhile. */
enum file_change tree_copy_change(const struct tree_copy *copy, size_t i);
void tree_copy_release(struct tree_copy *copy);

#endif

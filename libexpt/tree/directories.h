/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All directories of a tree, opened and read once, with the names in them: what looks
 * through a tree hands them on to what lists or removes it. What a directory holds is
 * reached through its descriptor, so that nobody can put another one in its place
 * meanwhile.
 */
#ifndef LIBEXPT_TREE_DIRECTORIES_H
#define LIBEXPT_TREE_DIRECTORIES_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "libexpt/base/arena.h"
#include "libexpt/expt.h"
#include "libexpt/tree/admit.h"

/* Directories deeper than this are no experiment's: class files of Java packages are
 * deepest. */
#define TREE_DEPTH_MAX 64

struct directory_names {
	char *bytes; /* for directories_next_name() */
	size_t length, capacity;
};

struct directory {
	const char *path; /* below the root; "" for the root itself */
	const char *base; /* the last component of path */
	size_t parent;	  /* index of the directory it is in; the root is in itself */
	int depth;	  /* 0: the root */
	int kind;	  /* what the caller calls it */
	int fd;		  /* -1: too many are open. That of the root is the caller's */
	dev_t device;	  /* what it was when it was read, unless it is kept open */
	ino_t inode;
	bool is_empty;
	bool is_complete; /* all names are here, not only those of directories */
	struct directory_names names;
};

/* items[0] is the root; the others stand behind all that are less deep. */
struct directories {
	struct directory *items;
	size_t count, capacity;
	struct arena strings;
	time_t begun;			  /* reading them */
	const struct directory **by_path; /* by directories_sort() */
};

struct directory_name {
	unsigned char type; /* DT_REG and so on; DT_UNKNOWN where nothing tells */
	unsigned char kind;
	const char *text;
};

/* What is done with each name when it is read: the kind of a directory, or of no meaning,
 * at most 255; or a negative errno. */
typedef int directories_look(void *context, const struct directory *directory,
			     const struct directory_name *name, struct expt_error *err);

struct directories_reading {
	directories_look *look; /* may be NULL */
	void *context;
	bool keeps;	 /* names of files, and descriptors, as many as is reasonable */
	bool is_removal; /* our own directories that do not let us in are made to, and
			  * what disappears is no error */
	struct admissions *admissions; /* NULL, or: the same is done, by one thread, and
					  remembered */
	unsigned threads;
};

/* Read the directory root and all below it, which are on one mount: -EPERM, and its name,
 * for others. root is to stay open as long as the list is used, and read from its start
 * again afterwards. Release the directories after a failure, too. */
int directories_read(struct directories *directories, int root,
		     const struct directories_reading *reading, struct expt_error *err);
void directories_release(struct directories *directories);

/* By its name: it has no record yet, and will have another name at any moment. */
bool directories_is_being_recorded(const char *name);

/* The first or the next name: true and *name filled; at starts with 0. Names are in the
 * order in which the file system has them. */
bool directories_next_name(const struct directory *directory, size_t *at,
			   struct directory_name *name);

/* A descriptor of the directory at index i: its own, or one that is opened for it, which
 * is in *opened as well then. A negative errno; -ENOENT as well if another directory has
 * its name now. */
int directories_open(const struct directories *directories, size_t i, int *opened);

/* Close what directories_read() has kept open; directories_open() opens it again. */
void directories_close(struct directories *directories, size_t i);

/* Make it possible to find them: -ENOMEM. */
int directories_sort(struct directories *directories);
/* The directory of that path, or NULL. */
const struct directory *directories_find(const struct directories *directories,
					 const char *path);

#endif

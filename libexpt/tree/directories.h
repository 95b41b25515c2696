/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All directories of a tree, opened and read once, with the names in them. The code that
 * examines a tree passes them on to the code that lists or removes it. Contents are
 * reached through the descriptors, so that others cannot replace a directory between the
 * two.
 */
#ifndef LIBEXPT_TREE_DIRECTORIES_H
#define LIBEXPT_TREE_DIRECTORIES_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "libexpt/base/arena.h"
#include "libexpt/expt.h"
#include "libexpt/tree/admit.h"

/* Experiments have no directories deeper than this; the class files of Java packages are
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
	int kind;	  /* defined by the caller: the result of its look() */
	int fd;		  /* -1: too many are open. The root's belongs to the caller */
	dev_t device;	  /* identity when it was read, unless it is kept open */
	ino_t inode;
	bool is_empty;
	bool is_complete; /* names has all names, not only those of directories */
	struct directory_names names;
};

/* items[0] is the root; every other directory follows all that are less deep. */
struct directories {
	struct directory *items;
	size_t count, capacity;
	struct arena strings;
	time_t begun;			  /* when reading began */
	const struct directory **by_path; /* by directories_sort() */
};

struct directory_name {
	unsigned char type; /* DT_REG and so on; DT_UNKNOWN if not known */
	unsigned char kind;
	const char *text;
};

/* Called for each name as it is read. Returns the kind of a directory (ignored for other
 * files), at most 255, or a negative errno. */
typedef int directories_look(void *context, const struct directory *directory,
			     const struct directory_name *name, struct expt_error *err);

struct directories_reading {
	directories_look *look; /* may be NULL */
	void *context;
	bool keeps;	 /* keep names of files, and descriptors, within limits */
	bool is_removal; /* make our own directories accessible, and ignore what
			    disappears */
	struct admissions *admissions; /* unless NULL: make them accessible as well, and
					  remember the modes; needs threads == 1 */
	unsigned threads;
};

/* Read the directory root and everything below it on the same mount; another mount is
 * -EPERM, with its name. root must stay open as long as the list is used, and is rewound
 * afterwards. Release the directories after a failure, too. */
int directories_read(struct directories *directories, int root,
		     const struct directories_reading *reading, struct expt_error *err);
void directories_release(struct directories *directories);

/* Returns whether the recorder is still making the directory of that name: it has no log
 * yet, and may be renamed at any moment. */
bool directories_is_being_recorded(const char *name);

/* Get the first or next name: true and *name filled; *at starts with 0. Names are in the
 * order of the file system. */
bool directories_next_name(const struct directory *directory, size_t *at,
			   struct directory_name *name);

/* Returns a descriptor of the directory at index i: the one kept open, or a new one,
 * which is stored in *opened as well. A negative errno on failure; -ENOENT also if
 * another directory has its name now. */
int directories_open(const struct directories *directories, size_t i, int *opened);

/* Close the descriptor that directories_read() kept; directories_open() opens it
 * again. */
void directories_close(struct directories *directories, size_t i);

/* Prepare for directories_find(): 0 or -ENOMEM. */
int directories_sort(struct directories *directories);
/* Returns the directory of that path, or NULL. */
const struct directory *directories_find(const struct directories *directories,
					 const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Access to the files of the experiment. The program's descriptor table holds none of
 * them: the founder's directory is opened by name for each piece of work, and checked by
 * device and inode, because the name may have been given to something else. Descriptors
 * are held only once the name no longer leads to the files: from a call of chroot() on,
 * or of a function that changes the user.
 */
#ifndef COLLECTOR_FILES_ACCESS_H
#define COLLECTOR_FILES_ACCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns true if the founder's directory can be reached. Call once, when an image
 * starts. */
bool access_start(void);
/* The recording no longer needs the directory. */
void access_end(void);
bool access_is_given(void);

/* Runs work with a descriptor of the founder's directory, closes the descriptor, and
 * returns the result of work. May be called inside work, and in handlers. Returns -ESTALE
 * if the name leads to another directory, or any other error of open. If the program has
 * used up its descriptors, work runs in a thread with its own descriptor table; it may be
 * run a second time after -EMFILE. */
typedef long access_work(int founder, void *argument);
long access_run(access_work *work, void *argument);
/* The same with the rights that this thread will have as another user. */
long access_run_as(uid_t user, access_work *work, void *argument);
/* Returns true inside work that runs with its own table, where no descriptor outlives it.
 */
bool access_is_apart(void);

/* Hold a descriptor of the directory from now on. Returns false if it cannot be reached.
 */
bool access_hold(void);
/* Call around the time in which any other descriptor is open, with signals blocked: a
 * fork waits for its end. */
void access_begin_open(void);
void access_end_open(void);
/* Call around a fork: no other thread then has a descriptor open that the child would
 * get. The second is for the parent, the third for the child. */
void access_before_fork(void);
void access_after_fork_in_parent(void);
void access_after_fork(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way to the files of the experiment. The program's table of descriptors holds none
 * of ours: the founder's directory is opened by its name for each piece of work, and
 * judged by its identity, as others may have given the name to something else.
 * Descriptors are held only where a name will not lead to the files any more: from a call
 * of chroot() on, or of a function that changes the user.
 */
#ifndef COLLECTOR_ACCESS_H
#define COLLECTOR_ACCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* True if the founder's directory can be reached. Once, when an image starts. */
bool access_start(void);
/* The recording has no use of the directory any more. */
void access_end(void);
bool access_is_given(void);

/* Runs work with a descriptor of the founder's directory, closes that, and returns the
 * result of work. Also inside work, and in handlers. -ESTALE: the name leads to another
 * directory; or any other error of open. If the program has used up its descriptors, work
 * runs in a thread with a table of its own, apart from the program's; work may be run a
 * second time after -EMFILE. */
typedef long access_work(int founder, void *argument);
long access_run(access_work *work, void *argument);
/* The same with the rights that this thread will have as another user, whom it may
 * become. */
long access_run_as(uid_t user, access_work *work, void *argument);
/* In work: no descriptor outlives it. */
bool access_is_apart(void);

/* Hold a descriptor of the directory from now on. False: it cannot be reached. */
bool access_hold(void);
/* Around the time in which any other descriptor is open, with signals blocked: a fork
 * waits for its end. */
void access_begin_open(void);
void access_end_open(void);
/* Around a fork: no other thread has anything open that the child would get. The second
 * is for the parent, the third for the child. */
void access_before_fork(void);
void access_after_fork_in_parent(void);
void access_after_fork(void);

#endif

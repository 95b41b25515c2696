/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment on disk. A descendant's directory is made when its first event comes;
 * one that ends without any leaves four small files, written at its end.
 */
#ifndef COLLECTOR_EXPERIMENT_EXPERIMENT_H
#define COLLECTOR_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>

/* Make directory and files at the first call. False: there are none, or not yet (another
 * thread is making them). */
bool experiment_materialise(void);
bool experiment_is_made(void);
/* The same at the end of the process: what little there is to record is written with the
 * other files when they are closed. */
bool experiment_materialise_at_end(void);
/* Map room for what is still to come, while that can be done. */
void experiment_reserve(void);
/* Make it now, and hold descriptors of its files: the program's rights may not do to open
 * them later. */
void experiment_hold(void);
/* Say in the log if a descendant of that name can have no directory, as far as can be
 * known. */
void experiment_foresee(const char *lineage);
/* A line for the founder's warnings. */
struct text;
void experiment_warn(struct text *line);
/* The end: files cut to what is used, and closed; made, if there are none yet. */
void experiment_close(void);
/* Around an exec, which may fail: what is on disk is complete, nothing more is handed
 * out. */
void experiment_suspend(void);
bool experiment_resume(void);
/* In a child of fork, whose own experiment is still to be made. */
void experiment_forget(void);

#endif

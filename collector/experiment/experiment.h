/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment on disk. A descendant's directory is made at its first event. A
 * descendant that ends without events leaves four small files, written at its end.
 */
#ifndef COLLECTOR_EXPERIMENT_EXPERIMENT_H
#define COLLECTOR_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

/* Make the directory and files at the first call. False: there are none, or another
 * thread is still making them. */
bool experiment_materialise(void);
bool experiment_is_made(void);
/* The same at the end of the process: the few records are kept in memory, and written
 * when the files are closed. */
bool experiment_materialise_at_end(void);
/* Map room for further data, while that is still permitted. */
void experiment_reserve(void);
/* Make the experiment now and keep its files open: the program may lose the right to open
 * them later. */
void experiment_hold(void);
/* Cut the files to the bytes in use and close them. Make them first, if there are none
 * yet. */
void experiment_close(void);
/* Call around an exec, which may fail: in between, the files on disk are complete, and no
 * room is handed out. */
void experiment_suspend(void);
bool experiment_resume(void);
/* Give back the memory of an ended experiment's files, when no thread writes. */
void experiment_unmap(void);
/* Call in a child of fork, whose own experiment is made later, and before another
 * recording. */
void experiment_forget(void);

/* Returns the size of the files so far, without that of the samples. */
uint64_t experiment_bytes(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The directory of an experiment, and new files in it. All of it goes through the
 * descriptor of the founder's directory. Functions return 0 or a negative errno.
 */
#ifndef COLLECTOR_EXPERIMENT_DIRECTORY_H
#define COLLECTOR_EXPERIMENT_DIRECTORY_H

#include <stddef.h>

struct output;

/* A descendant's directory has a hidden name until it is shown. The founder's exists. */
int directory_make(int founder);
int directory_show(int founder);
/* Remove the directory with its files if it was not shown: there is no room for it. */
void directory_remove_hidden(int founder);

/* Make a file with this content. The output then grows it in steps of the window; NULL:
 * the file is complete. */
int directory_make_file(int founder, struct output *output, size_t window,
			const char *name, const char *content, size_t length);
/* Make an empty file for the output at any later time. */
int directory_add_file(struct output *output, const char *name);

#endif

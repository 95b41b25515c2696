/* SPDX-License-Identifier: Apache-2.0 */
/* The directory that is recorded into. */
#ifndef COLLECTOR_LAUNCH_EXPERIMENT_H
#define COLLECTOR_LAUNCH_EXPERIMENT_H

#include "collector/launch/settings.h"

struct installation;

struct experiment {
	char *path;	/* for messages; relative if the user gave it so */
	char *absolute; /* for the collector */
	int parent;	/* the directory that contains it */
	int dir;	/* the directory itself, once made; used from then on */
};

#define EXPERIMENT_INIT                 \
	{                               \
		.parent = -1, .dir = -1 \
	}

/* Choose the name that would be used now, without making anything. Prints errors and
 * returns a status, as do the functions below. */
int experiment_choose(struct experiment *experiment, const struct settings *settings);
/* Open the experiment of this name, which is there. */
int experiment_open(struct experiment *experiment, const char *name);
/* Remove the experiment of that name, if the settings ask for it. */
int experiment_overwrite(const struct experiment *experiment,
			 const struct settings *settings,
			 const struct installation *installation);
/* Make the directory (under the next number if another collect was faster) and the notes,
 * and add the experiment to its group. */
int experiment_create(struct experiment *experiment, const struct settings *settings);
/* Undo experiment_create() if the target could not be started. */
void experiment_discard(const struct experiment *experiment);
void experiment_release(struct experiment *experiment);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment handle inside libexpt. The file named beside each part fills it when it
 * is first needed; tools see none of this.
 */
#ifndef LIBEXPT_EXPERIMENT_HANDLE_H
#define LIBEXPT_EXPERIMENT_HANDLE_H

#include "libexpt/base/arena.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/experiment/map.h"
#include "libexpt/expt.h"

struct expt_log;     /* log.c: log.xml, warnings.xml, notes */
struct stack_table;  /* stack_table.c: data.frameinfo */
struct sample_table; /* samples.c */
struct address_map;  /* places/address_map.c: segments by address and time */
struct java_table;   /* objects/java.c: Java methods by their ids */
struct object_table; /* objects/object.c: the load objects, in one table for a founder and
			all its descendants */

struct expt {
	char *path;
	char *lineage;
	struct folder folder; /* the experiment directory */
	struct expt *founder; /* expt itself for a founder, or if opened on its own */
	bool owns_founder; /* opened by its own path, so the founder was opened only for
			      it */
	struct {
		const char **items;
		size_t count, capacity;
	} descendants; /* names, sorted; founders only */

	struct expt_log *log;
	struct stack_table *stacks;
	struct sample_table *samples;
	struct address_map *addresses;
	void (*close_addresses)(struct address_map *addresses);
	struct java_table *java;
	void (*close_java)(struct java_table *java);
	struct object_table *objects; /* owned by the founder */
	void (*close_objects)(struct object_table *objects);

	struct arena strings;
	struct damage damage;
};

/* Open the experiment in a folder, which the handle takes over. path is its name. */
int expt_open_folder(struct expt **out, const char *path, struct folder folder,
		     struct expt_error *err);
/* Open the founder or descendant in the directory dir, which the caller keeps; messages
 * use path. */
int expt_open_directory(struct expt **out, int dir, const char *path,
			struct expt_error *err);
/* Open the experiment in a directory of the bundle. */
int expt_open_in(struct expt **out, struct package *package, size_t member,
		 struct expt_error *err);

#endif

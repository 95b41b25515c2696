/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment handle as libexpt's own files see it. Each part is filled by the file
 * named beside it, the first time it is needed; tools see none of this.
 */
#ifndef LIBEXPT_EXPERIMENT_HANDLE_H
#define LIBEXPT_EXPERIMENT_HANDLE_H

#include "libexpt/base/arena.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/experiment/map.h"
#include "libexpt/expt.h"

struct expt_log;     /* log.c: log.xml, warnings.xml, notes */
struct stack_table;  /* stacks.c: data.frameinfo */
struct sample_table; /* samples.c */
struct address_map;  /* objects/place.c: segments of this process by address and time */
struct object_table; /* objects/object.c: the load objects, one table for a founder and
			all below it */

struct expt {
	char *path;
	char *lineage;
	struct folder folder; /* the experiment directory */
	struct expt *founder; /* itself, when opened as one or on its own */
	bool owns_founder;    /* opened by its own path, and the founder for its sake */
	struct {
		const char **items;
		size_t count, capacity;
	} descendants; /* names, sorted; founders only */

	struct expt_log *log;
	struct stack_table *stacks;
	struct sample_table *samples;
	struct address_map *addresses;
	void (*close_addresses)(struct address_map *addresses);
	struct object_table *objects; /* owned by the founder */
	void (*close_objects)(struct object_table *objects);

	struct arena strings;
	struct {
		const char **items;
		size_t count, capacity;
		uint64_t more; /* counted, not kept */
		char summary[64];
	} damage;
};

/* The experiment that the folder is; the folder is given away. path is its name. */
int expt_open_folder(struct expt **out, const char *path, struct folder folder,
		     struct expt_error *err);
/* The founder or descendant whose directory dir is, which stays the caller's; path is
 * what messages call it. */
int expt_open_directory(struct expt **out, int dir, const char *path,
			struct expt_error *err);
/* The experiment that a directory of the bundle is. */
int expt_open_in(struct expt **out, struct package *package, size_t member,
		 struct expt_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Segments and dynamic functions in map.xml, read without opening any load object, as
 * archives need it. objects/ builds load objects and the address map on top. */
#ifndef LIBEXPT_EXPERIMENT_MAP_H
#define LIBEXPT_EXPERIMENT_MAP_H

#include "libexpt/base/arena.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/expt.h"

/* A dynamic function, or a named part of one (the vdso). */
struct map_function {
	const char *name;
	const char *alias, *source; /* or NULL */
	uint64_t address, size;
	uint64_t loaded_ns, unloaded_ns;
	bool is_part; /* a dynfunc: it has the times of the function that follows */
	bool is_java; /* a compiled method, given by its id; name is "" */
	uint64_t method;
};

struct expt_map {
	struct arena strings;
	struct {
		struct expt_segment *items; /* in file order, objects not yet set */
		size_t count, capacity;
	} segments;
	struct {
		struct map_function *items;
		size_t count, capacity;
	} functions;
	struct damage damage;
};

/* Read the map of an experiment. A missing map is empty and damage; only -ENOMEM and the
 * like fail. Segments unloaded or overlapped get their unloaded_ns. */
int map_read(struct expt_map *map, const struct folder *folder, struct expt_error *err);
/* Like map_read(), from memory; called by fuzzing, too. */
int map_parse(struct expt_map *map, const void *bytes, size_t size,
	      struct expt_error *err);
void map_release(struct expt_map *map);

#endif

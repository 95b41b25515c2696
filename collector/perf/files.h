/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files with code that were mapped. A recording names them, and may come from
 * another machine, or from somebody who wants root to open something: only regular files
 * of file systems with real files are opened, for reading, and only the one that was
 * recorded is used.
 */
#ifndef COLLECTOR_PERF_FILES_H
#define COLLECTOR_PERF_FILES_H

#include "collector/outside/binary.h"
#include "collector/perf/event.h"
#include "collector/perf/features.h"

struct files {
	const struct recording *recording;
	const struct features *features;
	bool has_vdso; /* that of this machine was mapped */
	void *tree;
};

/* Returns the file of a mapping, or NULL: it is of none, or memory ran out. Without
 * is_known there is no such file here, but its build-id may be known. */
struct binary *files_get(struct files *files, const struct event *event);
void files_release(struct files *files);

#endif

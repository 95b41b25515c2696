/* SPDX-License-Identifier: Apache-2.0 */
/* The files that belong to this program. */
#ifndef COLLECTOR_LAUNCH_INSTALLATION_H
#define COLLECTOR_LAUNCH_INSTALLATION_H

#include "collector/launch/settings.h"
#include "libexpt/base/strbuf.h"

struct installation {
	char *plugins; /* directory of libcollector.so and its companions, absolute */
	char *archiver, *remover; /* er_archive and er_rm, absolute */
	char *readme;
	char *gdb_commands; /* the file that gdb reads for its collector commands */
};

/* Find the files, in the build tree or as installed. */
int installation_find(struct installation *installation);
/* Refuse a place from which nothing can be preloaded. */
int installation_check_preload(const struct installation *installation);
void installation_release(struct installation *installation);
/* List the libraries that these kinds of data need, separated by blanks, libcollector.so
 * first: the others need it. Returns a status. */
int installation_libraries(struct strbuf *list, const struct installation *installation,
			   const struct settings *settings);
/* Returns the value of LD_PRELOAD, to be freed: these libraries before those that the
 * user preloads, but after the run-time of a sanitizer, without doubles of ours. NULL:
 * out of memory. */
char *installation_preload(const char *libraries, const char *sanitizer);

#endif

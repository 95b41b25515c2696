/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time libraries of sanitizers. Their reports name the callers of malloc,
 * pthread_create and many others, so the program itself must call the run-time: it is
 * preloaded before the collector's libraries, whose wrappers it then calls instead of
 * libc's functions. A statically linked run-time comes first in any case.
 */
#ifndef COLLECTOR_COMMON_SANITIZER_H
#define COLLECTOR_COMMON_SANITIZER_H

#include <elf.h>
#include <stddef.h>

#define SANITIZER_NAME_SIZE 64

/* Returns the length of the first word of a list like LD_PRELOAD if it names a run-time,
 * with or without a path; otherwise 0. */
size_t sanitizer_length(const char *list);
/* Find the run-time that the program in this file needs, by the name that the loader
 * looks for; "": none. */
void sanitizer_find_needed(int fd, const Elf64_Ehdr *header,
			   char name[static SANITIZER_NAME_SIZE]);

#endif

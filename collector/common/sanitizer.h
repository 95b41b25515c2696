/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time libraries of sanitizers. Their reports name the callers of malloc,
 * pthread_create and many others, so the program itself must call these functions: the
 * run-time is preloaded before our libraries, whose wrappers it then calls instead of
 * libc's functions. A run-time that is linked statically comes first in any case.
 */
#ifndef COLLECTOR_SANITIZER_H
#define COLLECTOR_SANITIZER_H

#include <elf.h>
#include <stddef.h>

#define SANITIZER_NAME_SIZE 64

/* The length of the first word of a list like LD_PRELOAD if it is the name or path of a
 * run-time; 0: it is not. */
size_t sanitizer_length(const char *list);
/* The run-time that the program in this file needs, as the loader looks for it; "": none.
 */
void sanitizer_find_needed(int fd, const Elf64_Ehdr *header,
			   char name[static SANITIZER_NAME_SIZE]);

#endif

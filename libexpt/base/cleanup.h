/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Locals that release what they hold when they go out of scope, so that an early return
 * is right:
 *
 *	cleanup_fd int fd = open(...);
 *	cleanup_free char *text = strdup(...);
 *	cleanup(expt_closep) struct expt *expt = NULL;
 *	...
 *	*out = steal(&expt);
 */
#ifndef LIBEXPT_BASE_CLEANUP_H
#define LIBEXPT_BASE_CLEANUP_H

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define cleanup(function) __attribute__((__cleanup__(function)))
#define cleanup_free	  cleanup(cleanup_freep)
#define cleanup_fd	  cleanup(cleanup_fdp)

/* Returns the pointer's value and sets the pointer to NULL. */
#define steal(pointer)                                       \
	(__extension__({                                     \
		__typeof__(*(pointer)) stolen_ = *(pointer); \
		*(pointer) = NULL;                           \
		stolen_;                                     \
	}))

static inline int steal_fd(int *fd)
{
	int stolen = *fd;

	*fd = -1;
	return stolen;
}

static inline void cleanup_freep(void *pointer)
{
	free(*(void **)pointer);
}

static inline void cleanup_fdp(const int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	errno = saved;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Files inside a zip file, such as the classes in a jar. */
#ifndef LIBEXPT_STREAM_ZIP_MEMBER_H
#define LIBEXPT_STREAM_ZIP_MEMBER_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/expt.h"

/* What to do with the members of a zip file. */
struct zip_reader {
	size_t max; /* of the bytes of a member */
	bool (*wants)(void *context, const char *name);
	/* The bytes become the function's, to be freed. */
	void (*take)(void *context, const char *name, unsigned char *bytes, size_t size);
	void *context;
};

/* Read the wanted members into memory. Returns their number. -EFBIG: one is larger than
 * max; -EBADMSG: the file is damaged, or no zip file. */
int zip_members_read(int fd, const struct zip_reader *reader, struct expt_error *err);

#endif

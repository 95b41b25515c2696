/* SPDX-License-Identifier: Apache-2.0 */
/* Files inside a zip file, such as the classes in a jar. */
#ifndef LIBEXPT_STREAM_ZIP_MEMBER_H
#define LIBEXPT_STREAM_ZIP_MEMBER_H

#include <stddef.h>

#include "libexpt/expt.h"

/* Read the member with this name from the zip file, into memory that the caller frees.
 * -ENOENT: there is none; -EFBIG: it is larger than max; -EBADMSG: the file is damaged,
 * or no zip file. */
int zip_member_read(unsigned char **bytes, size_t *size, int fd, const char *name,
		    size_t max, struct expt_error *err);

#endif

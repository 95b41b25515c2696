/* SPDX-License-Identifier: Apache-2.0 */
/* The archiver for copies; expt_archive() is in expt.h. */
#ifndef LIBEXPT_ARCHIVER_ARCHIVE_H
#define LIBEXPT_ARCHIVER_ARCHIVE_H

#include "libexpt/expt.h"

/* Archive for the copy in the directory copy of the experiment at from, which is only
 * read. Otherwise as expt_archive(). */
int archive_into(int copy, const char *from, const struct expt_archive_options *options,
		 struct expt_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Unpacking single members of a tar archive below a directory descriptor. The names have
 * passed members.c; still, no link is followed and nothing is replaced. */
#ifndef LIBEXPT_BUNDLE_UNPACK_H
#define LIBEXPT_BUNDLE_UNPACK_H

#include "libexpt/bundle/members.h"

/* The source of data. */
struct unpacker {
	struct tar_reader *reader;
	struct digest *digest;
	struct members *members;	/* for their limits */
	struct expt_progress *progress; /* files are added; the reader adds bytes */
	const volatile int *stop; /* unless NULL: end with -EINTR once it is not 0 */
};

/* Unpack a file to member->path below dir, keeping holes, and store its sum in
 * member->sum. dir -1: only the sum. */
int unpack_file(const struct unpacker *from, int dir, struct member *member,
		struct expt_error *err);
/* Check that the file below dir has the member's sum: -EBADMSG if not. */
int unpack_verify(const struct unpacker *from, int dir, const struct member *member,
		  struct expt_error *err);
/* Like unpack_file(), to the open file fd, written from its beginning. */
int unpack_data(const struct unpacker *from, int fd, struct member *member,
		struct expt_error *err);
/* Read a file as text, with a NUL added, and its sum. The caller frees the text. -EPERM:
 * it has more than max bytes, or a NUL. */
int unpack_text(char **text, const struct unpacker *from, uint64_t max,
		struct member *member, struct expt_error *err);
int unpack_directory(int dir, const struct member *member, struct expt_error *err);
int unpack_link(int dir, const struct member *member, struct expt_error *err);
/* Set a directory's time once it is complete, and its mode within allowed, 0777 without
 * the umask. */
int unpack_directory_end(int dir, const struct member *member, mode_t allowed,
			 struct expt_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Puts single members of a tar archive below a directory descriptor. Names are those that
 * members.c let pass; even so no link is followed and nothing is replaced. */
#ifndef LIBEXPT_BUNDLE_UNPACK_H
#define LIBEXPT_BUNDLE_UNPACK_H

#include "libexpt/bundle/members.h"

/* Where data comes from. */
struct unpacker {
	struct tar_reader *reader;
	struct digest *digest;
	struct members *members;	/* for their limits */
	struct expt_progress *progress; /* files are added; the reader adds bytes */
	const volatile int *stop;	/* NULL, or: when it is not 0, end with -EINTR */
};

/* The data of a file to member->path below dir, holes kept, and its sum into member->sum.
 * dir -1: only the sum. */
int unpack_file(const struct unpacker *from, int dir, struct member *member,
		struct expt_error *err);
/* Whether the file below dir has the sum of the member: -EBADMSG if not. */
int unpack_verify(const struct unpacker *from, int dir, const struct member *member,
		  struct expt_error *err);
/* The same to the open file fd, which is written from its beginning. */
int unpack_data(const struct unpacker *from, int fd, struct member *member,
		struct expt_error *err);
/* The data of a file as text, its NUL added; the sum as well. The caller frees it.
 * -EPERM: it holds more than max bytes, or a NUL. */
int unpack_text(char **text, const struct unpacker *from, uint64_t max,
		struct member *member, struct expt_error *err);
int unpack_directory(int dir, const struct member *member, struct expt_error *err);
int unpack_link(int dir, const struct member *member, struct expt_error *err);
/* Once all in a directory is there: its time, and the mode that it may have, 0777 without
 * the umask. */
int unpack_directory_end(int dir, const struct member *member, mode_t allowed,
			 struct expt_error *err);

#endif

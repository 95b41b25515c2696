/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a bundle, in a skippable frame before its seek table: the members and
 * their positions, so that one can be read without those before it. It must cover every
 * byte of the archive, with no room for another member. It is still only a hint: a read
 * by the index checks the headers it finds there, and an import compares all members.
 * expt(5) describes the format.
 */
#ifndef LIBEXPT_BUNDLE_INDEX_H
#define LIBEXPT_BUNDLE_INDEX_H

#include "libexpt/base/strbuf.h"
#include "libexpt/bundle/tar.h"

#define BUNDLE_INDEX_MAX (UINT64_C(64) << 20) /* bytes of text */

/* Add a member with its position and span. If a name does not fit in a line, the index is
 * given up: the text stays empty from then on. */
void bundle_index_add(struct strbuf *text, const struct tar_member *member);

struct bundle_index {
	char *next;	     /* the text; reading changes it */
	uint64_t place, end; /* position of the next member, and end of the stream */
	unsigned long line;
};

/* Begin to read an index. text is NUL-terminated, and must stay valid as long as the
 * members read from it; end is the size of the stream. -EBADMSG: it is not an index. */
int bundle_index_start(struct bundle_index *index, char *text, uint64_t end,
		       struct expt_error *err);
/* Returns 1 and fills *member, without the fraction of its time; 0 at the end. -EBADMSG:
 * damaged, or the end is not that of the stream. */
int bundle_index_next(struct bundle_index *index, struct tar_member *member,
		      struct expt_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a bundle, in a skippable frame before its seek table: what members there
 * are, and where each begins, so that one can be read without those in front of it. It
 * must speak of every byte of the archive, with no room for another member. It is a hint
 * even so: who reads a member by it still finds its headers there, which must say the
 * same, and an import compares all. expt(5) has the form.
 */
#ifndef LIBEXPT_BUNDLE_INDEX_H
#define LIBEXPT_BUNDLE_INDEX_H

#include "libexpt/base/strbuf.h"
#include "libexpt/bundle/tar.h"

#define BUNDLE_INDEX_MAX (UINT64_C(64) << 20) /* bytes of text */

/* A member with its place and span. After a name that no line can hold, the index is
 * given up: the text is empty from then on. */
void bundle_index_add(struct strbuf *text, const struct tar_member *member);

struct bundle_index {
	char *next;	     /* of the text, which the reader changes */
	uint64_t place, end; /* of the next member, and of the stream */
	unsigned long line;
};

/* text: NUL-terminated, and valid as long as the members that come of it. end: bytes of
 * the stream. -EBADMSG: it is none. */
int bundle_index_start(struct bundle_index *index, char *text, uint64_t end,
		       struct expt_error *err);
/* 1 and *member filled, without the fraction of its time, 0 at the end. -EBADMSG:
 * damaged, or the end is not that of the stream. */
int bundle_index_next(struct bundle_index *index, struct tar_member *member,
		      struct expt_error *err);

#endif

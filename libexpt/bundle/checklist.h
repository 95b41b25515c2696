/* SPDX-License-Identifier: Apache-2.0 */
/* EXPORT.manifest, the last member of an experiment in a bundle: the sums of its files,
 * in lines as sha256sum prints and checks them. */
#ifndef LIBEXPT_BUNDLE_CHECKLIST_H
#define LIBEXPT_BUNDLE_CHECKLIST_H

#include "libexpt/base/strbuf.h"
#include "libexpt/bundle/members.h"

#define CHECKLIST_BYTES_MAX (UINT64_C(256) << 20)

void checklist_start(struct strbuf *text);
void checklist_add(struct strbuf *text, const char *name, const unsigned char *sum);
/* Compare with the files among the members first and after: all of them, and nothing
 * else, must be listed, with their sums. A line of the report for each difference, and
 * the first one in err. -EBADMSG: there are differences, or it is no checklist. text is
 * changed. */
int checklist_check(struct members *members, size_t first, char *text,
		    struct expt_report *report, struct expt_error *err);
/* Enter the sums into the files among the members that are not listed yet, for who reads
 * them later. -EBADMSG: it is no checklist. text is changed. */
int checklist_enter(struct members *members, char *text, struct expt_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* EXPORT.manifest, the last member of an experiment in a bundle: the sums of its files,
 * in the lines that sha256sum prints and checks. */
#ifndef LIBEXPT_BUNDLE_CHECKLIST_H
#define LIBEXPT_BUNDLE_CHECKLIST_H

#include "libexpt/base/strbuf.h"
#include "libexpt/bundle/members.h"

#define CHECKLIST_BYTES_MAX (UINT64_C(256) << 20)

void checklist_start(struct strbuf *text);
void checklist_add(struct strbuf *text, const char *name, const unsigned char *sum);
/* Compare the checklist with the files among the members from first on: it must list all
 * of them with their sums, and nothing else. Each difference adds a line to the report,
 * and the first one is in err. -EBADMSG: there are differences, or it is not a checklist.
 * Changes text. */
int checklist_check(struct members *members, size_t first, char *text,
		    struct expt_report *report, struct expt_error *err);
/* Copy the sums to those files among the members that are not listed yet, for later
 * reads. -EBADMSG: it is not a checklist. Changes text. */
int checklist_copy_sums(struct members *members, char *text, struct expt_error *err);

#endif

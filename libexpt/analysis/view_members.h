/* SPDX-License-Identifier: Apache-2.0 */
/* The experiments of a view. Descendants follow their founders. */
#ifndef LIBEXPT_ANALYSIS_VIEW_MEMBERS_H
#define LIBEXPT_ANALYSIS_VIEW_MEMBERS_H

#include "libexpt/events/view.h"

/* Add a member that owns expt, which is closed on failure. false: out of memory. */
bool view_members_add(struct expt_view *view, struct expt *expt, size_t founder);
/* Open and add the descendants of a member that the options want; those that cannot be
 * opened are problems of the view. false: out of memory. */
bool view_members_open(struct expt_view *view, size_t founder,
		       const struct expt_view_options *options);
/* Close a member, after its descendants. */
void view_member_close(struct view_member *member);

#endif

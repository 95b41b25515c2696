/* SPDX-License-Identifier: Apache-2.0 */
/* The events that a view keeps: those of its filter and its selections. */
#ifndef LIBEXPT_EVENTS_FILTER_H
#define LIBEXPT_EVENTS_FILTER_H

#include "libexpt/events/facts.h"

/* Check whether anything is filtered; if not, filter_keeps() need not be called. */
bool filter_is_set(const struct expt_view *view);
/* Check whether that depends on nothing but call stacks, so that the sums of the stacks
 * can be filtered instead of their events. */
bool filter_is_of_stacks(const struct expt_view *view);
/* Find whether the filter keeps an event. false: out of memory. */
bool filter_keeps(struct event *event, bool *keeps);
/* The same of a record of a member, for readers of their own; stack_sums_get() must have
 * succeeded if anything is filtered. */
bool filter_keeps_record(struct expt_view *view, size_t member,
			 const struct expt_record *record, bool *keeps);
/* Forget results; release the filter. */
void filter_reset(struct expt_view *view);
void filter_release(struct expt_view *view);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dataspace/event_lines.h"

#include <stdlib.h>

#include "libexpt/base/random.h"

#define WORD_BITS  16 /* of a number of a word: 512 KiB of them */
#define PAGE_SHIFT 12 /* a page has 64 lines, a word 64 bits */
#define LINE_SHIFT 6
#define SPAN_MAX   16 /* pages of a block that are looked up */

/* The factor is secret, so that a file cannot make all pages look alike. */
static uint64_t *word_of(const struct event_lines *lines, uint64_t page)
{
	return &lines->words[page * lines->factor >> (64 - WORD_BITS)];
}

static void add(const struct event_lines *lines, uint64_t address)
{
	*word_of(lines, address >> PAGE_SHIFT) |= UINT64_C(1)
						  << (address >> LINE_SHIFT & 63);
}

/* Failures are reported where events are read in order. */
static void read_member(const struct event_lines *lines, const struct expt_view *view,
			struct expt *expt)
{
	struct expt_records *records;
	struct expt_record record;
	int64_t address;

	if (expt_records_open(&records, expt, EXPT_HWC, NULL) < 0)
		return;
	while (!view_is_stopped(view) && expt_records_next(records, &record, NULL) > 0)
		if (expt_record_value(&record, EXPT_VADDR, &address))
			add(lines, (uint64_t)address);
	expt_records_close(records);
}

bool event_lines_read(struct event_lines *lines, struct expt_view *view)
{
	lines->factor = random_seed() | 1;
	lines->words = calloc((size_t)1 << WORD_BITS, sizeof(*lines->words));
	if (!lines->words)
		return false;
	for (size_t i = 0; i < view->members.count && !view_is_stopped(view); i++)
		if (expt_has_data(view->members.items[i].expt, EXPT_HWC))
			read_member(lines, view, view->members.items[i].expt);
	return !view_is_stopped(view);
}

bool event_lines_may_have(const struct event_lines *lines, uint64_t start, uint64_t end)
{
	uint64_t last = end - 1;

	if (start >= end)
		return false;
	if ((last >> PAGE_SHIFT) - (start >> PAGE_SHIFT) >= SPAN_MAX)
		return true;
	for (uint64_t page = start >> PAGE_SHIFT; page <= last >> PAGE_SHIFT; page++) {
		uint64_t mask = UINT64_MAX;

		if (page == start >> PAGE_SHIFT)
			mask <<= start >> LINE_SHIFT & 63;
		if (page == last >> PAGE_SHIFT)
			mask &= UINT64_MAX >> (63 - (last >> LINE_SHIFT & 63));
		if (*word_of(lines, page) & mask)
			return true;
	}
	return false;
}

void event_lines_release(struct event_lines *lines)
{
	free(lines->words);
	*lines = (struct event_lines){ 0 };
}

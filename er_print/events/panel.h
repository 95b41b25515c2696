/* SPDX-License-Identifier: Apache-2.0 */
/* Single figures, each with a label: a line each in the text form, below headings that
 * the caller prints; a table with the heading of each figure in the other forms. */
#ifndef ER_PRINT_EVENTS_PANEL_H
#define ER_PRINT_EVENTS_PANEL_H

#include "er_print/session/session.h"
#include "er_print/table/table.h"

#define PANEL_WIDTH 34 /* of labels, as gprofng has them */

struct panel {
	struct session *session;
	struct table table;
	const char *section;
	bool has_failed;
};

void panel_begin(struct panel *panel, struct session *session);
/* Begin a section, for which the text form has the lines of its own. */
void panel_section(struct panel *panel, const char *section, const char *lines);
/* Add a figure. In text, end is printed after a count. */
void panel_count(struct panel *panel, const char *label, int64_t count, const char *end);
void panel_seconds(struct panel *panel, const char *label, uint64_t ns, int digits);
/* Add the count of a range. In text its label is indented, and padded to the width. */
void panel_range(struct panel *panel, int width, const char *range, int64_t count);
/* Print the table of the other forms. -1: out of memory, reported. */
int panel_end(struct panel *panel, const char *title);

#endif

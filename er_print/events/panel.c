/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/events/panel.h"

#include <inttypes.h>

#include "er_print/table/number_text.h"

static bool is_text(const struct panel *panel)
{
	return panel->session->output.form == OUTPUT_TEXT;
}

void panel_begin(struct panel *panel, struct session *session)
{
	*panel = (struct panel){ .session = session };
	panel->has_failed = !table_add_column(&panel->table, "Statistics", CELL_NAME) ||
			    !table_add_column(&panel->table, "Label", CELL_NAME) ||
			    !table_add_column(&panel->table, "Value", CELL_TEXT) ||
			    !table_add_column(&panel->table, "Unit", CELL_NAME);
}

void panel_section(struct panel *panel, const char *section, const char *lines)
{
	panel->section = section;
	if (is_text(panel))
		fputs(lines, panel->session->out);
}

static void add(struct panel *panel, const char *label, const char *value,
		const char *unit)
{
	struct cell *cells = panel->has_failed ? NULL
					       : table_add_line(&panel->table, ' ');

	if (cells) {
		cells[0].text = panel->section;
		cells[1].text = label;
		cells[2].text = table_text(&panel->table, value);
		cells[3].text = unit;
	}
	panel->has_failed = !cells || !cells[2].text;
}

void panel_count(struct panel *panel, const char *label, int64_t count, const char *end)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, count);
	if (is_text(panel))
		fprintf(panel->session->out, "%-*s%s%s\n", PANEL_WIDTH, label, text, end);
	else
		add(panel, label, text, "");
}

void panel_range(struct panel *panel, int width, const char *range, int64_t count)
{
	if (is_text(panel))
		fprintf(panel->session->out, "  %-*s%" PRId64 "\n", width - 2, range,
			count);
	else
		panel_count(panel, range, count, "");
}

void panel_seconds(struct panel *panel, const char *label, uint64_t ns, int digits)
{
	char text[32];

	if (is_text(panel)) {
		fprintf(panel->session->out, "%-*s%.*f (secs.)\n", PANEL_WIDTH, label,
			digits, (double)ns / 1e9);
		return;
	}
	format_exact_seconds(text, sizeof(text), (int64_t)ns);
	add(panel, label, text, "sec.");
}

int panel_end(struct panel *panel, const char *title)
{
	output_heading(&panel->session->output, title);
	if (!is_text(panel) && !panel->has_failed)
		table_print(&panel->table, 0, &panel->session->output);
	table_release(&panel->table);
	return panel->has_failed ? session_out_of_memory(panel->session) : 0;
}

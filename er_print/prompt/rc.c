/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/prompt/rc.h"

#include <strings.h>

#include "er_print/command/command.h"
#include "libexpt/cli/cli.h"

/* Words that other programs of old understood, or that mean nothing here. */
static const char *const not_ours[] = { "ignore_fs_warn", "ignore_no_xhwcprof" };

struct rc {
	struct session *session;
	unsigned file;
};

/* Defaults of a later file come first. */
static void begin_file(struct rc *rc, unsigned file)
{
	rc->file = file;
	rc->session->default_metrics.end = rc->session->default_sort.end = 0;
}

static void run_directive(void *context, const struct cli_rc_line *line)
{
	struct rc *rc = context;

	if (line->file != rc->file)
		begin_file(rc, line->file);
	for (size_t i = 0; i < sizeof(not_ours) / sizeof(*not_ours); i++)
		if (strcasecmp(line->words[0], not_ours[i]) == 0)
			return;
	if (!command_run_directive(rc->session, line->count, line->words, line->where))
		cli_warn("%s: unknown directive '%s'", line->where, line->words[0]);
}

void run_rc_files(struct session *session)
{
	struct rc rc = { .session = session };

	cli_rc_read_lines(run_directive, &rc);
	begin_file(&rc, 0);
}

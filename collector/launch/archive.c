/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/archive.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/launch/tool.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define TIME_LIMIT_S 300 /* as at the end of a process */

/* Messages go where er_archive at the end of a process puts them. The directory belongs
 * to the user of the process, who may put anything into it. */
static int start(struct tool *tool, struct stat *owner, const struct settings *settings,
		 const struct installation *installation,
		 const struct experiment *experiment)
{
	const char *const words[] = { installation->archiver,
				      "--automatic",
				      "-q",
				      "-a",
				      settings->archive_word,
				      "--outfile",
				      "-",
				      experiment->absolute,
				      NULL };

	if (fstat(experiment->dir, owner) < 0)
		return -errno;
	*tool = (struct tool){ .words = words,
			       .owner = owner,
			       .directory = experiment->dir,
			       .file = ARCHIVE_LOG_FILE,
			       .seconds = TIME_LIMIT_S };
	return tool_start(tool);
}

void archive_for(const struct settings *settings, const struct installation *installation,
		 const struct experiment *experiment)
{
	unsigned interrupts = 0;
	struct stat owner;
	struct tool tool;
	int rc;

	if (settings->archive == EXPT_ARCHIVE_OFF)
		return;
	rc = start(&tool, &owner, settings, installation, experiment);
	if (rc < 0) {
		cli_warn("cannot run '%s': %s", installation->archiver,
			 strerrordesc_np(-rc));
		return;
	}
	rc = tool_wait_within(&tool, &interrupts, 1);
	if (rc < 0)
		cli_warn("er_archive has not ended yet: '%s' is not complete",
			 experiment->path);
	else if (tool.status != 0)
		cli_warn("er_archive has failed; see '%s/" ARCHIVE_LOG_FILE "'",
			 experiment->path);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/collect/running.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "collector/attach/status.h"
#include "collector/collect/environment.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"

static int read_status(struct process_status *status, pid_t process)
{
	int rc = kill(process, 0) < 0 ? -errno : process_status_read(status, process);

	if (rc == 0 && status->group != process)
		rc = -ESRCH; /* a thread */
	if (rc < 0)
		return cli_error("cannot record process %d: %s", (int)process,
				 strerrordesc_np(-rc));
	return CLI_OK;
}

int running_check(pid_t process)
{
	struct process_status status;

	return read_status(&status, process);
}

int running_print(const struct settings *settings,
		  const struct installation *installation,
		  const struct experiment *experiment)
{
	cleanup_strbuf struct strbuf list = STRBUF_INIT;
	struct process_status process;
	int status = read_status(&process, settings->process);

	if (status == CLI_OK)
		status = environment_list(&list, settings, installation, experiment,
					  process.own);
	if (status == CLI_OK)
		fwrite(list.text, 1, list.length, stdout);
	return cli_finish(status);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes that run already. Their recording goes on without collect, which waits only
 * to end it when it is interrupted.
 */
#include "collector/collect/running.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/collect/environment.h"
#include "collector/inject/inject.h"
#include "collector/inject/interrupts.h"
#include "collector/inject/refuse.h"
#include "collector/launch/archive.h"
#include "collector/tracee/status.h"
#include "collector/tracee/thread.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"

static int read_status(struct process_status *status, pid_t process)
{
	int rc = kill(process, 0) < 0 ? -errno : process_status_read(status, process);

	if (rc == 0 && status->group != process)
		return cli_error("cannot record process %d: it is a thread of process %d",
				 (int)process, (int)status->group);
	if (rc < 0)
		return cli_error("cannot record process %d: %s", (int)process,
				 strerrordesc_np(-rc));
	return CLI_OK;
}

/* The process writes the experiment, so root makes it that of its user. */
static int give_to_user(const struct experiment *experiment,
			const struct process_status *process)
{
	if (geteuid() != 0 || process->user == 0)
		return CLI_OK;
	if (fchown(experiment->dir, process->user, process->user_group) < 0)
		return cli_error("cannot give '%s' to the user of the process: %s",
				 experiment->path, strerrordesc_np(errno));
	return CLI_OK;
}

int running_check(pid_t process)
{
	struct process_status status;

	return read_status(&status, process);
}

/* Give the files to the user of the process, and list what its library must know. */
static int hand_over(struct strbuf *list, const struct settings *settings,
		     const struct installation *installation,
		     const struct experiment *experiment,
		     const struct process_status *process)
{
	int status = give_to_user(experiment, process);

	return status == CLI_OK ? environment_list(list, settings, installation,
						   experiment, process->own)
				: status;
}

int running_print(const struct settings *settings,
		  const struct installation *installation,
		  const struct experiment *experiment)
{
	cleanup_strbuf struct strbuf list = STRBUF_INIT;
	struct process_status process;
	int status = read_status(&process, settings->process);

	if (status == CLI_OK)
		status = hand_over(&list, settings, installation, experiment, &process);
	if (status == CLI_OK)
		fwrite(list.text, 1, list.length, stdout);
	return cli_finish(status);
}

/* Others than root may be allowed to trace the process of another user. */
static int check_user(const struct process_status *process, pid_t id)
{
	mode_t mask = umask(0), missing;

	umask(mask);
	if (geteuid() == 0 || process->user == 0 || process->user == geteuid())
		return CLI_OK;
	missing = process->user_group == getegid() ? S_IWGRP | S_IXGRP
						   : S_IWOTH | S_IXOTH;
	if ((mask & missing) == 0)
		return CLI_OK;
	return cli_error("cannot record process %d: its user %u may not write into a "
			 "directory of yours: use umask 0, or run collect as that user",
			 (int)id, (unsigned)process->user);
}

/* Check that the process sees the directory that will hold the experiment. */
static int check_directory(const struct experiment *experiment, pid_t process)
{
	const char *base = path_base(experiment->absolute);
	cleanup_free char *directory =
		strndup(experiment->absolute, (size_t)(base - experiment->absolute));

	return directory ? refuse_unseen(process, directory) : cli_error("out of memory");
}

int running_check_attach(const struct settings *settings,
			 const struct installation *installation,
			 const struct experiment *experiment)
{
	cleanup_strbuf struct strbuf libraries = STRBUF_INIT;
	struct injection injection = INJECTION_INIT;
	struct process_status process;
	int status = read_status(&process, settings->process);

	if (status == CLI_OK)
		status = installation_libraries(&libraries, installation, settings);
	if (status == CLI_OK)
		status = injection_open(&injection, settings->process,
					strbuf_text(&libraries));
	if (status == CLI_OK)
		status = check_user(&process, settings->process);
	if (status == CLI_OK)
		status = check_directory(experiment, settings->process);
	injection_close(&injection);
	return status;
}

static int start(struct injection *injection, const struct settings *settings,
		 const struct installation *installation,
		 const struct experiment *experiment)
{
	cleanup_strbuf struct strbuf list = STRBUF_INIT, libraries = STRBUF_INIT;
	int status = installation_libraries(&libraries, installation, settings);

	if (status == CLI_OK)
		status = injection_open(injection, settings->process,
					strbuf_text(&libraries));
	if (status == CLI_OK)
		status = hand_over(&list, settings, installation, experiment,
				   &injection->status);
	if (status == CLI_OK)
		status = inject_start(injection, strbuf_text(&libraries), list.text,
				      list.length);
	return status;
}

bool running_await_end(const struct injection *injection, const struct settings *settings)
{
	uint64_t end = settings->window_end_ms
			       ? time_now_ns() + settings->window_end_ms * MS
			       : UINT64_MAX;

	while (injection_is_recording(injection))
		if (interrupts_take() || time_now_ns() > end)
			return true;
	return false;
}

static int end(struct injection *injection, const struct settings *settings,
	       const struct installation *installation,
	       const struct experiment *experiment)
{
	int status;

	/* The same interrupt may have ended the process. */
	if (!injection_is_recording(injection))
		return CLI_OK;
	status = inject_end(injection);
	if (status == CLI_OK)
		archive_for(settings, installation, experiment);
	return status;
}

static void say_stopped(const struct injection *injection,
			const struct settings *settings)
{
	if (settings->is_verbose)
		cli_note("process %d was stopped for %.1f ms", (int)settings->process,
			 (double)injection->stopped_ns / (double)MS);
}

int running_record(const struct settings *settings,
		   const struct installation *installation,
		   const struct experiment *experiment)
{
	struct injection injection = INJECTION_INIT;
	int status = start(&injection, settings, installation, experiment);

	if (status == CLI_OK) {
		cli_note("recording to '%s' (process %d)", experiment->path,
			 (int)settings->process);
		say_stopped(&injection, settings);
		if (running_await_end(&injection, settings))
			status = end(&injection, settings, installation, experiment);
	} else {
		experiment_discard(experiment);
	}
	injection_close(&injection);
	return status;
}

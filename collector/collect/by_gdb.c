/* SPDX-License-Identifier: Apache-2.0 */
/* The recording goes on without gdb, which comes to begin it and to end it. */
#include "collector/collect/by_gdb.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/collect/running.h"
#include "collector/inject/injection.h"
#include "collector/inject/interrupts.h"
#include "collector/launch/tool.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"

#define ANNOUNCED "Recording to '"

/* An option, and the commands that take its value; off is the one for that value. */
static const struct equivalent {
	char letter;
	const char *command, *then, *off, *on;
} equivalents[] = {
	{ 'p', "profile timer", NULL, "profile off", "profile on" },
	{ 'h', "hwprofile counter", "hwprofile on", NULL, "hwprofile on" },
	{ 's', "synctrace threshold", "synctrace on", "synctrace off", "synctrace on" },
	{ 'H', "heaptrace", NULL, NULL, NULL },
	{ 'i', "iotrace", NULL, NULL, NULL },
	{ 'S', "sample period", NULL, "sample manual", "sample periodic" },
	{ 'A', "archive", NULL, NULL, NULL },
	{ 'a', "archive", NULL, NULL, NULL },
	{ 'L', "limit", NULL, NULL, NULL },
	{ 'd', "store directory", NULL, NULL, NULL },
	{ 'o', "store experiment", NULL, NULL, NULL },
	{ 'g', "store group", NULL, NULL, NULL },
};

/* The options that collect follows itself. */
#define HERE "PtO"

static const struct equivalent *find(char letter)
{
	for (size_t i = 0; i < sizeof(equivalents) / sizeof(*equivalents); i++)
		if (equivalents[i].letter == letter)
			return &equivalents[i];
	return NULL;
}

/* Commands are lines of text. */
static void add_setting(struct strbuf *commands, const struct equivalent *equivalent,
			const char *value)
{
	const char *command = NULL;

	if (strcmp(value, "off") == 0)
		command = equivalent->off;
	else if (strcmp(value, "on") == 0)
		command = equivalent->on;
	if (command) {
		strbuf_printf(commands, "collector %s\n", command);
		return;
	}
	strbuf_printf(commands, "collector %s %s\n", equivalent->command, value);
	if (equivalent->then)
		strbuf_printf(commands, "collector %s\n", equivalent->then);
}

/* The first of several options -h stands for all: gdb knows one list of counters. */
static void add_counters(struct strbuf *commands, const struct settings *settings,
			 size_t first)
{
	cleanup_strbuf struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < settings->given_count; i++) {
		if (settings->given[i].letter != 'h')
			continue;
		if (i < first)
			return;
		strbuf_printf(&list, "%s%s", list.length ? "," : "",
			      settings->given[i].value);
	}
	add_setting(commands, find('h'), strbuf_text(&list));
}

/* gdb takes blanks from both ends of a value, and a backslash continues the line. */
static bool can_be_written(const char *value)
{
	size_t length = strlen(value);

	return length > 0 && !strchr(value, '\n') && !strchr(" \t", value[0]) &&
	       !strchr(" \t\\", value[length - 1]);
}

static int check_given(char letter, const char *value)
{
	if (!find(letter) && !strchr(HERE, letter))
		return cli_error("-%c cannot be used with --gdb: gdb has no command for "
				 "it",
				 letter) +
		       1;
	if (find(letter) && !can_be_written(value))
		return cli_error("-%c '%s' cannot be used with --gdb: gdb would read it "
				 "differently",
				 letter, value) +
		       1;
	return CLI_OK;
}

int by_gdb_check(const struct settings *settings)
{
	int status = CLI_OK;

	if (settings->action != ACTION_ATTACH)
		return cli_error("--gdb requires -P") + 1;
	if (settings->window_start_ms > 0)
		return cli_error("-t with a start cannot be used with --gdb") + 1;
	if (settings->overwrites)
		return cli_error("--overwrite cannot be used with --gdb") + 1;
	for (size_t i = 0; i < settings->given_count && status == CLI_OK; i++)
		status = check_given(settings->given[i].letter, settings->given[i].value);
	return status;
}

static void add_attach(struct strbuf *commands, const struct settings *settings,
		       const struct installation *installation)
{
	strbuf_printf(commands,
		      "set print thread-events off\n"
		      "set print inferior-events off\n"
		      "source %s\n"
		      "attach %d\n",
		      installation->gdb_commands, (int)settings->process);
}

static void add_begin(struct strbuf *commands, const struct settings *settings,
		      const struct installation *installation)
{
	add_attach(commands, settings, installation);
	for (size_t i = 0; i < settings->given_count; i++) {
		const struct equivalent *equivalent = find(settings->given[i].letter);

		if (settings->given[i].letter == 'h')
			add_counters(commands, settings, i);
		else if (equivalent)
			add_setting(commands, equivalent, settings->given[i].value);
	}
	strbuf_add_text(commands, "collector enable\ndetach\n");
}

static void add_end(struct strbuf *commands, const struct settings *settings,
		    const struct installation *installation)
{
	add_attach(commands, settings, installation);
	strbuf_add_text(commands, "collector disable\ndetach\n");
}

/* ---- gdb, which reads its commands from a file and leaves that at the first error ----
 */

/* The lines that gdb has said. */
struct said {
	FILE *file;
	char *line;
	size_t size;
};

static bool said_open(struct said *said, int output)
{
	*said = (struct said){ .file = fdopen(dup(output), "r") };
	if (said->file)
		rewind(said->file);
	return said->file;
}

static bool said_next(struct said *said)
{
	return getline(&said->line, &said->size, said->file) > 0;
}

static void said_close(struct said *said)
{
	fclose(said->file);
	free(said->line);
}

/* Show it, but not where gdb has read the commands. */
static void show(int output)
{
	struct said said;

	if (!said_open(&said, output))
		return;
	while (said_next(&said))
		if (!strstr(said.line, ": Error in sourced command file:"))
			fputs(said.line, stderr);
	said_close(&said);
}

/* gdb may be in the middle of a call into the process: an interrupt waits for its end. A
 * second one does not. */
static int wait_for_gdb(struct tool *gdb, unsigned *interrupts)
{
	int rc = tool_wait_within(gdb, interrupts, *interrupts + 2);

	if (rc == -EINTR || rc == -ETIMEDOUT) {
		kill(gdb->process, SIGTERM);
		rc = tool_wait(gdb);
	}
	if (rc < 0)
		return cli_error("cannot wait for gdb: %s", strerrordesc_np(-rc));
	return gdb->status == 0 ? CLI_OK : CLI_FAILED;
}

static int run_gdb(const char *script, int output, unsigned *interrupts)
{
	const char *const words[] = { "gdb", "-nx", "-q", "-batch", "-x", script, NULL };
	struct tool gdb = { .words = words, .output = output };
	int rc = tool_start(&gdb);

	return rc == 0 ? wait_for_gdb(&gdb, interrupts)
		       : cli_error("cannot run gdb: %s", strerrordesc_np(-rc));
}

/* output: a descriptor for all that gdb says. */
static int run_commands(const struct strbuf *commands, int output, unsigned *interrupts)
{
	cleanup_fd int file = memfd_create("commands", MFD_CLOEXEC);
	char name[32];
	int rc = file < 0 ? -errno : 0;

	if (rc == 0)
		rc = commands->failed
			     ? -ENOMEM
			     : io_write_all(file, commands->text, commands->length);
	if (rc < 0)
		return cli_error("cannot run gdb: %s", strerrordesc_np(-rc));
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", (int)getpid(), file);
	return run_gdb(name, output, interrupts);
}

/* The experiment has the name that gdb has found for it. */
static void announce(int output, pid_t process)
{
	struct said said;

	if (!said_open(&said, output))
		return;
	while (said_next(&said)) {
		char *end = strrchr(said.line, '\'');

		if (strncmp(said.line, ANNOUNCED, strlen(ANNOUNCED)) != 0 || !end)
			continue;
		*end = '\0';
		cli_note("recording to '%s' (process %d)", said.line + strlen(ANNOUNCED),
			 (int)process);
	}
	said_close(&said);
}

/* The result is whether the process is recorded: gdb may have failed, or may have been
 * ended, after that. */
static int begin(struct injection *injection, const struct strbuf *commands, int output,
		 unsigned *interrupts)
{
	int status;

	if (injection_find(injection, injection->process))
		return cli_error("cannot record process %d: it is recorded already",
				 (int)injection->process);
	injection_close(injection);
	status = run_commands(commands, output, interrupts);
	if (injection_find(injection, injection->process)) {
		announce(output, injection->process);
		return CLI_OK;
	}
	return status == CLI_OK ? cli_error("gdb has not begun to record process %d",
					    (int)injection->process)
				: status;
}

/* The process may end before gdb has come. */
static int end(const struct injection *injection, const struct settings *settings,
	       const struct installation *installation, int output)
{
	cleanup_strbuf struct strbuf commands = STRBUF_INIT;
	unsigned interrupts = 0;

	add_end(&commands, settings, installation);
	run_commands(&commands, output, &interrupts);
	return injection_is_recording(injection)
		       ? cli_error("process %d is still being recorded",
				   (int)injection->process)
		       : CLI_OK;
}

static int record(struct injection *injection, const struct settings *settings,
		  const struct installation *installation, const struct strbuf *commands,
		  int output)
{
	unsigned interrupts = 0;
	int status;

	interrupts_hold();
	status = begin(injection, commands, output, &interrupts);
	if (status == CLI_OK &&
	    (interrupts > 0 || running_await_end(injection, settings)))
		status = end(injection, settings, installation, output);
	if (status != CLI_OK || settings->is_verbose)
		show(output);
	return status;
}

int by_gdb_record(const struct settings *settings,
		  const struct installation *installation)
{
	cleanup_strbuf struct strbuf commands = STRBUF_INIT;
	struct injection injection = INJECTION_INIT;
	cleanup_fd int output = -1;
	int status;

	injection.process = settings->process;
	add_begin(&commands, settings, installation);
	if (settings->is_dry_run) {
		fputs(strbuf_text(&commands), stdout);
		return cli_finish(CLI_OK);
	}
	output = memfd_create("gdb", MFD_CLOEXEC);
	if (output < 0)
		return cli_error("cannot run gdb: %s", strerrordesc_np(errno));
	status = record(&injection, settings, installation, &commands, output);
	injection_close(&injection);
	return status;
}

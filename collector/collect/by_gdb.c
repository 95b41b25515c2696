/* SPDX-License-Identifier: Apache-2.0 */
/* The recording goes on without gdb, which only comes to begin it and to end it. */
#include "collector/collect/by_gdb.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/collect/running.h"
#include "collector/inject/injection.h"
#include "collector/inject/interrupts.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

#define COMMANDS_MAX 64
#define ANNOUNCED    "Recording to '"

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
	{ 'L', "limit", NULL, NULL, NULL },
	{ 'd', "store directory", NULL, NULL, NULL },
	{ 'o', "store experiment", NULL, NULL, NULL },
	{ 'g', "store group", NULL, NULL, NULL },
};

/* Options that collect follows itself */
#define HERE "PtO"

/* Commands for gdb */
struct commands {
	char *items[COMMANDS_MAX];
	size_t count;
};

static void release(struct commands *commands)
{
	for (size_t i = 0; i < commands->count; i++)
		free(commands->items[i]);
}

#define cleanup_commands __attribute__((__cleanup__(release)))

static void add(struct commands *commands, const char *before, const char *text)
{
	char *command = NULL;

	if (commands->count < COMMANDS_MAX &&
	    asprintf(&command, "%s%s", before, text) >= 0)
		commands->items[commands->count++] = command;
}

static const struct equivalent *find(char letter)
{
	for (size_t i = 0; i < sizeof(equivalents) / sizeof(*equivalents); i++)
		if (equivalents[i].letter == letter)
			return &equivalents[i];
	return NULL;
}

static void add_setting(struct commands *commands, const struct equivalent *equivalent,
			const char *value)
{
	cleanup_free char *before = NULL;
	const char *command = NULL;

	if (strcmp(value, "off") == 0)
		command = equivalent->off;
	else if (strcmp(value, "on") == 0)
		command = equivalent->on;
	if (command) {
		add(commands, "collector ", command);
		return;
	}
	if (asprintf(&before, "collector %s ", equivalent->command) >= 0)
		add(commands, before, value);
	if (equivalent->then)
		add(commands, "collector ", equivalent->then);
}

int by_gdb_check(const struct settings *settings)
{
	if (settings->action != ACTION_ATTACH)
		return cli_error("--gdb requires -P") + 1;
	if (settings->window_start_ms > 0)
		return cli_error("-t with a start cannot be used with --gdb") + 1;
	for (size_t i = 0; i < settings->given_count; i++)
		if (!find(settings->given[i].letter) &&
		    !strchr(HERE, settings->given[i].letter))
			return cli_error("-%c cannot be used with --gdb: gdb has no "
					 "command for it",
					 settings->given[i].letter) +
			       1;
	return CLI_OK;
}

static void add_attach(struct commands *commands, const struct settings *settings,
		       const struct installation *installation)
{
	char process[16];

	add(commands, "set print thread-events off", "");
	add(commands, "set print inferior-events off", "");
	add(commands, "source ", installation->gdb_commands);
	snprintf(process, sizeof(process), "%d", (int)settings->process);
	add(commands, "attach ", process);
}

static void add_begin(struct commands *commands, const struct settings *settings,
		      const struct installation *installation)
{
	add_attach(commands, settings, installation);
	for (size_t i = 0; i < settings->given_count; i++) {
		const struct equivalent *equivalent = find(settings->given[i].letter);

		if (equivalent)
			add_setting(commands, equivalent, settings->given[i].value);
	}
	add(commands, "collector enable", "");
	add(commands, "detach", "");
}

static void add_end(struct commands *commands, const struct settings *settings,
		    const struct installation *installation)
{
	add_attach(commands, settings, installation);
	add(commands, "collector disable", "");
	add(commands, "detach", "");
}

/* ---- gdb ---- */

/* The interrupts that we hold are not for gdb. output: a descriptor for all that it says.
 */
static int spawn(pid_t *gdb, const char *const *words, int output)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attributes;
	sigset_t none;
	int rc;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
	posix_spawnattr_setflags(&attributes,
				 POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	rc = posix_spawnp(gdb, words[0], &files, &attributes, (char *const *)words,
			  environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

/* Copy what gdb has said. */
static void show(int output)
{
	char buffer[4096];
	ssize_t length;

	for (off_t at = 0; (length = pread(output, buffer, sizeof(buffer), at)) > 0;
	     at += length)
		fwrite(buffer, 1, (size_t)length, stderr);
}

/* gdb may be in the middle of a call into the process: an interrupt waits for its end. A
 * second one does not. */
static int run_gdb(const struct commands *commands, int output, unsigned *interrupts)
{
	const char *words[2 * COMMANDS_MAX + 5] = { "gdb", "-nx", "-q", "-batch" };
	size_t count = 4;
	int status, rc;
	pid_t gdb;

	for (size_t i = 0; i < commands->count; i++) {
		words[count++] = "-ex";
		words[count++] = commands->items[i];
	}
	rc = spawn(&gdb, words, output);
	if (rc != 0)
		return cli_error("cannot run gdb: %s", strerrordesc_np(rc));
	while ((rc = waitpid(gdb, &status, WNOHANG)) == 0)
		if (interrupts_take() && ++*interrupts > 1)
			kill(gdb, SIGTERM);
	if (rc < 0)
		return cli_error("cannot wait for gdb: %s", strerrordesc_np(errno));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CLI_OK : CLI_FAILED;
}

static int end(const struct settings *settings, const struct installation *installation,
	       int output)
{
	cleanup_commands struct commands commands = { .count = 0 };
	unsigned interrupts = 0;

	add_end(&commands, settings, installation);
	return run_gdb(&commands, output, &interrupts);
}

/* The experiment has the name that gdb has found for it. */
static void announce(int output, pid_t process)
{
	cleanup_free char *line = NULL;
	FILE *file = fdopen(dup(output), "r");
	size_t size = 0;

	if (!file)
		return;
	rewind(file);
	while (getline(&line, &size, file) > 0) {
		char *end = strrchr(line, '\'');

		if (strncmp(line, ANNOUNCED, strlen(ANNOUNCED)) != 0 || !end)
			continue;
		*end = '\0';
		cli_note("recording to '%s' (process %d)", line + strlen(ANNOUNCED),
			 (int)process);
	}
	fclose(file);
}

static int begin(struct injection *injection, const struct commands *commands, int output,
		 unsigned *interrupts)
{
	int status;

	if (injection_find(injection, injection->process))
		return cli_error("cannot record process %d: it is recorded already",
				 (int)injection->process);
	injection_close(injection);
	status = run_gdb(commands, output, interrupts);
	if (status == CLI_OK && !injection_find(injection, injection->process))
		status = CLI_FAILED;
	if (status == CLI_OK)
		announce(output, injection->process);
	return status;
}

int by_gdb_record(const struct settings *settings,
		  const struct installation *installation)
{
	cleanup_commands struct commands commands = { .count = 0 };
	struct injection injection = INJECTION_INIT;
	cleanup_fd int output = -1;
	unsigned interrupts = 0;
	int status;

	injection.process = settings->process;
	add_begin(&commands, settings, installation);
	if (settings->is_dry_run) {
		for (size_t i = 0; i < commands.count; i++)
			puts(commands.items[i]);
		return cli_finish(CLI_OK);
	}
	output = memfd_create("gdb", MFD_CLOEXEC);
	if (output < 0)
		return cli_error("cannot run gdb: %s", strerrordesc_np(errno));
	interrupts_hold();
	status = begin(&injection, &commands, output, &interrupts);
	if (status == CLI_OK &&
	    (interrupts > 0 || running_await_end(&injection, settings)))
		status = end(settings, installation, output);
	if (status != CLI_OK || settings->is_verbose)
		show(output);
	injection_close(&injection);
	return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collect - record how a program spends its time
 *
 * options.c and signals.c fill the settings, target.c finds the program, experiment.c
 * makes the directory, environment.c passes the settings to the collector.
 */

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/collect/counter_list.h"
#include "collector/collect/environment.h"
#include "collector/collect/experiment.h"
#include "collector/collect/messages.h"
#include "collector/collect/options.h"
#include "collector/collect/outside.h"
#include "collector/collect/target.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/shell.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

/* clang-format off */
static const char usage[] =
	"usage: collect [options] program [arguments]\n"
	"what to record (default in parentheses)\n"
	"  -p on|off|lo|hi|N[m|u]  clock profiling, every N milli- or microseconds (on: "
	"10 ms)\n"
	"  -H on|off|N1[-N2]       heap tracing: all blocks, or blocks of N1 to N2 bytes "
	"(off)\n"
	"  -s on|off|all|N         waits for other threads, of at least N microseconds "
	"(off)\n"
	"  -i on|off               I/O tracing: every call on a descriptor or stream "
	"(off)\n"
	"  -h on|off|hi|lo|CTRS    counters: [+]NAME[/REGISTER][,INTERVAL],...; -h alone "
	"lists them\n"
	"  -S on|off|N             sample resource usage every N seconds (on: 1)\n"
	"  -F on|off|=REGEX        descendant processes: all, none, or matching ones "
	"(on)\n"
	"  -t [T1-]T2              record only from T1 to T2 seconds of the run; Nm: "
	"minutes\n"
	"  -l SIG                  sample resource usage whenever another process sends "
	"SIG\n"
	"  -y SIG[,r]              pause and resume on SIG; start paused, or with r "
	"recording\n"
	"  -L N|unlimited          limit the data to N megabytes (2000)\n"
	"where to record it\n"
	"  -o NAME.er              name of the experiment (test.1.er, test.2.er ...)\n"
	"  -O FILE                 same as --outfile; for an experiment, as -o "
	"--overwrite\n"
	"      --overwrite         with -o: replace an existing experiment\n"
	"      --outfile FILE      append the messages of collect to FILE\n"
	"  -d DIR                  directory of the experiment\n"
	"  -g NAME.erg             add the experiment to this group\n"
	"  -A MODE, -a MODE        archive the load objects: on (descriptions), off, "
	"copy,\n"
	"                          usedcopy, src, usedsrc; see er_archive (on)\n"
	"  -C TEXT                 add a line to the notes; up to 10 times\n"
	"how to run\n"
	"  -n                      show what would be done, record nothing\n"
	"  -v                      show the settings\n"
	"  -x                      leave the program stopped at its start, for a "
	"debugger\n"
	"  -V, --version           print the version and exit\n"
	"  -R                      print the version and the README\n"
	"      --help              print this help and exit\n";
/* clang-format on */

static void show_number(FILE *to, const char *what, uint64_t value, const char *unit,
			const char *if_zero)
{
	if (value)
		fprintf(to, "  %-20s %lu %s\n", what, (unsigned long)value, unit);
	else
		fprintf(to, "  %-20s %s\n", what, if_zero);
}

static void show_switch(FILE *to, const char *what, bool is_on)
{
	fprintf(to, "  %-20s %s\n", what, is_on ? "on" : "off");
}

static void show_signal(FILE *to, const char *what, int signal, const char *how)
{
	const char *name = sigabbrev_np(signal);

	if (signal && name)
		fprintf(to, "  %-20s %s%s\n", what, name, how);
	else if (signal)
		fprintf(to, "  %-20s %d%s\n", what, signal, how);
}

static void show_heap(FILE *to, const struct settings *settings)
{
	unsigned long smallest = (unsigned long)settings->smallest_block;
	unsigned long largest = (unsigned long)settings->largest_block;

	if (largest)
		fprintf(to, "  %-20s blocks of %lu to %lu bytes\n", "heap tracing",
			smallest, largest);
	else if (smallest)
		fprintf(to, "  %-20s blocks of %lu bytes and more\n", "heap tracing",
			smallest);
	else
		show_switch(to, "heap tracing", settings->has_heap);
}

static void show_sync(FILE *to, const struct settings *settings)
{
	static const char what[] = "synchronization";

	if (!settings->has_sync || settings->sync_threshold_us == SYNC_CALIBRATE)
		fprintf(to, "  %-20s %s\n", what,
			settings->has_sync ? "calibrated" : "off");
	else
		fprintf(to, "  %-20s from %d microseconds\n", what,
			settings->sync_threshold_us);
}

static void show_window(FILE *to, const struct settings *settings)
{
	unsigned long start = (unsigned long)settings->window_start_ms;
	unsigned long end = (unsigned long)settings->window_end_ms;

	if (settings->has_window && end)
		fprintf(to, "  %-20s %lu to %lu milliseconds\n", "window", start, end);
	else if (settings->has_window)
		fprintf(to, "  %-20s %lu milliseconds to the end\n", "window", start);
}

/* Print the command as it would be typed in a shell. */
static void show_command(FILE *to, char *const *words, const char *path)
{
	cleanup_strbuf struct strbuf command = STRBUF_INIT;

	shell_add_word(&command, path);
	while (*++words)
		shell_add_word(&command, *words);
	escape_printf(to, "  %-20s %s\n", "command", strbuf_text(&command));
}

static void show_counter(FILE *to, const struct counter *counter)
{
	fprintf(to, "  %-20s %s, every %lu %s%s\n", "counter", counter->name,
		(unsigned long)counter->period,
		counter_is_watch(counter) ? "nanoseconds" : "events",
		counter->has_address ? ", with data addresses" : "");
}

static void put_settings(FILE *to, const struct settings *settings,
			 const struct experiment *experiment, const struct target *target)
{
	fprintf(to, "%s (erkit) %s\n", cli_program(), ERKIT_VERSION);
	show_number(to, "clock profiling", settings->clock_period_us, "microseconds",
		    "off");
	for (size_t i = 0; i < settings->counters.count; i++)
		show_counter(to, &settings->counters.items[i]);
	show_heap(to, settings);
	show_sync(to, settings);
	show_switch(to, "I/O tracing", settings->has_io);
	show_number(to, "periodic samples", settings->sample_seconds, "seconds", "off");
	escape_printf(to, "  %-20s %s%s\n", "descendants",
		      settings->follow == 0		    ? "off"
		      : settings->follow == FOLLOW_MATCHING ? "matching "
							    : "on",
		      settings->follow_regex ? settings->follow_regex : "");
	show_window(to, settings);
	show_signal(to, "sample signal", settings->sample_signal, "");
	show_signal(to, "pause signal", settings->pause_signal,
		    settings->starts_recording ? ", begins recording"
					       : ", begins paused");
	show_number(to, "stack depth", environment_stack_depth(), "frames", "");
	show_number(to, "size limit", settings->limit_mb, "megabytes", "none");
	fprintf(to, "  %-20s %s\n", "archive", settings->archive_word);
	escape_printf(to, "  %-20s %s\n", "experiment", experiment->path);
	if (settings->group)
		escape_printf(to, "  %-20s %s\n", "group", settings->group);
	for (size_t i = 0; i < settings->comment_count; i++)
		escape_printf(to, "  %-20s %s\n", "comment", settings->comments[i]);
	if (settings->stops_after_exec)
		fprintf(to, "  %-20s %s\n", "start", "stopped, for a debugger");
	show_command(to, settings->target, target->path);
}

/* With -n the settings are the output, with -v a message. */
static int show_settings(const struct settings *settings,
			 const struct experiment *experiment, const struct target *target)
{
	FILE *to = escape_stream(settings->is_dry_run ? stdout : stderr);

	if (!to)
		return cli_error("out of memory");
	put_settings(to, settings, experiment, target);
	errno = 0;
	return fclose(to) == 0 || !settings->is_dry_run ? CLI_OK : cli_write_error(errno);
}

/* Returns only if the program cannot be executed: the exit status, with a message
 * printed. */
static int run_target(const struct target *target, char **words)
{
	int error;

	messages_before_exec();
	execv(target->path, words);
	error = errno;
	if (error == ENOEXEC && target->is_script) {
		size_t count = 0;

		/* A script without #! is run by the shell, as when it is started in any
		 * other way. */
		while (words[count])
			count++;

		char *shell_words[count + 2];

		shell_words[0] = (char[]){ "sh" };
		shell_words[1] = target->path;
		memcpy(shell_words + 2, words + 1, count * sizeof(*words));
		execv("/bin/sh", shell_words);
		error = errno;
	}
	messages_after_exec();
	cli_error("cannot run '%s': %s", target->path, strerrordesc_np(error));
	return error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
}

static volatile sig_atomic_t was_interrupted;

static void note_interrupt(int signal)
{
	was_interrupted = signal;
}

/* An interrupt between making the directory and starting the program must not leave the
 * directory in place. */
static void watch_interrupts(bool is_watching)
{
	static struct sigaction former[2];
	struct sigaction ours = { .sa_handler = note_interrupt };

	if (is_watching) {
		sigaction(SIGINT, &ours, &former[0]);
		sigaction(SIGTERM, &ours, &former[1]);
	} else {
		sigaction(SIGINT, &former[0], NULL);
		sigaction(SIGTERM, &former[1], NULL);
	}
}

/* Called in the process that will execute the program. */
static int prepare(const struct settings *settings,
		   const struct installation *installation,
		   const struct experiment *experiment, const struct target *target)
{
	int status = target->is_static
			     ? outside_start(settings, installation, experiment, target)
			     : environment_set(settings, installation, experiment, target,
					       getpid());

	if (status == CLI_OK)
		cli_note("recording to '%s' (process %d)", experiment->path,
			 (int)getpid());
	return status;
}

/* Returns as run_target() does, or after an interrupt. */
static int run(const struct settings *settings, const struct target *target)
{
	watch_interrupts(false);
	return was_interrupted ? 128 + (int)was_interrupted
			       : run_target(target, settings->target);
}

/* Parent for -x: once the program has been executed, detach and leave it stopped. */
static int leave_stopped(pid_t child)
{
	int state;

	if (waitpid(child, &state, 0) < 0)
		return cli_error("cannot wait for the program: %s",
				 strerrordesc_np(errno));
	if (WIFSTOPPED(state)) {
		ptrace(PTRACE_DETACH, child, NULL, SIGSTOP);
		cli_note("process %d is stopped; attach a debugger, or send CONT",
			 (int)child);
		while (waitpid(child, &state, 0) < 0 && errno == EINTR)
			;
	}
	if (!WIFSIGNALED(state))
		return WEXITSTATUS(state);
	/* End as the program did, so that a shell sees the same status. */
	signal(WTERMSIG(state), SIG_DFL);
	raise(WTERMSIG(state));
	return 128 + WTERMSIG(state);
}

static int record_stopped(const struct settings *settings,
			  const struct installation *installation,
			  const struct experiment *experiment,
			  const struct target *target)
{
	pid_t child = fork();

	if (child < 0)
		return cli_error("cannot fork: %s", strerrordesc_np(errno));
	if (child == 0) {
		int status = prepare(settings, installation, experiment, target);

		if (status == CLI_OK) {
			ptrace(PTRACE_TRACEME, 0, NULL, NULL);
			status = run(settings, target);
		}
		experiment_discard(experiment);
		_exit(status);
	}
	watch_interrupts(false);
	return leave_stopped(child);
}

static int create_and_record(const struct settings *settings,
			     const struct installation *installation,
			     struct experiment *experiment, const struct target *target)
{
	int status;

	watch_interrupts(true);
	status = experiment_overwrite(experiment, settings, installation);
	if (status == CLI_OK)
		status = experiment_create(experiment, settings);
	if (status != CLI_OK)
		return status;
	if (settings->stops_after_exec)
		return record_stopped(settings, installation, experiment, target);
	status = prepare(settings, installation, experiment, target);
	if (status == CLI_OK)
		status = run(settings, target);
	/* The exec did not happen, so nothing was started. */
	experiment_discard(experiment);
	return status;
}

static void ignore(int signal)
{
}

/* The reader of our messages may be gone, which must not keep the program from running. A
 * handler ends with the exec; ignoring the signal would be inherited by the program. */
static void survive_broken_pipes(void)
{
	const struct sigaction survive = { .sa_handler = ignore, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		sigaction(SIGPIPE, &survive, NULL);
}

/* Print the text that is installed with collect. Without it that is not an error. */
static int show_readme(void)
{
	struct installation installation = {};
	FILE *file = NULL;
	char buffer[4096];
	size_t size;

	printf("%s (erkit) %s\n\n", cli_program(), ERKIT_VERSION);
	if (installation_find(&installation) == CLI_OK)
		file = fopen(installation.readme, "re");
	if (!file && installation.readme)
		cli_warn("cannot open '%s': %s", installation.readme,
			 strerrordesc_np(errno));
	while (file && (size = fread(buffer, 1, sizeof(buffer), file)) > 0)
		fwrite(buffer, 1, size, stdout);
	if (file)
		fclose(file);
	installation_release(&installation);
	return cli_finish(CLI_OK);
}

int main(int argc, char *argv[])
{
	struct installation installation = {};
	struct experiment experiment = EXPERIMENT_INIT;
	struct settings settings;
	struct target target = {};
	int status;

	cli_start(argv, usage);
	if (argc < 2)
		printf("%s\n", usage);
	if (argc < 2 || (argc == 2 && strcmp(argv[1], "-h") == 0)) {
		counters_list(stdout);
		return cli_finish(CLI_OK);
	}
	if (strcmp(argv[1], "-R") == 0)
		return show_readme();
	survive_broken_pipes();
	status = options_parse(&settings, argv, usage);
	if (status == CLI_OK)
		status = counters_check(&settings.counters);
	if (status == CLI_OK)
		status = target_find(&target, settings.target[0]);
	if (status == CLI_OK && target.is_static)
		status = outside_check(&settings, &target);
	if (status == CLI_OK)
		status = installation_find(&installation);
	if (status == CLI_OK)
		status = experiment_choose(&experiment, &settings);
	if (status == CLI_OK && (settings.is_dry_run || settings.is_verbose))
		status = show_settings(&settings, &experiment, &target);
	if (status == CLI_OK && !settings.is_dry_run)
		status =
			create_and_record(&settings, &installation, &experiment, &target);
	experiment_release(&experiment);
	installation_release(&installation);
	options_release(&settings);
	free(target.path);
	return status;
}

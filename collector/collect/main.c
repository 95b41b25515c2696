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

#include "collector/collect/by_gdb.h"
#include "collector/collect/environment.h"
#include "collector/collect/mpi.h"
#include "collector/collect/options.h"
#include "collector/collect/outside.h"
#include "collector/collect/running.h"
#include "collector/collect/show.h"
#include "collector/collect/threads.h"
#include "collector/counters/list.h"
#include "collector/inject/interrupts.h"
#include "collector/launch/archive.h"
#include "collector/launch/execute.h"
#include "collector/launch/experiment.h"
#include "collector/launch/messages.h"
#include "collector/target/target.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

/* clang-format off */
static const char usage[] =
	"usage: collect [options] program [arguments]\n"
	"       collect [options] -P PID\n"
	"       collect [options] -M MPI launcher [arguments] -- program [arguments]\n"
	"what to record (default in parentheses)\n"
	"  -p on|off|lo|hi|N[m|u]  clock profiling, every N milli- or microseconds (on: "
	"10 ms)\n"
	"  -H on|off|N1[-N2]       heap tracing: all blocks, or blocks of N1 to N2 bytes "
	"(off)\n"
	"  -s on|off|all|N         waits for other threads, of at least N microseconds "
	"(off)\n"
	"  -i on|off               I/O tracing: every call on a descriptor or stream "
	"(off)\n"
	"  -r WORD,...             race, deadlock, all or off; and what to do in a "
	"deadlock:\n"
	"                          terminate (default), abort, continue (off)\n"
	"  -j on|off|DIR           Java methods; DIR: of a JDK (on for java, .jar and "
	".class)\n"
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
	"  -J TEXT                 options for the Java machine, in one word\n"
	"  -n                      show what would be done, record nothing\n"
	"  -v                      show the settings\n"
	"  -x                      leave the program stopped at its start, for a "
	"debugger\n"
	"  -P PID                  record a process that runs already\n"
	"  -M MPI                  record each rank that the launcher starts: OPENMPI, "
	"MPICH, ...\n"
	"      --gdb               with -P: have gdb begin and end the recording\n"
	"      --prepare PID       make an experiment for this process and print what "
	"it needs\n"
	"      --libraries         print the libraries that record with these options\n"
	"      --archive NAME.er   archive for this experiment, which has ended\n"
	"      --rank FOUNDER      record the program as a rank; -M uses it\n"
	"  -V, --version           print the version and exit\n"
	"  -R                      print the version and the README\n"
	"      --help              print this help and exit\n";
/* clang-format on */

/* Returns only if the program cannot be executed: the exit status, with a message
 * printed. */
static int run_target(const struct target *target, char **words)
{
	int error;

	messages_before_exec();
	error = execute(target->path, words, target->is_script);
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
	static const int signals[] = { SIGINT, SIGTERM };
	static struct sigaction former[2];
	struct sigaction ours = { .sa_handler = note_interrupt };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		if (!is_watching)
			sigaction(signals[i], &former[i], NULL);
		else if (sigaction(signals[i], NULL, &former[i]) == 0 &&
			 former[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &ours, NULL);
	}
}

/* Called in the process that will execute the program. */
static int prepare(const struct settings *settings,
		   const struct installation *installation,
		   const struct experiment *experiment, const struct target *target)
{
	bool is_rank = settings->rank.experiment;
	int status =
		target->is_static
			? outside_start(settings, installation, experiment, target)
			: environment_set(settings, installation, experiment, target,
					  is_rank ? mpi_founder(settings) : getpid());

	if (status == CLI_OK)
		status = threads_prepare(settings);
	if (status == CLI_OK && !is_rank)
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

/* Leave the rest to the debugger that has called us. */
static int hand_over(const struct settings *settings,
		     const struct installation *installation,
		     const struct experiment *experiment)
{
	int status = running_print(settings, installation, experiment);

	if (status == CLI_OK && was_interrupted)
		status = 128 + (int)was_interrupted;
	if (status != CLI_OK)
		experiment_discard(experiment);
	return status;
}

/* Returns only if the program cannot be executed. */
static int record(const struct settings *settings,
		  const struct installation *installation,
		  const struct experiment *experiment, const struct target *target)
{
	int status = prepare(settings, installation, experiment, target);

	return status == CLI_OK ? run(settings, target) : status;
}

/* Returns only if the launcher of an MPI job cannot be executed. */
static int record_launcher(const struct settings *settings,
			   const struct installation *installation,
			   const struct experiment *experiment,
			   const struct target *target)
{
	cleanup_strbuf struct strbuf words = STRBUF_INIT;
	struct settings launcher;
	int status = mpi_launcher(&launcher, &words, settings, experiment);

	if (status != CLI_OK)
		return status;
	status = record(&launcher, installation, experiment, target);
	free(launcher.target);
	return status;
}

/* Returns only if the program cannot be executed. */
static int record_rank(const struct settings *settings,
		       const struct installation *installation,
		       struct experiment *experiment, const struct target *target)
{
	int status = experiment_open(experiment, settings->rank.experiment);

	watch_interrupts(true);
	return status == CLI_OK ? record(settings, installation, experiment, target)
				: status;
}

static int create_and_record(const struct settings *settings,
			     const struct installation *installation,
			     struct experiment *experiment, const struct target *target)
{
	int status;

	if (settings->action == ACTION_ATTACH)
		interrupts_hold();
	else
		watch_interrupts(true);
	status = experiment_overwrite(experiment, settings, installation);
	if (status == CLI_OK)
		status = experiment_create(experiment, settings);
	if (status != CLI_OK)
		return status;
	if (settings->action == ACTION_ATTACH)
		return running_record(settings, installation, experiment);
	if (settings->action == ACTION_PREPARE)
		return hand_over(settings, installation, experiment);
	if (settings->stops_after_exec)
		return record_stopped(settings, installation, experiment, target);
	status = settings->mpi
			 ? record_launcher(settings, installation, experiment, target)
			 : record(settings, installation, experiment, target);
	/* The exec did not happen, so nothing was started. */
	experiment_discard(experiment);
	return status;
}

/* On a host where the founder's directory is not visible, the rank is a founder itself.
 */
static int record_rank_alone(struct settings *settings,
			     const struct installation *installation,
			     struct experiment *experiment, const struct target *target)
{
	cleanup_free char *name = mpi_name_of_rank(settings);
	int status;

	if (!name)
		return cli_error("out of memory");
	settings->rank.experiment = NULL;
	settings->name = name;
	status = experiment_choose(experiment, settings);
	return status == CLI_OK
		       ? create_and_record(settings, installation, experiment, target)
		       : status;
}

/* Find the program, or the process that runs already. */
static int find_target(struct target *target, const struct settings *settings)
{
	int status;

	if (settings->process)
		return running_check(settings->process);
	if (!*settings->target)
		return CLI_OK;
	status = java_find_target(target, settings->target[0], &settings->java);
	if (status == CLI_OK && target->is_static)
		status = outside_check(settings, target);
	if (status == CLI_OK && settings->mpi == MPI_OFF)
		status = threads_check(settings, target);
	return status;
}

/* Waits in Java can be recorded only where Java is. */
static void limit_sync(struct settings *settings)
{
	if (!settings->has_sync || settings->java.is_expected)
		return;
	settings->sync_scope &= SYNC_SCOPE_NATIVE;
	settings->has_sync = settings->sync_scope != 0;
	if (!settings->has_sync)
		cli_warn("ignoring -s: only waits in Java are requested, and no program "
			 "is recorded as one in Java");
}

/* A Java machine is given more words than the user wrote. */
static int complete_command(struct settings *settings, const struct target *target,
			    const struct installation *installation)
{
	int status = CLI_OK;

	if (settings->java.mode == JAVA_BY_TARGET && settings->has_heap)
		settings->java.mode = JAVA_OFF;
	if (*settings->target)
		status = java_complete_command(&settings->java, target,
					       installation->plugins, &settings->target);
	limit_sync(settings);
	return status;
}

static int print_libraries(const struct settings *settings,
			   const struct installation *installation)
{
	cleanup_strbuf struct strbuf list = STRBUF_INIT;
	int status = installation_libraries(&list, installation, settings);

	if (status == CLI_OK)
		puts(strbuf_text(&list));
	return cli_finish(status);
}

static int archive(const struct settings *settings,
		   const struct installation *installation, struct experiment *experiment)
{
	int status = experiment_open(experiment, settings->name);

	interrupts_hold();
	if (status == CLI_OK && !settings->is_dry_run)
		archive_for(settings, installation, experiment);
	return status;
}

static int act(struct settings *settings, const struct installation *installation,
	       struct experiment *experiment, const struct target *target)
{
	int status;

	if (settings->action == ACTION_LIBRARIES)
		return print_libraries(settings, installation);
	if (settings->action == ACTION_ARCHIVE)
		return archive(settings, installation, experiment);
	if (settings->rank.experiment && mpi_has_founder(settings))
		return record_rank(settings, installation, experiment, target);
	if (settings->rank.experiment)
		return record_rank_alone(settings, installation, experiment, target);
	status = experiment_choose(experiment, settings);
	if (status == CLI_OK && settings->uses_gdb)
		return by_gdb_record(settings, installation);
	if (status == CLI_OK && settings->action == ACTION_ATTACH)
		status = running_check_attach(settings, installation, experiment);
	if (status == CLI_OK && (settings->is_dry_run || settings->is_verbose))
		status = settings_show(settings, experiment, target);
	if (status == CLI_OK && !settings->is_dry_run)
		status = create_and_record(settings, installation, experiment, target);
	return status;
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
		return readme_show();
	messages_survive_broken_pipes();
	status = options_parse(&settings, argv, usage);
	if (status == CLI_OK)
		status = counters_check(&settings.counters);
	if (status == CLI_OK)
		status = find_target(&target, &settings);
	if (status == CLI_OK)
		status = installation_find(&installation);
	if (status == CLI_OK)
		status = installation_check_preload(&installation);
	if (status == CLI_OK)
		status = complete_command(&settings, &target, &installation);
	if (status == CLI_OK)
		status = act(&settings, &installation, &experiment, &target);
	experiment_release(&experiment);
	installation_release(&installation);
	options_release(&settings);
	free(target.path);
	return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* er_kernel - record where the kernel spends its time, on all processors */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "collector/counters/list.h"
#include "collector/er_kernel/load.h"
#include "collector/er_kernel/options.h"
#include "collector/er_kernel/plan.h"
#include "collector/er_kernel/privilege.h"
#include "collector/er_kernel/recorder.h"
#include "collector/er_kernel/show.h"
#include "collector/inject/interrupts.h"
#include "collector/launch/archive.h"
#include "collector/launch/experiment.h"
#include "collector/launch/installation.h"
#include "collector/launch/messages.h"
#include "collector/target/target.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define NS_PER_MS    UINT64_C(1000000)
#define NS_PER_S     UINT64_C(1000000000)
#define BYTES_PER_MB (UINT64_C(1) << 20)

/* clang-format off */
static const char usage[] =
	"usage: er_kernel [options] [load [arguments]]\n"
	"Records the kernel on all processors until the load ends, -t, or an interrupt.\n"
	"what to record (default in parentheses)\n"
	"  -p on|off|lo|hi|N[m|u]  clock profiling, every N milli- or microseconds (on: "
	"10 ms)\n"
	"  -h on|off|hi|lo|CTRS    counters: NAME[,INTERVAL],...; -h alone lists them "
	"(off)\n"
	"  -x on|off               leave idle processors out (on)\n"
	"  -F on|off|=REGEX        record user processes, too: all, none, or by name or "
	"number\n"
	"                          (the load and its descendants)\n"
	"  -S on|off|N             sample resource usage every N seconds (on: 1)\n"
	"  -t [T1-]T2              record only from T1 to T2 seconds, and end; Nm: "
	"minutes\n"
	"  -q N                    quiet seconds before and after the load (3)\n"
	"  -L N|unlimited          limit the data to N megabytes (2000)\n"
	"where to record it\n"
	"  -o NAME.er              name of the experiment (ktest.1.er, ktest.2.er ...)\n"
	"  -O FILE                 same as --outfile; for an experiment, as -o "
	"--overwrite\n"
	"      --overwrite         with -o: replace an existing experiment\n"
	"      --outfile FILE      append the messages of er_kernel to FILE\n"
	"  -d DIR                  directory of the experiment\n"
	"  -g NAME.erg             add the experiment to this group\n"
	"  -A MODE, -a MODE        archive the load objects: on (descriptions), off, "
	"copy,\n"
	"                          usedcopy, src, usedsrc; see er_archive (on)\n"
	"  -C TEXT                 add a line to the notes; up to 10 times\n"
	"how to run\n"
	"  -n                      show what would be done, record nothing\n"
	"  -v                      show the settings\n"
	"  -V, --version           print the version and exit\n"
	"      --help              print this help and exit\n";
/* clang-format on */

static enum plan_follow follow_of(const struct settings *settings)
{
	if (!settings->has_follow)
		return *settings->target ? PLAN_FOLLOW_LOAD : PLAN_FOLLOW_NONE;
	return settings->follow == 0		     ? PLAN_FOLLOW_NONE
	       : settings->follow == FOLLOW_MATCHING ? PLAN_FOLLOW_MATCHING
						     : PLAN_FOLLOW_ALL;
}

static struct plan_counter plan_counter(const struct counter *counter)
{
	return (struct plan_counter){
		.name = counter->name,
		.internal = counter->internal,
		.cpu = counter->cpu,
		.type = counter->type,
		.config = counter->config,
		.config1 = counter->config1,
		.config2 = counter->config2,
		.period = counter->period,
		.is_user_only = counter->is_user_only,
		.precision = counter->precision,
	};
}

static void make_plan(struct plan *plan, const struct settings *settings,
		      const char *command)
{
	*plan = (struct plan){
		.directory = -1,
		.command = command,
		.period_us = (uint32_t)settings->clock_period_us,
		.counter_count = settings->counters.count,
		.has_idle = settings->has_idle,
		.follow = follow_of(settings),
		.follow_regex = settings->follow_regex,
		.is_archived = settings->archive != EXPT_ARCHIVE_OFF,
		.sample_period_ns = settings->sample_seconds * NS_PER_S,
		.window_start_ns = settings->window_start_ms * NS_PER_MS,
		.window_end_ns = settings->window_end_ms * NS_PER_MS,
		.limit_bytes = settings->limit_mb * BYTES_PER_MB,
		.load = settings->target,
		.quiet_ns = settings->quiet_seconds * NS_PER_S,
	};
	for (size_t i = 0; i < plan->counter_count; i++)
		plan->counters[i] = plan_counter(&settings->counters.items[i]);
}

static int say_outcome(const struct outcome *outcome, const struct plan *plan)
{
	if (outcome->are_names_hidden)
		privilege_warn_of_names();
	if (outcome->lost > 0)
		cli_warn("the kernel lost %lu records: use a longer interval",
			 (unsigned long)outcome->lost);
	if (outcome->lost_waits > 0)
		cli_warn("the kernel lost %lu records of waits: their times are missing",
			 (unsigned long)outcome->lost_waits);
	if (outcome->skipped > 0)
		cli_warn("%lu samples were skipped, because er_kernel could not keep up: "
			 "use a longer interval, or follow fewer processes",
			 (unsigned long)outcome->skipped);
	if (outcome->load_error != 0) {
		cli_error("cannot run '%s': %s", *plan->load,
			  strerrordesc_np(outcome->load_error));
		return outcome->load_error == ENOENT ? STATUS_NOT_FOUND
						     : STATUS_CANNOT_RUN;
	}
	if (!outcome->has_load)
		return CLI_OK;
	if (!outcome->has_load_ended) {
		cli_note("'%s' has not ended yet", *plan->load);
		return CLI_OK;
	}
	cli_note("'%s' ended with status %d", *plan->load, outcome->load_status);
	return outcome->load_status;
}

static int record(struct plan *plan, const struct settings *settings,
		  const struct installation *installation, struct experiment *experiment)
{
	struct outcome outcome;
	int status = experiment_overwrite(experiment, settings, installation), rc;

	if (status == CLI_OK)
		status = experiment_create(experiment, settings);
	if (status != CLI_OK)
		return status;
	cli_note("recording to '%s'", experiment->path);
	plan->directory = experiment->dir;
	rc = recorder_run(&outcome, plan);
	if (rc < 0) {
		experiment_discard(experiment);
		return privilege_refused(-rc);
	}
	archive_for(settings, installation, experiment);
	return say_outcome(&outcome, plan);
}

/* Find out what does not work before anything is made. */
static int find_load(char **load_path, const struct plan *plan)
{
	return *plan->load ? load_find(load_path, *plan->load) : CLI_OK;
}

/* Who asks for user processes gets those that the kernel permits. */
static int choose_scope(struct plan *plan, const struct settings *settings)
{
	bool may_be_own = settings->has_follow && plan->follow != PLAN_FOLLOW_NONE;
	int rc = recorder_check(plan), own = rc;

	while ((own == -EACCES || own == -EPERM) && may_be_own &&
	       ++plan->scope < PLAN_SCOPES)
		own = recorder_check(plan);
	if (own < 0)
		return privilege_refused(-rc);
	if (plan->scope != PLAN_ALL_PROCESSES)
		privilege_warn_of_scope(plan->scope == PLAN_OWN_PROCESSES);
	return CLI_OK;
}

static int act(const struct settings *settings, const struct installation *installation,
	       struct experiment *experiment, const char *command)
{
	cleanup_free char *load_path = NULL;
	struct plan plan;
	int status;

	make_plan(&plan, settings, command);
	status = find_load(&load_path, &plan);
	plan.load_path = load_path;
	if (status == CLI_OK)
		status = choose_scope(&plan, settings);
	if (status == CLI_OK)
		status = experiment_choose(experiment, settings);
	if (status == CLI_OK && (settings->is_dry_run || settings->is_verbose))
		status = settings_show(settings, experiment);
	if (status != CLI_OK || settings->is_dry_run)
		return status;
	sigprocmask(SIG_BLOCK, NULL, &plan.mask);
	interrupts_hold();
	return record(&plan, settings, installation, experiment);
}

int main(int argc, char *argv[])
{
	cleanup_strbuf struct strbuf command = STRBUF_INIT;
	struct installation installation = {};
	struct experiment experiment = EXPERIMENT_INIT;
	struct settings settings;
	int status;

	cli_start(argv, usage);
	if (argc < 2 || (argc == 2 && strcmp(argv[1], "-h") == 0)) {
		if (argc < 2)
			fputs(usage, stdout);
		else
			counters_list(stdout);
		return cli_finish(CLI_OK);
	}
	messages_survive_broken_pipes();
	for (int i = 0; i < argc; i++)
		strbuf_printf(&command, "%s%s", i > 0 ? " " : "", argv[i]);
	status = options_parse(&settings, argv, usage);
	if (status == CLI_OK)
		status = counters_check(&settings.counters);
	if (status == CLI_OK)
		status = installation_find(&installation);
	if (status == CLI_OK)
		status =
			act(&settings, &installation, &experiment, strbuf_text(&command));
	experiment_release(&experiment);
	installation_release(&installation);
	counters_release(&settings.counters);
	return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Sends experiments to another host. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/transfer/remote.h"
#include "libexpt/cli/transfer/trip.h"

/* Returns the files and bytes of an experiment, or the members of a group, in a new
 * string. */
static char *counts_of(const struct expt_report *report)
{
	const char *of_one = NULL;
	unsigned experiments = 0;
	char *text;

	for (size_t i = 0; i < expt_report_count(report); i++)
		if (expt_report_line(report, i)->outcome == EXPT_COPIED) {
			of_one = expt_report_line(report, i)->reason;
			experiments++;
		}
	if (experiments == 1)
		return strdup(of_one);
	return asprintf(&text, "%u experiments", experiments) < 0 ? NULL : text;
}

static void add_to_send(struct trip *trip, const char *operand)
{
	struct expt_export_options options = trip->giving;
	struct expt_error err;

	if (expt_name_is_remote(operand)) {
		trip->status = cli_error("'%s' and '%s' are both on other hosts", operand,
					 trip->place);
		return;
	}
	options.operation.report = expt_report_new();
	if (!options.operation.report) {
		trip->status = cli_error("out of memory");
		return;
	}
	if (remote_add(trip->remote, operand, &options, &err) < 0)
		trip_fail_with(trip, &err);
	else
		trip_add(trip, operand, counts_of(options.operation.report));
	expt_report_free(options.operation.report);
}

static int finish_move(struct trip *trip, struct expt_error *err)
{
	return remote_finish_move(trip->remote, trip->finishing, err);
}

static void drop(struct trip *trip, size_t i)
{
	trip->cargo[i].is_dropped = true;
	remote_drop(trip->remote, i);
}

/* A move that was interrupted after everything had arrived has only the removal left to
 * do. */
static bool is_finished(struct trip *trip, size_t i)
{
	const struct cli_transfer *transfer = trip->transfer;
	const char *name = remote_existing_name(trip->remote, i, 0);
	cleanup_free char *there = name ? trip_join(trip->place, name) : NULL;
	int rc;

	if (!there || !transfer->is_move || transfer->force || transfer->rename ||
	    transfer->interactive || transfer->operation.dry_run)
		return false;
	trip->finishing = i;
	rc = trip_wait(trip, finish_move);
	if (rc <= 0)
		return rc < 0;
	if (!transfer->is_quiet)
		cli_warn("'%s': already copied: finishing an interrupted move", there);
	return true;
}

static void settle_names(struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++) {
		const char *name;

		if (is_finished(trip, i))
			drop(trip, i);
		for (size_t n = 0; !trip->cargo[i].is_dropped &&
				   (name = remote_existing_name(trip->remote, i, n));
		     n++) {
			cleanup_free char *there = trip_join(trip->place, name);

			if (!there || !trip_confirm_name(trip, there))
				drop(trip, i);
		}
	}
}

static int send(struct trip *trip, struct expt_error *err)
{
	return remote_send(trip->remote, &trip->giving, &trip->taking, err);
}

/* Report what has arrived, even if something failed later. */
static void say_sent(struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++) {
		const struct cargo *cargo = &trip->cargo[i];
		const char *name = remote_arrived_name(trip->remote, i);
		size_t length;
		const char *last = path_last(cargo->operand, &length);
		cleanup_free char *there = name ? trip_join(trip->place, name) : NULL;

		if (cargo->is_dropped || !there)
			continue;
		if (trip->taking.rename && !trip->transfer->is_quiet &&
		    remote_existing_name(trip->remote, i, 0) &&
		    strncmp(last, name, length) != 0)
			cli_warn("name '%.*s' is in use; changed to '%s'", (int)length,
				 last, there);
		trip_say(trip, cargo->operand, there, cargo->counts);
	}
}

static void say_planned(const struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++) {
		size_t length;
		const char *last = path_last(trip->cargo[i].operand, &length);
		cleanup_free char *name = strndup(last, length);
		cleanup_free char *there = name ? trip_join(trip->place, name) : NULL;

		if (there && !trip->cargo[i].is_dropped)
			trip_say(trip, trip->cargo[i].operand, there,
				 trip->cargo[i].counts);
	}
}

static void send_all(struct trip *trip)
{
	struct expt_report *report = expt_report_new();
	int rc;

	if (!report) {
		trip->status = cli_error("out of memory");
		return;
	}
	trip->giving.operation.report = report;
	trip->giving.operation.progress = trip_begin_progress(trip);
	rc = trip_wait(trip, send);
	cli_progress_end(rc >= 0);
	if (cli_report(report, false, trip->transfer->is_quiet) != CLI_OK)
		trip_fail(trip);
	say_sent(trip);
	expt_report_free(report);
}

int cli_send(const struct cli_transfer *transfer, int count, char *operands[],
	     const char *place)
{
	struct trip trip = { .transfer = transfer, .place = place };

	trip.status = trip_begin(&trip, place, count, true);
	if (trip.status != CLI_OK)
		return trip_end(&trip);
	for (int i = 0; i < count; i++)
		add_to_send(&trip, operands[i]);
	if (trip.count == 0 || !trip_start(&trip))
		return trip_end(&trip);
	trip_say_tools(&trip);
	settle_names(&trip);
	if (transfer->operation.dry_run)
		say_planned(&trip);
	else if (!trip_is_empty(&trip))
		send_all(&trip);
	return trip_end(&trip);
}

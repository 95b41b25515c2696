/* SPDX-License-Identifier: Apache-2.0 */
/* What is asked and said when experiments go to another host or come from one; the library does it. */
#include "libexpt/cli/remote.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/listener.h"
#include "libexpt/cli/stop.h"

/* An operand that is fit to be sent or asked for. */
struct cargo {
	const char *operand;
	char *counts; /* "5 files, 20 bytes", or NULL */
	bool is_dropped;
};

struct trip {
	const struct cli_transfer *transfer;
	const char *place; /* where it goes, there or here */
	char *host;
	struct expt_remote *remote;
	struct listener listener;
	struct expt_export_options giving;
	struct expt_import_options taking;
	struct cargo *cargo;
	size_t count, finishing;
	int status;
};

static void fail(struct trip *trip)
{
	trip->status = CLI_FAILED;
}

static void fail_with(struct trip *trip, const struct expt_error *err)
{
	trip->status = cli_failed(err);
}

/* "desk" of "desk:runs". Without a host the library has refused it before. */
static char *host_of(const char *operand)
{
	const char *close = strstr(operand, "]:");
	const char *end = close ? close + 1 : strchr(operand, ':');

	return strndup(operand, end ? (size_t)(end - operand) : strlen(operand));
}

/* The last component behind the host, in a new string. */
static char *name_there(const char *operand)
{
	cleanup_free char *host = host_of(operand);
	const char *path = host ? operand + strlen(host) + 1 : operand;
	size_t length;
	const char *last = path_last(path, &length);

	return strndup(last, length);
}

int cli_same_host(int count, char *operands[])
{
	cleanup_free char *host = host_of(operands[0]);
	size_t length = host ? strlen(host) : 0;
	int same = 1;

	while (host && same < count && strncmp(operands[same], host, length) == 0 &&
	       operands[same][length] == ':')
		same++;
	return same;
}

/* PLACE/NAME, or directly behind the colon of a host. */
static char *join(const char *place, const char *name)
{
	size_t length = strlen(place);
	cleanup_free char *host = expt_name_is_remote(place) ? host_of(place) : NULL;
	bool is_host = host && strlen(host) + 1 == length;
	bool has_end = is_host || (length && place[length - 1] == '/');
	char *path;

	return asprintf(&path, "%s%s%s", place, has_end ? "" : "/", name) < 0 ? NULL : path;
}

/* ---- beginning and end ---- */

static int begin(struct trip *trip, const char *operand, int count, bool is_sending)
{
	struct expt_remote_options options = {
		.shell = trip->transfer->shell,
		.is_quiet = trip->transfer->is_quiet,
		.move = trip->transfer->is_move,
		.move_live = trip->transfer->force,
	};
	struct expt_error err;
	int rc;

	trip->host = host_of(operand);
	trip->cargo = calloc((size_t)count, sizeof *trip->cargo);
	if (listener_init(&trip->listener) != CLI_OK)
		return CLI_FAILED;
	if (!trip->host || !trip->cargo)
		return cli_error("out of memory");
	options.messages = trip->listener.speaker;
	rc = is_sending ? expt_remote_to(&trip->remote, operand, &options, &err)
			: expt_remote_from(&trip->remote, operand, &options, &err);
	if (rc < 0)
		return cli_failed(&err);
	trip->giving.threads = trip->taking.threads = trip->transfer->threads;
	trip->taking.stop = trip->transfer->stop;
	if (trip->transfer->prepare_export)
		trip->transfer->prepare_export(trip->transfer, &trip->giving);
	return CLI_OK;
}

static int end(struct trip *trip)
{
	expt_remote_close(trip->remote);
	listener_release(&trip->listener);
	for (size_t i = 0; i < trip->count; i++)
		free(trip->cargo[i].counts);
	free(trip->cargo);
	free(trip->host);
	cli_stop_if_asked();
	return trip->status;
}

/* Of a library call that waits for the other side: signals are the listener's meanwhile. */
static int wait_for(struct trip *trip,
		    int (*call)(struct trip *trip, struct expt_error *err))
{
	struct expt_error err;
	sigset_t before;
	int rc;

	listener_block_signals(&before);
	rc = call(trip, &err);
	listener_restore_signals(&before);
	if (rc < 0 && !*trip->transfer->stop)
		fail_with(trip, &err);
	else if (rc < 0)
		fail(trip);
	return rc;
}

static int connect(struct trip *trip, struct expt_error *err)
{
	return expt_remote_connect(trip->remote, err);
}

static bool start(struct trip *trip)
{
	struct expt_error err;

	if (expt_remote_start(trip->remote, &err) < 0)
		fail_with(trip, &err);
	else if (listener_start(&trip->listener, trip->host, trip->remote,
				trip->transfer->stop) != CLI_OK)
		fail(trip);
	else
		return wait_for(trip, connect) >= 0;
	return false;
}

static void drop(struct trip *trip, size_t i)
{
	trip->cargo[i].is_dropped = true;
	expt_remote_drop(trip->remote, i);
}

static bool is_empty(const struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++)
		if (!trip->cargo[i].is_dropped)
			return false;
	return true;
}

/* What to do about a taken name: false, and perhaps a message: leave the operand out. */
static bool may_take(struct trip *trip, const char *name)
{
	const struct cli_transfer *transfer = trip->transfer;

	if (transfer->rename && !expt_name_is_group(name))
		return trip->taking.rename = true;
	if (transfer->interactive || transfer->force) {
		trip->taking.force = true;
		return !transfer->interactive || cli_confirm("replace '%s'? ", name);
	}
	trip->status = cli_error("cannot create '%s': %s", name, strerror(EEXIST));
	return false;
}

static void add(struct trip *trip, const char *operand, char *counts)
{
	trip->cargo[trip->count++] = (struct cargo){ .operand = operand, .counts = counts };
}

static void say(const struct trip *trip, const char *from, const char *to,
		const char *counts)
{
	const struct cli_transfer *transfer = trip->transfer;

	if (transfer->is_verbose || transfer->dry_run)
		cli_say("%s '%s' -> '%s'%s%s%s",
			transfer->dry_run ? transfer->planned : transfer->done, from, to,
			counts ? " (" : "", counts ? counts : "", counts ? ")" : "");
}

static struct expt_progress *begin_progress(const struct trip *trip)
{
	return cli_progress_begin(cli_transfer_progress(trip->transfer),
				  trip->count == 1 ? trip->cargo[0].operand : trip->place);
}

/* ---- to another host ---- */

/* Of an experiment its files and bytes, of a group its members, in a new string. */
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
	options.report = expt_report_new();
	if (!options.report) {
		trip->status = cli_error("out of memory");
		return;
	}
	if (expt_remote_add(trip->remote, operand, &options, &err) < 0)
		fail_with(trip, &err);
	else
		add(trip, operand, counts_of(options.report));
	expt_report_free(options.report);
}

static void say_means(const struct trip *trip)
{
	enum expt_remote_means means = expt_remote_means(trip->remote);
	bool is_sending = expt_name_is_remote(trip->place);

	if (trip->transfer->is_quiet || means == EXPT_REMOTE_ERKIT)
		return;
	cli_warn("%s is missing on '%s': tar does its work%s",
		 is_sending ? "er_import" : "er_export", trip->host,
		 means == EXPT_REMOTE_TAR ? ", and sha256sum verifies it"
					  : ", and nothing verifies it");
}

static int finish_move(struct trip *trip, struct expt_error *err)
{
	return expt_remote_finish(trip->remote, trip->finishing, err);
}

/* A move that was interrupted when all had arrived has only the removal left to do. */
static bool is_finished(struct trip *trip, size_t i)
{
	const struct cli_transfer *transfer = trip->transfer;
	const char *name = expt_remote_there(trip->remote, i, 0);
	cleanup_free char *there = name ? join(trip->place, name) : NULL;
	int rc;

	if (!there || !transfer->is_move || transfer->force || transfer->rename ||
	    transfer->interactive || transfer->dry_run)
		return false;
	trip->finishing = i;
	rc = wait_for(trip, finish_move);
	if (rc <= 0)
		return rc < 0;
	if (!transfer->is_quiet)
		cli_warn("'%s': was copied already: an interrupted move is finished",
			 there);
	return true;
}

static void settle_names(struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++) {
		const char *name;

		if (is_finished(trip, i))
			drop(trip, i);
		for (size_t n = 0; !trip->cargo[i].is_dropped &&
				   (name = expt_remote_there(trip->remote, i, n));
		     n++) {
			cleanup_free char *there = join(trip->place, name);

			if (!there || !may_take(trip, there))
				drop(trip, i);
		}
	}
}

static int send(struct trip *trip, struct expt_error *err)
{
	return expt_remote_send(trip->remote, &trip->giving, &trip->taking, err);
}

/* What has arrived is said, also when something went wrong later. */
static void say_sent(struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++) {
		const struct cargo *cargo = &trip->cargo[i];
		const char *name = expt_remote_arrived(trip->remote, i);
		size_t length;
		const char *last = path_last(cargo->operand, &length);
		cleanup_free char *there = name ? join(trip->place, name) : NULL;

		if (cargo->is_dropped || !there)
			continue;
		if (trip->taking.rename && !trip->transfer->is_quiet &&
		    expt_remote_there(trip->remote, i, 0) &&
		    strncmp(last, name, length) != 0)
			cli_warn("name '%.*s' is in use; changed to '%s'", (int)length,
				 last, there);
		say(trip, cargo->operand, there, cargo->counts);
	}
}

static void say_planned(const struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++) {
		size_t length;
		const char *last = path_last(trip->cargo[i].operand, &length);
		cleanup_free char *name = strndup(last, length);
		cleanup_free char *there = name ? join(trip->place, name) : NULL;

		if (there && !trip->cargo[i].is_dropped)
			say(trip, trip->cargo[i].operand, there, trip->cargo[i].counts);
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
	trip->giving.report = report;
	trip->giving.progress = begin_progress(trip);
	rc = wait_for(trip, send);
	cli_progress_end(rc >= 0);
	if (cli_report(report, false, trip->transfer->is_quiet) != CLI_OK)
		fail(trip);
	say_sent(trip);
	expt_report_free(report);
}

int cli_send(const struct cli_transfer *transfer, int count, char *operands[],
	     const char *place)
{
	struct trip trip = { .transfer = transfer, .place = place };

	trip.status = begin(&trip, place, count, true);
	if (trip.status != CLI_OK)
		return end(&trip);
	for (int i = 0; i < count; i++)
		add_to_send(&trip, operands[i]);
	if (trip.count == 0 || !start(&trip))
		return end(&trip);
	say_means(&trip);
	settle_names(&trip);
	if (transfer->dry_run)
		say_planned(&trip);
	else if (!is_empty(&trip))
		send_all(&trip);
	return end(&trip);
}

/* ---- from another host ---- */

static void add_to_receive(struct trip *trip, const char *operand)
{
	cleanup_free char *name = name_there(operand);
	cleanup_free char *here = name ? join(trip->place, name) : NULL;
	struct expt_error err;

	if (!here) {
		trip->status = cli_error("out of memory");
		return;
	}
	if (cli_exists(here) && !may_take(trip, here))
		return;
	if (expt_remote_add(trip->remote, operand, &trip->giving, &err) < 0)
		fail_with(trip, &err);
	else
		add(trip, operand, NULL);
}

static void drop_missing(struct trip *trip)
{
	for (size_t i = 0; i < trip->count; i++)
		if (!expt_remote_there(trip->remote, i, 0)) {
			trip->status = cli_error("cannot open '%s': %s",
						 trip->cargo[i].operand, strerror(ENOENT));
			trip->cargo[i].is_dropped = true;
		}
}

static int receive(struct trip *trip, struct expt_error *err)
{
	return expt_remote_receive(trip->remote, &trip->giving, &trip->taking, err);
}

/* What comes first was asked for first; of a group only the whole is known. */
static const char *source_of(const struct trip *trip, size_t *at)
{
	while (*at < trip->count && trip->cargo[*at].is_dropped)
		++*at;
	if (*at == trip->count)
		return trip->host;
	return expt_name_is_group(trip->cargo[*at].operand) ? trip->cargo[*at].operand
							    : trip->cargo[(*at)++].operand;
}

static void say_received(const struct trip *trip, const struct expt_report *report)
{
	size_t at = 0;

	for (size_t i = 0; i < expt_report_count(report); i++) {
		const struct expt_report_line *line = expt_report_line(report, i);
		size_t length;
		const char *last = path_last(line->name, &length);
		cleanup_free char *here = join(trip->place, last);

		if (line->outcome == EXPT_COPIED && here)
			say(trip, source_of(trip, &at), here, line->reason);
	}
}

static void receive_all(struct trip *trip)
{
	struct expt_report *report = expt_report_new();
	int rc;

	if (!report) {
		trip->status = cli_error("out of memory");
		return;
	}
	trip->taking.directory = trip->place;
	trip->taking.verify = expt_remote_means(trip->remote) != EXPT_REMOTE_TAR_UNVERIFIED;
	trip->giving.dry_run = trip->transfer->dry_run;
	trip->giving.report = trip->taking.report = report;
	trip->taking.progress = begin_progress(trip);
	rc = wait_for(trip, receive);
	cli_progress_end(rc >= 0);
	if (cli_report(report, false, trip->transfer->is_quiet) != CLI_OK)
		fail(trip);
	say_received(trip, report);
	expt_report_free(report);
}

int cli_receive(const struct cli_transfer *transfer, int count, char *operands[],
		const char *directory)
{
	struct trip trip = { .transfer = transfer, .place = directory };

	trip.status = begin(&trip, operands[0], count, false);
	if (trip.status != CLI_OK)
		return end(&trip);
	for (int i = 0; i < count; i++)
		add_to_receive(&trip, operands[i]);
	if (trip.count == 0 || !start(&trip))
		return end(&trip);
	drop_missing(&trip);
	if (is_empty(&trip))
		return end(&trip);
	say_means(&trip);
	receive_all(&trip);
	return end(&trip);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The log's description of a recording: who, what, where, how, and what went wrong. */
#include <inttypes.h>
#include <string.h>

#include "er_print/experiments/course.h"
#include "er_print/experiments/header.h"
#include "er_print/experiments/private.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/number.h"

bool select_members(struct session *session, int count, char **words, size_t *first,
		    size_t *end)
{
	uint64_t number;

	*first = 0;
	*end = expt_view_count(session->view);
	if (count < 2 || strcmp(words[1], "all") == 0)
		return true;
	if (!number_u64(&number, words[1]) || number < 1 ||
	    number > expt_view_count(session->view)) {
		session_error(session, "no experiment '%s': see experiment_list",
			      words[1]);
		return false;
	}
	*first = (size_t)number - 1;
	*end = *first + 1;
	return true;
}

static void print_notes(FILE *out, const struct expt *expt)
{
	const char *notes = expt_notes(expt);
	size_t length = strlen(notes);

	if (length == 0)
		return;
	fprintf(out, "Notes:\n%s%s", notes, notes[length - 1] == '\n' ? "" : "\n");
	fputs("============================================================\n", out);
}

/* ---- messages of the collector ---- */

static void print_message(FILE *out, const char *prefix, const struct expt_event *event)
{
	const char *meaning = expt_message_text(event->id);

	if (meaning)
		escape_printf(out, "%s%s%s%s", prefix, meaning, *event->text ? ": " : "",
			      event->text);
	else
		escape_printf(out, "%sNumber %" PRId64 " (\"%s\")", prefix, event->id,
			      event->text);
	if (event->error_number)
		fprintf(out, " -- %s", strerror((int)event->error_number));
	fputc('\n', out);
}

static bool print_messages(FILE *out, const struct expt *expt, enum expt_event_kind kind,
			   const char *prefix)
{
	bool has_any = false;

	for (size_t i = 0; i < expt_event_count(expt); i++)
		if (expt_event(expt, i)->kind == kind) {
			print_message(out, prefix, expt_event(expt, i));
			has_any = true;
		}
	return has_any;
}

static void print_comments(FILE *out, const struct expt *expt)
{
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);
		const char *text = expt_event_attribute(event, "text");

		if (event->kind != EXPT_EVENT_COMMENT)
			continue;
		if (text)
			escape_printf(out, "*** Note: %s\n", text);
		else if (event->id == EXPT_COMMENT)
			escape_printf(out, "%s\n", event->text);
		else if (event->id == EXPT_COMMENT_DIRECTORY)
			escape_printf(out, "Initial execution directory `%s'\n",
				      event->text);
		else if (event->id == EXPT_COMMENT_ARGUMENTS)
			escape_printf(out, "Argument list `%s'\n", event->text);
		else
			print_message(out, "Comment: ", event);
	}
}

/* Print errors, warnings and notes, including the damage that the reader found. */
static void print_problems(struct session *session, const struct session_member *member)
{
	const struct expt *expt = member->expt;
	const struct expt_info *info = expt_info(expt);
	FILE *out = session->out;
	bool has_errors =
		print_messages(out, expt, EXPT_EVENT_ERROR, "*** Collector Error: ");
	bool has_warnings;

	if (!info->has_run) {
		fputs("*** Error: log does not show target starting\n", out);
		has_errors = true;
	}
	if (!has_errors)
		fputs("No errors\n", out);
	has_warnings =
		print_messages(out, expt, EXPT_EVENT_WARNING, "*** Collector Warning: ");
	for (size_t i = 0; i < expt_damage_count(expt); i++) {
		escape_printf(out, "*** Warning: %s\n", expt_damage(expt, i));
		has_warnings = true;
	}
	if (!has_warnings)
		fputs("No warnings\n", out);
	if (expt_is_active(expt))
		fputs("*** Note: experiment is being recorded\n", out);
	else if (!info->is_closed)
		fputs("*** Note: experiment was not closed\n", out);
	print_comments(out, expt);
	fputc('\n', out);
}

/* ---- target and host ---- */

static const char *or_unknown(const char *text)
{
	return *text ? text : "unknown";
}

static const char *profile_attribute(const struct expt_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->attribute_count; i++)
		if (strcmp(profile->attributes[i].name, name) == 0)
			return profile->attributes[i].value;
	return NULL;
}

static void print_java(FILE *out, const struct expt *expt)
{
	for (size_t i = 0; i < expt_profile_count(expt); i++) {
		const char *version;

		if (strcmp(expt_profile(expt, i)->name, "jprofile") != 0)
			continue;
		version = profile_attribute(expt_profile(expt, i), "jversion");
		escape_printf(out, "JVM version: `%s'\n",
			      or_unknown(version ? version : ""));
	}
}

static void print_target(FILE *out, const struct expt *expt)
{
	const struct expt_info *info = expt_info(expt);

	escape_printf(out, "Target command (%u-bit): '%s'\n", info->word_bits,
		      info->command);
	fprintf(out,
		"Process pid %" PRId64 ", ppid %" PRId64 ", pgrp %" PRId64
		", sid %" PRId64 "\n",
		info->pid, info->ppid, info->pgrp, info->sid);
	if (*info->directory)
		escape_printf(out, "Current working directory: %s\n", info->directory);
	escape_printf(out, "Collector version: `%s'; experiment version %s (%u-bit)\n",
		      info->collector, info->version, info->word_bits);
	print_java(out, expt);
	escape_printf(out,
		      "Host `%s', OS `%s', page size %" PRIu64 ", architecture `%s'\n",
		      or_unknown(info->host), or_unknown(info->os), info->page_size,
		      or_unknown(info->arch));
	fprintf(out, "  %u CPU%s, clock speed %u", info->cpu_count,
		info->cpu_count == 1 ? "" : "s", info->clock_min_mhz);
	if (info->clock_max_mhz != info->clock_min_mhz)
		fprintf(out, "-%u", info->clock_max_mhz);
	fputs(" MHz.\n", out);
	if (info->pages)
		fprintf(out,
			"  Memory: %" PRIu64 " pages @  %" PRIu64 " = %" PRIu64 " MB.\n",
			info->pages, info->page_size,
			(uint64_t)((unsigned __int128)info->pages * info->page_size >>
				   20));
}

/* ---- parameters ---- */

static void print_sync(FILE *out, const struct expt_profile *profile)
{
	const char *threshold = profile_attribute(profile, "threshold");
	const char *scope = profile_attribute(profile, "scope");
	int64_t microseconds = 0, bits = 3;
	bool is_calibrated;

	if (threshold)
		number_i64(&microseconds, threshold);
	if (scope)
		number_i64(&bits, scope);
	is_calibrated = microseconds < 0;
	fprintf(out,
		"  Synchronization tracing, threshold = %" PRIu64 " microsecs.%s; %s\n",
		is_calibrated ? -(uint64_t)microseconds : (uint64_t)microseconds,
		is_calibrated ? " (calibrated)" : "",
		bits == 1   ? "Native-APIs"
		: bits == 2 ? "Java-APIs"
			    : "Native- and Java-APIs");
}

static void print_profile(FILE *out, const struct expt *expt,
			  const struct expt_profile *profile)
{
	const char *name, *interval;

	switch (profile->data) {
	case EXPT_CLOCK:
		fprintf(out, "  Clock-profiling, interval = %" PRIu64 " microsecs.\n",
			expt_clock_interval_us(expt));
		break;
	case EXPT_SYNC:
		print_sync(out, profile);
		break;
	case EXPT_HEAP:
		fputs("  Heap tracing\n", out);
		break;
	case EXPT_IO:
		fputs("  IO tracing\n", out);
		break;
	case EXPT_OMP:
		fputs("  OpenMP tracing\n", out);
		break;
	case EXPT_RACE:
		fputs("  Data race detection\n", out);
		break;
	case EXPT_DEADLOCK:
		fputs("  Deadlock detection\n", out);
		break;
	case EXPT_HWC:
		name = profile_attribute(profile, "hwcname");
		interval = profile_attribute(profile, "interval");
		if (name)
			escape_printf(out,
				      "  HW counter-profiling; counter %s, interval %s\n",
				      name, interval ? interval : "unknown");
		break;
	default:
		break;
	}
}

static void print_settings(FILE *out, const struct expt *expt)
{
	/* Settings in the order of the output. */
	static const struct {
		const char *name, *format;
	} settings[] = {
		{ "sample_period", "  Periodic sampling, %s secs." },
		{ "limit", "  Experiment size limit, %s MB" },
		{ "linetrace", "  Follow descendant processes from: %s" },
		{ "pause_signal", "  Pause signal %s" },
		{ "sample_signal", "  Sample signal %s" },
		{ "delay_start", "  Data collection delay start %s seconds" },
		{ "terminate", "  Data collection termination after %s seconds" },
		{ "mpi_rank", "  Rank %s of an MPI job" },
	};

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++)
		for (size_t j = 0; j < expt_setting_count(expt); j++) {
			const struct expt_attribute *setting = expt_setting(expt, j);
			const char *value = strstr(settings[i].format, "%s");

			if (strcmp(setting->name, settings[i].name) != 0)
				continue;
			escape_printf(out, "%.*s%s%s\n",
				      (int)(value - settings[i].format),
				      settings[i].format, setting->value, value + 2);
		}
}

static void print_parameters(FILE *out, const struct expt *expt)
{
	/* Kinds in the order of gp-display-text, for comparison. */
	static const enum expt_data order[] = {
		EXPT_CLOCK, EXPT_SYNC, EXPT_HEAP, EXPT_IO,
		EXPT_HWC,   EXPT_OMP,  EXPT_RACE, EXPT_DEADLOCK,
	};

	fputs("Data collection parameters:\n", out);
	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		for (size_t j = 0; j < expt_profile_count(expt); j++)
			if (expt_profile(expt, j)->data == order[i])
				print_profile(out, expt, expt_profile(expt, j));
	print_settings(out, expt);
	fputc('\n', out);
}

/* ---- packets ---- */

static void print_counts(struct session *session, const char *file,
			 const struct expt_packet_counts *counts)
{
	size_t types = expt_packet_counts_count(counts);

	if (types == 0)
		return;
	fprintf(session->out, "  %s:", file);
	for (size_t i = 0; i < types; i++) {
		const struct expt_packet_count *count =
			expt_packet_counts_entry(counts, i);

		fprintf(session->out, "%s %" PRIu64 " %s", i ? "," : "", count->packets,
			count->name);
		if (strcmp(count->name, "unknown") == 0)
			fprintf(session->out, " (type %u)", count->type);
	}
	fputc('\n', session->out);
}

static void print_packets_of(struct session *session, const struct session_member *member,
			     const char *file)
{
	struct expt_packet_counts *counts = expt_packet_counts_new();
	struct expt_error err;

	if (!counts) {
		fputs("*** Warning: out of memory\n", session->out);
		return;
	}
	if (expt_packet_counts_add(counts, member->expt, file, &err) < 0)
		escape_printf(session->out, "*** Warning: %s\n", err.message);
	print_counts(session, file, counts);
	expt_packet_counts_free(counts);
}

static void print_packets(struct session *session, const struct session_member *member)
{
	fputs("Packets recorded:\n", session->out);
	for (int data = 0; data < EXPT_DATA_COUNT; data++)
		print_packets_of(session, member, expt_data_name((enum expt_data)data));
	print_packets_of(session, member, expt_frames_name());
	fputc('\n', session->out);
}

static void print_header(struct session *session, const struct session_member *member)
{
	FILE *out = session->out;

	escape_printf(out, "Experiment: %s\n", member->name);
	print_notes(out, member->expt);
	print_problems(session, member);
	print_target(out, member->expt);
	print_parameters(out, member->expt);
	print_packets(session, member);
	course_print(out, member->expt);
}

/* Read everything that can be damaged, so that the header shows all of it. */
static void look_for_damage(const struct session_member *member)
{
	struct expt_stack stack;

	for (int data = 0; data < EXPT_DATA_COUNT; data++)
		expt_packet_counts_add(NULL, member->expt,
				       expt_data_name((enum expt_data)data), NULL);
	expt_stack(member->expt, 1, &stack, NULL);
	expt_sample_count(member->expt);
	expt_segment_count(member->expt);
}

int run_header(struct session *session, int count, char **words)
{
	size_t first, end;

	if (!select_members(session, count, words, &first, &end))
		return -1;
	for (size_t i = first; i < end && !session_is_stopped(session); i++) {
		struct session_member member;

		if (i > first)
			fputs("----------------------------------------------------------"
			      "------\n",
			      session->out);
		member = session_member(session, i);
		look_for_damage(&member);
		print_header(session, &member);
	}
	return 0;
}

int run_notes(struct session *session, int count, char **words)
{
	size_t first, end;

	if (!select_members(session, count, words, &first, &end))
		return -1;
	for (size_t i = first; i < end && !session_is_stopped(session); i++) {
		struct session_member member = session_member(session, i);

		if (!*expt_notes(member.expt))
			continue;
		escape_printf(session->out, "Experiment: %s\n", member.name);
		print_notes(session->out, member.expt);
	}
	return 0;
}

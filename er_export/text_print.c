/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text form of an experiment: what the log says, the map, the samples, then each data file in the
 * order of its records, which threads have mixed. It is for programs as much as for people: a line
 * is a kind, a number and a time, then words and NAME=VALUE; only the frames of a stack are
 * indented. er_export(1) describes it.
 */
#include "er_export/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"
#include "libexpt/expt.h"

static const char *const time_names[EXPT_TIME_COUNT] = {
	[EXPT_TIME_USER] = "user",
	[EXPT_TIME_SYSTEM] = "system",
	[EXPT_TIME_TRAP] = "trap",
	[EXPT_TIME_USER_LOCK] = "user_lock",
	[EXPT_TIME_DATA_FAULT] = "data_fault",
	[EXPT_TIME_TEXT_FAULT] = "text_fault",
	[EXPT_TIME_KERNEL_FAULT] = "kernel_fault",
	[EXPT_TIME_STOPPED] = "stopped",
	[EXPT_TIME_WAIT_CPU] = "wait_cpu",
	[EXPT_TIME_SLEEP] = "sleep",
};

static const char *const count_names[EXPT_USAGE_COUNT_COUNT] = {
	[EXPT_MINOR_FAULTS] = "minor_faults",
	[EXPT_MAJOR_FAULTS] = "major_faults",
	[EXPT_SWAPS] = "swaps",
	[EXPT_BLOCKS_IN] = "blocks_in",
	[EXPT_BLOCKS_OUT] = "blocks_out",
	[EXPT_MESSAGES_SENT] = "messages_sent",
	[EXPT_MESSAGES_RECEIVED] = "messages_received",
	[EXPT_SIGNALS] = "signals",
	[EXPT_VOLUNTARY_SWITCHES] = "voluntary_switches",
	[EXPT_INVOLUNTARY_SWITCHES] = "involuntary_switches",
	[EXPT_SYSTEM_CALLS] = "system_calls",
	[EXPT_CHARACTERS] = "characters",
};

/* ---- words ------------------------------------------------------------------------- */

static void print_escaped(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", out);
		else if (c < ' ' || c == 0x7f)
			fprintf(out, "\\x%02x", c);
		else
			putc_unlocked(c, out);
	}
}

static void print_text(FILE *out, const char *name, const char *text)
{
	fprintf(out, " %s=\"", name);
	print_escaped(out, text, strlen(text));
	putc_unlocked('"', out);
}

static void print_time(FILE *out, uint64_t ns)
{
	fprintf(out, " %" PRIu64 ".%09" PRIu64, ns / NS_PER_SECOND, ns % NS_PER_SECOND);
}

static void print_duration(FILE *out, const char *name, uint64_t ns)
{
	fprintf(out, " %s=%" PRIu64 ".%09" PRIu64, name, ns / NS_PER_SECOND,
		ns % NS_PER_SECOND);
}

static void print_attributes(FILE *out, const struct expt_attribute *attributes,
			     size_t count)
{
	for (size_t i = 0; i < count; i++)
		print_text(out, attributes[i].name, attributes[i].value);
}

/* ---- the log ----------------------------------------------------------------------- */

static void print_notes(FILE *out, const struct expt *expt)
{
	for (const char *line = expt_notes(expt); *line;) {
		size_t length = strcspn(line, "\n");

		fputs("note \"", out);
		print_escaped(out, line, length);
		fputs("\"\n", out);
		line += length + (line[length] == '\n');
	}
}

static void print_info(FILE *out, const struct expt *expt)
{
	const struct expt_info *info = expt_info(expt);

	fputs("info", out);
	print_text(out, "version", info->version);
	print_text(out, "collector", info->collector);
	print_text(out, "host", info->host);
	print_text(out, "arch", info->arch);
	print_text(out, "os", info->os);
	fprintf(out, " page_size=%" PRIu64 " pages=%" PRIu64 " cpus=%" PRIu32,
		info->page_size, info->pages, info->cpu_count);
	fprintf(out, " clock_min_mhz=%" PRIu32 " clock_max_mhz=%" PRIu32,
		info->clock_min_mhz, info->clock_max_mhz);
	fprintf(out, " pid=%" PRId64 " ppid=%" PRId64 " pgrp=%" PRId64 " sid=%" PRId64,
		info->pid, info->ppid, info->pgrp, info->sid);
	fprintf(out, " word_bits=%" PRIu32 " started_at=%" PRId64, info->word_bits,
		info->started_at);
	print_duration(out, "start", info->start_ns);
	fprintf(out, " closed=%d", info->is_closed);
	print_text(out, "directory", info->directory);
	print_text(out, "command", info->command);
	putc('\n', out);
	for (size_t i = 0; i < expt_setting_count(expt); i++) {
		fputs("setting", out);
		print_attributes(out, expt_setting(expt, i), 1);
		putc('\n', out);
	}
	for (size_t i = 0; i < expt_profile_count(expt); i++) {
		const struct expt_profile *profile = expt_profile(expt, i);

		fputs("data", out);
		print_attributes(out, profile->attributes, profile->attribute_count);
		putc('\n', out);
	}
}

static void print_events(FILE *out, const struct expt *expt)
{
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);

		fprintf(out, "event %zu", i + 1);
		if (event->has_time)
			print_time(out, event->time_ns);
		else
			fputs(" -", out);
		print_attributes(out, event->attributes, event->attribute_count);
		if (*event->text && !expt_event_attribute(event, "text"))
			print_text(out, "text", event->text);
		putc('\n', out);
	}
}

/* ---- the map and the samples ------------------------------------------------------- */

static void print_segments(FILE *out, struct expt *expt)
{
	for (size_t i = 0; i < expt_segment_count(expt); i++) {
		const struct expt_segment *segment = expt_segment(expt, i);

		fprintf(out, "segment %zu", i + 1);
		print_time(out, segment->loaded_ns);
		if (segment->unloaded_ns == UINT64_MAX)
			fputs(" -", out);
		else
			print_time(out, segment->unloaded_ns);
		fprintf(out, " address=0x%" PRIx64 " size=%" PRIu64 " offset=0x%" PRIx64,
			segment->address, segment->size, segment->file_offset);
		fprintf(out, " modes=0x%03" PRIx32, segment->modes);
		print_text(out, "name", segment->path);
		if (*segment->build_id)
			print_text(out, "build_id", segment->build_id);
		if (segment->has_identity) {
			fprintf(out, " file_size=%" PRIu64, segment->file_size);
			print_duration(out, "mtime", segment->mtime_ns);
		}
		putc('\n', out);
	}
}

static void print_samples(FILE *out, struct expt *expt)
{
	for (size_t i = 0; i < expt_sample_count(expt); i++) {
		const struct expt_sample *sample = expt_sample(expt, i);

		fprintf(out, "sample %" PRIu64, sample->number);
		print_time(out, sample->start_ns);
		print_time(out, sample->end_ns);
		print_duration(out, "thread", sample->thread_ns);
		for (size_t time = 0; time < EXPT_TIME_COUNT; time++)
			print_duration(out, time_names[time], sample->times_ns[time]);
		for (size_t count = 0; count < EXPT_USAGE_COUNT_COUNT; count++)
			fprintf(out, " %s=%" PRId64, count_names[count],
				sample->counts[count]);
		print_text(out, "start_label", sample->start_label);
		print_text(out, "end_label", sample->end_label);
		putc('\n', out);
	}
}

/* ---- records ----------------------------------------------------------------------- */

/* What stands in columns of its own. */
static bool is_common(enum expt_field field)
{
	return field == EXPT_LWPID || field == EXPT_THRID || field == EXPT_CPUID ||
	       field == EXPT_TSTAMP;
}

static bool is_address(enum expt_field field)
{
	switch (field) {
	case EXPT_FRINFO:
	case EXPT_VADDR:
	case EXPT_VIRTPC:
	case EXPT_PADDR:
	case EXPT_PHYSPC:
	case EXPT_HVADDR:
	case EXPT_HOVADDR:
	case EXPT_SOBJ:
	case EXPT_PRPC:
	case EXPT_RVADDR:
	case EXPT_LEAFPC:
	case EXPT_DVADDR:
		return true;
	default:
		return false;
	}
}

/* The name comes from the log, where anything may stand. */
static void print_field_name(FILE *out, const struct expt_field_declaration *field)
{
	putc_unlocked(' ', out);
	print_escaped(out, field->name, strlen(field->name));
	putc_unlocked('=', out);
}

/* A field that does not fit into its packet is not there. */
static void print_field(FILE *out, const struct expt_record *record,
			const struct expt_field_declaration *field)
{
	const char *text;
	int64_t value;
	size_t length;

	if (field->type == EXPT_STRING) {
		length = expt_record_text(record, field, &text);
		if (length == 0)
			return;
		print_field_name(out, field);
		putc_unlocked('"', out);
		print_escaped(out, text, length);
		putc_unlocked('"', out);
		return;
	}
	if (!expt_record_field(record, field, &value))
		return;
	print_field_name(out, field);
	if (is_address(field->field))
		fprintf(out, "0x%" PRIx64, (uint64_t)value);
	else if (field->type == EXPT_UINT64)
		fprintf(out, "%" PRIu64, (uint64_t)value);
	else
		fprintf(out, "%" PRId64, value);
}

/* Function names have blanks in them, so tabs stand between the columns. */
static void print_frame(FILE *out, struct expt *expt, uint64_t pc, uint64_t time_ns)
{
	struct expt_object *object;
	struct expt_place place;
	const char *name;

	expt_place(expt, pc, time_ns, &place);
	object = expt_function_object(place.function);
	name = expt_function_name(place.function, EXPT_NAME_LONG);
	fprintf(out, "\t0x%" PRIx64 "\t", pc);
	print_escaped(out, name, strlen(name));
	fprintf(out, "+0x%" PRIx64, place.offset);
	if (object) {
		putc_unlocked('\t', out);
		print_escaped(out, expt_object_name(object),
			      strlen(expt_object_name(object)));
	}
	putc_unlocked('\n', out);
}

static int print_stack(FILE *out, struct expt *expt, const struct expt_record *record,
		       struct expt_error *err)
{
	struct expt_stack stack;
	int rc;

	if (record->stack == 0)
		return 0;
	rc = expt_stack(expt, record->stack, &stack, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < stack.count; i++)
		print_frame(out, expt, stack.pcs[i], record->time_ns);
	if (stack.end == EXPT_STACK_TRUNCATED)
		fputs("\t<Truncated-stack>\n", out);
	if (stack.end == EXPT_STACK_FAILED)
		fputs("\t<Stack-unwind-failed>\n", out);
	return 0;
}

static int print_record(FILE *out, struct expt *expt, const char *kind, uint64_t number,
			const struct expt_record *record, struct expt_error *err)
{
	fprintf(out, "%s %" PRIu64, kind, number);
	print_time(out, record->time_ns);
	fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu32, record->thread, record->lwp,
		record->cpu);
	fprintf(out, " type=%" PRIu32, record->declaration->type);
	for (size_t i = 0; i < record->declaration->field_count; i++)
		if (!is_common(record->declaration->fields[i].field))
			print_field(out, record, &record->declaration->fields[i]);
	putc_unlocked('\n', out);
	return print_stack(out, expt, record, err);
}

static int print_data(FILE *out, struct expt *expt, enum expt_data data)
{
	struct expt_records *records;
	struct expt_record record;
	struct expt_error err;
	uint64_t number = 0;
	int rc;

	if (expt_records_open(&records, expt, data, &err) < 0)
		return cli_failed(&err);
	while ((rc = expt_records_next(records, &record, &err)) > 0) {
		rc = print_record(out, expt, expt_data_name(data), ++number, &record, &err);
		if (rc < 0 || ferror(out))
			break;
	}
	expt_records_close(records);
	return rc < 0 ? cli_failed(&err) : CLI_OK;
}

/* ---- one experiment ---------------------------------------------------------------- */

void text_header(FILE *out, const char *kind, const char *path)
{
	fprintf(out, "# %s \"", kind);
	print_escaped(out, path, strlen(path));
	fputs("\"\n", out);
}

int text_print(FILE *out, struct expt *expt)
{
	int status = CLI_OK;

	text_header(out, "experiment", expt_path(expt));
	print_notes(out, expt);
	print_info(out, expt);
	print_events(out, expt);
	print_segments(out, expt);
	print_samples(out, expt);
	for (int data = 0; data < EXPT_DATA_COUNT; data++)
		if (expt_has_data(expt, (enum expt_data)data) &&
		    print_data(out, expt, (enum expt_data)data) != CLI_OK)
			status = CLI_FAILED;
	for (size_t i = 0; i < expt_damage_count(expt); i++)
		status = cli_error("'%s': %s", expt_path(expt), expt_damage(expt, i));
	return status;
}

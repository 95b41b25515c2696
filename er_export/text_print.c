/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints an experiment: its notes and log, the map, the samples, each data file in the
 * order of its records, in which threads are mixed, and Java classes. The text is for
 * programs as much as for people: a line is a kind, a number and a time, then words and
 * NAME=VALUE; only the frames of a stack are indented. dump.c has the forms, and
 * er_export(1) describes them.
 */
#include "er_export/text_print.h"

#include <string.h>

#include "er_export/dump.h"
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

/* ---- the log ----------------------------------------------------------------------- */

static void print_attributes(struct dump *dump, const struct expt_attribute *attributes,
			     size_t count)
{
	dump_open_object(dump, "attributes");
	for (size_t i = 0; i < count; i++)
		dump_text(dump, attributes[i].name, attributes[i].value);
	dump_close_object(dump);
}

static void print_notes(struct dump *dump, const struct expt *expt)
{
	for (const char *line = expt_notes(expt); *line;) {
		size_t length = strcspn(line, "\n");

		dump_begin(dump, "note");
		dump_column_text(dump, "text", line, length);
		dump_end(dump);
		line += length + (line[length] == '\n');
	}
}

static void print_info(struct dump *dump, const struct expt *expt)
{
	const struct expt_info *info = expt_info(expt);

	dump_begin(dump, "info");
	dump_text(dump, "version", info->version);
	dump_text(dump, "collector", info->collector);
	dump_text(dump, "host", info->host);
	dump_text(dump, "arch", info->arch);
	dump_text(dump, "os", info->os);
	dump_unsigned(dump, "page_size", info->page_size);
	dump_unsigned(dump, "pages", info->pages);
	dump_unsigned(dump, "cpus", info->cpu_count);
	dump_unsigned(dump, "clock_min_mhz", info->clock_min_mhz);
	dump_unsigned(dump, "clock_max_mhz", info->clock_max_mhz);
	dump_number(dump, "pid", info->pid);
	dump_number(dump, "ppid", info->ppid);
	dump_number(dump, "pgrp", info->pgrp);
	dump_number(dump, "sid", info->sid);
	dump_unsigned(dump, "word_bits", info->word_bits);
	dump_number(dump, "started_at", info->started_at);
	dump_seconds(dump, "start", info->start_ns);
	dump_unsigned(dump, "closed", info->is_closed);
	dump_text(dump, "directory", info->directory);
	dump_text(dump, "command", info->command);
	dump_end(dump);
}

static void print_settings(struct dump *dump, const struct expt *expt)
{
	for (size_t i = 0; i < expt_setting_count(expt); i++) {
		dump_begin(dump, "setting");
		print_attributes(dump, expt_setting(expt, i), 1);
		dump_end(dump);
	}
	for (size_t i = 0; i < expt_profile_count(expt); i++) {
		const struct expt_profile *profile = expt_profile(expt, i);

		dump_begin(dump, "data");
		print_attributes(dump, profile->attributes, profile->attribute_count);
		dump_end(dump);
	}
}

static void print_events(struct dump *dump, const struct expt *expt)
{
	for (size_t i = 0; i < expt_event_count(expt); i++) {
		const struct expt_event *event = expt_event(expt, i);

		dump_begin(dump, "event");
		dump_column(dump, "seq", i + 1);
		if (event->has_time)
			dump_column_time(dump, "time", event->time_ns);
		else
			dump_column_none(dump, "time");
		print_attributes(dump, event->attributes, event->attribute_count);
		if (*event->text && !expt_event_attribute(event, "text"))
			dump_text(dump, "text", event->text);
		dump_end(dump);
	}
}

static void print_log(struct dump *dump, const struct expt *expt)
{
	print_info(dump, expt);
	print_settings(dump, expt);
	print_events(dump, expt);
}

/* ---- the map and the samples ------------------------------------------------------- */

static void print_segments(struct dump *dump, struct expt *expt)
{
	for (size_t i = 0; i < expt_segment_count(expt); i++) {
		const struct expt_segment *segment = expt_segment(expt, i);

		dump_begin(dump, "segment");
		dump_column(dump, "seq", i + 1);
		dump_column_time(dump, "loaded", segment->loaded_ns);
		if (segment->unloaded_ns == UINT64_MAX)
			dump_column_none(dump, "unloaded");
		else
			dump_column_time(dump, "unloaded", segment->unloaded_ns);
		dump_hex(dump, "address", segment->address, 0);
		dump_unsigned(dump, "size", segment->size);
		dump_hex(dump, "offset", segment->file_offset, 0);
		dump_hex(dump, "modes", segment->modes, 3);
		dump_text(dump, "name", segment->path);
		if (*segment->identity.build_id)
			dump_text(dump, "build_id", segment->identity.build_id);
		if (segment->identity.has_file) {
			dump_unsigned(dump, "file_size", segment->identity.size);
			dump_seconds(dump, "mtime", segment->identity.mtime_ns);
		}
		dump_end(dump);
	}
}

static void print_samples(struct dump *dump, struct expt *expt)
{
	for (size_t i = 0; i < expt_sample_count(expt); i++) {
		const struct expt_sample *sample = expt_sample(expt, i);

		dump_begin(dump, "sample");
		dump_column(dump, "seq", sample->number);
		dump_column_time(dump, "start", sample->start_ns);
		dump_column_time(dump, "end", sample->end_ns);
		dump_seconds(dump, "thread", sample->thread_ns);
		for (size_t time = 0; time < EXPT_TIME_COUNT; time++)
			dump_seconds(dump, time_names[time], sample->times_ns[time]);
		for (size_t count = 0; count < EXPT_USAGE_COUNT_COUNT; count++)
			dump_number(dump, count_names[count], sample->counts[count]);
		dump_text(dump, "start_label", sample->start_label);
		dump_text(dump, "end_label", sample->end_label);
		dump_end(dump);
	}
}

/* ---- records ----------------------------------------------------------------------- */

/* These fields have columns of their own. */
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
		return field >= EXPT_REG0 && field <= EXPT_REG15;
	}
}

/* A field that does not fit into its packet is omitted. */
static void print_field(struct dump *dump, const struct expt_record *record,
			const struct expt_field_declaration *field)
{
	const char *text;
	int64_t value;
	size_t length;

	if (field->type == EXPT_STRING) {
		length = expt_record_text(record, field, &text);
		if (length > 0)
			dump_bytes(dump, field->name, text, length);
		return;
	}
	if (!expt_record_field(record, field, &value))
		return;
	if (is_address(field->field))
		dump_hex(dump, field->name, (uint64_t)value, 0);
	else if (field->type == EXPT_UINT64)
		dump_unsigned(dump, field->name, (uint64_t)value);
	else
		dump_number(dump, field->name, value);
}

static void print_fields(struct dump *dump, const struct expt_record *record)
{
	const struct expt_packet_declaration *declaration = record->declaration;

	dump_open_object(dump, "fields");
	for (size_t i = 0; i < declaration->field_count; i++)
		if (!is_common(declaration->fields[i].field))
			print_field(dump, record, &declaration->fields[i]);
	dump_close_object(dump);
}

static void print_frame(struct dump *dump, struct expt *expt, uint64_t pc,
			uint64_t time_ns)
{
	struct expt_object *object;
	struct expt_place place;

	expt_place(expt, pc, time_ns, &place);
	object = expt_function_object(place.function);
	dump_frame(dump, pc, expt_function_name(place.function, EXPT_NAME_LONG),
		   place.offset, object ? expt_object_name(object) : NULL);
}

static int print_stack(struct dump *dump, struct expt *expt,
		       const struct expt_record *record, struct expt_error *err)
{
	static const char *const ends[] = {
		[EXPT_STACK_TRUNCATED] = "<Truncated-stack>",
		[EXPT_STACK_FAILED] = "<Stack-unwind-failed>",
	};
	struct expt_stack stack;
	int rc;

	if (record->stack == 0)
		return 0;
	rc = expt_stack(expt, record->stack, &stack, err);
	if (rc < 0)
		return rc;
	dump_open_stack(dump);
	for (size_t i = 0; i < stack.count; i++)
		print_frame(dump, expt, stack.pcs[i], record->time_ns);
	dump_close_stack(dump, stack.end == EXPT_STACK_WHOLE ? NULL : ends[stack.end]);
	return 0;
}

static int print_record(struct dump *dump, struct expt *expt, const char *kind,
			uint64_t number, const struct expt_record *record,
			struct expt_error *err)
{
	int rc;

	dump_begin(dump, kind);
	dump_column(dump, "seq", number);
	dump_column_time(dump, "time", record->time_ns);
	dump_column(dump, "thread", record->thread);
	dump_column(dump, "lwp", record->lwp);
	dump_column(dump, "cpu", record->cpu);
	dump_unsigned(dump, "type", record->declaration->type);
	print_fields(dump, record);
	rc = print_stack(dump, expt, record, err);
	dump_end(dump);
	return rc;
}

static int print_data(struct dump *dump, struct expt *expt, enum expt_data data)
{
	struct expt_records *records;
	struct expt_record record;
	struct expt_error err;
	uint64_t number = 0;
	int rc;

	if (expt_records_open(&records, expt, data, &err) < 0)
		return cli_failed(&err);
	while ((rc = expt_records_next(records, &record, &err)) > 0) {
		rc = print_record(dump, expt, expt_data_name(data), ++number, &record,
				  &err);
		if (rc < 0 || ferror(dump->out))
			break;
	}
	expt_records_close(records);
	return rc < 0 ? cli_failed(&err) : CLI_OK;
}

/* ---- Java -------------------------------------------------------------------------- */

static void print_class(struct dump *dump, const struct expt_class *class,
			uint64_t number)
{
	static const char *const kinds[] = {
		[EXPT_CLASS] = "class",
		[EXPT_CLASS_METHOD] = "method",
		[EXPT_CLASS_LOCATION] = "location",
		[EXPT_CLASS_LINES] = "lines",
	};

	dump_begin(dump, kinds[class->kind]);
	dump_column(dump, "seq", number);
	if (class->kind == EXPT_CLASS)
		dump_column_time(dump, "time", class->time_ns);
	else
		dump_column_none(dump, "time");
	dump_hex(dump, "class", class->class_id, 0);
	if (class->kind == EXPT_CLASS_METHOD || class->kind == EXPT_CLASS_LINES)
		dump_hex(dump, "method", class->method_id, 0);
	if (class->kind == EXPT_CLASS_LINES) {
		dump_column(dump, "lines", class->line_count);
		dump_end(dump);
		return;
	}
	dump_bytes(dump, "name", class->name, class->name_length);
	dump_bytes(dump, class->kind == EXPT_CLASS_METHOD ? "signature" : "source",
		   class->detail, class->detail_length);
	dump_end(dump);
}

static int print_classes(struct dump *dump, struct expt *expt)
{
	struct expt_classes *classes;
	struct expt_class class;
	struct expt_error err;
	uint64_t number = 0;
	int rc;

	if (expt_classes_open(&classes, expt, &err) < 0)
		return cli_failed(&err);
	while ((rc = expt_classes_next(classes, &class, &err)) > 0 && !ferror(dump->out))
		print_class(dump, &class, ++number);
	expt_classes_close(classes);
	return rc < 0 ? cli_failed(&err) : CLI_OK;
}

/* ---- one experiment ---------------------------------------------------------------- */

/* A header precedes each experiment: # experiment "test.1.er" */
void text_header(const struct text_options *options, FILE *out, const char *kind,
		 const char *path)
{
	struct dump dump = { .out = out, .is_json = options->is_json };

	if (!dump.is_json)
		fputs("# ", out);
	dump_begin(&dump, kind);
	dump_column_text(&dump, "path", path, strlen(path));
	dump_end(&dump);
}

static bool is_wanted(const struct text_options *options, unsigned kind)
{
	return options->kinds == 0 || options->kinds & 1u << kind;
}

static int print_all_data(const struct text_options *options, struct dump *dump,
			  struct expt *expt)
{
	int status = CLI_OK;

	for (unsigned data = 0; data < EXPT_DATA_COUNT; data++)
		if (is_wanted(options, data) &&
		    expt_has_data(expt, (enum expt_data)data) &&
		    print_data(dump, expt, (enum expt_data)data) != CLI_OK)
			status = CLI_FAILED;
	return status;
}

int text_print(const struct text_options *options, FILE *out, struct expt *expt)
{
	struct dump dump = { .out = out, .is_json = options->is_json };
	int status;

	text_header(options, out, "experiment", expt_path(expt));
	if (is_wanted(options, TEXT_NOTES))
		print_notes(&dump, expt);
	if (is_wanted(options, TEXT_LOG))
		print_log(&dump, expt);
	if (is_wanted(options, TEXT_MAP))
		print_segments(&dump, expt);
	if (is_wanted(options, TEXT_SAMPLES))
		print_samples(&dump, expt);
	status = print_all_data(options, &dump, expt);
	if (is_wanted(options, TEXT_CLASSES) && print_classes(&dump, expt) != CLI_OK)
		status = CLI_FAILED;
	for (size_t i = 0; i < expt_damage_count(expt); i++)
		status = cli_error("'%s': %s", expt_path(expt), expt_damage(expt, i));
	return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of pprof: profile.proto in gzip. Load objects are mappings, places are
 * locations with the lines of all functions inlined there, and threads, processes and
 * experiments are labels of the samples. All of them are numbered from 1 on.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "er_export/formats/private.h"
#include "er_export/formats/protobuf.h"
#include "er_export/formats/strings.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/gzip.h"
#include "libexpt/cli/write.h"

/* Fields of the messages. */
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT, LABEL_NUMBER };
enum {
	MAPPING_ID = 1,
	MAPPING_START,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_BUILD_ID,
	MAPPING_HAS_FUNCTIONS,
	MAPPING_HAS_FILES,
	MAPPING_HAS_LINES,
	MAPPING_HAS_INLINED,
};
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE, LINE_COLUMN };
enum {
	FUNCTION_ID = 1,
	FUNCTION_NAME,
	FUNCTION_SYSTEM_NAME,
	FUNCTION_FILE,
	FUNCTION_LINE
};
enum {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING,
	PROFILE_TIME = 9,
	PROFILE_DURATION,
	PROFILE_PERIOD_TYPE,
	PROFILE_PERIOD,
	PROFILE_DEFAULT_TYPE = 14,
};

#define PAGE 4096

struct pprof {
	const struct source *source;
	struct strings strings;
	struct gzip *out;
	struct strbuf message, part, list; /* that are being made */
	struct strbuf *labels;		   /* of the samples of each thread */
	bool *is_used;			   /* for each function, whether a frame has it */
	bool is_short;			   /* of memory */
};

/* ---- output ---- */

/* Write the message as a field of the profile, and begin the next. */
static void end_message(struct pprof *pprof, unsigned field)
{
	struct strbuf whole = STRBUF_INIT;

	protobuf_message(&whole, field, &pprof->message);
	pprof->is_short |= whole.failed;
	gzip_write(pprof->out, strbuf_text(&whole), whole.length);
	strbuf_release(&whole);
	strbuf_clear(&pprof->message);
}

static void end_part(struct pprof *pprof, unsigned field)
{
	protobuf_message(&pprof->message, field, &pprof->part);
	strbuf_clear(&pprof->part);
}

static void write_number_field(struct pprof *pprof, unsigned field, uint64_t value)
{
	struct strbuf text = STRBUF_INIT;

	protobuf_number(&text, field, value);
	gzip_write(pprof->out, strbuf_text(&text), text.length);
	strbuf_release(&text);
}

static uint32_t string_of(struct pprof *pprof, const char *text)
{
	return strings_number(&pprof->strings, text);
}

/* ---- values ---- */

static void write_type(struct pprof *pprof, unsigned field, const char *type,
		       const char *unit)
{
	protobuf_number(&pprof->message, TYPE_TYPE, string_of(pprof, type));
	protobuf_number(&pprof->message, TYPE_UNIT, string_of(pprof, unit));
	end_message(pprof, field);
}

static void write_types(struct pprof *pprof)
{
	const struct source *source = pprof->source;
	const struct expt_metric *shown = expt_metric(source->view, source->main_metric);

	for (size_t i = 0; i < source->metric_count; i++)
		write_type(pprof, PROFILE_TYPE, source_metric(source, i)->name,
			   metric_unit(source_metric(source, i)));
	write_number_field(pprof, PROFILE_DEFAULT_TYPE, string_of(pprof, shown->name));
}

/* ---- samples ---- */

static void add_label(struct pprof *pprof, struct strbuf *labels, const char *key,
		      const char *text)
{
	protobuf_number(&pprof->part, LABEL_KEY, string_of(pprof, key));
	protobuf_number(&pprof->part, LABEL_TEXT, string_of(pprof, text));
	protobuf_message(labels, SAMPLE_LABEL, &pprof->part);
	strbuf_clear(&pprof->part);
}

/* All samples of a thread have the same labels. */
static void make_labels(struct pprof *pprof, uint32_t thread)
{
	struct strbuf *labels = &pprof->labels[thread];
	char name[THREAD_NAME_SIZE];

	thread_name(name, pprof->source, thread);
	add_label(pprof, labels, "thread", name);
	process_name(name, pprof->source, thread);
	add_label(pprof, labels, "process", name);
	add_label(pprof, labels, "experiment", thread_experiment(pprof->source, thread));
	pprof->is_short |= labels->failed;
}

/* Values that are not negative may be 0 in all, but then the sample is of no use. */
static bool add_values(struct pprof *pprof, size_t stack)
{
	const struct source *source = pprof->source;
	bool is_counted = false;

	strbuf_clear(&pprof->list);
	for (size_t i = 0; i < source->metric_count; i++) {
		int64_t value =
			expt_tables_value(source->tables, stack, source->metrics[i]);

		protobuf_list_add(&pprof->list, (uint64_t)value);
		is_counted |= value != 0;
	}
	return is_counted;
}

static void write_sample(struct pprof *pprof, size_t number)
{
	const struct expt_tables *tables = pprof->source->tables;
	const struct expt_table_stack *stack = &tables->stacks[number];
	const struct strbuf *labels = &pprof->labels[stack->thread];

	if (!add_values(pprof, number))
		return;
	protobuf_message(&pprof->message, SAMPLE_VALUES, &pprof->list);
	strbuf_clear(&pprof->list);
	for (uint32_t node = stack->node; node != 0; node = tables->nodes[node].parent)
		protobuf_list_add(&pprof->list, tables->nodes[node].place + 1);
	protobuf_message(&pprof->message, SAMPLE_LOCATIONS, &pprof->list);
	strbuf_add(&pprof->message, strbuf_text(labels), labels->length);
	end_message(pprof, PROFILE_SAMPLE);
}

/* ---- code ---- */

static void write_location(struct pprof *pprof, uint32_t number)
{
	const struct expt_tables *tables = pprof->source->tables;
	const struct expt_table_place *place = &tables->places[number];
	bool has_object = place->object != EXPT_TABLE_NONE;

	protobuf_number(&pprof->message, LOCATION_ID, number + 1);
	protobuf_number(&pprof->message, LOCATION_MAPPING,
			has_object ? place->object + 1 : 0);
	protobuf_number(&pprof->message, LOCATION_ADDRESS, place->address);
	for (uint32_t i = 0; i < place->frame_count; i++) {
		const struct expt_table_frame *frame =
			&tables->frames[place->first_frame + i];

		pprof->is_used[frame->function] = true;
		protobuf_number(&pprof->part, LINE_FUNCTION, frame->function + 1);
		protobuf_number(&pprof->part, LINE_LINE, frame->line);
		protobuf_number(&pprof->part, LINE_COLUMN, frame->column);
		end_part(pprof, LOCATION_LINE);
	}
	end_message(pprof, PROFILE_LOCATION);
}

/* Returns the end of the addresses in each object; NULL: out of memory. */
static uint64_t *find_limits(const struct expt_tables *tables)
{
	uint64_t *limits = calloc(tables->object_count + 1, sizeof(*limits));

	for (size_t i = 0; i < tables->place_count && limits; i++) {
		const struct expt_table_place *place = &tables->places[i];

		if (place->object != EXPT_TABLE_NONE &&
		    place->address >= limits[place->object])
			limits[place->object] = (place->address | (PAGE - 1)) + 1;
	}
	return limits;
}

static void write_mapping(struct pprof *pprof, uint32_t number, uint64_t limit)
{
	const struct expt_object *object = pprof->source->tables->objects[number];

	protobuf_number(&pprof->message, MAPPING_ID, number + 1);
	protobuf_number(&pprof->message, MAPPING_LIMIT, limit);
	protobuf_number(&pprof->message, MAPPING_FILE,
			string_of(pprof, expt_object_path(object)));
	protobuf_number(&pprof->message, MAPPING_BUILD_ID,
			string_of(pprof, expt_object_build_id(object)));
	for (unsigned field = MAPPING_HAS_FUNCTIONS; field <= MAPPING_HAS_INLINED;
	     field++)
		protobuf_number(&pprof->message, field, true);
	end_message(pprof, PROFILE_MAPPING);
}

static void write_mappings(struct pprof *pprof)
{
	const struct expt_tables *tables = pprof->source->tables;
	uint64_t *limits = find_limits(tables);

	pprof->is_short |= !limits;
	for (uint32_t i = 0; i < tables->object_count && limits; i++)
		write_mapping(pprof, i, limits[i]);
	free(limits);
}

/* A system name that is equal to the name would be demangled, which changes invented
 * names such as "<static>@0x1130". */
static void write_function(struct pprof *pprof, uint32_t number)
{
	const struct expt_row *row = expt_row(pprof->source->tables->functions, number);
	const char *name = function_name(pprof->source, number);
	const char *mangled =
		row->function ? expt_function_name(row->function, EXPT_NAME_MANGLED)
			      : name;
	uint32_t line;
	const char *path = function_source(pprof->source, number, &line);

	protobuf_number(&pprof->message, FUNCTION_ID, number + 1);
	protobuf_number(&pprof->message, FUNCTION_NAME, string_of(pprof, name));
	if (*name != '<')
		protobuf_number(&pprof->message, FUNCTION_SYSTEM_NAME,
				string_of(pprof, mangled));
	if (path)
		protobuf_number(&pprof->message, FUNCTION_FILE, string_of(pprof, path));
	protobuf_number(&pprof->message, FUNCTION_LINE, line);
	end_message(pprof, PROFILE_FUNCTION);
}

/* ---- the rest ---- */

/* Returns the time between two samples, or 0. */
static uint64_t period_ns(const struct expt *expt)
{
	uint64_t interval = expt_clock_interval_us(expt);

	return (interval ? interval : expt_clock_period_us(expt)) * 1000;
}

static void write_times(struct pprof *pprof)
{
	const struct expt_view *view = pprof->source->view;
	const struct expt *first = expt_view_expt(view, 0);
	uint64_t end_ns = 0, period = 0;

	for (size_t i = 0; i < expt_view_count(view); i++) {
		const struct expt *expt = expt_view_expt(view, i);

		if (expt_info(expt)->end_ns > end_ns)
			end_ns = expt_info(expt)->end_ns;
		if (period == 0 && expt_has_data(expt, EXPT_CLOCK))
			period = period_ns(expt);
	}
	write_number_field(pprof, PROFILE_TIME,
			   (uint64_t)expt_info(first)->started_at * NS_PER_SECOND);
	write_number_field(pprof, PROFILE_DURATION, end_ns);
	if (period > 0) {
		write_type(pprof, PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
		write_number_field(pprof, PROFILE_PERIOD, period);
	}
}

/* Text in a message must be UTF-8: names are escaped as in JSON, which is also what
 * people see. */
static void write_string(struct pprof *pprof, const char *text)
{
	char *escaped = NULL;
	size_t size;
	FILE *memory = open_memstream(&escaped, &size);

	if (!memory) {
		pprof->is_short = true;
		return;
	}
	write_line(memory, text, "", 0);
	if (fclose(memory) == 0)
		strbuf_add(&pprof->message, escaped, size);
	else
		pprof->is_short = true;
	free(escaped);
	end_message(pprof, PROFILE_STRING);
}

static void write_profile(struct pprof *pprof)
{
	const struct expt_tables *tables = pprof->source->tables;

	string_of(pprof, ""); /* number 0 is required */
	write_types(pprof);
	for (uint32_t i = 0; i < tables->thread_count; i++)
		make_labels(pprof, i);
	for (size_t i = 0; i < tables->stack_count; i++)
		write_sample(pprof, i);
	write_mappings(pprof);
	for (uint32_t i = 0; i < tables->place_count; i++)
		write_location(pprof, i);
	for (uint32_t i = 0; i < tables->function_count; i++)
		if (pprof->is_used[i])
			write_function(pprof, i);
	write_times(pprof);
	for (size_t i = 0; i < pprof->strings.all.count; i++)
		write_string(pprof, pprof->strings.all.items[i]);
}

static void release(struct pprof *pprof)
{
	strings_release(&pprof->strings);
	strbuf_release(&pprof->message);
	strbuf_release(&pprof->part);
	strbuf_release(&pprof->list);
	free(pprof->is_used);
	for (size_t i = 0; i < pprof->source->tables->thread_count && pprof->labels; i++)
		strbuf_release(&pprof->labels[i]);
	free(pprof->labels);
}

static int write_pprof(FILE *out, const struct source *source)
{
	struct pprof pprof = {
		.source = source,
		.is_used = calloc(source->tables->function_count + 1, sizeof(bool)),
		.labels = calloc(source->tables->thread_count + 1, sizeof(struct strbuf)),
		.out = gzip_open(out),
	};

	pprof.is_short = !pprof.is_used || !pprof.labels || !pprof.out;
	if (!pprof.is_short)
		write_profile(&pprof);
	if (pprof.out)
		gzip_close(pprof.out);
	pprof.is_short |= pprof.strings.is_short;
	release(&pprof);
	return pprof.is_short ? -ENOMEM : 0;
}

const struct format pprof_format = {
	.name = "pprof",
	.is_binary = true,
	.lacks = "has no times of events",
	.write = write_pprof,
};

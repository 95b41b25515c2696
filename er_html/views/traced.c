/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/views/traced.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/idmap.h"
#include "libexpt/cli/write.h"

/* The type of index objects that are locks. */
#define LOCKS	  "ER_HTML_LOCKS"
#define LOCKS_ARE "SOBJ"

/* Places of call stacks, by number. */
struct stack_places {
	struct idmap numbers; /* by function and offset */
	uint32_t count;
	FILE *out; /* the places, as items of a JSON array */
	char *text;
	size_t length;
};

/* Libraries of the recorder, in front of those of the program. */
#define WRAPPERS "<libcollector"

/* Objects of one kind, while they are written. */
struct writer {
	const struct shown *shown;
	FILE *out;
	struct stack_places *places;
	enum expt_data data;
	struct idmap numbers; /* of objects, by value */
	const char *separator;
};

static bool has_metric(const struct shown *shown, enum expt_data data)
{
	for (size_t i = 0; i < shown->metric_count; i++)
		if (expt_metric(shown->view, shown->metrics[i])->data == data)
			return true;
	return false;
}

static void begin_item(struct writer *writer)
{
	fputs(writer->separator, writer->out);
	writer->separator = ",";
}

static void begin_list(struct writer *writer, const char *name)
{
	fprintf(writer->out, ",\"%s\":[", name);
	writer->separator = "";
}

/* Write the values of the metrics of the kind, in their order. */
static void write_values(struct writer *writer,
			 int64_t (*value)(const void *object, size_t i, size_t metric),
			 const void *object, size_t number)
{
	const char *separator = "";

	fputs("[", writer->out);
	for (size_t i = 0; i < writer->shown->metric_count; i++) {
		size_t metric = writer->shown->metrics[i];

		if (expt_metric(writer->shown->view, metric)->data != writer->data)
			continue;
		fprintf(writer->out, "%s%" PRId64, separator,
			value(object, number, metric));
		separator = ",";
	}
	fputs("]", writer->out);
}

/* ---- call stacks ---- */

static void write_frame(FILE *out, const char *name, const char *path, uint32_t line)
{
	putc('[', out);
	write_json_text(out, name);
	putc(',', out);
	write_json_text(out, path ? path : "");
	fprintf(out, ",%" PRIu32 "]", line);
}

/* What the recorder inlined into a call of the program is not the program's. */
static bool is_wrapper(const struct expt_place *place)
{
	const struct expt_object *object = expt_function_object(place->function);

	return strncmp(expt_object_name(object), WRAPPERS, strlen(WRAPPERS)) == 0;
}

static void write_place(FILE *out, const struct expt_place *place)
{
	const struct expt_position *positions;
	size_t count = expt_place_positions(place, &positions);

	for (size_t i = is_wrapper(place) && count > 0 ? count - 1 : 0; i + 1 < count;
	     i++) {
		write_frame(out,
			    expt_function_name(positions[i].function, EXPT_NAME_LONG),
			    positions[i].path, positions[i].line);
		putc(',', out);
	}
	write_frame(out, expt_function_name(place->function, EXPT_NAME_LONG),
		    count > 0 ? positions[count - 1].path : NULL,
		    count > 0 ? positions[count - 1].line : 0);
}

/* Return the number of a place, or IDMAP_NONE: out of memory. */
static uint32_t number_of(struct stack_places *places, const struct expt_place *place)
{
	uint64_t words[2] = { (uintptr_t)place->function, place->offset };
	uint32_t *slot =
		idmap_add(&places->numbers, idmap_key(IDMAP_KEY, words, sizeof(words)));

	if (!slot || *slot != IDMAP_NONE)
		return slot ? *slot : IDMAP_NONE;
	if (places->count > 0)
		putc(',', places->out);
	putc('[', places->out);
	write_place(places->out, place);
	putc(']', places->out);
	return *slot = places->count++;
}

/* Write [place, ...], the leaf first; -1 and -2 are ends of stacks that are not whole. */
static void write_frames(struct writer *writer, const struct expt_frames *frames)
{
	const char *separator = "";

	putc('[', writer->out);
	for (size_t i = 0; i < frames->count; i++) {
		uint32_t number = number_of(writer->places, &frames->places[i]);

		if (number == IDMAP_NONE)
			continue;
		fprintf(writer->out, "%s%" PRIu32, separator, number);
		separator = ",";
	}
	if (frames->end != EXPT_STACK_WHOLE)
		fprintf(writer->out, "%s%d", separator,
			frames->end == EXPT_STACK_TRUNCATED ? -1 : -2);
	putc(']', writer->out);
}

/* ---- locks ---- */

static int64_t value_of_row(const void *rows, size_t i, size_t metric)
{
	return expt_row_value(rows, i, metric, EXPT_EXCLUSIVE);
}

static int64_t value_of_trace(const void *traces, size_t i, size_t metric)
{
	return expt_trace_value(traces, i, metric);
}

static bool row_has_data(const struct writer *writer, const struct expt_rows *rows,
			 size_t row)
{
	for (size_t i = 0; i < writer->shown->metric_count; i++) {
		size_t metric = writer->shown->metrics[i];

		if (expt_metric(writer->shown->view, metric)->data == writer->data &&
		    value_of_row(rows, row, metric) != 0)
			return true;
	}
	return false;
}

/* Write [name, values]; a stack then names the object by its number. */
static void write_locks(struct writer *writer, const struct expt_rows *rows)
{
	uint32_t count = 0;

	begin_list(writer, "locks");
	for (size_t i = EXPT_ROW_FIRST; i < expt_rows_count(rows); i++) {
		const struct expt_row *row = expt_row(rows, i);
		uint32_t *slot =
			row_has_data(writer, rows, i)
				? idmap_add(&writer->numbers, (uint64_t)row->value)
				: NULL;

		if (!slot)
			continue;
		*slot = count++;
		begin_item(writer);
		fprintf(writer->out, "[\"0x%" PRIx64 "\",", (uint64_t)row->value);
		write_values(writer, value_of_row, rows, i);
		putc(']', writer->out);
	}
	putc(']', writer->out);
}

/* Write [object, values, frames]. */
static void write_lock_stacks(struct writer *writer, struct expt_traces *traces)
{
	struct expt_frames frames;

	begin_list(writer, "lockStacks");
	for (size_t i = 0; i < expt_traces_count(traces); i++) {
		uint32_t lock = idmap_find(&writer->numbers,
					   (uint64_t)expt_trace_index(traces, i));

		if (lock == IDMAP_NONE || expt_trace_frames(traces, i, &frames, NULL) < 0)
			continue;
		begin_item(writer);
		fprintf(writer->out, "[%" PRIu32 ",", lock);
		write_values(writer, value_of_trace, traces, i);
		putc(',', writer->out);
		write_frames(writer, &frames);
		putc(']', writer->out);
	}
	putc(']', writer->out);
}

static int add_locks(struct writer writer, struct expt_error *err)
{
	const struct shown *shown = writer.shown;
	struct expt_traces *traces;
	struct expt_rows *rows;
	size_t type;
	int rc = expt_index_type_define(shown->view, LOCKS, LOCKS_ARE, false, err);

	if (rc < 0)
		return rc;
	type = expt_index_type_find(shown->view, LOCKS);
	rc = expt_view_index_rows(shown->view, type, &rows, err);
	if (rc < 0)
		return rc;
	write_locks(&writer, rows);
	if (expt_index_traces_find(&traces, shown->view, type, EXPT_SYNC, NULL) >= 0) {
		write_lock_stacks(&writer, traces);
		expt_traces_free(traces);
	}
	idmap_release(&writer.numbers);
	return 0;
}

/* ---- files ---- */

static int64_t value_of_file(const void *files, size_t i, size_t metric)
{
	return expt_io_file(files, i)->values[metric];
}

static int64_t value_of_stack(const void *files, size_t i, size_t metric)
{
	return expt_io_stack(files, i)->values[metric];
}

/* The metrics of I/O are those of the values of files, in their order. */
static void write_io_values(FILE *out, const struct expt_io_files *files, size_t i,
			    int64_t (*value)(const void *files, size_t i, size_t metric))
{
	putc('[', out);
	for (size_t j = 0; j < EXPT_IO_METRIC_COUNT; j++)
		fprintf(out, j == 0 ? "%" PRId64 : ",%" PRId64, value(files, i, j));
	putc(']', out);
}

static void write_file(struct writer *writer, const struct expt_io_files *files, size_t i)
{
	const struct expt_io_file *file = expt_io_file(files, i);

	begin_item(writer);
	putc('[', writer->out);
	write_json_text(writer->out, file->name);
	putc(',', writer->out);
	write_io_values(writer->out, files, i, value_of_file);
	putc(',', writer->out);
	write_json_text(writer->out, file->file_system ? file->file_system : "");
	putc(']', writer->out);
}

static void write_io_stack(struct writer *writer, struct expt_io_files *files, size_t i)
{
	struct expt_frames frames;

	if (expt_io_stack_frames(files, i, &frames, NULL) < 0)
		return;
	begin_item(writer);
	fprintf(writer->out, "[%zu,", expt_io_stack(files, i)->file);
	write_io_values(writer->out, files, i, value_of_stack);
	putc(',', writer->out);
	write_frames(writer, &frames);
	putc(']', writer->out);
}

static int add_files(struct writer writer, struct expt_error *err)
{
	struct expt_io_files *files;
	int rc = expt_io_files_find(&files, writer.shown->view, true, err);

	if (rc < 0)
		return rc;
	begin_list(&writer, "ioFiles");
	for (size_t i = 0; i < expt_io_files_count(files); i++)
		write_file(&writer, files, i);
	putc(']', writer.out);
	begin_list(&writer, "ioStacks");
	for (size_t i = 0; i < expt_io_stack_count(files); i++)
		write_io_stack(&writer, files, i);
	putc(']', writer.out);
	expt_io_files_free(files);
	return 0;
}

/* ---- the heap ---- */

/* Write the most that a process had. */
static int add_peak(const struct shown *shown, FILE *out, struct expt_error *err)
{
	const struct expt_heap *heap;
	int rc = expt_view_heap(shown->view, &heap, err);

	if (rc < 0)
		return rc;
	fprintf(out,
		",\"heapPeak\":{\"bytes\":%" PRIu64
		",\"experiment\":%zu,\"time\":%" PRIu64 "}",
		heap->peak_bytes, heap->peak_expt,
		heap->peak_count > 0 ? heap->peak_times_ns[0] : 0);
	return 0;
}

static int add_all(struct writer *writer, struct expt_error *err)
{
	int rc = 0;

	writer->data = EXPT_SYNC;
	if (has_metric(writer->shown, EXPT_SYNC))
		rc = add_locks(*writer, err);
	writer->data = EXPT_IO;
	if (rc == 0 && has_metric(writer->shown, EXPT_IO))
		rc = add_files(*writer, err);
	if (rc == 0 && has_metric(writer->shown, EXPT_HEAP))
		rc = add_peak(writer->shown, writer->out, err);
	return rc;
}

int traced_write(const struct shown *shown, FILE *out, struct expt_error *err)
{
	struct stack_places places = { .count = 0 };
	struct writer writer = { .shown = shown, .out = out, .places = &places };
	int rc;

	places.out = open_memstream(&places.text, &places.length);
	if (!places.out)
		return -ENOMEM;
	rc = add_all(&writer, err);
	if (fclose(places.out) != 0 && rc == 0)
		rc = -ENOMEM;
	begin_list(&writer, "stackPlaces");
	if (rc == 0)
		fwrite(places.text, 1, places.length, out);
	putc(']', out);
	free(places.text);
	idmap_release(&places.numbers);
	return rc;
}

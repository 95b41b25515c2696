/* SPDX-License-Identifier: Apache-2.0 */
/* JSON lines: an object for each thread and call stack, with a value for each metric and
 * the frames, leaf first. */
#include <errno.h>
#include <stdlib.h>

#include "er_export/formats/private.h"
#include "libexpt/cli/write.h"

/* The frames of each place as text, made when it is first written. */
struct texts {
	char **items;
	const struct source *source;
};

static void write_frame(FILE *out, const struct source *source,
			const struct expt_table_place *place,
			const struct expt_table_frame *frame)
{
	const struct expt_tables *tables = source->tables;

	fputs("{\"function\":", out);
	write_json_text(out, function_name(source, frame->function));
	if (place->object != EXPT_TABLE_NONE) {
		fputs(",\"object\":", out);
		write_json_text(out, expt_object_path(tables->objects[place->object]));
		fprintf(out, ",\"address\":\"");
		write_hex(out, place->address, 0);
		putc_unlocked('"', out);
	}
	if (frame->path) {
		fputs(",\"file\":", out);
		write_json_text(out, frame->path);
		fputs(",\"line\":", out);
		write_number(out, frame->line);
	}
	putc_unlocked('}', out);
}

/* Returns the frames of a place, innermost first, or NULL: out of memory. */
static const char *text_of(const struct texts *texts, uint32_t number)
{
	const struct expt_tables *tables = texts->source->tables;
	const struct expt_table_place *place = &tables->places[number];
	FILE *out;
	size_t size;

	if (texts->items[number])
		return texts->items[number];
	out = open_memstream(&texts->items[number], &size);
	if (!out)
		return NULL;
	for (uint32_t i = 0; i < place->frame_count; i++) {
		if (i > 0)
			putc_unlocked(',', out);
		write_frame(out, texts->source, place,
			    &tables->frames[place->first_frame + i]);
	}
	return fclose(out) == 0 ? texts->items[number] : NULL;
}

static void write_thread(FILE *out, const struct source *source, uint32_t number)
{
	const struct expt_table_thread *thread = &source->tables->threads[number];

	fputs("{\"experiment\":", out);
	write_json_text(out, thread_experiment(source, number));
	fputs(",\"pid\":", out);
	write_signed(out, thread_info(source, number)->pid);
	fputs(",\"thread\":", out);
	write_number(out, thread->number);
	fputs(",\"lwp\":", out);
	write_number(out, thread->lwp);
}

static bool write_stack(FILE *out, const struct texts *texts, uint32_t node)
{
	const struct expt_table_node *nodes = texts->source->tables->nodes;
	const char *separator = "";

	fputs(",\"stack\":[", out);
	for (; node != 0; node = nodes[node].parent) {
		const char *text = text_of(texts, nodes[node].place);

		if (!text)
			return false;
		fputs(separator, out);
		fputs(text, out);
		separator = ",";
	}
	fputs("]}\n", out);
	return true;
}

static bool is_zero(const struct source *source, size_t stack)
{
	for (size_t i = 0; i < source->metric_count; i++)
		if (expt_tables_value(source->tables, stack, source->metrics[i]) != 0)
			return false;
	return true;
}

static bool write_row(FILE *out, const struct texts *texts, size_t number)
{
	const struct source *source = texts->source;
	const struct expt_table_stack *stack = &source->tables->stacks[number];

	if (is_zero(source, number))
		return true;
	write_thread(out, source, stack->thread);
	for (size_t i = 0; i < source->metric_count; i++) {
		char column[COLUMN_NAME_SIZE];

		column_name(column, source_metric(source, i));
		putc_unlocked(',', out);
		write_json_text(out, column);
		putc_unlocked(':', out);
		write_signed(out, expt_tables_value(source->tables, number,
						    source->metrics[i]));
	}
	return write_stack(out, texts, stack->node);
}

static int write_json_rows(FILE *out, const struct source *source)
{
	const struct expt_tables *tables = source->tables;
	struct texts texts = {
		.items = calloc(tables->place_count + 1, sizeof(*texts.items)),
		.source = source,
	};
	bool is_good = texts.items;

	for (size_t i = 0; i < tables->stack_count && is_good && !ferror(out); i++)
		is_good = write_row(out, &texts, i);
	for (size_t i = 0; i < tables->place_count && texts.items; i++)
		free(texts.items[i]);
	free(texts.items);
	return is_good ? 0 : -ENOMEM;
}

const struct format json_format = {
	.name = "json",
	.lacks = "has no times of events",
	.write = write_json_rows,
};

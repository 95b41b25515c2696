/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "er_export/formats/private.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/write.h"

const char *function_name(const struct source *source, uint32_t function)
{
	const struct expt_row *row = expt_row(source->tables->functions, function);

	if (row->function && !row->name)
		return expt_function_name(row->function, EXPT_NAME_LONG);
	return row->name ? row->name : "<Unknown>";
}

static char *line_name(const char *name, const char *escaped, char doubled)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);

	if (!memory)
		return NULL;
	write_line(memory, name, escaped, doubled);
	if (fclose(memory) == 0)
		return text;
	free(text);
	return NULL;
}

char **line_names(const struct source *source, const char *escaped, char doubled)
{
	size_t count = source->tables->function_count;
	char **names = calloc(count + 1, sizeof(*names));

	for (uint32_t i = 0; i < count && names; i++) {
		names[i] = line_name(function_name(source, i), escaped, doubled);
		if (!names[i]) {
			line_names_free(source, names);
			names = NULL;
		}
	}
	return names;
}

void line_names_free(const struct source *source, char **names)
{
	for (size_t i = 0; i < source->tables->function_count && names; i++)
		free(names[i]);
	free(names);
}

const char *function_source(const struct source *source, uint32_t function,
			    uint32_t *line)
{
	const struct expt_row *row = expt_row(source->tables->functions, function);
	const char *path = row->function ? expt_function_source(row->function) : NULL;

	*line = path ? expt_function_line(row->function) : 0;
	return path;
}

const char *metric_unit(const struct expt_metric *metric)
{
	if (metric->unit == EXPT_UNIT_TIME)
		return "nanoseconds";
	return strstr(metric->name, "bytes") ? "bytes" : "count";
}

void column_name(char out[COLUMN_NAME_SIZE], const struct expt_metric *metric)
{
	snprintf(out, COLUMN_NAME_SIZE, "%s%s", metric->name,
		 metric->unit == EXPT_UNIT_TIME ? "_ns" : "");
}

const struct expt_metric *source_metric(const struct source *source, size_t i)
{
	return expt_metric(source->view, source->metrics[i]);
}

static size_t expt_of(const struct source *source, uint32_t thread)
{
	return source->tables->threads[thread].expt;
}

const struct expt_info *thread_info(const struct source *source, uint32_t thread)
{
	return expt_info(expt_view_expt(source->view, expt_of(source, thread)));
}

const char *thread_experiment(const struct source *source, uint32_t thread)
{
	return expt_view_name(source->view, expt_of(source, thread));
}

void process_name(char out[THREAD_NAME_SIZE], const struct source *source,
		  uint32_t thread)
{
	const char *command = thread_info(source, thread)->command;
	size_t length = strcspn(command, " ");
	const char *slash = memrchr(command, '/', length);

	if (slash) {
		length -= (size_t)(slash + 1 - command);
		command = slash + 1;
	}
	snprintf(out, THREAD_NAME_SIZE, "%.*s", (int)length, command);
}

void thread_name(char out[THREAD_NAME_SIZE], const struct source *source, uint32_t thread)
{
	char process[THREAD_NAME_SIZE];

	process_name(process, source, thread);
	snprintf(out, THREAD_NAME_SIZE, "%.200s (%" PRId64 "), Thread %" PRIu64, process,
		 thread_info(source, thread)->pid,
		 source->tables->threads[thread].number);
}

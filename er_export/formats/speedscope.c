/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of speedscope: frames are functions, and each thread is a profile for each
 * metric. Its samples are distinct call paths with their sums, so that the file does not
 * grow with the run; their order is that of the call tree.
 */
#include <errno.h>
#include <string.h>

#include "er_export/formats/calls.h"
#include "er_export/formats/private.h"
#include "libexpt/cli/write.h"

#define SCHEMA "https://www.speedscope.app/file-format-schema.json"

static void write_frames(FILE *out, const struct source *source)
{
	for (uint32_t i = 0; i < source->tables->function_count; i++) {
		uint32_t line;
		const char *path = function_source(source, i, &line);

		fputs(i > 0 ? ",\n{\"name\":" : "\n{\"name\":", out);
		write_json_text(out, function_name(source, i));
		if (path) {
			fputs(",\"file\":", out);
			write_json_text(out, path);
		}
		if (line > 0) {
			fputs(",\"line\":", out);
			write_number(out, line);
		}
		putc_unlocked('}', out);
	}
}

/* The unit of values: one that the format does not know is none. */
static const char *unit_of(const struct expt_metric *metric)
{
	const char *unit = metric_unit(metric);

	return strcmp(unit, "count") == 0 ? "none" : unit;
}

/* The sums of a thread: from begin on, before end. */
struct part {
	size_t begin, end;
	size_t metric; /* among the chosen ones */
};

static int64_t value_of(const struct call_sums *sums, size_t i, size_t metric)
{
	return sums->values[sums->all.items[i].values + metric];
}

static void write_samples(FILE *out, const struct call_sums *sums,
			  const struct calls *calls, const struct part *part)
{
	const char *separator = "";

	for (size_t i = part->begin; i < part->end; i++) {
		size_t depth;

		if (value_of(sums, i, part->metric) == 0)
			continue;
		depth = call_sums_path(sums, calls, &sums->all.items[i]);
		fprintf(out, "%s[", separator);
		for (size_t j = 0; j < depth; j++) {
			if (j > 0)
				putc_unlocked(',', out);
			write_number(out, sums->functions[j]);
		}
		putc_unlocked(']', out);
		separator = ",\n";
	}
}

static void write_weights(FILE *out, const struct call_sums *sums,
			  const struct part *part)
{
	const char *separator = "";

	for (size_t i = part->begin; i < part->end; i++) {
		int64_t value = value_of(sums, i, part->metric);

		if (value == 0)
			continue;
		fputs(separator, out);
		write_signed(out, value);
		separator = ",";
	}
}

static int64_t total_of(const struct call_sums *sums, const struct part *part)
{
	int64_t total = 0;

	for (size_t i = part->begin; i < part->end; i++)
		total += value_of(sums, i, part->metric);
	return total;
}

static void write_profile(FILE *out, const struct source *source,
			  const struct call_sums *sums, const struct calls *calls,
			  const struct part *part)
{
	const struct expt_metric *metric = source_metric(source, part->metric);
	char name[THREAD_NAME_SIZE];

	thread_name(name, source, sums->all.items[part->begin].thread);
	fputs("{\"type\":\"sampled\",\"name\":\"", out);
	if (source->metric_count > 1) {
		write_json(out, metric->title, strlen(metric->title));
		fputs(": ", out);
	}
	write_json(out, name, strlen(name));
	fprintf(out,
		"\",\"unit\":\"%s\",\"startValue\":0,\"endValue\":", unit_of(metric));
	write_signed(out, total_of(sums, part));
	fputs(",\n\"samples\":[", out);
	write_samples(out, sums, calls, part);
	fputs("],\n\"weights\":[", out);
	write_weights(out, sums, part);
	fputs("]}", out);
}

static void write_profiles(FILE *out, const struct source *source,
			   const struct call_sums *sums, const struct calls *calls)
{
	const char *separator = "\n";

	for (size_t metric = 0; metric < source->metric_count; metric++) {
		struct part part = { .metric = metric };

		for (; part.begin < sums->all.count; part.begin = part.end) {
			uint32_t thread = sums->all.items[part.begin].thread;

			part.end = part.begin + 1;
			while (part.end < sums->all.count &&
			       sums->all.items[part.end].thread == thread)
				part.end++;
			if (total_of(sums, &part) == 0)
				continue;
			fputs(separator, out);
			write_profile(out, source, sums, calls, &part);
			separator = ",\n";
		}
	}
}

static void write_file(FILE *out, const struct source *source,
		       const struct call_sums *sums, const struct calls *calls)
{
	fputs("{\"$schema\":\"" SCHEMA "\",\"exporter\":\"erkit\",\"name\":", out);
	write_json_text(out, expt_view_name(source->view, 0));
	fputs(",\n\"shared\":{\"frames\":[", out);
	write_frames(out, source);
	fputs("]},\n\"profiles\":[", out);
	write_profiles(out, source, sums, calls);
	fputs("]}\n", out);
}

static int write_speedscope(FILE *out, const struct source *source)
{
	struct call_sums sums = { .values = NULL };
	struct calls calls;
	bool is_good = calls_make(&calls, source->tables) &&
		       call_sums_make(&sums, source, &calls, true);

	if (is_good)
		write_file(out, source, &sums, &calls);
	call_sums_release(&sums);
	calls_release(&calls);
	return is_good ? 0 : -ENOMEM;
}

const struct format speedscope_format = {
	.name = "speedscope",
	.lacks = "has no load objects, and no times of events: in the order of time, "
		 "stacks are not where they were",
	.write = write_speedscope,
};

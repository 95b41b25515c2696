/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/views/traced.h"

#include <inttypes.h>

#include "libexpt/cli/write.h"

static bool has_metric(const struct shown *shown, enum expt_data data)
{
	for (size_t i = 0; i < shown->metric_count; i++)
		if (expt_metric(shown->view, shown->metrics[i])->data == data)
			return true;
	return false;
}

/* Write "address". */
static void write_lock(const struct expt_tables *tables, int64_t lock, FILE *out)
{
	fprintf(out, "\"0x%" PRIx64 "\"", (uint64_t)lock);
}

/* Write "name", "file system". */
static void write_file(const struct expt_tables *tables, int64_t number, FILE *out)
{
	const struct expt_io_file *file = expt_io_file(tables->files, (size_t)number);

	write_json_text(out, file->name);
	putc(',', out);
	write_json_text(out, file->file_system ? file->file_system : "");
}

/* Write the subjects of a kind of data as [subject, ...]; several may be one. */
static void
write_list(const struct expt_tables *tables, const char *name, enum expt_data data,
	   void (*write)(const struct expt_tables *tables, int64_t number, FILE *out),
	   FILE *out)
{
	const char *separator = "";

	fprintf(out, ",\"%s\":[", name);
	for (size_t i = 1; i < tables->subject_count; i++) {
		if (tables->subjects[i].data != data)
			continue;
		fprintf(out, "%s[%zu,", separator, i);
		write(tables, tables->subjects[i].number, out);
		putc(']', out);
		separator = ",";
	}
	putc(']', out);
}

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

int traced_write(const struct shown *shown, FILE *out, struct expt_error *err)
{
	if (has_metric(shown, EXPT_SYNC))
		write_list(shown->tables, "locks", EXPT_SYNC, write_lock, out);
	if (has_metric(shown, EXPT_IO))
		write_list(shown->tables, "ioFiles", EXPT_IO, write_file, out);
	return has_metric(shown, EXPT_HEAP) ? add_peak(shown, out, err) : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: calls that read, wrote, did something else, or failed. */
#include "libexpt/kinds/io.h"

static const struct metric_form metrics[EXPT_IO_METRIC_COUNT] = {
	[EXPT_READ_TIME] = { "ioreadtime", "Read Time", "Read Time", EXPT_UNIT_TIME },
	[EXPT_READ_BYTES] = { "ioreadbytes", "Read Bytes", "Read Bytes",
			      EXPT_UNIT_COUNT },
	[EXPT_READ_COUNT] = { "ioreadcnt", "Read Count", "Read Count", EXPT_UNIT_COUNT },
	[EXPT_WRITE_TIME] = { "iowritetime", "Write Time", "Write Time", EXPT_UNIT_TIME },
	[EXPT_WRITE_BYTES] = { "iowritebytes", "Write Bytes", "Write Bytes",
			       EXPT_UNIT_COUNT },
	[EXPT_WRITE_COUNT] = { "iowritecnt", "Write Count", "Write Count",
			       EXPT_UNIT_COUNT },
	[EXPT_OTHER_TIME] = { "ioothertime", "Other I/O Time", "Other I/O Time",
			      EXPT_UNIT_TIME },
	[EXPT_OTHER_COUNT] = { "ioothercnt", "Other I/O Count", "Other I/O Count",
			       EXPT_UNIT_COUNT },
	[EXPT_ERROR_TIME] = { "ioerrortime", "I/O Error Time", "I/O Error Time",
			      EXPT_UNIT_TIME },
	[EXPT_ERROR_COUNT] = { "ioerrorcnt", "I/O Error Count", "I/O Error Count",
			       EXPT_UNIT_COUNT },
};

static bool offers(const struct kind_use *use, const struct expt *expt, size_t metric)
{
	return expt_has_data(expt, EXPT_IO);
}

/* Returns 0 if the start is not known. */
static int64_t duration_of(const struct expt_record *record)
{
	int64_t start = 0, end = 0, duration;

	expt_record_value(record, EXPT_IORQST, &start);
	expt_record_value(record, EXPT_TSTAMP, &end);
	if (start == 0 || __builtin_sub_overflow(end, start, &duration))
		return 0;
	return duration;
}

static bool read_name(struct io_event *event, const struct expt_record *record,
		      struct arena *names)
{
	const struct expt_packet_declaration *declared = record->declaration;
	size_t place = declared->places[EXPT_IOFNAME], length = 0;
	const char *text = NULL;

	if (place > 0)
		length = expt_record_text(record, &declared->fields[place - 1], &text);
	if (length == 0)
		return true;
	event->name = arena_text(names, text, length);
	return event->name;
}

bool io_event_read(struct io_event *event, const struct expt_record *record,
		   struct arena *names)
{
	*event = (struct io_event){
		.call = -1,
		.fd = -1,
		.duration_ns = duration_of(record),
		.file_system = EXPT_FS_UNKNOWN,
	};
	expt_record_value(record, EXPT_IOTYPE, &event->call);
	expt_record_value(record, EXPT_IOFD, &event->fd);
	expt_record_value(record, EXPT_IOOFD, &event->old_fd);
	expt_record_value(record, EXPT_IONBYTE, &event->bytes);
	expt_record_value(record, EXPT_IOFSTYPE, &event->file_system);
	return !names || read_name(event, record, names);
}

void io_event_measure(const struct io_event *event, int64_t *values)
{
	switch (event->call) {
	case EXPT_IO_READ:
		add_saturated(&values[EXPT_READ_TIME], event->duration_ns);
		add_saturated(&values[EXPT_READ_BYTES], event->bytes);
		add_saturated(&values[EXPT_READ_COUNT], 1);
		break;
	case EXPT_IO_WRITE:
		add_saturated(&values[EXPT_WRITE_TIME], event->duration_ns);
		add_saturated(&values[EXPT_WRITE_BYTES], event->bytes);
		add_saturated(&values[EXPT_WRITE_COUNT], 1);
		break;
	case EXPT_IO_OPEN:
	case EXPT_IO_CLOSE:
	case EXPT_IO_OTHER:
		add_saturated(&values[EXPT_OTHER_TIME], event->duration_ns);
		add_saturated(&values[EXPT_OTHER_COUNT], 1);
		break;
	default:
		if (event->call < EXPT_IO_FAILED || event->call >= 2 * EXPT_IO_FAILED)
			break;
		add_saturated(&values[EXPT_ERROR_TIME], event->duration_ns);
		add_saturated(&values[EXPT_ERROR_COUNT], 1);
		break;
	}
}

static void measure(const struct expt_record *record, const struct gauge *gauge,
		    int64_t *values)
{
	struct io_event event;

	io_event_read(&event, record, NULL);
	io_event_measure(&event, values);
}

const struct data_kind io_kind = {
	.data = EXPT_IO,
	.metrics = metrics,
	.metric_count = EXPT_IO_METRIC_COUNT,
	.offers = offers,
	.measure = measure,
};

const char *io_file_system_name(int64_t file_system)
{
	static const char *const names[] = {
		"zfs",	   "nfs",    "ufs",	"udfs",	  "lofs",   "vxfs",
		"tmpfs",   "pcfs",   "hsfs",	"procfs", "fifofs", "swapfs",
		"cachefs", "autofs", "specfs",	"sockfs", "fdfs",   "mntfs",
		"namefs",  "objfs",  "sharefs", "ext2",	  "ext3",   "ext4",
	};

	if (file_system < 0 || file_system >= (int64_t)(sizeof(names) / sizeof(*names)))
		return NULL;
	return names[file_system];
}

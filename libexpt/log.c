/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.xml: who recorded what, where and when, and what happened. warnings.xml, which tools write
 * after the run, has the same grammar and adds messages. One function per element, in a table.
 */
#include "libexpt/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/error.h"
#include "libexpt/format.h"

#define NOTES_SIZE_MAX (1u << 20)

/* ---- what the elements share ------------------------------------------------------- */

void log_damage(struct log_reader *reader, const char *format, ...)
{
	char what[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	expt_add_damage(reader->expt, "%s:%u: %s", reader->file, reader->line, what);
}

const char *log_text(struct log_reader *reader, const char *text)
{
	return *text ? arena_text(&reader->log->strings, text, strlen(text)) : "";
}

bool log_number(struct log_reader *reader, const struct xml_element *element,
		const char *name, uint64_t *value)
{
	const char *text = xml_attribute(element, name);

	if (!text)
		return false;
	if (number_u64(value, text))
		return true;
	log_damage(reader, "'%s' is no number: '%.40s'", name, text);
	return false;
}

static void take_signed(struct log_reader *reader, const struct xml_element *element,
			const char *name, int64_t *value)
{
	const char *text = xml_attribute(element, name);

	if (text && !number_i64(value, text))
		log_damage(reader, "'%s' is no number: '%.40s'", name, text);
}

/* Keep an attribute, if the element has it; -ENOMEM is the only failure. */
static int take_text(struct log_reader *reader, const struct xml_element *element,
		     const char *name, const char **value)
{
	const char *text = xml_attribute(element, name);

	if (!text)
		return 0;
	text = log_text(reader, text);
	if (!text)
		return -ENOMEM;
	*value = text;
	return 0;
}

/* ---- header elements --------------------------------------------------------------- */

/* A log without a version is read; one that names no version from 12 on is not. */
static int start_experiment(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;
	char major[8] = "";
	uint64_t number = 0;
	size_t length;
	int rc;

	rc = take_text(reader, element, "version", &info->version);
	if (rc < 0 || !*info->version)
		return rc;
	length = strcspn(info->version, ".");
	if (length < sizeof major)
		memcpy(major, info->version, length);
	if (!number_u64(&number, major) || number < FORMAT_VERSION_MAJOR)
		return -ENOTSUP;
	return 0;
}

static int end_collector(struct log_reader *reader, const char *text)
{
	reader->log->info.collector = log_text(reader, text);
	return reader->log->info.collector ? 0 : -ENOMEM;
}

static int start_system(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;

	log_number(reader, element, "pagesz", &info->page_size);
	log_number(reader, element, "npages", &info->pages);
	if (take_text(reader, element, "hostname", &info->host) < 0 ||
	    take_text(reader, element, "arch", &info->arch) < 0)
		return -ENOMEM;
	return take_text(reader, element, "os", &info->os);
}

static int start_frequency(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;
	const char *text = xml_attribute(element, "clk");
	char whole[16] = "";
	uint64_t mhz;

	if (!text)
		return 0;
	snprintf(whole, sizeof whole, "%.*s", (int)strcspn(text, "."), text);
	if (!number_u64(&mhz, whole) || mhz > UINT32_MAX) {
		log_damage(reader, "'clk' is no frequency: '%.40s'", text);
		return 0;
	}
	if (!info->clock_min_mhz || mhz < info->clock_min_mhz)
		info->clock_min_mhz = (uint32_t)mhz;
	if (mhz > info->clock_max_mhz)
		info->clock_max_mhz = (uint32_t)mhz;
	return 0;
}

static int start_cpu(struct log_reader *reader, const struct xml_element *element)
{
	reader->log->info.cpu_count++;
	return start_frequency(reader, element);
}

static void take_ids(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;

	take_signed(reader, element, "pid", &info->pid);
	take_signed(reader, element, "ppid", &info->ppid);
	take_signed(reader, element, "pgrp", &info->pgrp);
	take_signed(reader, element, "sid", &info->sid);
}

static int start_process(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;
	uint64_t bits;

	take_ids(reader, element);
	log_number(reader, element, "pagesz", &info->page_size);
	if (log_number(reader, element, "wsize", &bits)) {
		if (bits == 32 || bits == 64)
			info->word_bits = (uint32_t)bits;
		else
			log_damage(reader, "no word size that we know: %.40s",
				   xml_attribute(element, "wsize"));
	}
	return take_text(reader, element, "cwd", &info->directory);
}

static int end_process(struct log_reader *reader, const char *text)
{
	if (!*text)
		return 0;
	reader->log->info.command = log_text(reader, text);
	return reader->log->info.command ? 0 : -ENOMEM;
}

static int start_setting(struct log_reader *reader, const struct xml_element *element)
{
	for (size_t i = 0; i < element->attribute_count; i++) {
		struct expt_attribute *setting = array_add(&reader->log->settings);

		if (!setting)
			return -ENOMEM;
		setting->name = log_text(reader, element->attributes[i].name);
		setting->value = log_text(reader, element->attributes[i].value);
		if (!setting->name || !setting->value)
			return -ENOMEM;
	}
	return 0;
}

/* ---- events ------------------------------------------------------------------------ */

static const char *const event_names[] = {
	[EXPT_EVENT_RUN] = "run",
	[EXPT_EVENT_SAMPLE] = "sample",
	[EXPT_EVENT_EXIT] = "exit",
	[EXPT_EVENT_PAUSE] = "pause",
	[EXPT_EVENT_RESUME] = "resume",
	[EXPT_EVENT_THREAD_PAUSE] = "thread_pause",
	[EXPT_EVENT_THREAD_RESUME] = "thread_resume",
	[EXPT_EVENT_DESC_START] = "desc_start",
	[EXPT_EVENT_DESC_STARTED] = "desc_started",
	[EXPT_EVENT_EXEC_START] = "exec_start",
	[EXPT_EVENT_EXEC_ERROR] = "exec_error",
	[EXPT_EVENT_ERROR] = "cerror",
	[EXPT_EVENT_WARNING] = "cwarn",
	[EXPT_EVENT_COMMENT] = "comment",
	[EXPT_EVENT_JTHREAD_START] = "jthread_start",
	[EXPT_EVENT_JTHREAD_END] = "jthread_end",
	[EXPT_EVENT_GC_START] = "gc_start",
	[EXPT_EVENT_GC_END] = "gc_end",
};

static enum expt_event_kind event_kind(const char *name)
{
	for (size_t i = 0; i < sizeof event_names / sizeof *event_names; i++)
		if (strcmp(event_names[i], name) == 0)
			return (enum expt_event_kind)i;
	return EXPT_EVENT_OTHER;
}

static bool is_message(enum expt_event_kind kind)
{
	return kind == EXPT_EVENT_ERROR || kind == EXPT_EVENT_WARNING ||
	       kind == EXPT_EVENT_COMMENT;
}

/* Java's events come with the clock's own time; all others but run count from run's. */
static bool has_absolute_time(enum expt_event_kind kind)
{
	return kind == EXPT_EVENT_RUN || kind == EXPT_EVENT_JTHREAD_START ||
	       kind == EXPT_EVENT_JTHREAD_END || kind == EXPT_EVENT_GC_START ||
	       kind == EXPT_EVENT_GC_END;
}

/* The start is a time and where the clock's zero is; it is written again at the end. */
static void take_run(struct log_reader *reader, const struct xml_element *element,
		     const struct expt_event *event)
{
	struct expt_info *info = &reader->log->info;

	info->has_run = true;
	if (event->has_time)
		info->start_ns = event->time_ns;
	take_signed(reader, element, "time", &info->started_at);
	take_ids(reader, element);
}

static void take_time(struct log_reader *reader, const struct xml_element *element,
		      struct expt_event *event)
{
	const char *text = xml_attribute(element, "tstamp");

	if (!text)
		return;
	event->has_time = number_seconds(&event->time_ns, text);
	if (!event->has_time)
		log_damage(reader, "'tstamp' is no time: '%.40s'", text);
}

/* What follows an exec that worked is the next image's; only the last sample comes behind it. A
 * spawn has the same event, but the process that did it goes on. */
static void follow_exec(struct log_reader *reader, const struct expt_event *event)
{
	const char *variant;

	switch (event->kind) {
	case EXPT_EVENT_EXEC_START:
		variant = expt_event_attribute(event, "variant");
		reader->is_exec_pending = !variant ||
					  strncmp(variant, "posix_spawn", 11) != 0;
		break;
	case EXPT_EVENT_SAMPLE:
	case EXPT_EVENT_ERROR:
	case EXPT_EVENT_WARNING:
	case EXPT_EVENT_COMMENT:
		break;
	default:
		reader->is_exec_pending = false;
	}
}

static void take_event(struct log_reader *reader, const struct xml_element *element,
		       struct expt_event *event)
{
	struct expt_info *info = &reader->log->info;

	take_time(reader, element, event);
	take_signed(reader, element, "id", &event->id);
	take_signed(reader, element, "ec", &event->error_number);
	follow_exec(reader, event);
	if (event->kind == EXPT_EVENT_RUN)
		take_run(reader, element, event);
	if (event->kind == EXPT_EVENT_EXIT)
		info->is_closed = true;
	if (has_absolute_time(event->kind))
		event->time_ns = event->time_ns > info->start_ns
					 ? event->time_ns - info->start_ns
					 : 0;
	else if ((event->kind == EXPT_EVENT_SAMPLE || event->kind == EXPT_EVENT_EXIT) &&
		 event->time_ns > info->end_ns)
		info->end_ns = event->time_ns;
}

static int copy_attributes(struct log_reader *reader, const struct xml_element *element,
			   const struct expt_attribute **out, size_t *count)
{
	struct expt_attribute *copy;

	copy = arena_alloc(&reader->log->strings, element->attribute_count * sizeof *copy);
	if (!copy)
		return -ENOMEM;
	for (size_t i = 0; i < element->attribute_count; i++) {
		copy[i].name = log_text(reader, element->attributes[i].name);
		copy[i].value = log_text(reader, element->attributes[i].value);
		if (!copy[i].name || !copy[i].value)
			return -ENOMEM;
	}
	*out = copy;
	*count = element->attribute_count;
	return 0;
}

static int start_event(struct log_reader *reader, const struct xml_element *element)
{
	const char *name = xml_attribute(element, "kind");
	struct expt_event *event;
	int rc;

	if (!name) {
		log_damage(reader, "event without a kind");
		return 0;
	}
	if (reader->messages_only && !is_message(event_kind(name)))
		return 0;
	event = array_add(&reader->log->events);
	if (!event)
		return -ENOMEM;
	event->kind = event_kind(name);
	event->text = "";
	rc = copy_attributes(reader, element, &event->attributes, &event->attribute_count);
	if (rc < 0)
		return rc;
	event->name = expt_event_attribute(event, "kind");
	/* A comment's text may be an attribute. */
	if (expt_event_attribute(event, "text"))
		event->text = expt_event_attribute(event, "text");
	take_event(reader, element, event);
	reader->is_in_event = true;
	return 0;
}

static int end_event(struct log_reader *reader, const char *text)
{
	struct expt_event *event;

	if (!reader->is_in_event)
		return 0;
	reader->is_in_event = false;
	if (!*text)
		return 0;
	event = &reader->log->events.items[reader->log->events.count - 1];
	event->text = log_text(reader, text);
	return event->text ? 0 : -ENOMEM;
}

/* ---- the table of elements --------------------------------------------------------- */

static const struct {
	const char *name;
	int (*start)(struct log_reader *reader, const struct xml_element *element);
	int (*end)(struct log_reader *reader, const char *text);
} elements[] = {
	{ "event", start_event, end_event },
	{ "field", log_start_field, NULL },
	{ "state", NULL, NULL },
	{ "profile", log_start_profile, log_end_profile },
	{ "profdata", log_start_profdata, NULL },
	{ "profpckt", log_start_profpckt, log_end_profpckt },
	{ "setting", start_setting, NULL },
	{ "process", start_process, end_process },
	{ "cpu", start_cpu, NULL },
	{ "system", start_system, NULL },
	{ "experiment", start_experiment, NULL },
	{ "collector", NULL, end_collector },
	{ "frequency", start_frequency, NULL },
	{ "dataptr", NULL, NULL },
	{ "powerm", NULL, NULL },
	{ "dtracefatal", NULL, NULL },
};
#define ELEMENT_COUNT (sizeof elements / sizeof *elements)

static int on_start(void *context, const struct xml_element *element)
{
	struct log_reader *reader = context;

	reader->line = element->line;
	for (size_t i = 0; i < ELEMENT_COUNT; i++)
		if (strcmp(elements[i].name, element->name) == 0)
			return elements[i].start ? elements[i].start(reader, element) : 0;
	log_damage(reader, "unknown element '%s'", element->name);
	return 0;
}

static int on_end(void *context, const char *name, const char *text)
{
	struct log_reader *reader = context;

	for (size_t i = 0; i < ELEMENT_COUNT; i++)
		if (strcmp(elements[i].name, name) == 0)
			return elements[i].end ? elements[i].end(reader, text) : 0;
	return 0;
}

static void on_damage(void *context, unsigned line, const char *what)
{
	const struct log_reader *reader = context;

	expt_add_damage(reader->expt, "%s:%u: %s", reader->file, line, what);
}

int log_parse(struct expt_log *log, struct expt *expt, const char *file,
	      const void *bytes, size_t size, struct expt_error *err)
{
	static const struct xml_handler handler = { on_start, on_end, on_damage };
	struct log_reader reader = {
		.expt = expt,
		.log = log,
		.file = file,
		.messages_only = strcmp(file, WARNINGS_FILE) == 0,
		.data = EXPT_DATA_COUNT,
	};
	int rc = xml_read(bytes, size, &handler, &reader, err);

	array_release(&reader.fields);
	if (reader.is_exec_pending)
		log->info.is_closed = true;
	if (rc == -ENOTSUP)
		return expt_fail(err, rc, "format version '%.40s' is not supported",
				 log->info.version);
	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read '%s'", file);
	return rc;
}

/* ---- the files --------------------------------------------------------------------- */

static int read_file(struct expt_log *log, struct expt *expt, const char *name,
		     struct expt_error *err)
{
	cleanup(io_file_close) struct io_file file = { 0 };
	int rc = io_file_open(&file, expt->dir, name);

	if (rc < 0)
		return expt_fail(err, rc,
				 rc == -EINVAL ? "'%s' is not a regular file"
					       : "cannot open '%s'",
				 name);
	return log_parse(log, expt, name, file.bytes, file.size, err);
}

/* Messages of later tools, and people's notes, are extras: that they cannot be read is damage. */
static int read_warnings(struct expt_log *log, struct expt *expt, struct expt_error *err)
{
	struct expt_error inner;
	int rc = read_file(log, expt, WARNINGS_FILE, &inner);

	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read '%s'", WARNINGS_FILE);
	if (rc < 0 && rc != -ENOENT)
		expt_add_damage(expt, "%s", inner.message);
	return 0;
}

static int read_notes(struct expt_log *log, struct expt *expt, struct expt_error *err)
{
	cleanup_fd int fd = io_open_regular(expt->dir, NOTES_FILE);
	char *text;
	ssize_t size;

	if (fd < 0) {
		if (fd != -ENOENT)
			expt_add_damage(expt, "%s: %s", NOTES_FILE, strerrordesc_np(-fd));
		return 0;
	}
	text = malloc(NOTES_SIZE_MAX);
	if (!text)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", NOTES_FILE);
	size = io_read_full(fd, text, NOTES_SIZE_MAX);
	if (size < 0)
		expt_add_damage(expt, "%s: %s", NOTES_FILE, strerrordesc_np((int)-size));
	else
		log->notes = arena_text(&log->strings, text, (size_t)size);
	free(text);
	return log->notes ? 0 : expt_fail(err, -ENOMEM, "cannot read '%s'", NOTES_FILE);
}

struct expt_log *log_new(void)
{
	struct expt_log *log = calloc(1, sizeof *log);

	if (!log)
		return NULL;
	log->notes = "";
	log->info = (struct expt_info){
		.version = "",
		.collector = "",
		.host = "",
		.arch = "",
		.os = "",
		.directory = "",
		.command = "",
		.word_bits = 64,
	};
	return log;
}

static void log_closep(struct expt_log **log)
{
	log_close(*log);
}

int log_read(struct expt_log **out, struct expt *expt, struct expt_error *err)
{
	cleanup(log_closep) struct expt_log *log = log_new();
	int rc;

	if (!log)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", LOG_FILE);
	rc = read_warnings(log, expt, err);
	if (rc < 0)
		return rc;
	rc = read_file(log, expt, LOG_FILE, err);
	if (rc < 0)
		return rc;
	if (!log->info.has_run)
		expt_add_damage(expt, "%s: the start of the program is not in it",
				LOG_FILE);
	rc = read_notes(log, expt, err);
	if (rc < 0)
		return rc;
	*out = steal(&log);
	return 0;
}

void log_close(struct expt_log *log)
{
	if (!log)
		return;
	array_release(&log->settings);
	array_release(&log->events);
	array_release(&log->profiles);
	array_release(&log->declarations);
	arena_release(&log->strings);
	free(log);
}

/* ---- reading it -------------------------------------------------------------------- */

const struct expt_info *expt_info(const struct expt *expt)
{
	return &expt->log->info;
}

size_t expt_setting_count(const struct expt *expt)
{
	return expt->log->settings.count;
}

const struct expt_attribute *expt_setting(const struct expt *expt, size_t i)
{
	return &expt->log->settings.items[i];
}

size_t expt_event_count(const struct expt *expt)
{
	return expt->log->events.count;
}

const struct expt_event *expt_event(const struct expt *expt, size_t i)
{
	return &expt->log->events.items[i];
}

const char *expt_event_attribute(const struct expt_event *event, const char *name)
{
	for (size_t i = 0; i < event->attribute_count; i++)
		if (strcmp(event->attributes[i].name, name) == 0)
			return event->attributes[i].value;
	return NULL;
}

const char *expt_notes(const struct expt *expt)
{
	return expt->log->notes;
}

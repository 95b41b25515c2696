/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a log, with their times, and whether the recording was completed. */
#include <errno.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/experiment/private.h"

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
	for (size_t i = 0; i < sizeof(event_names) / sizeof(*event_names); i++)
		if (xml_is_same(event_names[i], name))
			return (enum expt_event_kind)i;
	return EXPT_EVENT_OTHER;
}

static bool is_message(enum expt_event_kind kind)
{
	return kind == EXPT_EVENT_ERROR || kind == EXPT_EVENT_WARNING ||
	       kind == EXPT_EVENT_COMMENT;
}

/* Times of Java events and of run are absolute; all others count from run. */
static bool has_absolute_time(enum expt_event_kind kind)
{
	return kind == EXPT_EVENT_RUN || kind == EXPT_EVENT_JTHREAD_START ||
	       kind == EXPT_EVENT_JTHREAD_END || kind == EXPT_EVENT_GC_START ||
	       kind == EXPT_EVENT_GC_END;
}

/* The run event has the date and the clock's origin; it is written again at the end. */
static void take_run(struct log_reader *reader, const struct xml_element *element,
		     const struct expt_event *event)
{
	struct expt_info *info = &reader->log->info;

	info->has_run = true;
	if (event->has_time)
		info->start_ns = event->time_ns;
	log_signed(reader, element, "time", &info->started_at);
	log_ids(reader, element);
}

static void take_time(struct log_reader *reader, const struct xml_element *element,
		      struct expt_event *event)
{
	const char *text = xml_attribute(element, "tstamp");

	if (!text)
		return;
	event->has_time = number_seconds(&event->time_ns, text);
	if (!event->has_time)
		log_damage(reader, "'tstamp' is not a time: '%.40s'", text);
}

/* After a successful exec the log belongs to the next image; only the last sample, or
 * messages, may follow. A spawn has the same event, but its process continues. */
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
	log_signed(reader, element, "id", &event->id);
	log_signed(reader, element, "ec", &event->error_number);
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

int log_start_event(struct log_reader *reader, const struct xml_element *element)
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
	rc = log_attributes(reader, element, &event->attributes, &event->attribute_count);
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

int log_end_event(struct log_reader *reader, const char *text)
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

/* ---- lookup ------------------------------------------------------------------------ */

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
		if (xml_is_same(event->attributes[i].name, name))
			return event->attributes[i].value;
	return NULL;
}

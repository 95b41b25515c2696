/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reader takes a method as one of the last class before it. So one thread at a time
 * writes, and a class is written whole.
 */

#include "collector/experiment/classes.h"

#include <string.h>

#include "collector/base/system.h"
#include "collector/experiment/directory.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "libexpt/format.h"

/* Names may be as long as a packet; no one reads such names. */
#define TEXT_MAX 16384

static struct cursor cursor;
static uint64_t class_count;
static struct spin lock;
static bool is_broken;

static size_t text_length(const char *text)
{
	return strnlen(text, TEXT_MAX);
}

/* Returns the room for a text, with a NUL and padding to a multiple of 4. */
static size_t text_size(const char *text)
{
	return (text_length(text) + 4) & ~(size_t)3;
}

static char *put_text(char *room, const char *text)
{
	size_t length = text_length(text), size = text_size(text);

	memcpy(room, text, length);
	memset(room + length, 0, size - length);
	return room + size;
}

/* Write a packet with two texts after this much of the head. */
static void put(enum packet_type type, const struct java_packet *head, size_t head_size,
		const char *first, const char *second)
{
	size_t texts = text_size(first) + text_size(second);
	size_t size = (head_size + texts + 7) & ~(size_t)7;
	char *room = cursor_reserve(&cursor, &files.classes, size);
	char *at;

	if (!room)
		return;
	memcpy(room + sizeof(head->packet), (const char *)head + sizeof(head->packet),
	       head_size - sizeof(head->packet));
	at = put_text(put_text(room + head_size, first), second);
	memset(at, 0, (size_t)(room + size - at));
	cursor_publish(room, type, size);
}

static bool put_some_lines(const struct java_packet *head, const struct java_line *lines,
			   size_t count)
{
	size_t size = sizeof(*head) + count * sizeof(*lines);
	char *room = cursor_reserve(&cursor, &files.classes, size);

	if (!room)
		return false;
	memcpy(room + sizeof(head->packet), (const char *)head + sizeof(head->packet),
	       sizeof(*head) - sizeof(head->packet));
	memcpy(room + sizeof(*head), lines, count * sizeof(*lines));
	cursor_publish(room, PACKET_JAVA_LINES, size);
	return true;
}

static void put_lines(const struct java_packet *head, const struct classes_method *method)
{
	size_t left = method->line_count;

	while (left > 0) {
		size_t count = left < JAVA_LINES_MAX ? left : JAVA_LINES_MAX;

		if (!put_some_lines(head, method->lines + method->line_count - left,
				    count))
			return;
		left -= count;
	}
}

static void put_class(const struct classes_class *class)
{
	struct java_packet head = { .class_id = ++class_count,
				    .time_or_method = class->time_ns };

	put(PACKET_JAVA_CLASS, &head, sizeof(head), class->name,
	    class->source ? class->source : "<Unknown>");
	for (size_t i = 0; i < class->count; i++) {
		const struct classes_method *method = &class->methods[i];

		head.time_or_method = method->id;
		put(PACKET_JAVA_METHOD, &head, sizeof(head), method->name,
		    method->signature);
		put_lines(&head, method);
	}
	if (class->location)
		put(PACKET_JAVA_LOCATION, &head,
		    offsetof(struct java_packet, time_or_method), class->name,
		    class->location);
}

static bool open_file(void)
{
	int rc;

	if (output_is_open(&files.classes))
		return true;
	if (is_broken)
		return false;
	rc = directory_add_file(&files.classes, JCLASSES_FILE);
	is_broken = rc != 0;
	if (is_broken)
		log_message("cerror", EXPT_ERROR_FILE_OPEN, JCLASSES_FILE, -rc);
	return !is_broken;
}

void classes_put(const struct classes_class *class)
{
	if (collector_is_frozen() || !spin_lock_patiently(&lock))
		return;
	if (open_file())
		put_class(class);
	spin_unlock(&lock);
}

size_t classes_length(void)
{
	return cursor_limit(&cursor, files.classes.end);
}

void classes_forget(void)
{
	cursor = (struct cursor){ 0 };
	class_count = 0;
	is_broken = false;
	atomic_store(&lock.is_held, 0);
}

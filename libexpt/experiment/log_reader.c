/* SPDX-License-Identifier: Apache-2.0 */
/* Texts, numbers and attributes in the elements of a log. */
#include "libexpt/experiment/log_reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/number.h"
#include "libexpt/experiment/damage.h"

void log_damage(struct log_reader *reader, const char *format, ...)
{
	char what[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
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
	log_damage(reader, "'%s' is not a number: '%.40s'", name, text);
	return false;
}

void log_signed(struct log_reader *reader, const struct xml_element *element,
		const char *name, int64_t *value)
{
	const char *text = xml_attribute(element, name);

	if (text && !number_i64(value, text))
		log_damage(reader, "'%s' is not a number: '%.40s'", name, text);
}

int log_attributes(struct log_reader *reader, const struct xml_element *element,
		   const struct expt_attribute **out, size_t *count)
{
	struct expt_attribute *copy;

	copy = arena_alloc(&reader->log->strings,
			   element->attribute_count * sizeof(*copy));
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

void log_ids(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;

	log_signed(reader, element, "pid", &info->pid);
	log_signed(reader, element, "ppid", &info->ppid);
	log_signed(reader, element, "pgrp", &info->pgrp);
	log_signed(reader, element, "sid", &info->sid);
}

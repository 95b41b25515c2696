/* SPDX-License-Identifier: Apache-2.0 */
/* Writes logs and maps again, without the words. */
#include <errno.h>
#include <string.h>

#include "libexpt/common/error.h"
#include "libexpt/export/anonymize_xml.h"
#include "libexpt/xml/escape.h"
#include "libexpt/xml/xml.h"

/* Numbers, and keywords of the format: a host may have the name of one. */
static const char *const kept_attributes[] = {
	"version",
	"arch",
	"pagesz",
	"npages",
	"id",
	"clk",
	"frequency_scaling",
	"turbo_mode",
	"pid",
	"ppid",
	"pgrp",
	"sid",
	"wsize",
	"stackbase",
	"sample_period",
	"sample_signal",
	"pause_signal",
	"linetrace",
	"limit",
	"delay_start",
	"terminate",
	"signal",
	"action",
	"blksz",
	"hwc_default",
	"noidle",
	"faketime",
	"name",
	"fname",
	"kind",
	"uname",
	"offset",
	"type",
	"noshow",
	"value",
	"ptimer",
	"numstates",
	"threshold",
	"scope",
	"cpuver",
	"hwcname",
	"int_name",
	"interval",
	"tag",
	"memop",
	"modstr",
	"metric",
	"reg_num",
	"timecvt",
	"scheme",
	"jversion",
	"format",
	"tstamp",
	"time",
	"tm_zone",
	"variant",
	"lineage",
	"follow",
	"ec",
	"tid",
	"jthr",
	"jenv",
	"cmd",
	"relative",
	"lbl_ts",
};

/* The names of events and labels are chosen by users; those of fields belong to the
 * format. */
static bool is_kept(const char *element, const char *attribute)
{
	if (strcmp(attribute, "name") == 0 &&
	    (strcmp(element, "event") == 0 || strcmp(element, "id") == 0))
		return false;
	for (size_t i = 0; i < sizeof(kept_attributes) / sizeof(*kept_attributes); i++)
		if (strcmp(attribute, kept_attributes[i]) == 0)
			return true;
	return false;
}

struct writer {
	const struct anonymizer *anonymizer;
	struct strbuf *out;
	struct strbuf meant, neutral; /* of one value */
	struct anonymizer_damage *damage;
	unsigned depth; /* of elements that are open */
	bool is_in_tag; /* its '>' is not written yet */
};

/* A reference that readers do not resolve is resolved only if it hides a word. */
static void add_neutral(struct writer *writer, const char *text)
{
	const struct strbuf *neutral = &writer->neutral;

	strbuf_clear(&writer->meant);
	if (strstr(text, "&#"))
		xml_resolve(&writer->meant, text);
	if (anonymizer_contains_word(writer->anonymizer, strbuf_text(&writer->meant),
				     writer->meant.length))
		text = strbuf_text(&writer->meant);
	strbuf_clear(&writer->neutral);
	anonymizer_add(&writer->neutral, writer->anonymizer, text, strlen(text));
	xml_encode(writer->out, strbuf_text(neutral), neutral->length);
}

static void add_line(struct writer *writer)
{
	if (writer->is_in_tag)
		strbuf_add_text(writer->out, ">\n");
	writer->is_in_tag = false;
	for (unsigned i = 0; i < writer->depth; i++)
		strbuf_add_text(writer->out, "  ");
}

static int write_start(void *context, const struct xml_element *element)
{
	struct writer *writer = context;

	add_line(writer);
	strbuf_printf(writer->out, "<%s", element->name);
	for (size_t i = 0; i < element->attribute_count; i++) {
		const struct expt_attribute *attribute = &element->attributes[i];

		strbuf_printf(writer->out, " %s=\"", attribute->name);
		if (is_kept(element->name, attribute->name))
			xml_encode(writer->out, attribute->value,
				   strlen(attribute->value));
		else
			add_neutral(writer, attribute->value);
		strbuf_add_char(writer->out, '"');
	}
	writer->is_in_tag = true;
	writer->depth++;
	return 0;
}

static int write_end(void *context, const char *name, const char *text)
{
	struct writer *writer = context;

	writer->depth--;
	if (!writer->is_in_tag)
		add_line(writer);
	else if (*text)
		strbuf_add_char(writer->out, '>');
	if (writer->is_in_tag && !*text) {
		strbuf_add_text(writer->out, "/>\n");
	} else {
		add_neutral(writer, text);
		strbuf_printf(writer->out, "</%s>\n", name);
	}
	writer->is_in_tag = false;
	return 0;
}

static void write_damage(void *context, unsigned line, const char *what)
{
	struct anonymizer_damage *damage = ((struct writer *)context)->damage;

	if (damage->count++ > 0)
		return;
	damage->line = line;
	strncpy(damage->what, what, sizeof(damage->what) - 1);
}

int anonymizer_add_xml(struct strbuf *out, const struct anonymizer *anonymizer,
		       const char *text, size_t length, struct anonymizer_damage *damage,
		       struct expt_error *err)
{
	static const struct xml_handler handler = { write_start, write_end,
						    write_damage };
	struct writer writer = {
		.anonymizer = anonymizer,
		.out = out,
		.damage = damage,
	};
	int rc;

	*damage = (struct anonymizer_damage){ 0 };
	rc = xml_read(text, length, &handler, &writer, err);
	if (rc == 0 && (out->failed || writer.meant.failed || writer.neutral.failed))
		rc = expt_fail(err, -ENOMEM, "cannot anonymize");
	strbuf_release(&writer.meant);
	strbuf_release(&writer.neutral);
	return rc;
}

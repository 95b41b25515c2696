/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/export_anonymize.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/error.h"
#include "libexpt/xml_escape.h"

#define NEUTRAL_HOST	  "host"
#define NEUTRAL_USER	  "user"
#define NEUTRAL_DIRECTORY "/directory"
#define TEXT_MAX	  (UINT64_C(256) << 20) /* of a file that is taken into memory */

/* Attributes whose values are free text; others are numbers and keywords of ours. */
static const char *const free_attributes[] = { "hostname", "cwd", "msg", "comment",
					       "label" };

void anonymizer_release(struct anonymizer *anonymizer)
{
	for (size_t i = 0; i < anonymizer->count; i++)
		free(anonymizer->items[i].text);
	array_release(anonymizer);
}

/* ---- learning ---- */

static bool knows(const struct anonymizer *anonymizer, const char *text, size_t length)
{
	for (size_t i = 0; i < anonymizer->count; i++)
		if (anonymizer->items[i].length == length &&
		    memcmp(anonymizer->items[i].text, text, length) == 0)
			return true;
	return false;
}

static bool add_word(struct anonymizer *anonymizer, const char *text, size_t length,
		     const char *neutral)
{
	struct anonymizer_word *word;
	char *copy;

	if (length == 0 || strcmp(text, "/") == 0 || knows(anonymizer, text, length))
		return true;
	copy = strndup(text, length);
	word = copy ? array_add(anonymizer) : NULL;
	if (!word) {
		free(copy);
		return false;
	}
	*word = (struct anonymizer_word){ copy, length, neutral };
	return true;
}

/* As it stands in the log, and as it is called elsewhere. */
static bool add_value(struct anonymizer *anonymizer, const char *value, size_t length,
		      const char *neutral)
{
	cleanup_strbuf struct strbuf raw = STRBUF_INIT, clean = STRBUF_INIT;
	cleanup_strbuf struct strbuf plain = STRBUF_INIT;
	const unsigned char *bytes = (const unsigned char *)value;

	strbuf_add(&raw, value, length);
	xml_clean(&clean, bytes, bytes + length);
	bytes = (const unsigned char *)strbuf_text(&clean);
	xml_decode(&plain, bytes, bytes + clean.length);
	return !raw.failed && !clean.failed && !plain.failed &&
	       add_word(anonymizer, strbuf_text(&raw), raw.length, neutral) &&
	       add_word(anonymizer, strbuf_text(&plain), plain.length, neutral);
}

static bool learn_values(struct anonymizer *anonymizer, const char *text, size_t length,
			 const char *before, const char *neutral)
{
	const char *end = text + length, *value, *quote;
	bool ok = true;

	while (ok && (value = memmem(text, (size_t)(end - text), before, strlen(before)))) {
		value += strlen(before);
		quote = memchr(value, '"', (size_t)(end - value));
		if (!quote)
			break;
		ok = add_value(anonymizer, value, (size_t)(quote - value), neutral);
		text = quote;
	}
	return ok;
}

static bool learn_users(struct anonymizer *anonymizer, const char *text, size_t length)
{
	static const char home[] = "/home/";
	const char *end = text + length, *name;
	bool ok = true;

	while (ok && (name = memmem(text, (size_t)(end - text), home, sizeof home - 1))) {
		name += sizeof home - 1;
		for (text = name; text < end && (isalnum((unsigned char)*text) ||
						 (*text && strchr("_-.", *text)));)
			text++;
		ok = text == name ||
		     add_value(anonymizer, name, (size_t)(text - name), NEUTRAL_USER);
	}
	return ok;
}

static int longest_first(const void *a, const void *b)
{
	const struct anonymizer_word *first = a, *second = b;

	if (first->length != second->length)
		return first->length > second->length ? -1 : 1;
	return strcmp(first->text, second->text);
}

bool anonymizer_learn(struct anonymizer *anonymizer, const char *text, size_t length)
{
	if (!learn_values(anonymizer, text, length, " hostname=\"", NEUTRAL_HOST) ||
	    !learn_values(anonymizer, text, length, " cwd=\"", NEUTRAL_DIRECTORY) ||
	    !learn_users(anonymizer, text, length))
		return false;
	if (anonymizer->count > 0)
		qsort(anonymizer->items, anonymizer->count, sizeof *anonymizer->items,
		      longest_first);
	return true;
}

/* ---- replacing ---- */

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c & 0x80;
}

static const struct anonymizer_word *find_word(const struct anonymizer *anonymizer,
					       const char *at, const char *start,
					       const char *end)
{
	if (at > start && is_of_word(at[-1]) && is_of_word(*at))
		return NULL;
	for (size_t i = 0; i < anonymizer->count; i++) {
		const struct anonymizer_word *word = &anonymizer->items[i];

		if ((size_t)(end - at) >= word->length &&
		    memcmp(at, word->text, word->length) == 0 &&
		    (at + word->length == end || !is_of_word(at[word->length])))
			return word;
	}
	return NULL;
}

static void add_free_text(struct strbuf *out, const struct anonymizer *anonymizer,
			  const char *text, const char *end)
{
	const char *start = text;

	while (text < end) {
		const struct anonymizer_word *word =
			find_word(anonymizer, text, start, end);

		if (word) {
			strbuf_add_text(out, word->neutral);
			text += word->length;
		} else {
			strbuf_add_char(out, *text++);
		}
	}
}

/* value: behind the quote that begins it. */
static bool is_free(const char *tag, const char *value)
{
	for (size_t i = 0; i < sizeof free_attributes / sizeof *free_attributes; i++) {
		size_t length = strlen(free_attributes[i]);

		if ((size_t)(value - tag) > length + 2 && value[-2] == '=' &&
		    value[-3 - (ptrdiff_t)length] == ' ' &&
		    memcmp(value - 2 - length, free_attributes[i], length) == 0)
			return true;
	}
	return false;
}

/* From '<' on; what is behind the tag. */
static const char *add_tag(struct strbuf *out, const struct anonymizer *anonymizer,
			   const char *text, const char *end)
{
	const char *tag = text;

	while (text < end && *text != '>') {
		const char *quote;

		strbuf_add_char(out, *text);
		if (*text++ != '"')
			continue;
		quote = memchr(text, '"', (size_t)(end - text));
		if (!quote)
			quote = end;
		if (is_free(tag, text))
			add_free_text(out, anonymizer, text, quote);
		else
			strbuf_add(out, text, (size_t)(quote - text));
		if (quote < end)
			strbuf_add_char(out, *quote++);
		text = quote;
	}
	return text;
}

void anonymizer_add(struct strbuf *out, const struct anonymizer *anonymizer,
		    const char *text, size_t length, bool is_xml)
{
	const char *end = text + length;

	while (text < end) {
		const char *tag = is_xml ? memchr(text, '<', (size_t)(end - text)) : NULL;

		if (!tag)
			tag = end;
		add_free_text(out, anonymizer, text, tag);
		text = add_tag(out, anonymizer, tag, end);
	}
}

/* ---- files ---- */

static int read_text(char **text, size_t *length, int fd, uint64_t size,
		     struct expt_error *err)
{
	cleanup_free char *bytes = NULL;
	ssize_t got;

	if (size > TEXT_MAX)
		return expt_fail(err, -EFBIG, "too large to be anonymized");
	bytes = malloc(size + 1);
	if (!bytes)
		return expt_fail(err, -ENOMEM, "cannot anonymize");
	got = io_pread_full(fd, bytes, size, 0);
	if (got < 0)
		return expt_fail(err, (int)got, "cannot read");
	*length = (size_t)got;
	*text = steal(&bytes);
	return 0;
}

int anonymizer_copy(const struct anonymizer *anonymizer, int from, uint64_t *size,
		    bool is_xml, struct expt_error *err)
{
	cleanup_strbuf struct strbuf out = STRBUF_INIT;
	cleanup_fd int to = memfd_create("anonymized", MFD_CLOEXEC);
	cleanup_free char *text = NULL;
	size_t length = 0;
	int rc = to < 0 ? expt_fail(err, -errno, "cannot anonymize")
			: read_text(&text, &length, from, *size, err);

	if (rc < 0)
		return rc;
	anonymizer_add(&out, anonymizer, text, length, is_xml);
	if (out.failed)
		return expt_fail(err, -ENOMEM, "cannot anonymize");
	rc = io_write_all(to, strbuf_text(&out), out.length);
	if (rc < 0)
		return expt_fail(err, rc, "cannot anonymize");
	*size = out.length;
	return steal_fd(&to);
}

int anonymizer_read(struct anonymizer *anonymizer, int log, uint64_t size,
		    struct expt_error *err)
{
	cleanup_free char *text = NULL;
	size_t length = 0;
	int rc = read_text(&text, &length, log, size, err);

	if (rc == 0 && !anonymizer_learn(anonymizer, text, length))
		rc = expt_fail(err, -ENOMEM, "cannot anonymize");
	return rc;
}

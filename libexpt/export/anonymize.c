/* SPDX-License-Identifier: Apache-2.0 */
/* Learns the words, and makes files without them; anonymize_words.c replaces them in a
 * text, and anonymize_xml.c knows where in XML they may be. */
#include "libexpt/export/anonymize.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/xml/escape.h"
#include "libexpt/xml/xml.h"

#define NEUTRAL_HOST	  "host"
#define NEUTRAL_USER	  "user"
#define NEUTRAL_DIRECTORY "/directory"
#define TEXT_MAX	  (UINT64_C(256) << 20) /* for a file, read into memory */
#define WORDS_MAX	  1000 /* each is searched for; no honest log has so many homes */

void anonymizer_release(struct anonymizer *anonymizer)
{
	for (size_t i = 0; i < anonymizer->count; i++)
		free(anonymizer->items[i].text);
	array_release(anonymizer);
}

/* ---- learning ---- */

struct learner {
	struct anonymizer *anonymizer;
	struct expt_error *err;
};

static bool knows(const struct anonymizer *anonymizer, const char *text, size_t length)
{
	for (size_t i = 0; i < anonymizer->count; i++)
		if (anonymizer->items[i].length == length &&
		    memcmp(anonymizer->items[i].text, text, length) == 0)
			return true;
	return false;
}

static int add_word(struct learner *learner, const char *text, size_t length,
		    const char *neutral)
{
	struct anonymizer *anonymizer = learner->anonymizer;
	struct anonymizer_word *word;
	char *copy;

	if (length == 0 || knows(anonymizer, text, length))
		return 0;
	if (anonymizer->count == WORDS_MAX)
		return expt_fail(learner->err, -E2BIG,
				 "cannot anonymize: it contains more than %d names",
				 WORDS_MAX);
	copy = strndup(text, length);
	word = copy ? array_add(anonymizer) : NULL;
	if (!word) {
		free(copy);
		return expt_fail(learner->err, -ENOMEM, "cannot anonymize");
	}
	*word = (struct anonymizer_word){ copy, length, neutral };
	anonymizer->begins[(unsigned char)*copy] = true;
	return 0;
}

/* Learn the host's name and the first part of it, unless that is part of an address. */
static int learn_host(struct learner *learner, const char *name)
{
	size_t length = strcspn(name, ".");
	int rc = add_word(learner, name, strlen(name), NEUTRAL_HOST);

	return rc < 0 || strspn(name, "0123456789") == length
		       ? rc
		       : add_word(learner, name, length, NEUTRAL_HOST);
}

static int learn_directory(struct learner *learner, const char *path)
{
	size_t length = path_length(path);

	return *path == '/' && length == 1
		       ? 0
		       : add_word(learner, path, length, NEUTRAL_DIRECTORY);
}

/* A user name ends where a path, a word or a list does. Quotes and full stops may be
 * within a name, but not at its end. */
static size_t user_length(const char *name)
{
	size_t length = 0;

	while ((unsigned char)name[length] > ' ' && name[length] != 0x7f &&
	       !strchr("/\"`,;:=|&()<>[]{}*?!\\", name[length]))
		length++;
	while (length > 0 && strchr("'.", name[length - 1]))
		length--;
	return length;
}

static int learn_users(struct learner *learner, const char *text)
{
	static const char *const heads[] = { "/home/", "/Users/",
					     "USER=", "LOGNAME=", "USERNAME=" };
	int rc = 0;

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		for (const char *at = text; rc == 0 && (at = strstr(at, heads[i]));) {
			at += strlen(heads[i]);
			rc = add_word(learner, at, user_length(at), NEUTRAL_USER);
		}
	return rc;
}

/* The text with the references resolved is learnt as well: "&#101;ve" means "eve". */
static int learn_text(struct learner *learner, const char *name, const char *text)
{
	int rc = learn_users(learner, text);

	if (rc == 0 && strcmp(name, "hostname") == 0)
		rc = learn_host(learner, text);
	else if (rc == 0 && strcmp(name, "cwd") == 0)
		rc = learn_directory(learner, text);
	return rc;
}

static int learn_both(struct learner *learner, const char *name, const char *text)
{
	cleanup_strbuf struct strbuf meant = STRBUF_INIT;
	int rc = learn_text(learner, name, text);

	if (rc < 0 || !strstr(text, "&#"))
		return rc;
	xml_resolve(&meant, text);
	return meant.failed ? expt_fail(learner->err, -ENOMEM, "cannot anonymize")
			    : learn_text(learner, name, strbuf_text(&meant));
}

static int learn_start(void *context, const struct xml_element *element)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < element->attribute_count; i++)
		rc = learn_both(context, element->attributes[i].name,
				element->attributes[i].value);
	return rc;
}

static int learn_end(void *context, const char *name, const char *text)
{
	return learn_both(context, "", text);
}

/* Damage is reported when the file is written without it. */
static void learn_damage(void *context, unsigned line, const char *what)
{
}

static int longest_first(const void *a, const void *b)
{
	const struct anonymizer_word *first = a, *second = b;

	if (first->length != second->length)
		return first->length > second->length ? -1 : 1;
	return strcmp(first->text, second->text);
}

int anonymizer_learn(struct anonymizer *anonymizer, const char *text, size_t length,
		     struct expt_error *err)
{
	static const struct xml_handler handler = { learn_start, learn_end,
						    learn_damage };
	struct learner learner = { anonymizer, err };
	int rc = xml_read(text, length, &handler, &learner, err);

	if (anonymizer->count > 0)
		qsort(anonymizer->items, anonymizer->count, sizeof(*anonymizer->items),
		      longest_first);
	return rc;
}

/* ---- files ---- */

static int read_text(char **text, size_t *length, int fd, uint64_t size,
		     struct expt_error *err)
{
	cleanup_free char *bytes = NULL;
	ssize_t got;

	if (size > TEXT_MAX)
		return expt_fail(err, -EFBIG, "too large to anonymize");
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

/* Write the text to a file in memory and return its descriptor. */
static int write_text(const struct strbuf *text, struct expt_error *err)
{
	cleanup_fd int to = memfd_create("anonymized", MFD_CLOEXEC);
	int rc = to < 0 ? -errno : io_write_all(to, strbuf_text(text), text->length);

	return rc < 0 ? expt_fail(err, rc, "cannot anonymize") : steal_fd(&to);
}

int anonymizer_copy(const struct anonymizer *anonymizer, int from, uint64_t *size,
		    bool is_xml, struct anonymizer_damage *damage, struct expt_error *err)
{
	cleanup_strbuf struct strbuf out = STRBUF_INIT;
	cleanup_free char *text = NULL;
	size_t length = 0;
	int rc = read_text(&text, &length, from, *size, err);

	if (rc < 0)
		return rc;
	if (is_xml)
		rc = anonymizer_add_xml(&out, anonymizer, text, length, damage, err);
	else
		anonymizer_add(&out, anonymizer, text, length);
	if (rc == 0 && out.failed)
		rc = expt_fail(err, -ENOMEM, "cannot anonymize");
	*size = out.length;
	return rc < 0 ? rc : write_text(&out, err);
}

int anonymizer_read(struct anonymizer *anonymizer, int log, uint64_t size,
		    struct expt_error *err)
{
	cleanup_free char *text = NULL;
	size_t length = 0;
	int rc = read_text(&text, &length, log, size, err);

	return rc < 0 ? rc : anonymizer_learn(anonymizer, text, length, err);
}

int anonymizer_search_map(const struct anonymizer *anonymizer, int map, uint64_t size,
			  struct expt_error *err)
{
	cleanup_free char *text = NULL;
	size_t length = 0;
	int rc = read_text(&text, &length, map, size, err);

	return rc < 0 ? rc : anonymizer_contains_word(anonymizer, text, length);
}

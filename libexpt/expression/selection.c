/* SPDX-License-Identifier: Apache-2.0 */
/* Writes lists of numbers as the text of an expression, and parses that. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/expression/expression.h"
#include "libexpt/expression/nodes.h"
#include "libexpt/expression/selection.h"
#include "libexpt/expression/tokens.h"

struct reader {
	const char *list, *next;
	struct token token;
	struct expt_error *err;
};

static void advance(struct reader *reader)
{
	reader->next = token_read(&reader->token, reader->next);
}

static bool is_at(const struct reader *reader, char sign)
{
	const struct token *token = &reader->token;

	return token->length == 1 && *token->text == sign;
}

static bool accept(struct reader *reader, char sign)
{
	if (!is_at(reader, sign))
		return false;
	advance(reader);
	return true;
}

static int refuse(const struct reader *reader, const char *reason)
{
	return expt_refuse(reader->err, -EINVAL, "column %td: %s",
			   reader->token.text - reader->list + 1, reason);
}

/* Read "N" or "N-M" as the numbers from first to last. */
static int read_range(struct reader *reader, uint64_t *first, uint64_t *last)
{
	if (reader->token.kind != TOKEN_NUMBER)
		return refuse(reader, "a number or 'all' is missing");
	*first = *last = reader->token.number;
	advance(reader);
	if (!accept(reader, '-'))
		return 0;
	if (reader->token.kind != TOKEN_NUMBER)
		return refuse(reader, "the last number of the range is missing");
	*last = reader->token.number;
	if (*last < *first)
		return refuse(reader, "the range ends before it begins");
	advance(reader);
	return 0;
}

/* Single numbers in a row become one IN, which searches them. */
static void add_range(struct strbuf *text, const char *word, uint64_t first,
		      uint64_t last, bool *is_in)
{
	if (first == last && *is_in)
		strbuf_printf(text, ",%" PRIu64, first);
	else if (first == last)
		strbuf_printf(text, "||%s IN %" PRIu64, word, first);
	else
		strbuf_printf(text, "||%s>=%" PRIu64 "&&%s<=%" PRIu64, word, first, word,
			      last);
	*is_in = first == last;
}

static int read_numbers(struct reader *reader, const char *word, struct strbuf *text)
{
	bool is_in = false;

	if (token_is_name(&reader->token, "all")) {
		advance(reader);
		strbuf_add_text(text, "1");
		return 0;
	}
	strbuf_add_text(text, "0");
	do {
		uint64_t first = 0, last = 0;
		int rc = read_range(reader, &first, &last);

		if (rc < 0)
			return rc;
		add_range(text, word, first, last, &is_in);
	} while (accept(reader, ','));
	return 0;
}

/* Returns whether the part that begins here names experiments. */
static bool has_experiments(const struct reader *reader)
{
	const char *end = reader->token.text + strcspn(reader->token.text, ":+");

	return *end == ':';
}

static int read_part(struct reader *reader, const char *word, struct strbuf *text)
{
	int rc;

	strbuf_add_text(text, "||(");
	if (has_experiments(reader)) {
		rc = read_numbers(reader, "EXPID", text);
		if (rc < 0)
			return rc;
		if (!accept(reader, ':'))
			return refuse(reader, "':' or ',' is missing");
		strbuf_add_text(text, ")&&(");
	}
	rc = read_numbers(reader, word, text);
	strbuf_add_text(text, ")");
	return rc;
}

static int read_parts(struct reader *reader, const char *word, struct strbuf *text)
{
	strbuf_add_text(text, "0");
	do {
		int rc = read_part(reader, word, text);

		if (rc < 0)
			return rc;
	} while (accept(reader, '+'));
	if (reader->token.kind != TOKEN_END)
		return refuse(reader, "',' or '+' is missing");
	return 0;
}

int expression_parse_selection(struct expression **out, enum expression_word word,
			       const char *list, struct expt_error *err)
{
	struct reader reader = { .list = list, .next = list, .err = err };
	cleanup(expression_freep) struct expression *expression = NULL;
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	int rc;

	advance(&reader);
	rc = read_parts(&reader, expression_word_info(word)->name, &text);
	if (rc < 0)
		return rc;
	if (text.failed)
		return expt_fail(err, -ENOMEM, "cannot parse '%s'", list);
	rc = expression_parse(&expression, strbuf_text(&text), NULL, err);
	if (rc < 0)
		return rc;
	free(expression->text);
	expression->text = strdup(list);
	if (!expression->text)
		return expt_fail(err, -ENOMEM, "cannot parse '%s'", list);
	*out = steal(&expression);
	return 0;
}

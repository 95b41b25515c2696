/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/index.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "libexpt/base/number.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"

#define BLOCK	  512	      /* of tar */
#define TRAILER	  (2 * BLOCK) /* zeros after the last member */
#define PAX_TEXTS (128 + 511) /* other records of a pax header, and padding to a block */

/* ---- writing ---- */

static const char letters[] = {
	[TAR_FILE] = 'f',
	[TAR_DIRECTORY] = 'd',
	[TAR_LINK] = 'l',
};

static bool fits_a_line(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20)
			return false;
	return true;
}

void bundle_index_add(struct strbuf *text, const struct tar_member *member)
{
	bool is_directory = member->type == TAR_DIRECTORY;

	if (member->place == 0)
		strbuf_add_text(text, EXPORT_INDEX_HEADER "\n");
	if (text->length == 0 || !fits_a_line(member->name)) {
		strbuf_clear(text);
		return;
	}
	strbuf_printf(text, "%c %" PRIo32 " %" PRIu64 " %" PRId64 " %" PRIu64 " %s%s",
		      letters[member->type], member->mode & 0777, member->size,
		      (int64_t)member->mtime.tv_sec, member->span / BLOCK, member->name,
		      is_directory ? "/" : "");
	if (member->target)
		strbuf_printf(text, "\t%s", member->target);
	strbuf_add_char(text, '\n');
}

/* ---- reading ---- */

static int damaged(const struct bundle_index *index, struct expt_error *err)
{
	return expt_refuse(err, -EBADMSG,
			   "the index of the bundle is damaged at line %lu", index->line);
}

int bundle_index_start(struct bundle_index *index, char *text, uint64_t end,
		       struct expt_error *err)
{
	static const char header[] = EXPORT_INDEX_HEADER "\n";

	*index = (struct bundle_index){ .next = text, .end = end, .line = 1 };
	if (strncmp(text, header, sizeof(header) - 1) != 0)
		return damaged(index, err);
	index->next += sizeof(header) - 1;
	return 0;
}

/* Returns the text before the next delimiter, which is replaced by NUL; NULL if there is
 * none. */
static char *word(char **next, char delimiter)
{
	char *text = *next, *end = strchr(text, delimiter);

	if (!end)
		return NULL;
	*end = '\0';
	*next = end + 1;
	return text;
}

static bool parse_type(enum tar_type *type, const char *text)
{
	for (size_t i = 0; i < sizeof(letters); i++)
		if (text && text[0] == letters[i] && !text[1]) {
			*type = (enum tar_type)i;
			return true;
		}
	return false;
}

static bool parse_mode(uint32_t *mode, const char *text)
{
	*mode = 0;
	for (const char *digit = text; digit && *digit; digit++) {
		if (*digit < '0' || *digit > '7' || digit - text >= 4)
			return false;
		*mode = *mode * 8 + (uint32_t)(*digit - '0');
	}
	return text && *text;
}

/* A member takes its padded data, and headers no longer than its names need, so there is
 * no room for a member that the index omits. */
static bool is_span_credible(const struct tar_member *member)
{
	uint64_t texts =
		strlen(member->name) + (member->target ? strlen(member->target) : 0);
	uint64_t headers = BLOCK * 2 + (texts + PAX_TEXTS) / BLOCK * BLOCK;
	uint64_t data = member->size + (BLOCK - member->size % BLOCK) % BLOCK;

	return member->span - data >= BLOCK && member->span - data <= headers;
}

static bool parse_numbers(struct tar_member *member, char **line)
{
	const char *size = word(line, ' '), *seconds = size ? word(line, ' ') : NULL;
	const char *blocks = seconds ? word(line, ' ') : NULL;
	int64_t time;

	if (!blocks || !number_u64(&member->size, size) || !number_i64(&time, seconds) ||
	    !number_u64(&member->span, blocks) || member->span == 0 ||
	    member->span > UINT64_MAX / BLOCK)
		return false;
	member->mtime.tv_sec = time;
	member->span *= BLOCK;
	return member->size < member->span &&
	       (member->type == TAR_FILE || member->size == 0);
}

static bool parse_line(struct tar_member *member, char *line)
{
	const char *type = word(&line, ' '), *mode = type ? word(&line, ' ') : NULL;

	*member = (struct tar_member){ 0 };
	if (!parse_type(&member->type, type) || !parse_mode(&member->mode, mode) ||
	    !parse_numbers(member, &line))
		return false;
	member->name = line;
	if (member->type == TAR_LINK) {
		member->name = word(&line, '\t');
		member->target = line;
	}
	return member->name && *member->name && !strchr(line, '\t') &&
	       is_span_credible(member);
}

/* Check that the index covers the whole stream. */
static int finish(const struct bundle_index *index, struct expt_error *err)
{
	if (index->end - index->place == TRAILER)
		return 0;
	return expt_refuse(err, -EBADMSG,
			   "the index of the bundle ends at byte %" PRIu64
			   " of its contents, which have %" PRIu64,
			   index->place, index->end);
}

int bundle_index_next(struct bundle_index *index, struct tar_member *member,
		      struct expt_error *err)
{
	char *line;

	if (!*index->next)
		return finish(index, err);
	index->line++;
	line = word(&index->next, '\n');
	if (!line || !parse_line(member, line) ||
	    member->span > index->end - index->place)
		return damaged(index, err);
	member->place = index->place;
	index->place += member->span;
	return 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The words for archive modes, and the parts that each mode includes. */
#include <errno.h>
#include <string.h>

#include "libexpt/archiver/private.h"
#include "libexpt/common/error.h"

static const struct archive_parts parts[] = {
	[EXPT_ARCHIVE_OFF] = { ARCHIVE_NONE, ARCHIVE_NONE, ARCHIVE_NONE },
	[EXPT_ARCHIVE_ON] = { ARCHIVE_ALL, ARCHIVE_NONE, ARCHIVE_NONE },
	[EXPT_ARCHIVE_COPY] = { ARCHIVE_ALL, ARCHIVE_ALL, ARCHIVE_NONE },
	[EXPT_ARCHIVE_USEDCOPY] = { ARCHIVE_ALL, ARCHIVE_USED, ARCHIVE_NONE },
	[EXPT_ARCHIVE_SRC] = { ARCHIVE_ALL, ARCHIVE_ALL, ARCHIVE_ALL },
	[EXPT_ARCHIVE_USEDSRC] = { ARCHIVE_ALL, ARCHIVE_ALL, ARCHIVE_USED },
};

struct word {
	const char *word;
	enum expt_archive_mode mode;
};

/* The first word of each mode is its name. */
/* clang-format off */
static const struct word words[] = {
	{ "off", EXPT_ARCHIVE_OFF },
	{ "on", EXPT_ARCHIVE_ON },
	{ "copy", EXPT_ARCHIVE_COPY },
	{ "ldobjects", EXPT_ARCHIVE_COPY },
	{ "usedcopy", EXPT_ARCHIVE_USEDCOPY },
	{ "usedldobjects", EXPT_ARCHIVE_USEDCOPY },
	{ "src", EXPT_ARCHIVE_SRC },
	{ "all", EXPT_ARCHIVE_SRC },
	{ "usedsrc", EXPT_ARCHIVE_USEDSRC },
	{ "used", EXPT_ARCHIVE_USEDSRC },
};
/* clang-format on */
#define WORDS (sizeof(words) / sizeof(*words))

const struct archive_parts *archive_parts(enum expt_archive_mode mode)
{
	return &parts[mode];
}

bool archive_needs_used(enum expt_archive_mode mode)
{
	return parts[mode].copies == ARCHIVE_USED || parts[mode].sources == ARCHIVE_USED;
}

bool archive_wants_copy(const struct archiver *archiver,
			const struct archive_object *object)
{
	enum archive_extent copies = archive_parts(archiver->asked.options->mode)->copies;

	return copies == ARCHIVE_ALL ||
	       (copies == ARCHIVE_USED && object->used.count > 0);
}

int expt_archive_mode(enum expt_archive_mode *mode, const char *word,
		      struct expt_error *err)
{
	for (size_t i = 0; i < WORDS; i++) {
		if (strcmp(word, words[i].word) == 0) {
			*mode = words[i].mode;
			return 0;
		}
	}
	return expt_refuse(
		err, -EINVAL,
		"'%s' is not an archive mode: use off, on, copy, usedcopy, src "
		"or usedsrc",
		word);
}

const char *expt_archive_mode_name(enum expt_archive_mode mode)
{
	for (size_t i = 0; i < WORDS; i++)
		if (words[i].mode == mode)
			return words[i].word;
	return NULL;
}

int expt_archive_sources(enum expt_archive_mode *mode, const char *word,
			 struct expt_error *err)
{
	static const struct word sources[] = {
		{ "all", EXPT_ARCHIVE_SRC },
		{ "used", EXPT_ARCHIVE_USEDSRC },
		{ "usedsrc", EXPT_ARCHIVE_USEDSRC },
	};

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		if (strcmp(word, sources[i].word) == 0) {
			*mode = sources[i].mode;
			return 0;
		}
	}
	if (strcmp(word, "off") != 0)
		return expt_refuse(err, -EINVAL,
				   "'%s' is not a source mode: use all, used or off",
				   word);
	if (parts[*mode].sources != ARCHIVE_NONE)
		*mode = EXPT_ARCHIVE_COPY;
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/command.h"

#include <string.h>

#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"

#define COMMAND_MAX 8192

static void add_words(struct strbuf *text, const struct features *features, size_t first)
{
	for (size_t i = first; i < features->word_count && text->length < COMMAND_MAX;
	     i++)
		strbuf_printf(text, "%s%.*s", i > first ? " " : "", COMMAND_MAX,
			      features->words[i]);
}

/* perf's options end before the word that has the name of the process, as far as the
 * kernel keeps it. */
static size_t find_word(const struct features *features, const char *name)
{
	for (size_t i = 2; i < features->word_count; i++)
		if (strncmp(path_base(features->words[i]), name, PROCESS_NAME_SIZE - 1) ==
		    0)
			return i;
	return features->word_count;
}

char *command_of(const struct features *features, const struct image *founder)
{
	struct strbuf text = STRBUF_INIT;
	size_t first = founder ? find_word(features, founder->name) : 0;

	add_words(&text, features, first);
	if (text.length == 0)
		strbuf_add_text(&text, founder ? founder->name : "perf record");
	return strbuf_steal(&text);
}

char *command_source(const struct features *features, const char *path)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_printf(&text, "made by er_import from '%.1024s', a recording of perf",
		      path);
	if (features->version)
		strbuf_printf(&text, " %.128s", features->version);
	if (features->word_count > 0)
		strbuf_add_text(&text, ": ");
	add_words(&text, features, 0);
	return strbuf_steal(&text);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/names/outlined.h"

#include <stdbool.h>
#include <string.h>

struct suffix {
	const char *word;
	bool is_part;
	bool needs_number;
};

/* clang-format off */
static const struct suffix suffixes[] = {
	{ ".cold",	  true,  false },	/* clang numbers it, gcc does not */
	{ ".part",	  true,  true },
	{ ".isra",	  true,  true },
	{ ".constprop",	  true,  true },
	{ ".specialized", true,  true },	/* clang's constprop */
	{ ".lto_priv",	  false, true },
	{ ".llvm",	  false, true },
	{ ".__uniq",	  false, true },
};
/* clang-format on */

static bool ends_with(const char *name, size_t length, const char *word)
{
	size_t size = strlen(word);

	return length > size && memcmp(name + length - size, word, size) == 0;
}

/* Returns the last suffix of the name, and its start in *start; or NULL. */
static const struct suffix *last_suffix(const char *name, size_t length, size_t *start)
{
	size_t digits = length;
	bool has_number;

	while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	has_number = digits < length && digits > 0 && name[digits - 1] == '.';
	if (has_number)
		length = digits - 1;
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const struct suffix *suffix = &suffixes[i];

		if ((suffix->needs_number && !has_number) ||
		    !ends_with(name, length, suffix->word))
			continue;
		*start = length - strlen(suffix->word);
		return suffix;
	}
	return NULL;
}

size_t outlined_function_length(const char *name)
{
	const struct suffix *suffix;
	size_t length = strlen(name), function = 0;

	while ((suffix = last_suffix(name, length, &length)))
		if (suffix->is_part)
			function = length;
	return function;
}

size_t outlined_plain_length(const char *name, size_t length)
{
	while (last_suffix(name, length, &length))
		;
	return length;
}

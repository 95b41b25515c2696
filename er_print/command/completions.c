/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/command/completions.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/path.h"

/* If memory runs out, a word is not offered; nor is one that the terminal would obey. */
void completions_add(struct completions *found, const char *prefix, size_t head,
		     const char *word)
{
	size_t length = strlen(word);
	char *whole;
	char **item;

	if (strncmp(word, prefix + head, strlen(prefix + head)) != 0 ||
	    text_has_controls(word))
		return;
	whole = malloc(head + length + 1);
	item = whole ? array_add(found) : NULL;
	if (!item) {
		free(whole);
		return;
	}
	memcpy(whole, prefix, head);
	memcpy(whole + head, word, length + 1);
	*item = whole;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void completions_sort(struct completions *found)
{
	size_t kept = 0;

	if (found->count == 0)
		return;
	qsort(found->items, found->count, sizeof(*found->items), compare);
	for (size_t i = 1; i < found->count; i++) {
		if (strcmp(found->items[kept], found->items[i]) == 0)
			free(found->items[i]);
		else
			found->items[++kept] = found->items[i];
	}
	found->count = kept + 1;
}

size_t completions_common(const struct completions *found)
{
	size_t length = found->count ? strlen(found->items[0]) : 0;

	for (size_t i = 1; i < found->count; i++) {
		size_t same = 0;

		while (same < length && found->items[i][same] == found->items[0][same])
			same++;
		length = same;
	}
	/* Never cut a character of several bytes. */
	while (length > 0 && (found->items[0][length] & 0xc0) == 0x80)
		length--;
	return length;
}

void completions_release(struct completions *found)
{
	for (size_t i = 0; i < found->count; i++)
		free(found->items[i]);
	array_release(found);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/session/near.h"

#include <ctype.h>
#include <string.h>

#define LENGTH_MAX 40

static int smallest(int a, int b, int c)
{
	int ab = a < b ? a : b;

	return ab < c ? ab : c;
}

static bool is_same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Fill a row of the table of distances between beginnings of the words. */
static void fill_row(int (*row)[LENGTH_MAX + 1], const char *word, size_t i,
		     const char *name)
{
	row[0][0] = (int)i;
	for (size_t j = 1; name[j - 1]; j++) {
		bool is_same = is_same_letter(word[i - 1], name[j - 1]);

		row[0][j] = smallest(row[-1][j] + 1, row[0][j - 1] + 1,
				     row[-1][j - 1] + !is_same);
		if (i > 1 && j > 1 && is_same_letter(word[i - 1], name[j - 2]) &&
		    is_same_letter(word[i - 2], name[j - 1]))
			row[0][j] = smallest(row[0][j], row[-2][j - 2] + 1, row[0][j]);
	}
}

static int distance_between(const char *word, const char *name)
{
	int table[LENGTH_MAX + 1][LENGTH_MAX + 1];
	size_t length = strlen(word), name_length = strlen(name);

	if (length > LENGTH_MAX || name_length > LENGTH_MAX)
		return LENGTH_MAX;
	for (size_t j = 0; j <= name_length; j++)
		table[0][j] = (int)j;
	for (size_t i = 1; i <= length; i++)
		fill_row(&table[i], word, i, name);
	return table[length][name_length];
}

void near_offer(struct near *near, const char *name)
{
	int distance = distance_between(near->word, name);

	if (distance == 0 || distance > ((int)strlen(near->word) + 2) / 3)
		return;
	if (near->names.length > 0 && distance > near->distance)
		return;
	if (near->names.length > 0 && distance < near->distance)
		strbuf_clear(&near->names);
	strbuf_printf(&near->names, "%s'%s'", near->names.length > 0 ? ", " : "", name);
	near->distance = distance;
}

void near_ask(struct strbuf *text, struct near *near)
{
	if (near->names.length > 0)
		strbuf_printf(text, "; did you mean %s?", strbuf_text(&near->names));
	strbuf_release(&near->names);
}

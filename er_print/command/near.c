/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/command/near.h"

#include <ctype.h>
#include <string.h>

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
static void fill_row(int (*row)[NEAR_LENGTH_MAX + 1], const char *word, size_t i,
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

int word_distance(const char *word, const char *name)
{
	int table[NEAR_LENGTH_MAX + 1][NEAR_LENGTH_MAX + 1];
	size_t length = strlen(word), name_length = strlen(name);

	if (length > NEAR_LENGTH_MAX || name_length > NEAR_LENGTH_MAX)
		return NEAR_LENGTH_MAX;
	for (size_t j = 0; j <= name_length; j++)
		table[0][j] = (int)j;
	for (size_t i = 1; i <= length; i++)
		fill_row(&table[i], word, i, name);
	return table[length][name_length];
}

bool word_is_near(const char *word, const char *name)
{
	int distance = word_distance(word, name);

	return distance > 0 && distance <= ((int)strlen(word) + 2) / 3;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Names of experiments, groups and descendants. Nothing here opens an experiment. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"

/* Longer numbers are dates or hashes, and would leave no room to count on. */
#define NUMBER_DIGITS_MAX 15

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Returns whether the last component of path, without trailing slashes, ends in the
 * suffix and is longer than it. */
static bool has_suffix(const char *path, const char *suffix)
{
	size_t end = path_length(path), length = strlen(suffix);

	return end > length && memcmp(path + end - length, suffix, length) == 0 &&
	       path[end - length - 1] != '/';
}

bool expt_name_is_experiment(const char *path)
{
	return has_suffix(path, EXPERIMENT_SUFFIX);
}

bool expt_name_is_group(const char *path)
{
	return has_suffix(path, GROUP_SUFFIX);
}

/* Compare the digit runs at *a and *b as numbers of any length, and advance past them. */
static int compare_numbers(const char **a, const char **b)
{
	size_t length_a, length_b;
	int order;

	*a += strspn(*a, "0");
	*b += strspn(*b, "0");
	length_a = strspn(*a, "0123456789");
	length_b = strspn(*b, "0123456789");
	if (length_a != length_b)
		return length_a < length_b ? -1 : 1;
	order = memcmp(*a, *b, length_a);
	*a += length_a;
	*b += length_b;
	return order;
}

int expt_name_compare(const char *a, const char *b)
{
	const char *next_a = a, *next_b = b;
	int order;

	while (*next_a && *next_b) {
		if (is_digit(*next_a) && is_digit(*next_b)) {
			order = compare_numbers(&next_a, &next_b);
			if (order)
				return order;
		} else if (*next_a != *next_b) {
			break;
		} else {
			next_a++;
			next_b++;
		}
	}
	if (*next_a != *next_b)
		return (unsigned char)*next_a - (unsigned char)*next_b;
	return strcmp(a, b); /* they differ in leading zeros at most */
}

/* Parse the number in STEM.<number>.er; stem_length is the length of STEM and its dot.
 * False if name has another form. */
static bool parse_number(uint64_t *number, size_t *stem_length, const char *name)
{
	size_t end = strlen(name), digits = 0;
	char text[NUMBER_DIGITS_MAX + 1];

	if (!expt_name_is_experiment(name))
		return false;
	end -= strlen(EXPERIMENT_SUFFIX);
	while (digits < end && is_digit(name[end - digits - 1]))
		digits++;
	if (digits == 0 || digits > NUMBER_DIGITS_MAX || end < digits + 2 ||
	    name[end - digits - 1] != '.')
		return false;
	memcpy(text, name + end - digits, digits);
	text[digits] = '\0';
	*stem_length = end - digits;
	return number_u64(number, text);
}

/* Raise *largest to the largest number that an entry of dir has with this stem. */
static int find_largest(uint64_t *largest, int dir, const char *stem, size_t stem_length,
			struct expt_error *err)
{
	cleanup_entries struct entries entries = entries_open(dir);
	const struct dirent64 *entry;

	while ((entry = entries_next(&entries))) {
		uint64_t number;
		size_t length;

		if (parse_number(&number, &length, entry->d_name) &&
		    length == stem_length &&
		    memcmp(entry->d_name, stem, stem_length) == 0 && number > *largest)
			*largest = number;
	}
	return entries.code < 0
		       ? expt_fail(err, entries.code,
				   "cannot list the parent directory of '%s'", stem)
		       : 0;
}

int expt_name_next(char *out, size_t out_size, int dir, const char *wanted,
		   struct expt_error *err)
{
	uint64_t largest;
	size_t stem_length;
	int rc;

	if (!parse_number(&largest, &stem_length, wanted))
		return expt_fail(err, -EEXIST, "cannot create '%s'", wanted);
	rc = find_largest(&largest, dir, wanted, stem_length, err);
	if (rc < 0)
		return rc;
	rc = snprintf(out, out_size, "%.*s%" PRIu64 EXPERIMENT_SUFFIX, (int)stem_length,
		      wanted, largest + 1);
	if (rc < 0 || (size_t)rc >= out_size)
		return expt_fail(err, -ENAMETOOLONG, "cannot number '%s'", wanted);
	return 0;
}

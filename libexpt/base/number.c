/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/number.h"

#include <stddef.h>
#include <string.h>

#include "libexpt/base/hex.h"
#include "libexpt/base/time.h"

/* Parse at least one digit at *text, and move *text past the digits. */
static bool parse_digits(uint64_t *value, const char **text, unsigned base)
{
	const char *start = *text;
	uint64_t result = 0;

	for (; (unsigned)hex_value(**text) < base; (*text)++)
		if (__builtin_mul_overflow(result, base, &result) ||
		    __builtin_add_overflow(result, (unsigned)hex_value(**text), &result))
			return false;
	*value = result;
	return *text != start;
}

int number_compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

bool number_u64(uint64_t *value, const char *text)
{
	uint64_t result;
	unsigned base = 10;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (!parse_digits(&result, &text, base) || *text != '\0')
		return false;
	*value = result;
	return true;
}

bool number_i64(int64_t *value, const char *text)
{
	bool is_negative = *text == '-';
	uint64_t magnitude;

	text += is_negative;
	if (!parse_digits(&magnitude, &text, 10) || *text != '\0' ||
	    magnitude > (uint64_t)INT64_MAX + is_negative)
		return false;
	*value = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
	return true;
}

bool number_seconds(uint64_t *ns, const char *text)
{
	uint64_t seconds, fraction = 0, unit = NS_PER_SECOND;

	if (!parse_digits(&seconds, &text, 10))
		return false;
	if (*text == '.') {
		if (!text[1])
			return false;
		for (text++; *text >= '0' && *text <= '9'; text++) {
			unit /= 10;
			fraction += unit * (unsigned)(*text - '0');
		}
	}
	return *text == '\0' && !__builtin_mul_overflow(seconds, NS_PER_SECOND, ns) &&
	       !__builtin_add_overflow(*ns, fraction, ns);
}

bool number_age(uint64_t *seconds, const char *text)
{
	static const struct {
		char letter;
		unsigned seconds;
	} units[] = { { '\0', 86400 }, { 's', 1 },     { 'm', 60 },
		      { 'h', 3600 },   { 'd', 86400 }, { 'w', 604800 } };
	uint64_t value;

	if (!parse_digits(&value, &text, 10))
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (*text == units[i].letter && (*text == '\0' || text[1] == '\0'))
			return !__builtin_mul_overflow(value, units[i].seconds, seconds);
	return false;
}

bool number_size(uint64_t *bytes, const char *text)
{
	static const char suffixes[] = "kMGT";
	const char *suffix;
	uint64_t value;

	if (!parse_digits(&value, &text, 10))
		return false;
	if (*text) {
		suffix = strchr(suffixes, *text == 'K' ? 'k' : *text);
		if (!suffix || text[1] != '\0')
			return false;
		for (ptrdiff_t i = 0; i <= suffix - suffixes; i++)
			if (__builtin_mul_overflow(value, 1024, &value))
				return false;
	}
	*bytes = value;
	return true;
}

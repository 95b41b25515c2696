/* SPDX-License-Identifier: Apache-2.0 */
/* Tables have many numbers, and printf is slow: what it would print is made by hand. */
#include "er_print/table/number_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Write the number, with point digits after the decimal point, backwards from end.
 * Returns its start. */
static char *put_digits(char *end, uint64_t number, int point)
{
	for (int digits = 0; number > 0 || digits <= point; digits++) {
		if (point > 0 && digits == point)
			*--end = '.';
		*--end = (char)('0' + number % 10);
		number /= 10;
	}
	return end;
}

/* Larger numbers are left to printf: doubles no longer represent all their digits. */
#define EXACT_MAX INT64_C(1000000000000000)

/* Only values half way between digits need a double. */
void format_time(char *out, size_t size, int64_t ns)
{
	char text[32];
	char *end = text + sizeof(text) - 1;

	if (ns < 0 || ns > EXACT_MAX || ns % 1000000 == 500000) {
		snprintf(out, size, "%.3f", (double)ns / 1e9);
		return;
	}
	*end = '\0';
	strcpy(out, put_digits(end, (uint64_t)(ns + 500000) / 1000000, 3));
}

void format_seconds(char *out, size_t size, int64_t ns)
{
	if (ns == 0)
		strcpy(out, "0.");
	else
		format_time(out, size, ns);
}

#define DIGITS_MIN 3
#define DIGITS_MAX 9

void format_exact_seconds(char *out, size_t size, int64_t ns)
{
	uint64_t amount = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	char text[32];
	char *end = text + sizeof(text) - 1;
	int digits = DIGITS_MAX;

	if (ns == 0) {
		strcpy(out, "0.");
		return;
	}
	for (; digits > DIGITS_MIN && amount % 10 == 0; digits--)
		amount /= 10;
	*end = '\0';
	snprintf(out, size, "%s%s", ns < 0 ? "-" : "", put_digits(end, amount, digits));
}

/* Format the share as "%.2f" does, in the same way. */
static void put_percent(char *out, size_t size, double percent)
{
	double hundredths = percent * 100.0;
	uint64_t below;
	char text[32];

	if (!(hundredths >= 0.0 && hundredths < 1e6)) {
		snprintf(out, size, "%.2f", percent);
		return;
	}
	below = (uint64_t)hundredths;
	hundredths -= (double)below;
	if (hundredths > 0.499999 && hundredths < 0.500001) {
		snprintf(out, size, "%.2f", percent);
		return;
	}
	text[sizeof(text) - 1] = '\0';
	strcpy(out, put_digits(text + sizeof(text) - 1, below + (hundredths > 0.5), 2));
}

void format_share(char *out, size_t size, int64_t value, int64_t whole, bool is_time)
{
	/* Measured: gprofng divides seconds by seconds and then multiplies by 100. Halves
	 * of a hundredth, frequent with round figures, need the same order. */
	double unit = is_time ? 1e9 : 1.0;

	if (value == 0 || whole == 0)
		strcpy(out, "0.");
	else
		put_percent(out, size,
			    100.0 * (((double)value / unit) / ((double)whole / unit)));
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/count.h"

#include <stdio.h>

static const char *const modes[MODES] = { "address", "static" };

void count_access(struct counts *counts, enum mode mode, enum region region,
		  enum verdict verdict, enum access_reason reason)
{
	counts->verdicts[mode][region][verdict]++;
	if (verdict == VERDICT_UNKNOWN)
		counts->reasons[mode][region][reason]++;
}

static void print_line(const char *mode, const char *what, const size_t verdicts[])
{
	static const char *const names[VERDICTS] = { "right", "type", "open", "unknown",
						     "wrong" };
	size_t all = 0;

	for (size_t i = 0; i < VERDICTS; i++)
		all += verdicts[i];
	printf("%s %s %zu", mode, what, all);
	for (size_t i = 0; i < VERDICTS; i++)
		printf(" %s %zu", names[i], verdicts[i]);
}

const char *count_reason(enum access_reason reason)
{
	static const char *const names[REASONS] = {
		[ACCESS_WITHOUT_DEBUG_DATA] = "without-debug-data",
		[ACCESS_UNIDENTIFIED] = "unidentified",
		[ACCESS_UNSPECIFIED] = "unspecified",
		[ACCESS_UNDETERMINED] = "undetermined",
		[ACCESS_ADDRESS] = "address",
		[ACCESS_REGISTERS] = "registers",
		[ACCESS_NONE] = "none",
	};

	return names[reason];
}

static void print_reasons(const size_t reasons[])
{
	for (size_t i = 1; i < REASONS; i++)
		if (reasons[i] > 0)
			printf(" %s %zu", count_reason(i), reasons[i]);
	putchar('\n');
}

void count_print(const struct counts *counts)
{
	static const char *const regions[REGIONS] = { "heap", "global", "stack", "slot",
						      "elsewhere" };

	for (enum mode mode = 0; mode < MODES; mode++) {
		for (enum region region = 0; region < REGIONS; region++) {
			print_line(modes[mode], regions[region],
				   counts->verdicts[mode][region]);
			print_reasons(counts->reasons[mode][region]);
		}
		print_line(modes[mode], "instructions", counts->instructions[mode]);
		putchar('\n');
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/limits.h"

#include <stddef.h>

#define NAME_BYTES 256	     /* mean length of names; experiments have shorter ones */
#define NAMES_MIN  (1 << 20) /* minimum room for names */

void limits_init(struct limits *limits, const struct expt_import_options *options)
{
	static const struct expt_import_options defaults;

	if (!options)
		options = &defaults;
	*limits = (struct limits){
		.max_entries = options->max_entries ? options->max_entries
						    : LIMITS_ENTRIES,
		.max_bytes = options->max_bytes ? options->max_bytes : LIMITS_BYTES,
		.max_expansion = options->max_expansion ? options->max_expansion
							: LIMITS_EXPANSION,
		.always = LIMITS_ALWAYS_BYTES,
		.max_depth = options->max_depth ? options->max_depth : LIMITS_DEPTH,
	};
	if (limits->max_entries >= UINT32_MAX)
		limits->max_entries = UINT32_MAX - 1;
	if (options->max_expansion == 0 && options->max_bytes > limits->always)
		limits->always = options->max_bytes;
	limits->max_names = limits->max_entries * NAME_BYTES;
	if (limits->max_names < NAMES_MIN)
		limits->max_names = NAMES_MIN;
}

uint64_t limits_max_files(const struct limits *limits)
{
	return limits->max_bytes > LIMITS_BYTES ? limits->max_bytes : LIMITS_BYTES;
}

uint64_t limits_max_output(const struct limits *limits, uint64_t input)
{
	if (input > UINT64_MAX / limits->max_expansion)
		return UINT64_MAX;
	input *= limits->max_expansion;
	return input > limits->always ? input : limits->always;
}

uint64_t limits_max_stream(const struct limits *limits, uint64_t input)
{
	uint64_t rest = LIMITS_TRAILER + limits->max_entries * LIMITS_PADDING;
	uint64_t whole = limits_max_files(limits),
		 credible = limits_max_output(limits, input);

	whole = whole > UINT64_MAX - rest ? UINT64_MAX : whole + rest;
	return credible < whole ? credible : whole;
}

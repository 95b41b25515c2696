/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz names of symbols: each has a form that can be shown. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/names/demangle.h"
#include "libexpt/names/demangle_rust.h"
#include "libexpt/names/demangle_rust_v0.h"
#include "libexpt/names/outlined.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(char *name)
{
	if (name && demangle_short_length(name) > strlen(name))
		abort();
	free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char *name = malloc(size + 1);
	size_t length, function;

	if (!name)
		return 0;
	memcpy(name, bytes, size);
	name[size] = '\0';
	length = strlen(name);
	check(demangle_rust(name));
	if (length >= 2)
		check(demangle_rust_v0(name));
	function = outlined_function_length(name);
	if (function > length || outlined_plain_length(name, function) > function ||
	    outlined_plain_length(name, length) > length)
		abort();
	free(name);
	return 0;
}

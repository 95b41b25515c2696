/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/names/demangle.h"
#include "libexpt/names/demangle_rust.h"
#include "libexpt/names/demangle_rust_v0.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Names that may come out longer than this stay mangled; see expansion(). */
#define EXPANSION_LIMIT (64u << 20)
#define NESTING_LIMIT	128
#define PARTS_LIMIT	128
#define NAME_SLACK	16 /* longest expansion of a letter or a separator */

static bool is_mangled(const char *name)
{
	if (name[0] == '_' && name[1] == 'Z')
		return true;
	/* Constructors and destructors of whole files: _GLOBAL__I_x. Without this test
	 * plain names like "i" would be demangled as types. */
	return strncmp(name, "_GLOBAL_", 8) == 0 && name[8] && strchr("._$", name[8]) &&
	       (name[9] == 'I' || name[9] == 'D') && name[10] == '_';
}

/*
 * An estimate of how long the demangled name can get. A mangled name may refer back to
 * its own parts (S_, S0_, T_ ...), and doubling a part twenty times takes two hundred
 * characters: a hostile file could require gigabytes. Names are not parsed; the estimate
 * only follows the brackets, and a reference counts as the largest bracketed part that it
 * may mean. None of the hundred thousand names that compilers export is refused.
 */
struct estimate {
	uint64_t groups[NESTING_LIMIT]; /* lengths of the open brackets */
	size_t depth;
	uint64_t parts[PARTS_LIMIT]; /* the largest among the first n closed brackets */
	size_t part_count;
};

static void add_length(struct estimate *estimate, uint64_t length)
{
	uint64_t *group = &estimate->groups[estimate->depth];

	*group = *group + length > EXPANSION_LIMIT ? EXPANSION_LIMIT : *group + length;
}

static void close_group(struct estimate *estimate)
{
	uint64_t length = estimate->groups[estimate->depth], largest = 0;
	size_t i = estimate->part_count;

	estimate->depth--;
	add_length(estimate, length);
	length = estimate->groups[estimate->depth]; /* with the name before the bracket */
	if (i > 0)
		largest = estimate->parts[i - 1];
	if (i == PARTS_LIMIT)
		i--;
	else
		estimate->part_count++;
	estimate->parts[i] = length > largest ? length : largest;
}

/* The digits of S1_ count from 0 and are one too low. They also count parts without
 * brackets, so the bracketed part is never later than the number says; two is added, as
 * the function itself is not counted. */
static const char *add_reference(struct estimate *estimate, const char *digits)
{
	uint64_t number = 0;
	size_t last = estimate->part_count;

	for (; *digits && *digits != '_'; digits++)
		if (number < PARTS_LIMIT)
			number = number * 36 + 1 +
				 (uint64_t)(*digits <= '9' ? *digits - '0'
							   : *digits - 'A' + 10);
	number += 2;
	if (last > 0)
		add_length(estimate, estimate->parts[number < last ? number : last - 1]);
	add_length(estimate, NAME_SLACK);
	return *digits ? digits : digits - 1;
}

static bool is_sequence(const char *c)
{
	return *c == '_' || (*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z');
}

static uint64_t expansion(const char *name)
{
	struct estimate estimate = { .depth = 0 };
	size_t whole = strlen(name);

	for (const char *c = name; *c; c++) {
		if (*c >= '1' && *c <= '9') { /* <length><identifier> */
			char *end;
			unsigned long length = strtoul(c, &end, 10);

			if (length > whole - (size_t)(end - name))
				length = 0; /* a number as template argument */
			add_length(&estimate, length + NAME_SLACK);
			c = end + length - 1;
		} else if (*c == 'S' && is_sequence(c + 1)) {
			c = add_reference(&estimate, c + 1);
		} else if (*c == 'T' && is_sequence(c + 1)) {
			if (estimate.part_count > 0)
				add_length(&estimate,
					   estimate.parts[estimate.part_count - 1]);
			c++;
		} else if (strchr("INFJXL", *c) && estimate.depth + 1 < NESTING_LIMIT) {
			estimate.groups[++estimate.depth] = NAME_SLACK;
		} else if (*c == 'E' && estimate.depth > 0) {
			close_group(&estimate);
		} else {
			add_length(&estimate, NAME_SLACK);
		}
	}
	while (estimate.depth > 0)
		close_group(&estimate);
	return estimate.groups[0];
}

static void load(struct demangler *demangler)
{
	demangler->is_tried = true;
	demangler->library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
	if (!demangler->library)
		return;
	/* C has no cast from an object to a function pointer, but POSIX requires one. */
	*(void **)&demangler->demangle = dlsym(demangler->library, "__cxa_demangle");
}

void demangler_release(struct demangler *demangler)
{
	if (demangler->library)
		dlclose(demangler->library);
	*demangler = (struct demangler){ 0 };
}

char *demangle(struct demangler *demangler, const char *name)
{
	char *rust;
	int status;

	if (name[0] == '_' && name[1] == 'R')
		return demangle_rust_v0(name);
	if (!is_mangled(name))
		return NULL;
	rust = demangle_rust(name);
	if (rust)
		return rust;
	if (!demangler->is_tried)
		load(demangler);
	if (!demangler->demangle || expansion(name) == EXPANSION_LIMIT)
		return NULL;
	return demangler->demangle(name, NULL, NULL, &status);
}

/* ---- short forms ------------------------------------------------------------------- */

static bool ends_with(const char *text, size_t length, const char *end)
{
	size_t size = strlen(end);

	return length > size && memcmp(text + length - size, end, size) == 0;
}

/* Cut off " [clone .cold]" and the like, and the qualifiers of member functions. */
static size_t cut_qualifiers(const char *text, size_t length)
{
	static const char *const qualifiers[] = { " const", " volatile", " &", " &&",
						  " noexcept" };
	const size_t count = sizeof(qualifiers) / sizeof(*qualifiers);
	size_t i;

	while (ends_with(text, length, "]")) {
		const char *clone = memrchr(text, '[', length);

		if (!clone || clone == text || strncmp(clone, "[clone ", 7) != 0)
			return length;
		length = (size_t)(clone - text) - (clone[-1] == ' ');
	}
	do {
		for (i = 0; i < count; i++)
			if (ends_with(text, length, qualifiers[i]))
				break;
		if (i < count)
			length -= strlen(qualifiers[i]);
	} while (i < count);
	return length;
}

size_t demangle_short_length(const char *long_form)
{
	size_t whole = strlen(long_form);
	size_t length = cut_qualifiers(long_form, whole);
	size_t depth = 0;

	if (length == 0 || long_form[length - 1] != ')')
		return whole;
	while (length > 0) {
		char c = long_form[--length];

		if (c == ')')
			depth++;
		else if (c == '(' && --depth == 0)
			return length > 0 ? length : whole;
	}
	return whole;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* C++ names for people, by libstdc++'s own __cxa_demangle, and Rust names. */
#ifndef LIBEXPT_ELF_DEMANGLE_H
#define LIBEXPT_ELF_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed before use. The library is loaded when the first mangled name is met, so that
 * nobody pays for it who has none; where it is missing, names stay mangled. */
struct demangler {
	void *library;
	char *(*demangle)(const char *, char *, size_t *, int *);
	bool is_tried;
};

void demangler_release(struct demangler *demangler);

/* The long form of a mangled name, for free(); NULL if the name is no mangled one. */
char *demangle(struct demangler *demangler, const char *name);

/* How much of a long form is its short form: what stands before the parameter list. */
size_t demangle_short_length(const char *long_form);

#endif

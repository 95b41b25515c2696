/* SPDX-License-Identifier: Apache-2.0 */
/* Demangling of C++ names, by libstdc++'s own __cxa_demangle, and of Rust names. */
#ifndef LIBEXPT_NAMES_DEMANGLE_H
#define LIBEXPT_NAMES_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed before use. The library is loaded at the first mangled name, so that files
 * without any cost nothing. If the library is missing, names stay mangled. */
struct demangler {
	void *library;
	char *(*demangle)(const char *, char *, size_t *, int *);
	bool is_tried;
};

void demangler_release(struct demangler *demangler);

/* Returns the long form of a mangled name, for free(); NULL: it is not mangled. */
char *demangle(struct demangler *demangler, const char *name);

/* Returns the length of the short form in a long form: all before the parameter list. */
size_t demangle_short_length(const char *long_form);

#endif

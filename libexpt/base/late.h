/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that few runs need, loaded by the first that does: with all that they need,
 *libarchive and libcrypto would be the greater part of the start of every program.
 *
 * A file that uses one names the functions in a list, and calls each by its name behind
 *late_:
 *
 *	#define FUNCTIONS(F) F(EVP_MD_CTX_new) F(EVP_MD_CTX_free)
 *	FUNCTIONS(LATE_POINTER)
 *	static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
 *	static struct late_library libcrypto = LATE_LIBRARY(LATE_LIBCRYPTO, functions);
 */
#ifndef LIBEXPT_BASE_LATE_H
#define LIBEXPT_BASE_LATE_H

#include <stdbool.h>
#include <stddef.h>

struct late_function {
	void *pointer; /* to a pointer of the function's type */
	const char *name;
};

struct late_library {
	const char *file; /* the soname of what the headers describe */
	const struct late_function *functions;
	size_t count;
	bool is_loaded;
};

#define LATE_LIBARCHIVE "libarchive.so.13"
#define LATE_LIBCRYPTO	"libcrypto.so.3"
#define LATE_LIBPFM	"libpfm.so.4"

#define LATE_POINTER(name)  static __typeof__(name) *late_##name;
#define LATE_FUNCTION(name) { &late_##name, #name },
#define LATE_LIBRARY(soname, table)                       \
	{                                                 \
		.file = (soname), .functions = (table),   \
		.count = sizeof(table) / sizeof(*(table)) \
	}

/* Before the first call of a function. Any thread may call it, any number of times. NULL,
 * or why the library or a function of it cannot be had: dlerror(3)'s text, which the
 * thread's next call of it replaces. */
const char *late_load(struct late_library *library);

#endif

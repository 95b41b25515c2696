/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Libraries that few runs need, loaded on first use: with all their dependencies,
 * libarchive and libcrypto would take up most of the start of every program.
 *
 * A file that uses one names the functions in a list, and calls each with the prefix
 * late_:
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
	void *pointer; /* the address of a pointer of the function's type */
	const char *name;
};

struct late_library {
	const char *file; /* the soname that matches the headers */
	const struct late_function *functions;
	size_t count;
	bool is_loaded;
};

#define LATE_LIBARCHIVE "libarchive.so.13"
/* The version is that of its headers: Debian 12 has 4, and 13 has 5. */
#define LATE_LIBCAPSTONE(major)	 LATE_LIBCAPSTONE_(major)
#define LATE_LIBCAPSTONE_(major) "libcapstone.so." #major
#define LATE_LIBCRYPTO		 "libcrypto.so.3"
#define LATE_LIBDW		 "libdw.so.1"
#define LATE_LIBPFM		 "libpfm.so.4"

#define LATE_POINTER(name)  static __typeof__(name) *late_##name;
#define LATE_FUNCTION(name) { &late_##name, #name },
#define LATE_LIBRARY(soname, table)                       \
	{                                                 \
		.file = (soname), .functions = (table),   \
		.count = sizeof(table) / sizeof(*(table)) \
	}

/* Call before the first use of a function, from any thread and as often as convenient.
 * Returns NULL, or why the library or a function of it is missing: the text of
 * dlerror(3), valid until the thread's next call of that. */
const char *late_load(struct late_library *library);

#endif

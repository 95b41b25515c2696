/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of libc that the collector interposes. Each glibc version of a symbol is
 * exported and forwards to the same version: a program binds to the one it was linked
 * with.
 */
#ifndef COLLECTOR_BASE_INTERPOSE_H
#define COLLECTOR_BASE_INTERPOSE_H

#include <stdatomic.h>
#include <stddef.h>

/* The function that a wrapper calls, found at its first use. */
struct real {
	const char *name, *version; /* version may be NULL: the default one */
	_Atomic(void *) function;
};

/* Returns the next function after the wrapper; in a library that was opened late, the one
 * that the program was bound to before. Never NULL if the program could have bound to
 * it. */
void *real_function(struct real *real);
/* Returns libc's own function, past other wrappers (of sanitizers, say): for calls in the
 * collector's handlers. */
void *libc_function(struct real *real);

/* Returns the symbol in the library with that code, or in what this needs, or NULL: it
 * may have been opened for itself alone, as by interpreters. */
void *find_as_seen_by(const void *code, const char *name);

/* Define the wrapper local and export it under a name like "fork@@GLIBC_2.2.5". */
#define INTERPOSE(type, local, exported, parameters)                        \
	type local parameters __attribute__((visibility("default"), used)); \
	__asm__(".symver " #local "," exported);                            \
	type local parameters

#define LIBC(symbol, version, type, parameters)                        \
	static struct real libc_##symbol = { #symbol, version, NULL }; \
	type(*const real) parameters = libc_function(&libc_##symbol)

/* The usual case: one version, and a pointer real of the function's own type. */
#define REAL(symbol, version, type, parameters)                        \
	static struct real real_##symbol = { #symbol, version, NULL }; \
	type(*const real) parameters = real_function(&real_##symbol)

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the program by name, whether it exports them or not. */
#ifndef COLLECTOR_RACE_SYMBOLS_H
#define COLLECTOR_RACE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>

struct symbol {
	const char *name;
	void *address; /* NULL: not found, or not looked for yet */
};

/* Find all of them, exported or in the symbol table of the executable. */
bool symbols_find(struct symbol *symbols, size_t count);

#endif

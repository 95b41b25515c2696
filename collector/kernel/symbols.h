/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the kernel and its modules, from /proc/kallsyms. */
#ifndef COLLECTOR_KERNEL_SYMBOLS_H
#define COLLECTOR_KERNEL_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t address, end;
	char type;	       /* as nm(1) shows it: t, T, w or W */
	unsigned short module; /* in modules[] */
	bool is_used;	       /* code of it was seen */
	unsigned name;	       /* offset in text */
};

struct symbols {
	char *text;
	struct symbol *items; /* by address; aliases are neighbours */
	size_t count, room;
	struct module {
		const char *name;   /* "[kernel]", "[ext4]" */
		uint64_t low, high; /* of its code */
		bool is_late;	    /* it was loaded since the first reading */
		bool is_used, has_news;
	} * modules;
	size_t module_count;
	bool are_hidden; /* the kernel shows no addresses */
};

/* Read them. Returns 0, or a negative errno. Without addresses there is the kernel alone,
 * as one module without functions. */
int symbols_read(struct symbols *symbols);
/* Read them again. Those that were used remain so; a module at other addresses than
 * before is another one. Returns 0, or a negative errno: nothing has changed. */
int symbols_renew(struct symbols *symbols);
void symbols_release(struct symbols *symbols);
/* Mark the functions at the address as used. Returns their module, or NULL. */
struct module *symbols_use(struct symbols *symbols, uint64_t address);
const char *symbol_name(const struct symbols *symbols, const struct symbol *symbol);

#endif

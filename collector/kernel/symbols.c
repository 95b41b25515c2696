/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/kernel/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"

#define KERNEL_NAME "[kernel]"
#define PAGE_BYTES  4096
/* Where the kernel and its modules are if it does not say it. */
#define KERNEL_LOW  UINT64_C(0xffffffff80000000)
#define KERNEL_HIGH UINT64_C(0xffffffffff000000)

/* ---- reading ---- */

/* The file has no length beforehand. */
static int read_text(char **text, const char *path)
{
	size_t length = 0, room = 0;
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	for (;;) {
		ssize_t size;

		if (room - length < 65536) {
			char *grown = realloc(*text, room = 2 * room + (4 << 20));

			if (!grown)
				return -ENOMEM;
			*text = grown;
		}
		size = read(fd, *text + length, room - length - 1);
		if (size < 0 && errno != EINTR)
			return -errno;
		if (size == 0)
			break;
		length += size > 0 ? (size_t)size : 0;
	}
	(*text)[length] = '\0';
	return 0;
}

static int add_module(struct symbols *symbols, const char *name)
{
	struct module *grown;

	for (size_t i = symbols->module_count; i-- > 0;)
		if (strcmp(symbols->modules[i].name, name) == 0)
			return (int)i;
	grown = realloc(symbols->modules, (symbols->module_count + 1) * sizeof(*grown));
	if (!grown || symbols->module_count == UINT16_MAX)
		return -1;
	symbols->modules = grown;
	grown[symbols->module_count] = (struct module){ .name = name };
	return (int)symbols->module_count++;
}

static struct symbol *add_symbol(struct symbols *symbols)
{
	if (symbols->count == symbols->room) {
		size_t room = 2 * symbols->room + 65536;
		struct symbol *grown = realloc(symbols->items, room * sizeof(*grown));

		if (!grown)
			return NULL;
		symbols->items = grown;
		symbols->room = room;
	}
	return &symbols->items[symbols->count++];
}

/* Take "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME\t[MODULE]". */
static int take_line(struct symbols *symbols, char *line)
{
	char *at, *tab = strchr(line, '\t');
	uint64_t address = strtoull(line, &at, 16);
	struct symbol *symbol;
	int module;

	if (at == line || at[0] != ' ' || at[1] == '\0' || at[2] != ' ' ||
	    !strchr("tTwW", at[1]))
		return 0;
	symbols->are_hidden = address == 0;
	if (symbols->are_hidden)
		return 0;
	if (tab)
		*tab++ = '\0';
	module = add_module(symbols, tab && *tab == '[' ? tab : KERNEL_NAME);
	symbol = module < 0 ? NULL : add_symbol(symbols);
	if (!symbol)
		return -ENOMEM;
	*symbol = (struct symbol){ .address = address,
				   .type = at[1],
				   .module = (unsigned short)module,
				   .name = (unsigned)(at + 3 - symbols->text) };
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* A function reaches to the next one; the last one of a module to the end of its page. */
static void set_ends(struct symbols *symbols)
{
	uint64_t next = UINT64_MAX;

	for (size_t i = symbols->count; i-- > 0;) {
		struct symbol *symbol = &symbols->items[i];
		struct module *module = &symbols->modules[symbol->module];
		uint64_t page = (symbol->address / PAGE_BYTES + 1) * PAGE_BYTES;
		bool is_alias = i + 1 < symbols->count &&
				symbols->items[i + 1].address == symbol->address;

		if (!is_alias && (i + 1 == symbols->count ||
				  symbols->items[i + 1].module != symbol->module))
			next = next < page ? next : page;
		else if (!is_alias)
			next = symbols->items[i + 1].address;
		symbol->end = next;
		if (module->high < symbol->end)
			module->high = symbol->end;
		module->low = symbol->address - symbol->address % PAGE_BYTES;
	}
}

/* All that is known is where the kernel is. */
static int set_kernel_alone(struct symbols *symbols)
{
	int module = add_module(symbols, KERNEL_NAME);

	if (module < 0)
		return -ENOMEM;
	symbols->modules[module].low = KERNEL_LOW;
	symbols->modules[module].high = KERNEL_HIGH;
	return 0;
}

int symbols_read(struct symbols *symbols)
{
	int rc;
	char *line, *rest;

	*symbols = (struct symbols){ 0 };
	rc = read_text(&symbols->text, "/proc/kallsyms");
	rest = rc == 0 ? symbols->text : NULL;
	while (rc == 0 && (line = strsep(&rest, "\n")) != NULL && !symbols->are_hidden)
		rc = take_line(symbols, line);
	symbols->are_hidden = symbols->count == 0;
	if (symbols->are_hidden)
		return rc == -ENOMEM ? rc : set_kernel_alone(symbols);
	qsort(symbols->items, symbols->count, sizeof(*symbols->items), compare);
	set_ends(symbols);
	return rc;
}

void symbols_release(struct symbols *symbols)
{
	free(symbols->text);
	free(symbols->items);
	free(symbols->modules);
	*symbols = (struct symbols){ 0 };
}

/* ---- finding ---- */

const char *symbol_name(const struct symbols *symbols, const struct symbol *symbol)
{
	return symbols->text + symbol->name;
}

/* Returns the last symbol that does not begin after the address, or NULL. */
static struct symbol *find(const struct symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && address < symbols->items[low - 1].end ? &symbols->items[low - 1]
								: NULL;
}

struct module *symbols_use(struct symbols *symbols, uint64_t address)
{
	struct symbol *symbol = find(symbols, address);
	struct module *module;

	if (!symbol && symbols->are_hidden) {
		module = &symbols->modules[0];
		return address >= module->low && address < module->high ? module : NULL;
	}
	if (!symbol)
		return NULL;
	module = &symbols->modules[symbol->module];
	if (symbol->is_used)
		return module;
	module->has_news = true;
	for (uint64_t start = symbol->address;
	     symbol >= symbols->items && symbol->address == start; symbol--)
		symbol->is_used = true;
	return module;
}

/* ---- once more ---- */

static struct module *find_module(const struct symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->module_count; i++)
		if (strcmp(symbols->modules[i].name, name) == 0)
			return &symbols->modules[i];
	return NULL;
}

static void carry_over(struct symbols *symbols, const struct symbols *old)
{
	for (size_t i = 0; i < old->count; i++)
		if (old->items[i].is_used)
			symbols_use(symbols, old->items[i].address);
	for (size_t i = 0; i < symbols->module_count; i++) {
		struct module *module = &symbols->modules[i];
		const struct module *known = find_module(old, module->name);

		if (known && known->low == module->low && known->high == module->high) {
			module->is_late = known->is_late;
			module->is_used = known->is_used;
			module->has_news = known->has_news;
		} else {
			module->is_late = true;
		}
	}
}

int symbols_renew(struct symbols *symbols)
{
	struct symbols fresh;
	int rc = symbols_read(&fresh);

	if (rc == 0 && fresh.are_hidden)
		rc = -EPERM;
	if (rc < 0) {
		symbols_release(&fresh);
		return rc;
	}
	carry_over(&fresh, symbols);
	symbols_release(symbols);
	*symbols = fresh;
	return 0;
}

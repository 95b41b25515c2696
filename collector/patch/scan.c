/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/patch/scan.h"

#include <string.h>

#define NO_INDEX SIZE_MAX

/* ---- calls that are bound when they are made first ---- */

/* Returns the four bytes of code there. */
static uint32_t bytes_at(const unsigned char *code)
{
	uint32_t bytes;

	memcpy(&bytes, code, sizeof(bytes));
	return bytes;
}

/* Returns whether this is a part of the PLT that has the call bound. As ld, gold and lld
 * write it, it pushes the index of the relocation. mold's is the same for all calls: it
 * pushes r11, and what is in the second place of DT_PLTGOT. */
static bool is_stub(const struct module *module, uintptr_t address, size_t index)
{
	const unsigned char *code = (const void *)address;
	int32_t distance;

	if (index == NO_INDEX || !module_holds(module, code, 16))
		return false;
	if (bytes_at(code) == 0xfa1e0ff3) /* endbr64 */
		code += 4;
	if (code[0] == 0x68)
		return bytes_at(code + 1) == index;
	distance = (int32_t)bytes_at(code + 4); /* from the next instruction */
	return bytes_at(code) == 0x35ff5341 &&
	       (const char *)code + 8 + distance == (const char *)module->calls_table + 8;
}

/*
 * A module may be bound to what it defines or needs itself rather than to the first
 * definition: it was linked so, or opened so (RTLD_DEEPBIND), which only the dynamic
 * linker knows.
 */
static bool is_sure(const struct scan *scan, const ElfW(Sym) * symbol,
		    struct wrapper *wrapper)
{
	if (wrapper->real == 0)
		return false;
	if (scan->is_global && symbol->st_shndx == SHN_UNDEF)
		return true;
	return !wrapper_has_rivals(wrapper);
}

/* ---- */

static enum scan_finding judge(const struct scan *scan, const ElfW(Sym) * symbol,
			       struct wrapper *wrapper, uintptr_t value, size_t index)
{
	uintptr_t base = scan->module->base;

	if (value == wrapper->ours || (value != 0 && value == wrapper->plt))
		return SCAN_OURS;
	if (value == 0 || (base != 0 && is_stub(scan->module, base + value, index)))
		return SCAN_UNBOUND;
	if (wrapper->is_kept)
		return SCAN_KEPT;
	if (value == wrapper->real)
		return SCAN_BOUND;
	if (!is_stub(scan->module, value, index))
		return SCAN_ELSEWHERE;
	return is_sure(scan, symbol, wrapper) ? SCAN_BOUND : SCAN_UNSURE;
}

static void scan_relocation(struct scan *scan, const ElfW(Rela) * relocation,
			    size_t index)
{
	const struct module *module = scan->module;
	unsigned type = ELF64_R_TYPE(relocation->r_info);
	size_t number = ELF64_R_SYM(relocation->r_info);
	slot_value *slot = (void *)(module->base + relocation->r_offset);
	struct wrapper *wrapper;
	const ElfW(Sym) * symbol;
	const char *name;
	uintptr_t value;

	if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT)
		return;
	symbol = module_symbol(module, number);
	if (!symbol || !wrappers_have(module_symbol_start(module, symbol)))
		return;
	name = module_symbol_name(module, symbol);
	wrapper = name ? wrappers_find(module, number, name) : NULL;
	if (!wrapper || (uintptr_t)slot % sizeof(*slot) != 0 ||
	    !module_holds(module, slot, sizeof(*slot)))
		return;
	value = atomic_load(slot);
	if (value == 0 && ELF64_ST_BIND(symbol->st_info) == STB_WEAK)
		return; /* not there, and the module does without it */
	scan->take(scan, judge(scan, symbol, wrapper, value, index), slot, value,
		   wrapper);
}

/* Old linkers count the calls among the other relocations, too. */
void scan_module(struct scan *scan)
{
	const struct relocations *calls = &scan->module->calls,
				 *data = &scan->module->data;

	for (size_t i = 0; i < calls->count; i++)
		scan_relocation(scan, &calls->first[i], i);
	for (size_t i = 0; i < data->count; i++)
		if (data->first + i < calls->first ||
		    data->first + i >= calls->first + calls->count)
			scan_relocation(scan, &data->first[i], NO_INDEX);
}

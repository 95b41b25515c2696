/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/patch/slot.h"

#include <string.h>

#include "collector/base/module.h"
#include "collector/patch/write.h"

struct search {
	const void *code;
	const char *name;
	uintptr_t function;
	bool is_led;
};

static void lead(struct search *search, const struct module *module,
		 const ElfW(Rela) * relocation)
{
	unsigned type = ELF64_R_TYPE(relocation->r_info);
	const ElfW(Sym) *symbol = module_symbol(module, ELF64_R_SYM(relocation->r_info));
	const char *name = symbol ? module_symbol_name(module, symbol) : NULL;
	slot_value *slot = (void *)(module->base + relocation->r_offset);
	struct writer writer;

	if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) || !name ||
	    strcmp(name, search->name) != 0 || (uintptr_t)slot % sizeof(*slot) != 0 ||
	    !module_holds(module, slot, sizeof(*slot)))
		return;
	writer_begin(&writer, module);
	if (writer_exchange(&writer, slot, atomic_load(slot), search->function) ==
	    WRITE_DONE)
		search->is_led = true;
	writer_end(&writer);
}

static void lead_all(struct search *search, const struct module *module,
		     const struct relocations *relocations)
{
	for (size_t i = 0; i < relocations->count; i++)
		lead(search, module, &relocations->first[i]);
}

static int find_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct module module = module_at(info);

	(void)size;
	if (search->code && !module_holds(&module, search->code, 1))
		return 0;
	if (module_read(&module, info)) {
		lead_all(search, &module, &module.calls);
		lead_all(search, &module, &module.data);
	}
	return search->code != NULL;
}

bool slot_lead(const void *code, const char *name, void *function)
{
	struct search search = { code, name, (uintptr_t)function, false };

	dl_iterate_phdr(find_module, &search);
	return search.is_led;
}

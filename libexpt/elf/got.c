/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/elf/got.h"

#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/private.h"

#define SLOTS_MAX 1000000 /* more are not read */

struct table {
	uint64_t low, high;
};

static struct table find_table(const struct elf *elf)
{
	Elf_Scn *section = elf_find_section(elf, ".got");
	GElf_Shdr header;

	if (!section || !gelf_getshdr(section, &header))
		return (struct table){ 0, 0 };
	return (struct table){ header.sh_addr, header.sh_addr + header.sh_size };
}

static int read_relocations(struct elf_got *got, const struct table *table,
			    Elf_Data *data)
{
	for (size_t i = 0; i < data->d_size / sizeof(Elf64_Rela) && i < SLOTS_MAX; i++) {
		struct elf_slot *slot;
		GElf_Rela relocation;

		if (!gelf_getrela(data, (int)i, &relocation) ||
		    GELF_R_TYPE(relocation.r_info) != R_X86_64_RELATIVE ||
		    relocation.r_offset < table->low ||
		    relocation.r_offset >= table->high)
			continue;
		slot = array_add(&got->slots);
		if (!slot)
			return -ENOMEM;
		*slot = (struct elf_slot){ relocation.r_offset,
					   (uint64_t)relocation.r_addend };
	}
	return 0;
}

static int compare(const void *one, const void *other)
{
	const struct elf_slot *a = one, *b = other;

	return (a->slot > b->slot) - (a->slot < b->slot);
}

int elf_read_got(struct elf_got *got, const struct elf *elf, struct expt_error *err)
{
	struct table table = find_table(elf);
	Elf_Scn *section = elf_find_section(elf, ".rela.dyn");
	Elf_Data *data;
	int rc = 0;

	*got = (struct elf_got){ .slots.items = NULL };
	if (elf->header.e_machine != EM_X86_64 || table.low == table.high || !section)
		return 0;
	errno = 0;
	data = elf_getdata(section, NULL);
	if (data && data->d_buf && data->d_type == ELF_T_RELA)
		rc = read_relocations(got, &table, data);
	else if (errno == ENOMEM)
		rc = -ENOMEM;
	if (rc < 0)
		return expt_fail(err, rc, "cannot read the global offset table");
	if (got->slots.count > 0)
		qsort(got->slots.items, got->slots.count, sizeof(*got->slots.items),
		      compare);
	return 0;
}

bool elf_got_find(uint64_t *target, const struct elf_got *got, uint64_t slot)
{
	struct elf_slot wanted = { .slot = slot };
	const struct elf_slot *found =
		got->slots.count > 0
			? bsearch(&wanted, got->slots.items, got->slots.count,
				  sizeof(*got->slots.items), compare)
			: NULL;

	if (found)
		*target = found->target;
	return found != NULL;
}

void elf_got_release(struct elf_got *got)
{
	array_release(&got->slots);
}

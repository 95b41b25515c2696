/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/x86_memory.h"

#define NO_REGISTER 4 /* as an index */
#define NO_BASE	    5 /* without a displacement of its own */

void x86_add_register(struct text *text, unsigned number, unsigned size)
{
	static const char *const names[] = { "ax", "cx", "dx", "bx",
					     "sp", "bp", "si", "di" };

	if (number >= 8)
		text_add(text, "%%r%u%s", number, size == 8 ? "" : size == 4 ? "d" : "w");
	else if (size == 2)
		text_add(text, "%%%s", names[number]);
	else
		text_add(text, "%%%c%s", size == 8 ? 'r' : 'e', names[number]);
}

void x86_add_vector(struct text *text, enum x86_width width, unsigned number)
{
	text_add(text, "%%%cmm%u", "xyz"[width], number);
}

static bool is_relative(const struct x86_layout *layout)
{
	return x86_has_memory(layout) && layout->mod == 0 && !layout->has_sib &&
	       layout->rm == NO_BASE;
}

bool x86_is_relative(const struct x86_layout *layout, int64_t *distance)
{
	if (!is_relative(layout))
		return false;
	*distance =
		x86_number(layout, layout->displacement_at, layout->displacement_size);
	return true;
}

static unsigned index_of(const struct x86_layout *layout)
{
	return layout->index + (layout->rex & REX_X ? 8u : 0);
}

static void add_index(struct text *text, const struct x86_layout *layout,
		      const struct x86_memory *memory, unsigned size)
{
	unsigned index = index_of(layout);

	text_add(text, ",");
	if (memory->has_vector)
		x86_add_vector(text, memory->width,
			       index + (layout->high_vvvv ? 16u : 0));
	else if (index == NO_REGISTER)
		text_add(text, size == 8 ? "%%riz" : "%%eiz");
	else
		x86_add_register(text, index, size);
	text_add(text, ",%d", 1 << layout->scale);
}

/* An index that says there is none is shown unless the base requires it. */
static bool shows_index(const struct x86_layout *layout, const struct x86_memory *memory)
{
	if (!layout->has_sib)
		return false;
	return memory->has_vector || index_of(layout) != NO_REGISTER ||
	       layout->scale > 0 || (layout->base != 4 && layout->base != NO_BASE) ||
	       (layout->base == NO_BASE && layout->mod != 0);
}

void x86_add_memory(struct text *text, const struct x86_layout *layout,
		    const struct x86_memory *memory)
{
	bool has_base = layout->mod != 0 || layout->base != NO_BASE;
	bool has_index = shows_index(layout, memory);
	unsigned size = layout->has_address_size ? 4 : 8;
	int64_t distance =
		x86_number(layout, layout->displacement_at, layout->displacement_size);

	if (layout->displacement_size == 1)
		distance *= memory->unit;
	if (layout->segment == 0x64 || layout->segment == 0x65)
		text_add(text, "%%%cs:", layout->segment == 0x64 ? 'f' : 'g');
	if (!has_base && !has_index && !is_relative(layout)) {
		text_add(text, "0x%llx", (unsigned long long)distance);
		return;
	}
	if (layout->displacement_size > 0)
		text_add_number(text, distance);
	text_add(text, "(");
	if (is_relative(layout))
		text_add(text, "%%%cip", size == 8 ? 'r' : 'e');
	else if (has_base)
		x86_add_register(text, layout->base + (layout->rex & REX_B ? 8u : 0),
				 size);
	if (has_index)
		add_index(text, layout, memory, size);
	text_add(text, ")");
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/x86_operands.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/disassembly/x86_flow.h"
#include "libexpt/disassembly/x86_memory.h"
#include "libexpt/disassembly/x86_names.h"
#include "libexpt/disassembly/x86_rules.h"

/* ---- capstone's list --------------------------------------------------------------- */

/* Cut "$1, 0x10(%rax, %rbx)" at the commas outside of parentheses. */
static void split(struct operands *operands, const char *list)
{
	int depth = 0;

	*operands = (struct operands){ 0 };
	for (const char *at = list; *at && operands->count < OPERANDS_MAX;) {
		const char *end = at;

		for (; *end && (depth > 0 || *end != ','); end++)
			depth += (*end == '(') - (*end == ')');
		operands->items[operands->count++] =
			(struct operand){ at, (size_t)(end - at), false };
		at = *end ? end + 1 + strspn(end + 1, " ") : end;
	}
}

static bool is_memory(const struct operand *operand)
{
	const char *text = operand->text + (*operand->text == '*');
	size_t length = operand->length - (size_t)(text - operand->text);

	if (memchr(text, ':', length))
		return true;
	return *text == '-' || *text == '(' || isdigit((unsigned char)*text);
}

/* A general or segment register, which shows the size of the operation. */
static bool is_register(const struct operand *operand)
{
	return *operand->text == '%' && !is_memory(operand) &&
	       !memmem(operand->text, operand->length, "mm", 2);
}

static bool is_equal(const struct operand *operand, const char *text)
{
	return strlen(text) == operand->length &&
	       memcmp(operand->text, text, operand->length) == 0;
}

/* ---- operands ---------------------------------------------------------------------- */

/* Returns the bits of a constant that count: those of the size of the operation. */
static uint64_t mask_of(const struct x86_layout *layout, char suffix, size_t operand)
{
	if (layout->immediate_size == 3) /* enter: 2 bytes and one */
		return operand == 0 ? UINT16_MAX : UINT8_MAX;
	switch (suffix) {
	case 'b':
		return UINT8_MAX;
	case 'w':
		return UINT16_MAX;
	case 'l':
		return UINT32_MAX;
	case 'q':
		return UINT64_MAX;
	default:
		return layout->immediate_size == 1 ? UINT8_MAX : UINT64_MAX;
	}
}

static void add_constant(struct text *text, const struct operand *operand, uint64_t mask)
{
	const char *digits = operand->text + 1;
	uint64_t value = *digits == '-' ? -strtoull(digits + 1, NULL, 0)
					: strtoull(digits, NULL, 0);

	text_add(text, "$0x%llx", (unsigned long long)(value & mask));
}

static void add_absolute(struct text *text, const struct x86_layout *layout)
{
	if (layout->segment >= 0x64)
		text_add(text, "%%%cs:", layout->segment == 0x64 ? 'f' : 'g');
	text_add(text, "0x%llx",
		 (unsigned long long)x86_number(layout, layout->immediate_at,
						layout->immediate_size));
}

static void add_memory(struct text *text, const struct x86_layout *layout,
		       const struct operand *operand)
{
	static const struct x86_memory plain = { .unit = 1 };

	if (*operand->text == '*')
		text_add(text, "*");
	if (x86_has_memory(layout))
		x86_add_memory(text, layout, &plain);
	else
		add_absolute(text, layout);
}

static void add_operand(struct text *text, const struct x86_layout *layout,
			const struct operand *operand, uint64_t mask)
{
	if (operand->is_final)
		text_add(text, "%.*s", (int)operand->length, operand->text);
	else if (*operand->text == '$')
		add_constant(text, operand, mask);
	else if (is_memory(operand))
		add_memory(text, layout, operand);
	else if (is_equal(operand, "%st(0)"))
		text_add(text, "%%st");
	else
		text_add(text, "%.*s", (int)operand->length, operand->text);
}

/* ---- mnemonic ---------------------------------------------------------------------- */

static bool shows_size(const struct operands *operands, const struct x86_name *name)
{
	size_t first = name->is_shift && operands->count > 0 ? operands->count - 1 : 0;
	size_t end = name->is_source && operands->count > 0 ? 1 : operands->count;

	if (name->is_constant && name->suffix != 'w')
		return true;
	for (size_t i = first; i < end; i++)
		if (is_register(&operands->items[i]))
			return true;
	return false;
}

bool x86_add_instruction(struct text *mnemonic, struct text *text,
			 const struct x86_layout *layout, const char *capstone,
			 const char *list)
{
	struct x86_name name = x86_name(x86_last_word(capstone));
	struct operands operands;

	split(&operands, list);
	if (!x86_apply_rules(layout, &name, &operands))
		return false;
	text_add(mnemonic, "%.*s", name.length, name.name);
	if (name.suffix && !shows_size(&operands, &name))
		text_add(mnemonic, "%c", name.suffix);
	text_add(mnemonic, "%s", x86_hint(layout));
	for (size_t i = 0; i < operands.count; i++) {
		if (i > 0)
			text_add(text, ",");
		add_operand(text, layout, &operands.items[i],
			    mask_of(layout, name.suffix, i));
	}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/dwarf/lines.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/array.h"

#define COLUMN_MAX 0x7fff

/* The registers of the machine that the program is for. */
struct machine {
	struct dwarf_table *table;
	struct cursor cursor;
	uint64_t address, file, line, column;
	bool is_statement, is_ascending;
	size_t first; /* line of this sequence */
	bool has_memory;
};

static void reset(struct machine *machine)
{
	machine->address = 0;
	machine->file = machine->line = 1;
	machine->column = 0;
	machine->is_statement = machine->table->is_statement;
	machine->is_ascending = true;
	machine->first = machine->table->lines.count;
}

/* ---- lines and sequences ----------------------------------------------------------- */

static struct dwarf_line current(const struct machine *machine)
{
	return (struct dwarf_line){
		.address = machine->address,
		.line = machine->line <= INT32_MAX ? (uint32_t)machine->line : 0,
		.file = machine->file <= UINT16_MAX ? (uint16_t)machine->file
						    : UINT16_MAX,
		.column = machine->column <= COLUMN_MAX ? machine->column & COLUMN_MAX
							: 0,
		.is_statement = machine->is_statement,
	};
}

/* Compilers describe one place several times, as they see it from other views. */
static bool is_repeated(const struct dwarf_line *line, const struct dwarf_line *last)
{
	return last->address == line->address && last->file == line->file &&
	       last->line == line->line && last->column == line->column;
}

static void add_line(struct machine *machine)
{
	struct dwarf_table *table = machine->table;
	struct dwarf_line line = current(machine), *last = NULL, *new;

	if (table->lines.count > machine->first)
		last = &table->lines.items[table->lines.count - 1];
	if (last && is_repeated(&line, last)) {
		last->is_statement |= line.is_statement;
		return;
	}
	if (last && last->address > line.address)
		machine->is_ascending = false;
	new = array_add(&table->lines);
	if (new)
		*new = line;
	else
		machine->has_memory = false;
}

static int compare_lines(const void *a, const void *b)
{
	const struct dwarf_line *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static void add_sequence(struct machine *machine, size_t count)
{
	struct dwarf_table *table = machine->table;
	struct dwarf_line *lines = table->lines.items + machine->first;
	struct dwarf_sequence *sequence;

	if (!machine->is_ascending)
		qsort(lines, count, sizeof(*lines), compare_lines);
	sequence = array_add(&table->sequences);
	if (!sequence || spans_add(&table->spans, lines[0].address, machine->address,
				   (uint32_t)(table->sequences.count - 1)) < 0)
		machine->has_memory = false;
	else
		*sequence = (struct dwarf_sequence){ machine->first, count };
}

/* The end of a sequence is where the next one may begin. */
static void end_sequence(struct machine *machine)
{
	size_t count = machine->table->lines.count - machine->first;

	if (count > 0)
		add_sequence(machine, count);
	reset(machine);
}

/* ---- opcodes ----------------------------------------------------------------------- */

static void advance(struct machine *machine, uint64_t steps)
{
	machine->address += steps * machine->table->step;
}

static void run_special(struct machine *machine, unsigned opcode)
{
	const struct dwarf_table *table = machine->table;
	unsigned number = opcode - table->opcode_base;

	advance(machine, number / table->line_range);
	machine->line +=
		(uint64_t)(int64_t)(table->line_base + (int)(number % table->line_range));
	add_line(machine);
}

static void run_extended(struct machine *machine)
{
	uint64_t length = cursor_leb128(&machine->cursor);
	struct cursor operand = machine->cursor;
	unsigned opcode;

	if (!cursor_skip(&machine->cursor, length) || length == 0)
		return;
	opcode = (unsigned)cursor_number(&operand, 1);
	if (opcode == DW_LNE_end_sequence)
		end_sequence(machine);
	else if (opcode == DW_LNE_set_address && length - 1 <= 8)
		machine->address = cursor_number(&operand, (unsigned)length - 1);
}

static void run_unknown(struct machine *machine, unsigned opcode)
{
	for (unsigned i = machine->table->operand_counts[opcode - 1]; i > 0; i--)
		cursor_leb128(&machine->cursor);
}

static void run_standard(struct machine *machine, unsigned opcode)
{
	struct cursor *cursor = &machine->cursor;

	switch (opcode) {
	case DW_LNS_copy:
		add_line(machine);
		break;
	case DW_LNS_advance_pc:
		advance(machine, cursor_leb128(cursor));
		break;
	case DW_LNS_advance_line:
		machine->line += (uint64_t)cursor_signed_leb128(cursor);
		break;
	case DW_LNS_set_file:
		machine->file = cursor_leb128(cursor);
		break;
	case DW_LNS_set_column:
		machine->column = cursor_leb128(cursor);
		break;
	case DW_LNS_negate_stmt:
		machine->is_statement = !machine->is_statement;
		break;
	case DW_LNS_const_add_pc:
		advance(machine,
			(255 - machine->table->opcode_base) / machine->table->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		machine->address += cursor_number(cursor, 2);
		break;
	default:
		run_unknown(machine, opcode);
	}
}

static void run(struct machine *machine)
{
	struct cursor *cursor = &machine->cursor;

	while (cursor->at < cursor->end && !cursor->failed && machine->has_memory) {
		unsigned opcode = (unsigned)cursor_number(cursor, 1);

		if (opcode >= machine->table->opcode_base)
			run_special(machine, opcode);
		else if (opcode == 0)
			run_extended(machine);
		else
			run_standard(machine, opcode);
	}
}

int dwarf_lines_read(struct dwarf_table *table)
{
	struct machine machine = { .table = table,
				   .cursor = table->program,
				   .has_memory = true };

	if (table->has_lines)
		return 0;
	table->has_lines = true;
	reset(&machine);
	run(&machine);
	if (machine.has_memory && spans_finish(&table->spans) == 0)
		return 0;
	array_release(&table->spans);
	return -ENOMEM;
}

const struct dwarf_line *dwarf_line_at(const struct dwarf_table *table, uint64_t address)
{
	uint32_t found = spans_find(&table->spans, address);
	const struct dwarf_sequence *sequence;
	const struct dwarf_line *lines;
	size_t low = 0, high;

	if (found == SPAN_NONE)
		return NULL;
	sequence = &table->sequences.items[found];
	lines = table->lines.items + sequence->first;
	high = sequence->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? &lines[low - 1] : NULL;
}

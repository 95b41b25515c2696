/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz the way from instructions to data objects: an object with debug data and code has
 * some answer for each of its instructions, and members for each of its types. */
#include <elf.h>

#include "libexpt/accesses/examined.h"
#include "libexpt/base/array.h"
#include "libexpt/dataspace/data_rows.h"
#include "libexpt/dwarf/private.h"
#include "libexpt/elf/symbols.h"
#include "libexpt/types/members.h"
#include "libexpt/types/open.h"
#include "tests/fuzz/object.h"

/* Larger inputs than those of a fuzzer are examined at some places only. */
#define FUNCTIONS_MAX 2000
#define ANSWERS_MAX   20000
#define ENTRIES_MAX   20000
#define LAYOUTS_MAX   200
#define CODE_MAX      (16 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct target {
	struct elf *object;
	struct dwarf *dwarf;
	struct statics statics;
	struct examined_source source;
	struct expt_rows *rows;
	size_t answers; /* that were asked for */
};

/* ---- answers ----------------------------------------------------------------------- */

static void check_place(const struct target *target, const struct data_place *place)
{
	struct data_element elements[DATA_ELEMENTS_MAX];
	struct strbuf text = STRBUF_INIT;
	size_t count = data_elements(elements, place);
	uint32_t row;

	if (count < 1 || count > DATA_ELEMENTS_MAX || !elements[0].type)
		abort();
	for (size_t i = 1; i < count; i++)
		if (!elements[i].name)
			abort();
	data_place_write(&text, place);
	if (text.failed || text.length == 0)
		abort();
	strbuf_release(&text);
	row = data_rows_of_place(target->rows, place);
	if (row >= target->rows->rows.count)
		abort();
}

static void ask(struct target *target, const struct examined *examined, uint64_t address,
		const struct access_event *event)
{
	struct data_place place;
	enum access_reason reason = examined_find(&place, examined, address, event);

	target->answers++;
	if (reason > ACCESS_NONE)
		abort();
	if (reason == ACCESS_FOUND)
		check_place(target, &place);
}

/* Any numbers, the same in each run. */
static uint64_t made_up(uint64_t seed)
{
	seed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return seed ^ seed >> 29;
}

/* Ask for an instruction: without an address, with one near its registers, with one near
 * the code, and with any. */
static void ask_all(struct target *target, const struct examined *examined,
		    uint64_t address)
{
	struct access_event event = { .pc = address, .interrupted = address };

	ask(target, examined, address, &event);
	event.has_address = true;
	event.address = made_up(address) % 0x8000;
	ask(target, examined, address, &event);
	event.has_registers = true;
	for (unsigned i = 0; i < 16; i++)
		event.registers[i] = event.address - made_up(address + i) % 128;
	ask(target, examined, address, &event);
	event.address = made_up(event.address);
	event.pc = made_up(event.address);
	ask(target, examined, address, &event);
}

/* ---- functions --------------------------------------------------------------------- */

static void examine(struct target *target, uint64_t start, uint64_t size)
{
	size_t length = elf_code_size(target->object, start, size);
	unsigned char *bytes = malloc(length ? length : 1);
	struct expt_code code = { .bytes = bytes, .size = length };
	struct examined *examined;

	if (!bytes)
		abort();
	if (length > 0 && elf_image_address(target->object, start, &code.address) &&
	    elf_read_code(target->object, start, bytes, length, NULL) == 0) {
		examined = examined_new(&target->source, start, &code);
		if (!examined)
			abort();
		for (size_t i = 0; i < length && target->answers < ANSWERS_MAX; i++)
			ask_all(target, examined, code.address + i);
		examined_free(examined);
	}
	free(bytes);
}

static void examine_all(struct target *target)
{
	struct elf_symbols symbols = { .items = NULL };
	uint64_t offset, size;

	if (elf_read_symbols(&symbols, target->object, target->object, NULL) == 0)
		for (size_t i = 0; i < symbols.count && i < FUNCTIONS_MAX; i++)
			examine(target, symbols.items[i].offset,
				symbols.items[i].size < CODE_MAX ? symbols.items[i].size
								 : CODE_MAX);
	/* Any code is a function. */
	if (symbols.count == 0 && elf_section(target->object, ".text", &offset, &size))
		examine(target, offset, size < CODE_MAX ? size : CODE_MAX);
	array_release(&symbols);
}

/* ---- types ------------------------------------------------------------------------- */

static void check_type(const struct target *target, const struct type *type)
{
	const struct type_member *members;
	size_t count = type_members(target->source.types, type, &members);
	struct walk walk;

	if (!type->name || !*type->name)
		abort();
	for (size_t i = 0; i < count; i++)
		if (!members[i].name ||
		    (i > 0 && members[i].offset < members[i - 1].offset))
			abort();
	for (uint64_t i = 0; i < 64; i++) {
		walk.count = 0;
		walk_down(&walk, target->source.types, type, i < 48 ? i : made_up(i),
			  1u << i % 6);
	}
}

/* Whatever is at a place is a type. */
static void read_types(const struct target *target)
{
	const struct dwarf_units *units = &target->dwarf->debug.units;
	uint64_t asked = 0;

	for (size_t i = 0; i < units->count; i++)
		for (uint64_t offset = units->items[i]->first;
		     offset < units->items[i]->end && asked < ENTRIES_MAX;
		     offset++, asked++) {
			struct detail detail = {
				/* DW_FORM_ref_addr */
				.value = { .form = 0x10, .number = offset },
				.unit = units->items[i],
			};
			const struct type *type = type_of(target->source.types, &detail);

			if (type)
				check_type(target, type);
		}
}

static void lay_out(const struct target *target)
{
	const struct expt_data_member *members;
	size_t laid = 0;

	for (size_t i = 0; i < target->rows->rows.count && laid < LAYOUTS_MAX; i++) {
		size_t count = expt_data_layout(target->rows, i, &members);

		laid += target->rows->rows.items[i].datum.is_aggregate;
		for (size_t j = 0; j < count; j++)
			if (members[j].row >= target->rows->rows.count)
				abort();
	}
}

/* ---- all --------------------------------------------------------------------------- */

static void run(struct target *target)
{
	struct expt_view view = { .groups = 1 };

	target->source.types = types_open(target->dwarf);
	target->source.statics = &target->statics;
	target->rows = data_rows_new(&view);
	if (!target->source.types || !target->rows)
		abort();
	examine_all(target);
	lay_out(target);
	read_types(target);
	rows_free(target->rows);
	statics_release(&target->statics);
	types_close(target->source.types);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static struct step_reader *reader;
	struct input input = { bytes, size };
	struct target target = { .object = open_input(&input) };

	if (!reader && step_reader_open(&reader, EM_X86_64, NULL) < 0)
		abort();
	target.source.reader = reader;
	if (target.object)
		target.dwarf = open_input_data(&input, target.object, true);
	if (target.dwarf) {
		run(&target);
		dwarf_close(target.dwarf);
	}
	elf_close(target.object);
	return 0;
}

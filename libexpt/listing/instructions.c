/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of a function, with the names of what they refer to; of a Java method,
 * those of the Java machine. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/bytecode/bytecode.h"
#include "libexpt/common/error.h"
#include "libexpt/disassembly/disassembly.h"
#include "libexpt/listing/method_code.h"
#include "libexpt/objects/function.h"

struct expt_instructions {
	const struct expt_function *function;
	enum expt_name_form form;
	struct disassembler *disassembler;
	struct expt_code code;
	size_t offset; /* of the next */
	struct instruction last;
	struct strbuf operands;
	struct method_code method; /* of a Java method */
	struct bytecode bytecode;
};

/* ---- opening ----------------------------------------------------------------------- */

static void instructions_closep(struct expt_instructions **instructions)
{
	expt_instructions_close(*instructions);
}

/* Dynamic code has no file that says for which processor it is. */
static unsigned machine_of(const struct expt_function *function)
{
	const struct expt_object *object = function->object;
	const struct expt *founder = object->table->founder;

	if (object->elf)
		return elf_machine(object->elf);
	if (founder->log && strcmp(expt_info(founder)->arch, "aarch64") == 0)
		return EM_AARCH64;
	return EM_X86_64;
}

int expt_instructions_open(struct expt_instructions **out,
			   const struct expt_function *function, enum expt_name_form form,
			   struct expt_error *err)
{
	cleanup(instructions_closep) struct expt_instructions *instructions =
		calloc(1, sizeof(*instructions));
	int rc;

	if (!instructions)
		return expt_fail(err, -ENOMEM, "cannot disassemble");
	instructions->function = function;
	instructions->form = form;
	if (function->bytecode) {
		rc = method_code_open(&instructions->method, function, err);
		if (rc < 0)
			return rc;
		*out = steal(&instructions);
		return 0;
	}
	rc = expt_function_code(function, &instructions->code, err);
	if (rc < 0)
		return rc;
	rc = disassembler_open(&instructions->disassembler, machine_of(function), err);
	if (rc < 0)
		return rc;
	*out = steal(&instructions);
	return 0;
}

void expt_instructions_close(struct expt_instructions *instructions)
{
	if (!instructions)
		return;
	disassembler_close(instructions->disassembler);
	strbuf_release(&instructions->operands);
	method_code_close(&instructions->method);
	bytecode_release(&instructions->bytecode);
	free(instructions);
}

/* ---- addresses --------------------------------------------------------------------- */

static bool is_own(const struct expt_instructions *instructions, uint64_t address)
{
	return address >= instructions->code.address &&
	       address - instructions->code.address < instructions->function->size;
}

static const struct expt_function *function_of(const struct expt_instructions *of,
					       uint64_t address)
{
	struct expt_object *object = of->function->object;
	const struct expt_function *function;
	uint64_t offset;

	if (is_own(of, address))
		return of->function;
	if (!object->elf || !elf_image_offset(object->elf, address, &offset))
		return NULL;
	function = function_at(object, offset);
	return function->count > 0 ? function : NULL;
}

static struct expt_code_address look_up(const struct expt_instructions *of,
					uint64_t address)
{
	struct expt_code_address found = { .is_known = true, .address = address };
	uint64_t offset;

	found.function = function_of(of, address);
	if (is_own(of, address))
		found.offset = address - of->code.address;
	else if (found.function &&
		 elf_image_offset(of->function->object->elf, address, &offset))
		found.offset = offset - found.function->start;
	return found;
}

/* Write "1030 <puts@plt>", or "1130 <main+0x2c>". */
static void name_target(struct expt_instructions *of,
			const struct expt_code_address *target)
{
	strbuf_printf(&of->operands, "%s", of->last.operands);
	if (!target->function)
		return;
	strbuf_printf(&of->operands, " <%s",
		      expt_function_name(target->function, of->form));
	if (target->offset)
		strbuf_printf(&of->operands, "+0x%llx",
			      (unsigned long long)target->offset);
	strbuf_add_text(&of->operands, ">");
}

/* ---- iteration --------------------------------------------------------------------- */

static bool next_of_method(struct expt_instructions *of, struct expt_instruction *next)
{
	const struct class_code *code = &of->method.code;
	struct bytecode *read = &of->bytecode;

	if (bytecode_read(read, of->method.file, code, of->offset) == 0)
		return false;
	*next = (struct expt_instruction){
		.address = of->offset,
		.offset = of->offset,
		.bytes = code->bytes + of->offset,
		.size = read->size,
		.kind = read->kind,
		.is_bytecode = true,
		.mnemonic = read->mnemonic,
		.operands = strbuf_text(&read->operands),
	};
	if (read->has_target)
		next->target = (struct expt_code_address){ true, read->target,
							   of->function, read->target };
	of->offset += read->size;
	return true;
}

static bool next_of_processor(struct expt_instructions *of, struct expt_instruction *next)
{
	const unsigned char *bytes = of->code.bytes + of->offset;
	struct instruction *last = &of->last;

	if (disassemble(of->disassembler, bytes, of->code.size - of->offset,
			of->code.address + of->offset, last) == 0)
		return false;
	*next = (struct expt_instruction){
		.address = last->address,
		.offset = of->offset,
		.bytes = bytes,
		.size = last->size,
		.kind = last->kind,
		.mnemonic = last->mnemonic,
		.operands = last->operands,
	};
	of->offset += last->size;
	if (last->has_memory)
		next->memory = look_up(of, last->memory);
	if (!last->has_target)
		return true;
	next->target = look_up(of, last->target);
	strbuf_clear(&of->operands);
	name_target(of, &next->target);
	if (!of->operands.failed)
		next->operands = strbuf_text(&of->operands);
	return true;
}

bool expt_instructions_next(struct expt_instructions *of, struct expt_instruction *next)
{
	return of->method.file ? next_of_method(of, next) : next_of_processor(of, next);
}

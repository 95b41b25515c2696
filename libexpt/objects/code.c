/* SPDX-License-Identifier: Apache-2.0 */
/* The machine code of functions: read when it is asked for, and kept. A few files stay
 * open, as functions of the same objects follow each other. */
#include <errno.h>
#include <string.h>

#include "libexpt/common/error.h"
#include "libexpt/objects/private.h"

/* Longer ones, such as the whole code of a large stripped program, are cut off here:
 * disassembling more would take longer than a few seconds. */
#define CODE_MAX ((uint64_t)16 << 20)

/* ---- files ------------------------------------------------------------------------- */

static int note_code_problem(struct expt_object *object, int rc,
			     const struct expt_error *err)
{
	if (rc == -ENOENT)
		object->code_problem = arena_text(&object->table->strings, err->message,
						  strlen(err->message));
	return rc;
}

static int open_file(struct expt_object *object, struct expt_error *err)
{
	struct object_table *table = object->table;
	struct expt_object **slot = &table->code_files[table->next_code_file];
	struct expt_error reason;
	int rc;

	if (object->code)
		return 0;
	if (object->code_problem)
		return expt_refuse(err, -ENOENT, "%s", object->code_problem);
	rc = object_open_code(&object->code, object, &reason);
	if (rc < 0)
		return expt_refuse(err, note_code_problem(object, rc, &reason), "%s",
				   reason.message);
	if (*slot) {
		elf_close((*slot)->code);
		(*slot)->code = NULL;
	}
	*slot = object;
	table->next_code_file = (table->next_code_file + 1) % CODE_FILES_MAX;
	return 0;
}

static int refuse_code(const struct expt_function *function, struct expt_error *err)
{
	if (function->is_inlined)
		return expt_refuse(err, -ENOENT,
				   "'%s' is inlined: its instructions are in the "
				   "functions that call it",
				   expt_function_name(function, EXPT_NAME_SHORT));
	return expt_refuse(err, -ENOENT, "'%s' has no code at offset 0x%llx",
			   function->object->path, (unsigned long long)function->start);
}

static int read_file(struct expt_code *code, const struct expt_function *function,
		     struct expt_error *err)
{
	struct expt_object *object = function->object;
	unsigned char *bytes;
	int rc = open_file(object, err);

	if (rc < 0)
		return rc;
	code->size = elf_code_size(object->code, function->start,
				   function->size < CODE_MAX ? function->size : CODE_MAX);
	if (code->size == 0)
		return refuse_code(function, err);
	bytes = arena_alloc(&object->table->strings, code->size);
	if (!bytes)
		return expt_fail(err, -ENOMEM, "cannot read the code of '%s'",
				 object->path);
	code->bytes = bytes;
	if (!elf_image_address(object->code, function->start, &code->address))
		code->address = function->start;
	rc = elf_read_code(object->code, function->start, bytes, code->size, err);
	return rc < 0 ? expt_fail_in(err, rc, "'%s'", object->path) : 0;
}

/* ---- public ------------------------------------------------------------------------ */

static int read_code(struct expt_code *code, const struct expt_function *function,
		     struct expt_error *err)
{
	if (function->object->is_file)
		return read_file(code, function, err);
	if (function->object->table)
		return dynamic_code_read(code, function, err);
	return expt_refuse(err, -ENOENT, "'%s' has no code",
			   expt_function_name(function, EXPT_NAME_LONG));
}

int expt_function_code(const struct expt_function *function, struct expt_code *code,
		       struct expt_error *err)
{
	struct expt_function *writable = (struct expt_function *)(uintptr_t)function;
	struct expt_code read = { 0 }, *kept;
	int rc;

	if (!function->code) {
		rc = read_code(&read, function, err);
		if (rc < 0)
			return rc;
		kept = arena_alloc(&function->object->table->strings, sizeof(*kept));
		if (!kept)
			return expt_fail(err, -ENOMEM, "cannot read the code of '%s'",
					 function->object->path);
		*kept = read;
		writable->code = kept;
	}
	*code = *function->code;
	return 0;
}

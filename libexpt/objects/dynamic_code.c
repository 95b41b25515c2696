/* SPDX-License-Identifier: Apache-2.0 */
/* The code of dynamic functions, from the files in which the collector recorded it. */
#include <errno.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/objects/dyntext.h"
#include "libexpt/objects/private.h"

/* Keep the file of an experiment in memory until that of another one is needed. The
 * founder outlives the table, and its descendants are in its folder. */
static int load_file(struct object_table *table, const char *experiment,
		     struct expt_error *err)
{
	const struct folder *founder = &table->founder->folder;
	struct folder folder = FOLDER_NONE;
	int rc = 0;

	if (table->dyntext_of && strcmp(table->dyntext_of, experiment) == 0)
		return 0;
	io_file_close(&table->dyntext);
	table->dyntext = (struct io_file){ 0 };
	table->dyntext_of = experiment;
	if (*experiment)
		rc = folder_open(&folder, founder, experiment);
	if (rc == 0)
		rc = folder_read(&table->dyntext, *experiment ? &folder : founder,
				 DYNTEXT_FILE, err);
	folder_close(&folder);
	if (rc == 0)
		return 0;
	table->dyntext = (struct io_file){ 0 };
	table->dyntext_of = NULL;
	return rc;
}

static bool find(struct expt_code *code, const struct expt_function *function,
		 const char *experiment, struct expt_error *err)
{
	struct object_table *table = function->object->table;
	const struct dynamic_origin *origin = function->origin;
	uint64_t offset = function->start - origin->key.address;
	size_t size = 0;

	if (load_file(table, experiment, err) < 0)
		return false;
	code->bytes = dyntext_find(table->dyntext.bytes, table->dyntext.size,
				   &origin->key, &size);
	if (!code->bytes || offset >= size)
		return false;
	code->bytes += offset;
	code->size = size - offset < function->size ? size - offset
						    : (size_t)function->size;
	code->address = function->start;
	return code->size > 0;
}

int dynamic_code_read(struct expt_code *code, const struct expt_function *function,
		      struct expt_error *err)
{
	struct object_table *table = function->object->table;
	unsigned char *copy;

	/* A forked process records no code for what it inherited, so its founder may have
	 * it. */
	if (!function->origin ||
	    (!find(code, function, function->origin->experiment, err) &&
	     !find(code, function, "", err)))
		return expt_refuse(err, -ENOENT, "the code of '%s' was not recorded",
				   expt_function_name(function, EXPT_NAME_LONG));
	copy = arena_alloc(&table->strings, code->size);
	if (!copy)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", DYNTEXT_FILE);
	code->bytes = memcpy(copy, code->bytes, code->size);
	return 0;
}

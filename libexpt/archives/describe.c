/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/describe.h"

#include "libexpt/archives/debug_file.h"

static bool find(struct debug_file *file, const struct elf *object, const char *path,
		 const struct describe_judge *judge)
{
	return elf_needs_debug_file(object) &&
	       debug_file_find(file, object, path, NULL, judge ? judge->origins : NULL) &&
	       (!judge || origin_has_readers(&file->origin, judge->object));
}

int describe_object(const struct elf *object, const struct elf_note *note,
		    const struct describe_judge *judge, int out, struct expt_error *err)
{
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT;
	bool found = find(&file, object, note->path, judge);
	const struct elf_debug debug = { file.elf, file.place == DEBUG_BESIDE };

	return elf_describe(object, note, found ? &debug : NULL, out, err);
}

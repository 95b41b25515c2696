/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Only files in archives/ are read: er_archive has checked whose they are. They may be
 * those of another image of the process, so that their time is compared again.
 */
#include "libexpt/places/jit.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archives/name.h"
#include "libexpt/archives/store.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/format.h"
#include "libexpt/jit/files.h"
#include "libexpt/objects/function.h"

static int read_codes(struct jit_codes *codes, int fd, uint64_t start_ns)
{
	cleanup(io_file_close) struct io_file file = { .bytes = NULL };
	int rc = io_file_read(&file, fd);

	return rc < 0 ? rc : jit_file_read(codes, file.bytes, file.size, start_ns);
}

/* Read the archived file of a path, if there is one. */
static void read_file(struct jit_codes *codes, struct expt *expt, const char *path,
		      uint64_t start_ns)
{
	const struct object_table *table = object_table_get(expt);
	char name[ARCHIVE_NAME_SIZE];
	struct expt_error err;
	cleanup_fd int fd = -1;
	struct stat status;
	int rc;

	if (!folder_is_open(&table->archives))
		return;
	expt_archive_name(name, path);
	fd = store_open_in(&status, &table->archives, name, &err);
	if (fd < 0 || jit_file_problem(&status, expt_info(expt)))
		return;
	rc = read_codes(codes, fd, start_ns);
	if (rc == -E2BIG)
		expt_add_damage(expt, "%s/%s: too many names, only the first %u are used",
				ARCHIVES_DIR, name, JIT_CODES_MAX);
	else if (rc < 0)
		expt_add_damage(expt, "%s/%s: %s", ARCHIVES_DIR, name,
				strerrordesc_np(-rc));
}

/* Check whether any process of the founder has a perf map, so that they need not all be
 * looked for. If the archives cannot be listed, they may have. */
static bool have_perf_maps(struct object_table *table)
{
	struct folder_names names;

	if (table->has_listed_perf_maps || !folder_is_open(&table->archives))
		return table->has_perf_maps;
	table->has_listed_perf_maps = true;
	table->has_perf_maps = true;
	if (folder_list(&names, &table->archives) < 0)
		return true;
	table->has_perf_maps = false;
	for (size_t i = 0; i < names.count && !table->has_perf_maps; i++)
		table->has_perf_maps = jit_is_perf_map(names.items[i].name);
	folder_names_release(&names);
	return table->has_perf_maps;
}

void jit_read(struct jit_codes *codes, struct expt *expt)
{
	struct jit_dump dumps[JIT_DUMPS_MAX];
	char path[JIT_PATH_SIZE];
	size_t count;

	if (!expt->log)
		return;
	if (expt == expt->founder || have_perf_maps(object_table_get(expt))) {
		jit_perf_map_path(path, expt_info(expt)->pid);
		read_file(codes, expt, path, 0);
	}
	count = jit_dumps(dumps, expt);
	for (size_t i = 0; i < count; i++)
		read_file(codes, expt, dumps[i].path, dumps[i].start_ns);
	if (jit_codes_arrange(codes) < 0)
		jit_codes_release(codes);
}

bool jit_place(const struct jit_codes *codes, struct object_table *table,
	       uint64_t address, uint64_t time_ns, struct expt_place *place)
{
	const struct jit_code *code = jit_codes_find(codes, address, time_ns);
	struct expt_object *object = code ? object_dynamic(table) : NULL;

	if (!object)
		return false;
	place->function = function_made(object, &(struct expt_function){
							.start = code->address,
							.size = code->end - code->address,
							.symbol = code->name,
						});
	place->offset = address - code->address;
	return true;
}

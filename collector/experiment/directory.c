/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/experiment/directory.h"

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/directory_name.h"
#include "collector/files/access.h"
#include "collector/files/blocks.h"
#include "collector/files/create.h"
#include "collector/files/output.h"
#include "collector/files/source.h"
#include "collector/process/process.h"
#include "libexpt/format.h"

/* Until its log is there, a descendant's directory has a hidden name. */
static bool is_hidden;

int directory_make(int founder)
{
	char buffer[DIRECTORY_NAME_SIZE];

	if (collector_is_founder())
		return 0;
	is_hidden = directory_name_can_hide(process.lineage);
	return sys_mkdirat(founder,
			   directory_name(buffer, process.lineage, is_hidden).start,
			   DIRECTORY_MODE);
}

int directory_show(int founder)
{
	char from[DIRECTORY_NAME_SIZE], to[DIRECTORY_NAME_SIZE];
	int rc;

	if (!is_hidden)
		return 0;
	rc = writer_rename(founder, directory_name(from, process.lineage, true).start,
			   directory_name(to, process.lineage, false).start);
	if (rc == 0)
		is_hidden = false;
	return rc;
}

int directory_make_file(int founder, struct output *output, size_t window,
			const char *name, const char *content, size_t length)
{
	char buffer[DIRECTORY_NAME_SIZE + 64];
	struct text path = TEXT_ON(buffer);
	int fd;

	directory_name_add_file(&path, process.lineage, name, is_hidden);
	fd = is_hidden ? writer_create(founder, path.start, content, length)
		       : writer_create_at_once(founder, path.start, content, length);
	if (fd < 0)
		return fd;
	if (output)
		output_open(output, name, fd, length, window);
	sys_close(fd);
	return 0;
}

struct addition {
	struct output *output;
	const char *name;
};

static long add_file(int founder, void *argument)
{
	const struct addition *addition = argument;

	return directory_make_file(founder, addition->output, BLOCK_SIZE, addition->name,
				   "", 0);
}

int directory_add_file(struct output *output, const char *name)
{
	struct addition addition = { output, name };

	return (int)access_run(add_file, &addition);
}

static void remove_file(int founder, const char *name)
{
	char buffer[DIRECTORY_NAME_SIZE + 64];
	struct text path = TEXT_ON(buffer);

	directory_name_add_file(&path, process.lineage, name, is_hidden);
	system_call(SYS_unlinkat, founder, (long)path.start, 0, 0, 0, 0);
}

void directory_remove_hidden(int founder)
{
	char buffer[DIRECTORY_NAME_SIZE];
	struct text name = directory_name(buffer, process.lineage, true);
	const struct data_source *source;

	if (!is_hidden)
		return;
	remove_file(founder, LOG_FILE);
	remove_file(founder, LOAD_MAP_FILE);
	remove_file(founder, OVERVIEW_FILE);
	remove_file(founder, FRAMEINFO_FILE);
	for (size_t i = 0; (source = source_at(i)) != NULL; i++) {
		remove_file(founder, source->file);
		if (source->metadata)
			remove_file(founder, source->metadata);
	}
	system_call(SYS_unlinkat, founder, (long)name.start, AT_REMOVEDIR, 0, 0, 0);
}

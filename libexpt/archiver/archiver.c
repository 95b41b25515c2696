/* SPDX-License-Identifier: Apache-2.0 */
/* The state of an archiver, and functions that all its files need. */
#include "libexpt/archiver/private.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/io.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"

void archive_say(struct archiver *archiver, enum expt_outcome outcome, const char *name,
		 const char *format, ...)
{
	char reason[1024];
	va_list arguments;

	if (outcome >= EXPT_MISSING)
		archiver->to.is_incomplete = true;
	va_start(arguments, format);
	vsnprintf(reason, sizeof(reason), format, arguments);
	va_end(arguments);
	expt_report_add(archiver->asked.options->operation.report, outcome, name, "%s",
			reason);
}

int archive_home(const struct archiver *archiver)
{
	return archiver->to.copy >= 0 ? archiver->to.copy : archiver->known.founder;
}

bool archive_is_current(const struct archiver *archiver, int archives)
{
	return io_has_name(archives, archive_home(archiver), ARCHIVES_DIR);
}

void archive_member_path(char path[PATH_MAX], const struct archiver *archiver,
			 size_t member)
{
	const char *name = archiver->known.members.items[member].name;

	snprintf(path, PATH_MAX, "%s%s%s", archiver->known.path, *name ? "/" : "", name);
}

void archive_mark(struct idmap *paths, const char *path)
{
	uint32_t *slot = idmap_add(paths, idmap_text_key(IDMAP_KEY, path));

	if (slot)
		*slot = 0;
}

uint64_t archive_method_key(const struct expt *expt, uint64_t method)
{
	return idmap_key(idmap_text_key(IDMAP_KEY, expt_lineage(expt)), &method,
			 sizeof(method));
}

void archive_release(struct archiver *archiver)
{
	access_close(&archiver->to.access);
	arena_release(&archiver->strings);
	array_release(&archiver->known.members);
	for (size_t i = 0; i < archiver->known.objects.count; i++)
		array_release(&archiver->known.objects.items[i].used);
	array_release(&archiver->known.objects);
	idmap_release(&archiver->known.object_index);
	idmap_release(&archiver->known.path_index);
	array_release(&archiver->known.jars);
	idmap_release(&archiver->known.jar_index);
	idmap_release(&archiver->known.methods);
	archive_patterns_release(&archiver->asked.patterns);
	manifest_release(&archiver->known.manifest);
	manifest_release(&archiver->known.former);
	manifest_release(&archiver->to.changes);
	store_close(&archiver->to.store);
	if (archiver->known.founder >= 0)
		close(archiver->known.founder);
	if (archiver->to.archives >= 0)
		close(archiver->to.archives);
	if (archiver->to.previous >= 0)
		close(archiver->to.previous);
}

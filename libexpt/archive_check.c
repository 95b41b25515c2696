/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a load object is archived, and archived unharmed: nothing is changed, copies are read. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archive.h"
#include "libexpt/archive_name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/format.h"

/* The description is ours and of this object; it may be absent where there is a copy. */
static const char *description_problem(const struct archiver *archiver,
				       const struct archive_object *object)
{
	struct elf_identity identity = { 0 };
	char name[ARCHIVE_NAME_SIZE];
	struct elf *elf;
	const char *problem = NULL;
	int fd;

	expt_archive_description_name(name, object->path);
	fd = io_open_regular(archiver->archives, name);
	if (fd < 0)
		return "not described";
	if (elf_open(&elf, fd, NULL) < 0)
		return "its description is damaged";
	if (!elf_described(elf, &identity))
		problem = "its description is damaged";
	else if (archive_compare(object, identity.build_id, identity.size,
				 identity.mtime_ns, 1) == ARCHIVE_DIFFERS)
		problem = "its description is of another version";
	elf_close(elf);
	return problem;
}

static bool has_copy(const struct archiver *archiver, const char *path)
{
	char name[ARCHIVE_NAME_SIZE];

	expt_archive_name(name, path);
	return faccessat(archiver->archives, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static const char *copy_problem(const struct archiver *archiver,
				const struct archive_object *object,
				const struct manifest_entry *entry)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	char hash[HASH_TEXT_SIZE];

	if (!archive_open_copy(&source, archiver, archiver->archives, object))
		return "its copy is not what was recorded";
	if (!entry || !*entry->hash)
		return NULL;
	if (archive_hash(hash, archiver, source.fd) < 0)
		return "its copy cannot be read";
	return strcmp(hash, entry->hash) == 0 ? NULL : "its copy has another checksum";
}

static enum expt_outcome outcome_of(const struct manifest_entry *entry)
{
	if (entry && entry->state == MANIFEST_REFUSED)
		return EXPT_REFUSED;
	if (entry && entry->state == MANIFEST_CHANGED)
		return EXPT_CHANGED;
	return EXPT_MISSING;
}

int archive_check(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err)
{
	const struct manifest_entry *entry = manifest_find(&archiver->known, object->path);
	bool is_copy_wanted = archive_wants_copy(archiver, object);
	bool is_copied = has_copy(archiver, object->path);
	const char *problem = NULL;

	if (object->problem) {
		archive_say(archiver, EXPT_REFUSED, object->path, "%s", object->problem);
		return 0;
	}
	if (is_copied)
		problem = copy_problem(archiver, object, entry);
	else if (is_copy_wanted)
		problem = entry && *entry->reason ? entry->reason : "not archived";
	if (!problem && !is_copied)
		problem = description_problem(archiver, object);
	if (!problem)
		archive_say(archiver, EXPT_PRESENT, object->path, "%s", "");
	else if (is_copied)
		archive_say(archiver, EXPT_CHANGED, object->path, "%s", problem);
	else
		archive_say(archiver, outcome_of(entry), object->path, "%s", problem);
	return 0;
}

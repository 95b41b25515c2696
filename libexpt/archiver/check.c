/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a load object is archived, and archived unharmed. Reads the copies and
 * changes nothing. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/format.h"

/* Returns what is wrong with the description, or NULL. It must be libexpt's and of this
 * object. */
static const char *description_problem(const struct archiver *archiver,
				       const struct archive_object *object)
{
	struct elf_note note;
	char name[ARCHIVE_NAME_SIZE];
	struct elf *elf;
	const char *problem = NULL;
	int fd;

	expt_archive_description_name(name, archive_kept_path(object));
	fd = io_open_regular(archiver->to.archives, name);
	if (fd < 0)
		return "not described";
	if (elf_open(&elf, fd, NULL) < 0)
		return "its description is damaged";
	if (!elf_described(elf, &note))
		problem = "its description is damaged";
	else if (identity_compare(&object->identity, &note.identity, 1) ==
		 IDENTITY_DIFFERS)
		problem = "its description is for another version of the file";
	elf_close(elf);
	return problem;
}

static bool has_copy(const struct archiver *archiver, const char *path)
{
	char name[ARCHIVE_NAME_SIZE];

	expt_archive_name(name, path);
	return faccessat(archiver->to.archives, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void find_lost(struct archive_finding *finding, const char *target)
{
	finding->outcome = EXPT_MISSING;
	snprintf(finding->text, sizeof(finding->text),
		 "its link is broken: '%s' does not exist", target);
	finding->reason = finding->text;
}

/* Follow the copy if it is a link into a store, and set checksum to the name of the
 * stored file. Returns false, with the finding filled in, if the link leads nowhere. */
static bool check_link(struct archive_finding *finding, const struct archiver *archiver,
		       const char *name, char checksum[HASH_TEXT_SIZE])
{
	char target[PATH_MAX];
	ssize_t length =
		readlinkat(archiver->to.archives, name, target, sizeof(target) - 1);
	const char *stored;
	struct stat status;
	int rc;

	if (length < 0)
		return true; /* not a link */
	target[length] = '\0';
	rc = store_stat(&status, archiver->to.archives, name);
	if (rc == -ENOENT || rc == -ENOTDIR) {
		find_lost(finding, target);
		return false;
	}
	stored = store_checksum(target);
	if (stored)
		snprintf(checksum, HASH_TEXT_SIZE, "%s", stored);
	return true;
}

/* Returns a descriptor of the file that was copied, or -1 if it is gone or modified
 * since. */
static int open_original(const struct archiver *archiver,
			 const struct manifest_entry *entry)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;

	if (!entry || !*entry->real_path ||
	    archive_open_path(archiver, &source, entry->real_path, ORIGIN_REFUSE_LINK) <
		    0)
		return -1;
	return manifest_is_same_file(entry, &source.status) ? steal_fd(&source.fd) : -1;
}

/* Check a copy that has no checksum, because it shared the blocks of its original. */
static void check_by_original(struct archive_finding *finding,
			      const struct archiver *archiver, int fd,
			      const struct manifest_entry *entry)
{
	cleanup_fd int original = open_original(archiver, entry);
	char hash[HASH_TEXT_SIZE], wanted[HASH_TEXT_SIZE];

	finding->outcome = EXPT_PRESENT;
	if (original < 0 || archive_hash(wanted, archiver, original) < 0) {
		finding->reason = "no checksum recorded";
	} else if (archive_hash(hash, archiver, fd) < 0 || strcmp(hash, wanted) != 0) {
		finding->outcome = EXPT_CHANGED;
		finding->reason = "its copy differs from the original";
	}
}

void archive_check_bytes(struct archive_finding *finding, const struct archiver *archiver,
			 int fd, const char *stored, const struct manifest_entry *entry)
{
	bool is_known = entry && *entry->hash;
	char hash[HASH_TEXT_SIZE];

	finding->outcome = EXPT_CHANGED;
	if (!is_known && !*stored)
		check_by_original(finding, archiver, fd, entry);
	else if (archive_hash(hash, archiver, fd) < 0)
		finding->reason = "its copy cannot be read";
	else if ((is_known && strcmp(hash, entry->hash) != 0) ||
		 (*stored && strcmp(hash, stored) != 0))
		finding->reason = "the checksum of its copy does not match";
}

static void check_copy(struct archive_finding *finding, const struct archiver *archiver,
		       const struct archive_object *object,
		       const struct manifest_entry *entry)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	char name[ARCHIVE_NAME_SIZE], stored[HASH_TEXT_SIZE] = "";

	expt_archive_name(name, archive_kept_path(object));
	finding->outcome = EXPT_CHANGED;
	if (!check_link(finding, archiver, name, stored))
		return;
	if (!archive_open_copy(&source, archiver, archiver->to.archives, object))
		finding->reason = "its copy is not the file that was recorded";
	else
		archive_check_bytes(finding, archiver, source.fd, stored, entry);
}

int archive_check(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err)
{
	const char *path = archive_kept_path(object);
	const struct manifest_entry *entry =
		manifest_find(&archiver->known.manifest, path);
	bool is_copied = has_copy(archiver, path);
	struct archive_finding finding = {
		.outcome = entry ? archive_outcome(entry->state) : EXPT_MISSING
	};

	if (object->problem) {
		archive_say(archiver, EXPT_REFUSED, object->path, "%s", object->problem);
		return 0;
	}
	if (is_copied)
		check_copy(&finding, archiver, object, entry);
	else if (archive_wants_copy(archiver, object))
		finding.reason = entry && *entry->reason ? entry->reason : "not archived";
	else
		finding.reason = description_problem(archiver, object);
	if (finding.reason)
		archive_say(archiver, finding.outcome, object->path, "%s",
			    finding.reason);
	else
		archive_say(archiver, EXPT_PRESENT, object->path, "%s", "");
	return 0;
}

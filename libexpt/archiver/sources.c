/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives source files. The line tables of the load objects name them, and load
 * objects may come from anyone, so not every file that is named is taken. A file whose
 * checksum is in the table must match it. Others must be text, older than the run, and
 * readable for the user who made the object, or who could have put it there. An
 * archived copy can only name files with their checksum: its maker is unknown. For
 * another user's experiment only files that he can read are opened, see access.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/name.h"
#include "libexpt/archives/store.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"

#define TEXT_BYTES 4096 /* examined to see if a file is text */

/* ---- is it the file that was compiled? ---- */

/* Compare the file with the checksum that the compiler recorded. */
static enum expt_outcome prove(const struct archive_code *code,
			       const struct archive_source *source, const char **reason)
{
	unsigned char sum[MD5_SIZE];

	*reason = "its checksum cannot be computed";
	if (digest_md5(sum, source->fd, NULL) < 0)
		return EXPT_FAILED;
	*reason = "its checksum does not match the line table";
	return digest_md5_is(sum, code->md5) ? EXPT_COPIED : EXPT_CHANGED;
}

static bool is_text(int fd)
{
	char bytes[TEXT_BYTES];
	ssize_t got = io_pread_full(fd, bytes, sizeof(bytes), 0);

	return got >= 0 && !memchr(bytes, '\0', (size_t)got);
}

static bool is_readable_to_namer(const struct archiver *archiver,
				 const struct archive_code *code,
				 const struct archive_source *source)
{
	return code->trust == ARCHIVE_TRUSTED ||
	       source->origin.readers == ORIGIN_EVERYONE ||
	       access_has_user(&archiver->to.access, code->owner, &source->origin,
			       &source->status, source->real_path);
}

/* Returns why the file is not taken: the outcome, and *reason. EXPT_COPIED if nothing
 * rules it out. */
static enum expt_outcome judge(struct archiver *archiver, const struct archive_code *code,
			       const struct archive_source *source, const char **reason)
{
	int64_t started_at;

	if (code->has_md5)
		return prove(code, source, reason);
	*reason = "not a text file";
	if (!is_text(source->fd))
		return EXPT_REFUSED;
	started_at = archive_started_at(archiver, code->member);
	*reason = "modified after the start of the run";
	if (started_at && source->status.st_mtim.tv_sec > started_at)
		return EXPT_CHANGED;
	return EXPT_COPIED;
}

/* ---- leaving out ---- */

/* A renewal keeps old files that are no longer available elsewhere. */
static bool is_kept(const struct archiver *archiver, const struct archive_code *code)
{
	char name[ARCHIVE_NAME_SIZE];
	struct stat status;

	expt_archive_name(name, code->path);
	return archiver->to.previous >= 0 &&
	       store_stat(&status, archiver->to.previous, name) == 0;
}

/* Returns 0. If memory runs out, the manifest merely lacks this line. */
static int leave_out(struct archiver *archiver, struct archive_code *code,
		     enum expt_outcome outcome, const struct archive_source *source,
		     const char *reason)
{
	struct manifest_entry entry = {
		.state = outcome == EXPT_CHANGED ? MANIFEST_CHANGED : MANIFEST_REFUSED,
		.path = code->path,
		.real_path = "",
		.build_id = "",
		.reason = reason,
	};

	if (is_kept(archiver, code)) {
		archive_say(archiver, EXPT_NOTE, code->path,
			    "kept, because it cannot be archived again: %s",
			    *reason ? reason : "the file is missing");
		return 0;
	}
	archive_say(archiver, outcome, code->path, "%s", reason);
	if (outcome == EXPT_ABSENT) {
		code->is_absent = true;
		return 0;
	}
	if (outcome == EXPT_FAILED) /* says nothing about the file */
		return 0;
	if (source && source->origin.readers == ORIGIN_EVERYONE)
		manifest_set_file(&entry, &source->status);
	manifest_put(&archiver->to.changes, &entry);
	return 0;
}

/* ---- the file at the path ---- */

static int leave_unopened(struct archiver *archiver, struct archive_code *code, int rc)
{
	const char *reason;
	enum manifest_state state = archive_why_unopened(archiver, rc, &reason);
	enum expt_outcome outcome = archive_outcome(state);

	if (rc == -ENOENT || rc == -ENOTDIR)
		outcome = EXPT_ABSENT;
	return leave_out(archiver, code, outcome, NULL, reason);
}

static int open_file(struct archiver *archiver, struct archive_code *code,
		     struct archive_source *source)
{
	int rc;

	if (code->trust == ARCHIVE_UNTRUSTED && !code->has_md5)
		return leave_out(archiver, code, EXPT_ABSENT, NULL,
				 "only the load object identifies it as a source, "
				 "without a checksum");
	rc = code->object == ARCHIVE_CLASSES
		     ? archive_open_class_code(archiver, source, code->path)
		     : archive_open_found(archiver, source, code->path,
					  ORIGIN_FOLLOW_LINK);
	if (rc == -ENOMEM)
		return rc;
	return rc < 0 ? leave_unopened(archiver, code, rc) : 1;
}

int archive_open_code(struct archiver *archiver, struct archive_code *code,
		      struct archive_source *source)
{
	enum expt_outcome outcome;
	const char *reason = "";
	int rc = open_file(archiver, code, source);

	if (rc <= 0)
		return rc;
	source->match = IDENTITY_SAME;
	outcome = judge(archiver, code, source, &reason);
	if (outcome == EXPT_COPIED && !code->has_md5 &&
	    !is_readable_to_namer(archiver, code, source)) {
		outcome = EXPT_REFUSED;
		reason = "its owner is not the owner of the load object that names it";
	}
	if (outcome == EXPT_COPIED)
		return 1;
	return leave_out(archiver, code, outcome, source, reason);
}

/* ---- archiving one ---- */

int archive_record_plain(struct archiver *archiver, enum manifest_state state,
			 const char *path, const struct archive_source *source,
			 const char *hash, struct expt_error *err)
{
	struct manifest_entry entry = {
		.state = state,
		.path = path,
		.real_path = source->real_path,
		.build_id = "",
		.reason = "",
	};

	snprintf(entry.hash, sizeof(entry.hash), "%s", hash);
	manifest_set_file(&entry, &source->status);
	archiver->to.has_private |= source->origin.readers != ORIGIN_EVERYONE;
	if (manifest_put(&archiver->to.changes, &entry) < 0)
		return expt_fail(err, -ENOMEM, "cannot record '%s'", path);
	return 0;
}

static bool open_copy(struct archive_source *source, const struct archiver *archiver,
		      const struct archive_code *code)
{
	char name[ARCHIVE_NAME_SIZE];

	if (archiver->to.archives < 0)
		return false;
	expt_archive_name(name, code->path);
	source->fd = archive_open_stored(&source->status, archiver, archiver->to.archives,
					 name);
	return source->fd >= 0;
}

/* Take over a copy that is not in the manifest, such as gprofng's. Returns 1 if so. */
static int adopt(struct archiver *archiver, const struct archive_code *code,
		 struct expt_error *err)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	char hash[HASH_TEXT_SIZE];
	const char *reason;
	int rc;

	if (!open_copy(&source, archiver, code) ||
	    judge(archiver, code, &source, &reason) != EXPT_COPIED ||
	    archive_hash(hash, archiver, source.fd) < 0)
		return 0;
	archive_judge(archiver, &source);
	archive_say(archiver, EXPT_PRESENT, code->path, "%s", "");
	if (archiver->asked.options->operation.dry_run)
		return 1;
	rc = archive_record_plain(archiver, MANIFEST_SOURCE, code->path, &source, hash,
				  err);
	return rc < 0 ? rc : 1;
}

static int take(struct archiver *archiver, struct archive_code *code,
		struct expt_error *err)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	const struct archive_object own = { .path = code->path, .identity.build_id = "" };
	char hash[HASH_TEXT_SIZE];
	int rc = archive_open_code(archiver, code, &source);

	if (rc > 0 && !archiver->asked.options->operation.dry_run)
		rc = archive_write_copy(archiver, &source, &own, hash, err);
	if (rc <= 0)
		return rc;
	archive_say(archiver, archive_copied(archiver, &source), code->path, "%s", "");
	if (archiver->asked.options->operation.dry_run)
		return 0;
	return archive_record_plain(archiver, MANIFEST_SOURCE, code->path, &source, hash,
				    err);
}

static int store(struct archiver *archiver, struct archive_code *code,
		 struct expt_error *err)
{
	int rc;

	if (archive_has_copy(archiver, MANIFEST_SOURCE, code->path)) {
		archive_say(archiver, EXPT_PRESENT, code->path, "%s", "");
		return 0;
	}
	rc = adopt(archiver, code, err);
	if (rc == 0)
		rc = take(archiver, code, err);
	return rc < 0 ? rc : 0;
}

/* ---- checking one ---- */

/* A file that is not archived is missing only if it could be archived. */
static void check_absent(struct archiver *archiver, struct archive_code *code)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;

	if (archive_open_code(archiver, code, &source) > 0)
		archive_say(archiver, EXPT_MISSING, code->path, "not archived");
}

static int check(struct archiver *archiver, struct archive_code *code,
		 struct expt_error *err)
{
	const struct manifest_entry *known =
		manifest_find(&archiver->known.manifest, code->path);
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	char hash[HASH_TEXT_SIZE];

	if (!open_copy(&source, archiver, code))
		check_absent(archiver, code);
	else if (archive_hash(hash, archiver, source.fd) < 0)
		archive_say(archiver, EXPT_CHANGED, code->path,
			    "its copy cannot be read");
	else if (known && *known->hash && strcmp(hash, known->hash) != 0)
		archive_say(archiver, EXPT_CHANGED, code->path,
			    "the checksum of its copy does not match");
	else
		archive_say(archiver, EXPT_PRESENT, code->path, "%s", "");
	return 0;
}

/* ---- all of them ---- */

static const char *namer(const struct archiver *archiver, const struct archive_code *code)
{
	return code->object == ARCHIVE_CLASSES
		       ? archiver->known.path
		       : archiver->known.objects.items[code->object].path;
}

/* Report absent files in one line for each object: few people can do anything about
 * them. */
static void say_absent(struct archiver *archiver, const struct archive_codes *codes)
{
	for (size_t i = 0; i < codes->count;) {
		size_t object = codes->items[i].object, first = i, absent = 0;
		const char *example = NULL;

		for (; i < codes->count && codes->items[i].object == object; i++)
			if (codes->items[i].is_absent) {
				example = codes->items[i].path;
				absent++;
			}
		if (absent > 0)
			archive_say(archiver, EXPT_NOTE,
				    namer(archiver, &codes->items[first]),
				    "%zu of %zu source files %sare missing, such as "
				    "'%s'%s",
				    absent, i - first,
				    object == ARCHIVE_CLASSES ? "of Java classes " : "",
				    example,
				    object == ARCHIVE_CLASSES ? ": use addpath" : "");
	}
}

int archive_sources(struct archiver *archiver, struct expt_error *err)
{
	struct archive_codes codes = { .items = NULL };
	int rc = archive_list_codes(&codes, archiver, err);

	for (size_t i = 0; rc == 0 && i < codes.count; i++)
		rc = archiver->asked.options->check_only
			     ? check(archiver, &codes.items[i], err)
			     : store(archiver, &codes.items[i], err);
	if (rc == 0)
		say_absent(archiver, &codes);
	archive_codes_release(&codes);
	return rc;
}

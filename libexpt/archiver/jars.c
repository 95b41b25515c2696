/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives jars and class files, whole: the files from which a Java machine loaded
 * classes. A recorder may put jars into the map as it does libraries; the file of the
 * Java agent contains where classes came from. Neither is trusted, so only jars and
 * class files are taken.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/class_location.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"

/* ---- which jars ---- */

bool archive_is_jar_name(const char *path)
{
	return text_ends_with(path, ".jar");
}

int archive_add_jar(struct archiver *archiver, struct archive_object jar)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, jar.path);
	uint32_t *slot = idmap_add(&archiver->known.jar_index, key);
	struct archive_object *new;

	if (!slot)
		return -ENOMEM;
	if (*slot != IDMAP_NONE)
		return 0;
	*slot = 0;
	new = array_add(&archiver->known.jars);
	if (!new)
		return -ENOMEM;
	jar.problem = archive_name_problem(jar.path);
	jar.is_excluded = !archive_patterns_match(&archiver->asked.patterns, jar.path);
	jar.path = arena_text(&archiver->strings, jar.path, strnlen(jar.path, PATH_MAX));
	jar.identity.build_id = "";
	*new = jar;
	return jar.path ? 0 : -ENOMEM;
}

static int add_location(struct archiver *archiver, const struct expt_class *class,
			size_t member)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;

	class_location_path(&path, class->detail, class->detail_length, class->name,
			    class->name_length);
	if (path.failed)
		return -ENOMEM;
	/* The classes of the Java machine itself are in "jrt:/". */
	if (path.length == 0 || *path.text != '/' || path.length >= PATH_MAX)
		return 0;
	return archive_add_jar(archiver, (struct archive_object){ .path = path.text,
								  .member = member });
}

static int list_classes(struct archiver *archiver, struct expt *expt, size_t member,
			struct expt_error *err)
{
	struct expt_classes *classes;
	struct expt_class class;
	int rc = expt_classes_open(&classes, expt, err);

	if (rc < 0)
		return rc;
	while ((rc = expt_classes_next(classes, &class, err)) > 0)
		if (class.kind == EXPT_CLASS_LOCATION &&
		    add_location(archiver, &class, member) < 0) {
			rc = expt_fail(err, -ENOMEM, "cannot list its jars");
			break;
		}
	expt_classes_close(classes);
	return rc;
}

static int list_member(struct archiver *archiver, size_t member, struct expt_error *err)
{
	char path[PATH_MAX];
	struct expt_error why;
	struct expt *expt;
	int rc;

	if (archive_open_member(&expt, archiver, member, NULL) < 0)
		return 0;
	archive_member_path(path, archiver, member);
	rc = list_classes(archiver, expt, member, &why);
	expt_close(expt);
	if (rc == -ENOMEM)
		return expt_fail_in(err, rc, "'%s'", path);
	if (rc < 0)
		archive_say(archiver, EXPT_FAILED, path,
			    "cannot tell which jars it uses: %s", why.message);
	return 0;
}

/* ---- is it a jar? ---- */

static uint32_t little_endian(const unsigned char *bytes)
{
	return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
	       (uint32_t)bytes[1] << 8 | bytes[0];
}

static bool has_bytes(int fd, uint64_t offset, const char bytes[4])
{
	char found[4];

	return offset <= INT64_MAX &&
	       io_pread_full(fd, found, sizeof(found), (off_t)offset) == sizeof(found) &&
	       memcmp(found, bytes, sizeof(found)) == 0;
}

/* The record at the end of a zip file contains the offset of its directory, which begins
 * with an entry; a larger file has a larger record in front of it. Data before the first
 * member of a jar, such as a script, shifts the directory. */
static bool has_directory(int fd, uint64_t end, const unsigned char record[22])
{
	uint32_t size = little_endian(record + 12), offset = little_endian(record + 16);

	if (record[10] == 0 && record[11] == 0)
		return end == 0; /* empty */
	return (size <= end && has_bytes(fd, end - size, "PK\1\2")) ||
	       (offset < end && has_bytes(fd, offset, "PK\1\2")) ||
	       (end >= 20 && has_bytes(fd, end - 20, "PK\6\7"));
}

static bool is_zip(int fd, const struct stat *status, unsigned char *buffer)
{
	uint64_t size = (uint64_t)status->st_size;
	uint64_t first = size > ARCHIVE_BUFFER ? size - ARCHIVE_BUFFER : 0;
	ssize_t got = io_pread_full(fd, buffer, ARCHIVE_BUFFER, (off_t)first);

	for (ssize_t i = got - 22; i >= 0; i--)
		if (memcmp(buffer + i, "PK\5\6", 4) == 0)
			return has_directory(fd, first + (uint64_t)i, buffer + i);
	return false;
}

static bool is_jar(const struct archiver *archiver, const struct archive_source *source)
{
	return has_bytes(source->fd, 0, "\xca\xfe\xba\xbe") ||
	       is_zip(source->fd, &source->status, archiver->buffer);
}

/* ---- the file ---- */

static int refuse(struct archiver *archiver, const struct archive_object *jar,
		  enum manifest_state state, const struct archive_source *source,
		  const char *reason)
{
	return archive_leave_out(archiver, jar, state, source, reason);
}

static enum identity_match compare(const struct archive_object *jar,
				   const struct stat *status, uint64_t unit_ns)
{
	const struct expt_identity found = identity_of("", status);

	return identity_compare(&jar->identity, &found, unit_ns);
}

/* Compare as for load objects. Returns 1, or 0, which has been reported. */
static int check_identity(struct archiver *archiver, struct archive_source *source,
			  const struct archive_object *jar)
{
	const struct stat *status = &source->status;
	int64_t started_at = archive_started_at(archiver, jar->member);

	source->match = compare(jar, status, 1);
	if (source->match == IDENTITY_DIFFERS)
		return refuse(
			archiver, jar, MANIFEST_CHANGED, source,
			"its size or modification time differs from the recorded one");
	if (source->match == IDENTITY_UNKNOWN && started_at &&
	    status->st_mtim.tv_sec > started_at)
		return refuse(archiver, jar, MANIFEST_CHANGED, source,
			      "modified after the start of the run");
	return 1;
}

static int open_jar(struct archiver *archiver, struct archive_source *source,
		    const struct archive_object *jar)
{
	int rc = archive_open_found(archiver, source, jar->path, ORIGIN_REFUSE_LINK);
	enum manifest_state state;
	const char *reason;

	if (rc == -ENOMEM)
		return rc;
	if (rc < 0) {
		state = archive_why_unopened(archiver, rc, &reason);
		return refuse(archiver, jar, state, NULL, reason);
	}
	if (!is_jar(archiver, source))
		return refuse(archiver, jar, MANIFEST_REFUSED, source,
			      "not a jar or class file");
	return check_identity(archiver, source, jar);
}

/* ---- archiving ---- */

/* Take over a copy that is not in the manifest, such as gprofng's. Returns 1 if so. */
static int adopt(struct archiver *archiver, const struct archive_object *jar,
		 struct expt_error *err)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	char name[ARCHIVE_NAME_SIZE], hash[HASH_TEXT_SIZE];
	int rc;

	if (archiver->to.archives < 0)
		return 0;
	expt_archive_name(name, jar->path);
	source.fd = archive_open_stored(&source.status, archiver, archiver->to.archives,
					name);
	if (source.fd < 0 || !is_jar(archiver, &source) ||
	    compare(jar, &source.status, NS_PER_SECOND) == IDENTITY_DIFFERS ||
	    archive_hash(hash, archiver, source.fd) < 0)
		return 0;
	archive_judge(archiver, &source);
	archive_say(archiver, EXPT_PRESENT, jar->path, "%s", "");
	if (archiver->asked.options->operation.dry_run)
		return 1;
	rc = archive_record_plain(archiver, MANIFEST_JAR, jar->path, &source, hash, err);
	return rc < 0 ? rc : 1;
}

static int take(struct archiver *archiver, const struct archive_object *jar,
		struct expt_error *err)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	char hash[HASH_TEXT_SIZE];
	int rc = open_jar(archiver, &source, jar);

	if (rc > 0 && !archiver->asked.options->operation.dry_run)
		rc = archive_write_copy(archiver, &source, jar, hash, err);
	if (rc <= 0)
		return rc;
	archive_say(archiver, archive_copied(archiver, &source), jar->path, "%s",
		    source.match == IDENTITY_UNKNOWN ? "unverified" : "");
	return archiver->asked.options->operation.dry_run
		       ? 0
		       : archive_record_plain(archiver, MANIFEST_JAR, jar->path, &source,
					      hash, err);
}

static int store(struct archiver *archiver, const struct archive_object *jar,
		 struct expt_error *err)
{
	int rc;

	if (jar->problem)
		return refuse(archiver, jar, MANIFEST_REFUSED, NULL, jar->problem);
	if (archive_has_copy(archiver, MANIFEST_JAR, jar->path)) {
		archive_say(archiver, EXPT_PRESENT, jar->path, "%s", "");
		return 0;
	}
	rc = adopt(archiver, jar, err);
	if (rc == 0)
		rc = take(archiver, jar, err);
	return rc < 0 ? rc : 0;
}

/* ---- all of them ---- */

static int check(struct archiver *archiver, const struct archive_object *jar)
{
	const struct manifest_entry *known =
		manifest_find(&archiver->known.manifest, jar->path);

	if (known && known->state == MANIFEST_JAR)
		archive_check_line(archiver, known);
	else
		archive_say(archiver,
			    known ? archive_outcome(known->state) : EXPT_MISSING,
			    jar->path, "%s",
			    known && *known->reason ? known->reason : "not archived");
	return 0;
}

int archive_jars(struct archiver *archiver, struct expt_error *err)
{
	bool checks = archiver->asked.options->check_only && !archiver->to.gather;
	int rc = 0;

	for (size_t i = 0;
	     rc == 0 && archiver->known.has_java && i < archiver->known.members.count;
	     i++)
		rc = list_member(archiver, i, err);
	for (size_t i = 0; rc == 0 && i < archiver->known.jars.count; i++) {
		const struct archive_object *jar = &archiver->known.jars.items[i];

		if (jar->is_excluded)
			continue;
		rc = checks ? check(archiver, jar) : store(archiver, jar, err);
	}
	return rc;
}

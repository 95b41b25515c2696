/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of the Java agent tell where classes came from. They are not trusted: archived
 * files are opened beneath the experiment only, others must be regular files, and the
 * method must be in them with the lines that were recorded.
 */
#include "libexpt/listing/method_code.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archives/name.h"
#include "libexpt/archives/search.h"
#include "libexpt/archives/store.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/bytecode/line_tables.h"
#include "libexpt/common/error.h"
#include "libexpt/objects/lined_code.h"
#include "libexpt/stream/zip_member.h"

/* A jar may hold a member that unpacks to any size; class files are far smaller. */
#define CLASS_FILE_MAX ((size_t)64 << 20)

struct hunt {
	const struct expt_function *function;
	const struct java_bytecode *wanted;
	struct method_code *found;
	unsigned long release;	   /* of what was found in a jar; 0: for all */
	struct expt_error problem; /* the first one */
	bool has_problem;
};

/* ---- a file of a class, or a jar --------------------------------------------------- */

static bool is_class_file(int fd)
{
	unsigned char magic[4] = { 0 };

	return io_pread_full(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
	       memcmp(magic, "\xca\xfe\xba\xbe", sizeof(magic)) == 0;
}

/* Check that the method has each recorded line at its offset. */
static bool has_lines(const struct method_code *code, const struct java_bytecode *wanted)
{
	cleanup_free bool *is_found = calloc(wanted->line_count + 1, sizeof(*is_found));
	struct line_tables tables;
	uint32_t offset, line;
	size_t found = 0;

	line_tables_begin(&tables, code->file, &code->code);
	while (is_found && line_tables_next(&tables, &offset, &line)) {
		size_t at =
			lined_code_count_to(wanted->lines, wanted->line_count, offset);

		if (at == 0 || wanted->lines[at - 1].offset != offset ||
		    wanted->lines[at - 1].line != line || is_found[at - 1])
			continue;
		is_found[at - 1] = true;
		found++;
	}
	return found == wanted->line_count;
}

static int find_method(struct method_code *code, const struct java_bytecode *wanted,
		       struct expt_error *err)
{
	int rc = class_file_open(&code->file, code->bytes.bytes, code->bytes.size);

	if (rc < 0)
		return expt_refuse(err, rc,
				   rc == -ENOMEM ? "out of memory"
						 : "the class is damaged");
	if (!class_file_code(code->file, wanted->name, wanted->signature, &code->code))
		return expt_refuse(err, -ENOENT, "it has no code of '%s%s'", wanted->name,
				   wanted->signature);
	if (!has_lines(code, wanted))
		return expt_refuse(err, -ENOENT, "it is not the one that was recorded");
	return 0;
}

static void note_problem(struct hunt *hunt, const char *place,
			 const struct expt_error *reason)
{
	if (hunt->has_problem)
		return;
	hunt->has_problem = true;
	expt_refuse(&hunt->problem, -ENOENT, "'%s': %s", place, reason->message);
}

/* Take the bytes of a class, if the method is in it, and not found for a later release.
 * The bytes become ours. */
static void take_class(struct hunt *hunt, const char *place, unsigned long release,
		       struct io_file bytes)
{
	struct method_code code = { .bytes = bytes };
	struct expt_error reason;

	if (find_method(&code, hunt->wanted, &reason) < 0) {
		note_problem(hunt, place, &reason);
		method_code_close(&code);
	} else if (hunt->found->file && hunt->release >= release) {
		method_code_close(&code);
	} else {
		method_code_close(hunt->found);
		*hunt->found = code;
		hunt->release = release;
	}
}

/* ---- jars ---- */

struct jar {
	struct hunt *hunt;
	const char *place;
};

/* A jar may have a class for each release of Java, as
 * "META-INF/versions/17/pkg/Cell.class". The recorded lines tell which one it was.
 * Returns its release, 0 for the one for all; ULONG_MAX: it is another class. */
static unsigned long release_of(const struct jar *jar, const char *name)
{
	static const char versions[] = "META-INF/versions/";
	const char *class_name = jar->hunt->wanted->class_name;
	size_t length = strlen(class_name);
	unsigned long release = 0;

	if (strncmp(name, versions, strlen(versions)) == 0) {
		char *end;

		release = strtoul(name + strlen(versions), &end, 10);
		if (*end != '/' || release == 0)
			return ULONG_MAX;
		name = end + 1;
	}
	return strncmp(name, class_name, length) == 0 &&
			       strcmp(name + length, ".class") == 0
		       ? release
		       : ULONG_MAX;
}

static bool wants_class(void *context, const char *name)
{
	return release_of(context, name) != ULONG_MAX;
}

static void take_member(void *context, const char *name, unsigned char *bytes,
			size_t size)
{
	const struct jar *jar = context;

	take_class(jar->hunt, jar->place, release_of(jar, name),
		   (struct io_file){ bytes, size });
}

static void take_jar(struct hunt *hunt, int fd, const char *place)
{
	struct jar jar = { hunt, place };
	struct expt_error reason;
	int rc = zip_members_read(fd,
				  &(struct zip_reader){ CLASS_FILE_MAX, wants_class,
							take_member, &jar },
				  &reason);

	if (rc == 0)
		expt_refuse(&reason, -ENOENT, "there is no '%s.class'",
			    hunt->wanted->class_name);
	if (rc <= 0)
		note_problem(hunt, place, &reason);
}

/* ---- places ---- */

/* Returns true if the file has the method. */
static bool take(struct hunt *hunt, int fd, const char *place)
{
	struct io_file bytes = { 0 };
	struct expt_error reason;
	int rc;

	if (!is_class_file(fd)) {
		take_jar(hunt, fd, place);
	} else {
		rc = io_file_read(&bytes, fd);
		if (rc == 0) {
			take_class(hunt, place, 0, bytes);
		} else {
			expt_fail(&reason, rc, "cannot read it");
			note_problem(hunt, place, &reason);
		}
	}
	return hunt->found->file;
}

static bool try_archives(struct hunt *hunt, const char *path)
{
	const struct object_table *table = hunt->function->object->table;
	char name[ARCHIVE_NAME_SIZE];
	struct stat status;
	cleanup_fd int fd = -1;

	if (!folder_is_open(&table->archives))
		return false;
	expt_archive_name(name, path);
	fd = store_open_in(&status, &table->archives, name, NULL);
	return fd >= 0 && take(hunt, fd, path);
}

/* A file that is newer than the recording has been made again since. */
static bool is_newer(const struct hunt *hunt, const struct stat *status)
{
	int64_t started = hunt->function->object->table->started_at;

	return started > 0 && status->st_mtim.tv_sec > started;
}

static bool try_place(struct hunt *hunt, const char *place)
{
	cleanup_fd int fd = open(place, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct expt_error newer;
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	if (!is_newer(hunt, &status))
		return take(hunt, fd, place);
	expt_refuse(&newer, -ENOENT, "it is newer than the experiment");
	note_problem(hunt, place, &newer);
	return false;
}

static bool try_search(struct hunt *hunt, const char *path)
{
	const struct object_table *table = hunt->function->object->table;
	struct archive_search state = { .search = &table->search, .path = path };
	char place[PATH_MAX];

	while (archive_search_next(&state, place))
		if (try_place(hunt, place))
			return true;
	return false;
}

/* A directory that is searched may be one of class files, whatever they came from. */
static bool look(struct hunt *hunt)
{
	const char *class_path = hunt->function->object->path;
	const char *location = hunt->wanted->location;

	if (*location != '/')
		return try_search(hunt, class_path);
	return try_archives(hunt, location) || try_search(hunt, location) ||
	       try_search(hunt, class_path) || try_place(hunt, location);
}

/* ---- public ------------------------------------------------------------------------ */

int method_code_open(struct method_code *out, const struct expt_function *function,
		     struct expt_error *err)
{
	struct hunt hunt = { .function = function,
			     .wanted = function->bytecode,
			     .found = out };

	*out = (struct method_code){ 0 };
	if (look(&hunt))
		return 0;
	if (hunt.has_problem)
		return expt_refuse(err, -ENOENT, "%s", hunt.problem.message);
	if (function->bytecode->location[0] == '\0')
		return expt_refuse(
			err, -ENOENT,
			"cannot find the class file of '%s': it is a class of the "
			"Java machine itself, or was made at run time",
			function->object->path);
	return expt_refuse(err, -ENOENT, "cannot find the class file of '%s'",
			   function->object->path);
}

void method_code_close(struct method_code *code)
{
	class_file_close(code->file);
	io_file_close(&code->bytes);
	*code = (struct method_code){ 0 };
}

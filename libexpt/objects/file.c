/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding the file with the symbols of a load object: the archived copy, the archived
 * description, the file that has the path now, or one where a search leads. If another
 * file with that path was archived first, the object is archived as a version of the
 * path. Names come from map.xml, which is untrusted: archived files are opened beneath
 * the experiment only, others must be regular files, and all must match what was
 * recorded, as far as that is known.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/archives/name.h"
#include "libexpt/archives/search.h"
#include "libexpt/archives/store.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/content.h"
#include "libexpt/objects/private.h"

enum source { SOURCE_COPY, SOURCE_DESCRIPTION, SOURCE_PATH, SOURCE_ELSEWHERE };

struct candidate {
	enum source source;
	bool is_version;  /* of the path, archived under a name of its own */
	const char *path; /* for display; allocated in the table */
	struct stat status;
	struct elf *elf;
};

/* Keep only the first problem, which is that of the best file. */
static void note_problem(struct expt_object *object, const char *text)
{
	if (!object->problem)
		object->problem = arena_text(&object->table->strings, text, strlen(text));
}

/* ---- opening ----------------------------------------------------------------------- */

static void name_archived(char name[ARCHIVE_NAME_SIZE], const struct candidate *candidate,
			  const struct expt_object *object)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;

	if (candidate->is_version)
		archive_version_path(&path, object->path, object->identity.build_id,
				     object->identity.size, object->identity.mtime_ns);
	else
		strbuf_add_text(&path, object->path);
	if (candidate->source == SOURCE_COPY)
		expt_archive_name(name, strbuf_text(&path));
	else
		expt_archive_description_name(name, strbuf_text(&path));
}

static int open_archived(struct candidate *candidate, const struct expt_object *object,
			 struct expt_error *err)
{
	struct object_table *table = object->table;
	char name[ARCHIVE_NAME_SIZE];
	struct strbuf path = STRBUF_INIT;

	if (!folder_is_open(&table->archives))
		return -ENOENT;
	name_archived(name, candidate, object);
	strbuf_printf(&path, "%s/%s", table->archives_path ? table->archives_path : "?",
		      name);
	candidate->path = arena_text(&table->strings, strbuf_text(&path), path.length);
	strbuf_release(&path);
	return store_open_in(&candidate->status, &table->archives, name, err);
}

/* People link files where they keep them, so links are followed elsewhere. */
static int open_path(struct candidate *candidate, const struct expt_object *object)
{
	int follow = candidate->source == SOURCE_PATH ? O_NOFOLLOW : 0;
	cleanup_fd int fd = -1;

	if (candidate->source == SOURCE_PATH)
		candidate->path = object->path;
	if (*object->path != '/') /* "[vdso]" is not a file in the current directory */
		return -ENOENT;
	fd = open(candidate->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | follow);
	if (fd < 0 || fstat(fd, &candidate->status) < 0)
		return -errno;
	return S_ISREG(candidate->status.st_mode) ? steal_fd(&fd) : -EINVAL;
}

static int open_candidate(struct candidate *candidate, struct expt_object *object,
			  struct expt_error *err)
{
	bool is_archived = candidate->source < SOURCE_PATH;
	int fd = is_archived ? open_archived(candidate, object, err)
			     : open_path(candidate, object);
	int rc;

	/* A file that was never archived is not a problem; one that is gone is. */
	if (fd == -ENOENT && candidate->source != SOURCE_PATH)
		return 0;
	if (fd == -EIO && is_archived && object->table->archives.package)
		return fd; /* err is set */
	if (fd == -EINVAL)
		return expt_refuse(err, fd, "'%s' is not a regular file",
				   candidate->path);
	if (fd < 0)
		return expt_fail(err, fd, "cannot open '%s'", candidate->path);
	rc = elf_open(&candidate->elf, fd, err);
	return rc < 0 ? expt_fail_in(err, rc, "'%s'", candidate->path) : 1;
}

/* ---- identity ---------------------------------------------------------------------- */

static bool is_recorded(const struct expt_object *object,
			const struct candidate *candidate)
{
	const char *build_id = elf_build_id(candidate->elf);
	struct expt_identity found = identity_of(build_id, &candidate->status);
	uint64_t unit_ns = candidate->source == SOURCE_COPY ? NS_PER_SECOND : 1;
	struct elf_note note;

	if (candidate->source == SOURCE_DESCRIPTION) {
		if (!elf_described(candidate->elf, &note))
			return false;
		found = note.identity;
		found.build_id = build_id;
	}
	return identity_compare(&object->identity, &found, unit_ns) != IDENTITY_DIFFERS;
}

static bool find_candidate(struct candidate *candidate, struct expt_object *object);

/* Try the archived file of this very version, after that of another one. */
static bool find_version(struct candidate *candidate, struct expt_object *object)
{
	struct candidate version = { .source = candidate->source, .is_version = true };

	if (candidate->source >= SOURCE_PATH || candidate->is_version ||
	    !find_candidate(&version, object))
		return false;
	*candidate = version;
	return true;
}

static bool find_elsewhere(struct candidate *candidate, struct expt_object *object)
{
	struct archive_search state = { .search = &object->table->search,
					.path = object->path };
	char place[PATH_MAX];

	while (archive_search_next(&state, place)) {
		candidate->path =
			arena_text(&object->table->strings, place, strlen(place));
		if (candidate->path && find_candidate(candidate, object))
			return true;
		candidate->path = NULL;
	}
	return false;
}

/* Find a file of this kind that matches the recording; if there is none, note why. */
static bool find_candidate(struct candidate *candidate, struct expt_object *object)
{
	struct expt_error err;
	int rc;

	if (candidate->source == SOURCE_ELSEWHERE && !candidate->path)
		return find_elsewhere(candidate, object);
	rc = open_candidate(candidate, object, &err);
	if (rc <= 0) {
		if (rc < 0)
			note_problem(object, err.message);
		return find_version(candidate, object);
	}
	if (is_recorded(object, candidate))
		return true;
	elf_close(candidate->elf);
	if (find_version(candidate, object))
		return true;
	expt_refuse(&err, -EBADMSG, "'%s' is not the file that was recorded",
		    candidate->path);
	/* This tells more than that no file is at the path. */
	if (candidate->source == SOURCE_ELSEWHERE)
		object->problem = NULL;
	note_problem(object, err.message);
	return false;
}

static void note_age(struct expt_object *object, const struct candidate *candidate)
{
	struct expt_error err;

	if (*object->identity.build_id || object->identity.has_file ||
	    object->table->started_at <= 0 ||
	    candidate->status.st_mtim.tv_sec <= object->table->started_at)
		return;
	expt_refuse(&err, -EBADMSG, "'%s' is newer than the experiment", candidate->path);
	note_problem(object, err.message);
}

static bool find_file(struct expt_object *object, enum source *source)
{
	const char *problem = object->problem;

	for (*source = SOURCE_COPY; *source <= SOURCE_ELSEWHERE; ++*source) {
		struct candidate candidate = { .source = *source };

		if (!find_candidate(&candidate, object))
			continue;
		/* Another file at the path does not matter if the right one is found. */
		if (candidate.is_version || *source == SOURCE_ELSEWHERE)
			object->problem = problem;
		if (*source >= SOURCE_PATH)
			note_age(object, &candidate);
		object->elf = candidate.elf;
		object->file = candidate.path;
		return true;
	}
	return false;
}

/* Returns the description beside an archived copy, if it is of the same build: it has the
 * symbols of the debug file that existed when it was made. */
static struct elf *find_description(struct expt_object *object)
{
	struct candidate candidate = { .source = SOURCE_DESCRIPTION };

	if (elf_has_symtab(object->elf) || !find_candidate(&candidate, object))
		return NULL;
	if (*elf_build_id(object->elf) &&
	    strcmp(elf_build_id(object->elf), elf_build_id(candidate.elf)) == 0)
		return candidate.elf;
	elf_close(candidate.elf);
	return NULL;
}

void object_load(struct expt_object *object)
{
	struct elf *description = NULL;
	struct expt_error err;
	enum source source;
	struct symbol_places places;

	if (object->is_loaded)
		return;
	object->is_loaded = true;
	if (find_file(object, &source)) {
		if (source == SOURCE_COPY)
			description = find_description(object);
		places = (struct symbol_places){ &object->table->archives,
						 &object->table->fetcher };
		if (symbol_table_read(&object->symbols, object->elf, description,
				      object->path, &places, &err) < 0)
			note_problem(object, err.message);
		elf_finish(object->elf);
	}
	if (object->symbols.debug)
		elf_finish(object->symbols.debug);
	if (object->symbols.end == 0)
		object->symbols.end = object->mapped_end;
}

/* A description has no code, so another file may have to be found than that of the
 * symbols. */
static bool find_code(struct candidate *candidate, struct expt_object *object)
{
	static const enum source sources[] = { SOURCE_COPY, SOURCE_PATH,
					       SOURCE_ELSEWHERE };

	for (size_t i = 0; i < sizeof(sources) / sizeof(*sources); i++) {
		*candidate = (struct candidate){ .source = sources[i] };
		if (find_candidate(candidate, object))
			return true;
	}
	return false;
}

int object_open_code(struct elf **out, struct expt_object *object, struct expt_error *err)
{
	const char *of_symbols, *problem;
	struct candidate candidate;
	bool is_found;

	object_load(object);
	of_symbols = object->problem;
	object->problem = NULL;
	is_found = find_code(&candidate, object);
	problem = object->problem;
	object->problem = of_symbols;
	if (!is_found)
		return expt_refuse(err, -ENOENT, "the code of '%s' is not available: %s",
				   object->path,
				   problem ? problem : "it was not recorded");
	*out = candidate.elf;
	return 0;
}

struct elf *object_open_with(struct expt_object *object, const char *section)
{
	const char *problem = object->problem;
	struct elf *elf = NULL;

	for (enum source source = SOURCE_COPY; !elf && source <= SOURCE_ELSEWHERE;
	     source++) {
		struct candidate candidate = { .source = source };

		if (!find_candidate(&candidate, object))
			continue;
		if (elf_has_content(candidate.elf, section))
			elf = candidate.elf;
		else
			elf_close(candidate.elf);
	}
	object->problem = problem; /* of the symbols; nothing is said about lines */
	return elf;
}

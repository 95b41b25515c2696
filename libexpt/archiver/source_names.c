/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the source files that the load objects of an experiment name, several objects at
 * a time. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/debug_file.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/common/pipeline.h"
#include "libexpt/elf/lines.h"
#include "libexpt/format.h"
#include "libexpt/layout/inside.h"

#define JOBS 8

struct list_job {
	struct archiver archiver; /* its messages are dropped: they have been reported */
	struct expt_archive_options options;
	size_t object;
	struct line_files files;
	enum archive_trust trust;
	uid_t owner;
	int rc;
	struct expt_error err;
};

/* ---- one object ---- */

static bool has_experiment(const char *path)
{
	const char *suffix = path;

	while ((suffix = strstr(suffix, EXPERIMENT_SUFFIX "/")) != NULL && suffix == path)
		suffix++;
	return suffix != NULL;
}

/* A file that came with an experiment says nothing about this machine, whatever links
 * lead to it. */
static bool is_in_experiment(const char *path, int fd)
{
	char real[PATH_MAX];

	return has_experiment(path) || !directory_path(real, fd) || has_experiment(real);
}

/* The least trusted file counts. If two users are involved, neither may be able to read
 * the files that are named. */
static void lower_trust(struct list_job *job, enum archive_trust trust, uid_t owner)
{
	if (trust == ARCHIVE_OWNERS_ONLY && job->trust == trust && job->owner != owner)
		trust = ARCHIVE_UNTRUSTED;
	if (trust <= job->trust)
		return;
	job->trust = trust;
	job->owner = owner;
}

/* For another user's experiment only files that he can read are opened, whatever names
 * them. In the calling user's own, files of that user and of root are trusted even where
 * others can write: people build in /tmp and in directories of groups. */
static void take_trust(struct list_job *job, const struct origin *origin,
		       const char *path, int fd)
{
	if (!*path || is_in_experiment(path, fd))
		lower_trust(job, ARCHIVE_UNTRUSTED, 0);
	else if (job->archiver.to.access.owner == ACCESS_OURS &&
		 origin->trust == ORIGIN_FOREIGN)
		lower_trust(job, ARCHIVE_OWNERS_ONLY, origin->stranger);
}

typedef bool find_debug_file(struct debug_file *file, const struct elf *elf,
			     const char *path, const struct folder *archives,
			     struct origins *origins);

/* An archived debug file is less trusted, so it is used only if there is no other. */
static bool find_debug(struct debug_file *file, find_debug_file *find,
		       struct list_job *job, const struct elf *elf, const char *path)
{
	const struct folder archives = { .dir = job->archiver.to.archives };
	struct origins *origins = job->archiver.to.access.origins;

	if (!find(file, elf, path, NULL, origins) &&
	    !find(file, elf, path, &archives, origins))
		return false;
	take_trust(job, &file->origin, file->is_archived ? "" : file->found_at, file->fd);
	return true;
}

static void list_files(struct list_job *job, const struct archive_source *source,
		       const struct archive_object *object)
{
	cleanup_debug_file struct debug_file file = DEBUG_FILE_INIT,
					     common = DEBUG_FILE_INIT;
	struct line_places places = { object->used.items, object->used.count };
	struct line_tables tables = { .object = source->elf, .debug = source->elf };
	bool is_used_only = archive_parts(job->options.mode)->sources == ARCHIVE_USED;
	const char *path = object->path;

	if (!elf_has_lines(source->elf) &&
	    find_debug(&file, debug_file_find, job, source->elf, path)) {
		tables.debug = file.elf;
		path = file.path;
	}
	if (find_debug(&common, debug_file_find_common, job, tables.debug, path))
		tables.common = common.elf;
	job->rc = elf_line_files(&job->files, &tables, is_used_only ? &places : NULL,
				 &job->err);
}

static bool open_any_copy(struct archive_source *source, const struct list_job *job,
			  const struct archive_object *object)
{
	const struct archiver *archiver = &job->archiver;

	return archive_open_copy(source, archiver, archiver->to.archives, object) ||
	       (archiver->to.previous >= 0 &&
		archive_open_copy(source, archiver, archiver->to.previous, object));
}

/* Prefer the file at the path of the object, if it is the recorded one. */
static void list(void *context)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	struct list_job *job = context;
	const struct archive_object *object =
		&job->archiver.known.objects.items[job->object];

	job->rc = 0;
	job->trust = ARCHIVE_TRUSTED;
	job->files = (struct line_files){ .items = NULL };
	if (archive_open_recorded(&job->archiver, &source, object) <= 0) {
		archive_source_release(&source);
		if (!open_any_copy(&source, job, object))
			return;
	}
	take_trust(job, &source.origin, source.real_path, source.fd);
	list_files(job, &source, object);
}

static void job_begin(struct list_job *job, struct archiver *archiver, size_t object)
{
	archive_job_begin(&job->archiver, &job->options, archiver,
			  &archiver->known.objects.items[object]);
	job->options.operation.report = NULL;
	job->object = object;
}

static void job_end(struct list_job *job)
{
	line_files_release(&job->files);
	archive_job_end(&job->archiver);
}

/* ---- the list ---- */

/* Add a source file, or trust it more. The first object that names it stays recorded. */
static int add_code(struct archive_codes *codes, const struct archiver *archiver,
		    const struct list_job *job, const struct line_file *file)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, file->path);
	struct archive_code *code;
	uint32_t *slot;

	if (idmap_find(&archiver->known.path_index, key) != IDMAP_NONE ||
	    !archive_patterns_match(&archiver->asked.patterns, file->path))
		return 0;
	slot = idmap_add(&codes->index, key);
	if (!slot)
		return -ENOMEM;
	if (*slot != IDMAP_NONE) {
		code = &codes->items[*slot];
		if (!code->has_md5 && job->trust < code->trust) {
			code->trust = job->trust;
			code->owner = job->owner;
		}
		return 0;
	}
	code = array_add(codes);
	if (!code)
		return -ENOMEM;
	*slot = (uint32_t)(codes->count - 1);
	code->path = arena_text(&codes->strings, file->path, strlen(file->path));
	code->object = job->object;
	code->member = archiver->known.objects.items[job->object].member;
	code->trust = job->trust;
	code->owner = job->owner;
	code->has_md5 = file->has_md5;
	memcpy(code->md5, file->md5, MD5_SIZE);
	return code->path ? 0 : -ENOMEM;
}

static int take_list(struct archive_codes *codes, struct archiver *archiver,
		     const struct list_job *job)
{
	int rc = 0;

	if (job->rc < 0 && job->rc != -ENOMEM)
		archive_say(archiver, EXPT_NOTE,
			    archiver->known.objects.items[job->object].path,
			    "cannot list all of its source files: %s", job->err.message);
	if (job->rc == -ENOMEM)
		return job->rc;
	for (size_t i = 0; rc == 0 && i < job->files.count; i++)
		rc = add_code(codes, archiver, job, &job->files.items[i]);
	return rc;
}

static bool is_wanted(const struct archiver *archiver,
		      const struct archive_object *object)
{
	return !object->problem &&
	       (archive_parts(archiver->asked.options->mode)->sources == ARCHIVE_ALL ||
		object->used.count > 0);
}

static int list_all(struct archive_codes *codes, struct archiver *archiver,
		    struct pipeline *pipeline)
{
	size_t next = 0, pending = 0;
	struct list_job *job;
	int rc = 0;

	for (;;) {
		while (rc == 0 && next < archiver->known.objects.count) {
			if (!is_wanted(archiver, &archiver->known.objects.items[next])) {
				next++;
				continue;
			}
			job = pipeline_take_free(pipeline);
			if (!job)
				break;
			job_begin(job, archiver, next++);
			pipeline_submit(pipeline);
			pending++;
		}
		if (pending == 0)
			return rc;
		job = pipeline_take_done(pipeline, true);
		if (rc == 0)
			rc = take_list(codes, archiver, job);
		job_end(job);
		pipeline_recycle(pipeline);
		pending--;
	}
}

int archive_list_codes(struct archive_codes *codes, struct archiver *archiver,
		       struct expt_error *err)
{
	struct list_job *jobs = calloc(JOBS, sizeof(*jobs));
	struct pipeline *pipeline = NULL;
	int rc = -ENOMEM;

	if (jobs)
		rc = pipeline_open(&pipeline, pipeline_threads(0), jobs, JOBS,
				   sizeof(*jobs), list);
	if (rc == 0)
		rc = list_all(codes, archiver, pipeline);
	pipeline_close(pipeline);
	free(jobs);
	if (rc == 0)
		rc = archive_list_class_codes(codes, archiver);
	return rc < 0 ? expt_fail(err, rc, "cannot list the source files of '%s'",
				  archiver->known.path)
		      : 0;
}

void archive_codes_release(struct archive_codes *codes)
{
	arena_release(&codes->strings);
	idmap_release(&codes->index);
	array_release(codes);
}

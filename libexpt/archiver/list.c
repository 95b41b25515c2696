/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the load objects that the experiments of a founder name. Reads only their
 * maps. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/pipeline.h"
#include "libexpt/experiment/map.h"
#include "libexpt/experiment/map_scan.h"
#include "libexpt/format.h"
#include "libexpt/jit/files.h"

#define LIST_JOBS 16 /* maps read at a time */

/* Returns true for names that the kernel and recorders give to memory without a file. */
static bool is_memory(const char *path)
{
	static const char *const prefixes[] = {
		"[", "/[", "/memfd:", "/SYSV", "/anon_hugepage", "//anon", "anon_inode:",
	};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (text_starts_with(path, prefixes[i]))
			return true;
	}
	return strcmp(path, DYNAMIC_FUNCTIONS) == 0 || strcmp(path, KERNEL_OBJECT) == 0 ||
	       strcmp(path, "/dev/zero (deleted)") == 0;
}

/* Messages show the beginning of a name that is too long for a path. */
static const char *keep_path(struct arena *strings, const char *path)
{
	size_t length = strlen(path);
	char shown[64];

	if (length < PATH_MAX)
		return arena_text(strings, path, length);
	snprintf(shown, sizeof(shown), "%.60s...", path);
	return arena_text(strings, shown, strlen(shown));
}

/* Returns true if the path was met before, and adds it. Paths of equal keys do no
 * harm. */
static bool is_known_path(struct archiver *archiver, const char *path)
{
	uint32_t *slot =
		idmap_add(&archiver->known.path_index, idmap_text_key(IDMAP_KEY, path));
	bool is_known = !slot || *slot != IDMAP_NONE;

	if (slot)
		*slot = 0;
	return is_known;
}

/* Returns the same object of the path, or NULL and in *key a free key for it. */
static struct archive_object *find(const struct archiver *archiver, uint64_t *key,
				   const char *path, const struct expt_identity *identity)
{
	const struct archive_facts *known = &archiver->known;
	uint32_t index;

	for (*key = identity_key(path, identity);
	     (index = idmap_find(&known->object_index, *key)) != IDMAP_NONE; ++*key) {
		struct archive_object *object = &known->objects.items[index];

		if (strcmp(object->path, path) == 0 &&
		    identity_is_same(&object->identity, identity))
			return object;
	}
	return NULL;
}

struct archive_object *archive_find_object(const struct archiver *archiver,
					   const char *path,
					   const struct expt_identity *identity)
{
	uint64_t key;

	return find(archiver, &key, path, identity);
}

static int add_object(struct archiver *archiver, struct archive_object object)
{
	const char *build_id = object.identity.build_id;
	struct archive_object *new;
	uint32_t *slot;
	uint64_t key;

	if (find(archiver, &key, object.path, &object.identity))
		return 0;
	object.problem = archive_name_problem(object.path);
	object.is_excluded =
		!archive_patterns_match(&archiver->asked.patterns, object.path);
	object.is_repeat = is_known_path(archiver, object.path);
	object.path = keep_path(&archiver->strings, object.path);
	object.identity.build_id =
		arena_text(&archiver->strings, build_id, strlen(build_id));
	if (!object.path || !object.identity.build_id)
		return -ENOMEM;
	new = array_add(&archiver->known.objects);
	slot = new ? idmap_add(&archiver->known.object_index, key) : NULL;
	if (!slot)
		return -ENOMEM;
	*new = object;
	*slot = (uint32_t)(archiver->known.objects.count - 1);
	return 0;
}

static int add_mapped(struct archiver *archiver, size_t member, const char *path,
		      const struct expt_identity *identity)
{
	const struct archive_object object = {
		.path = path,
		.identity = *identity,
		.member = member,
	};

	if (is_memory(path))
		return 0;
	if (archive_is_jar_name(path))
		return archive_add_jar(archiver, object);
	if (jit_is_dump_path(path)) /* mapped only to announce it, see jit.c */
		return 0;
	archiver->known.has_java |= text_ends_with(path, "/" JAVA_MACHINE);
	return add_object(archiver, object);
}

static int add_scanned(struct archiver *archiver, const struct map_scan *scan,
		       size_t member)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < scan->objects.count; i++)
		rc = add_mapped(archiver, member, scan->objects.items[i].path,
				&scan->objects.items[i].identity);
	return rc;
}

static int add_objects(struct archiver *archiver, const struct expt_map *map,
		       size_t member)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < map->segments.count; i++) {
		const struct expt_segment *segment = &map->segments.items[i];

		if (segment->modes == EXPT_MAP_LOAD_OBJECT)
			rc = add_mapped(archiver, member, segment->path,
					&segment->identity);
	}
	return rc;
}

struct list_job {
	const struct archiver *archiver;
	size_t index;	  /* of the member */
	int dir, failure; /* of opening it */
	bool is_there, is_scanned, is_parsed;
	struct map_scan scan;
	struct expt_map map;
	int rc; /* of reading the map */
	struct expt_error err;
};

static bool scan_map(struct list_job *job)
{
	cleanup(io_file_close) struct io_file file = { .bytes = NULL };

	if (io_file_open(&file, job->dir, LOAD_MAP_FILE) == 0 &&
	    map_scan(&job->scan, file.bytes, file.size))
		return true;
	map_scan_release(&job->scan);
	return false;
}

static void parse_map(struct list_job *job)
{
	job->rc = map_read(&job->map, &(struct folder){ .dir = job->dir }, &job->err);
	job->is_parsed = true;
}

static void begin(struct list_job *job, const struct archiver *archiver, size_t index)
{
	const char *name = archiver->known.members.items[index].name;

	*job = (struct list_job){ .archiver = archiver, .index = index };
	job->dir = io_open_beneath(archiver->known.founder, *name ? name : ".",
				   O_RDONLY | O_DIRECTORY, 0);
	job->failure = job->dir < 0 ? job->dir : 0;
	job->is_there = job->dir >= 0 && !(*name && archive_member_is_empty(job->dir));
	job->is_scanned = job->is_there && scan_map(job);
}

static void end(struct list_job *job)
{
	if (job->dir >= 0)
		close(job->dir);
	map_release(&job->map);
	map_scan_release(&job->scan);
}

static int take_objects(struct archiver *archiver, const struct list_job *job,
			const char *path)
{
	if (job->is_scanned)
		return add_scanned(archiver, &job->scan, job->index);
	for (size_t i = 0; i < damage_count(&job->map.damage); i++)
		archive_say(archiver, EXPT_FAILED, path, "%s",
			    damage_text(&job->map.damage, i));
	return add_objects(archiver, &job->map, job->index);
}

static int take_map(struct archiver *archiver, struct list_job *job,
		    struct expt_error *err)
{
	char path[PATH_MAX];
	int rc = job->rc;

	if (rc < 0) {
		if (err)
			*err = job->err;
		return rc;
	}
	archive_member_path(path, archiver, job->index);
	if (job->failure)
		archive_say(archiver, EXPT_FAILED, path, "cannot open it: %s",
			    strerrordesc_np(-job->failure));
	if (job->is_there)
		rc = take_objects(archiver, job, path);
	if (rc < 0)
		return expt_fail(err, rc, "cannot list the load objects of '%s'", path);
	return 0;
}

/* Read the first map alone: if libxml2 is needed, it initializes itself now, and several
 * threads may use it afterwards. */
static int list_first(struct archiver *archiver, struct expt_error *err)
{
	struct list_job job;
	int rc;

	begin(&job, archiver, 0);
	if (job.is_there && !job.is_scanned)
		parse_map(&job);
	archiver->known.has_foreign_maps = job.is_parsed;
	rc = take_map(archiver, &job, err);
	end(&job);
	return rc;
}

static void read_map(void *context)
{
	struct list_job *job = context;

	begin(job, job->archiver, job->index);
	if (job->is_there && !job->is_scanned && job->archiver->known.has_foreign_maps)
		parse_map(job);
}

static int list_others(struct archiver *archiver, struct pipeline *pipeline,
		       struct expt_error *err)
{
	size_t next = 1, taken = 1;

	while (taken < archiver->known.members.count) {
		struct list_job *job;
		int rc;

		while (next < archiver->known.members.count &&
		       (job = pipeline_take_free(pipeline)) != NULL) {
			job->archiver = archiver;
			job->index = next++;
			pipeline_submit(pipeline);
		}
		job = pipeline_take_done(pipeline, true);
		if (job->is_there && !job->is_scanned && !job->is_parsed)
			parse_map(job);
		rc = take_map(archiver, job, err);
		end(job);
		pipeline_recycle(pipeline);
		if (rc < 0)
			return rc;
		taken++;
	}
	return 0;
}

static void drop_others(struct pipeline *pipeline)
{
	struct list_job *job;

	while ((job = pipeline_take_done(pipeline, true)) != NULL) {
		end(job);
		pipeline_recycle(pipeline);
	}
}

int archive_list(struct archiver *archiver, struct expt_error *err)
{
	struct list_job jobs[LIST_JOBS] = { { .archiver = archiver } };
	unsigned threads = pipeline_threads(0);
	struct pipeline *pipeline;
	int rc = list_first(archiver, err);

	if (rc < 0 || archiver->known.members.count == 1)
		return rc;
	rc = pipeline_open(&pipeline, threads, jobs, LIST_JOBS, sizeof(*jobs), read_map);
	if (rc < 0)
		return expt_fail(err, rc, "cannot list '%s'", archiver->known.path);
	rc = list_others(archiver, pipeline, err);
	drop_others(pipeline);
	pipeline_close(pipeline);
	return rc;
}

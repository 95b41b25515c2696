/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives all load objects, several at a time. Each job has an archiver of its own;
 * their reports and changes are merged in the order of the objects. Objects of a path
 * that others had before come last, one by one.
 */
#include <errno.h>
#include <stdlib.h>

#include "libexpt/archiver/private.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/pipeline.h"
#include "libexpt/common/progress.h"
#include "libexpt/common/report.h"

#define JOBS 16

struct store_job {
	struct archiver archiver;
	struct expt_archive_options options;
	const struct archive_object *object;
	int rc;
	struct expt_error err;
};

static int handle(struct archiver *archiver, const struct archive_object *object,
		  struct expt_error *err)
{
	if (archiver->asked.options->check_only)
		return archive_check(archiver, object, err);
	if (archiver->asked.options->operation.dry_run)
		return archive_plan(archiver, object, err);
	return archive_store(archiver, object, err);
}

static void work(void *context)
{
	struct store_job *job = context;
	struct archiver *own = &job->archiver;

	/* Allocate the buffer only while it is used: there are more jobs than threads. */
	own->buffer = io_buffer(ARCHIVE_BUFFER);
	job->rc = own->buffer ? handle(own, job->object, &job->err)
			      : expt_fail(&job->err, -ENOMEM, "cannot archive");
	free(own->buffer);
	progress_add(job->options.operation.progress, 1, 0);
}

static int job_begin(struct store_job *job, struct archiver *archiver,
		     const struct archive_object *object)
{
	struct archiver *own = &job->archiver;

	archive_job_begin(own, &job->options, archiver, object);
	job->options.operation.report = expt_report_new();
	job->object = object;
	return job->options.operation.report ? 0 : -ENOMEM;
}

static void job_end(struct store_job *job)
{
	archive_job_end(&job->archiver);
	expt_report_free(job->options.operation.report);
}

static int take_result(struct archiver *archiver, const struct store_job *job,
		       struct expt_error *err)
{
	const struct archiver *own = &job->archiver;
	const struct expt_report *report = job->options.operation.report;
	int rc = job->rc;

	for (size_t i = 0; i < expt_report_count(report); i++) {
		const struct expt_report_line *line = expt_report_line(report, i);

		archive_say(archiver, line->outcome, line->name, "%s", line->reason);
	}
	if (expt_report_files(report) > 0)
		expt_report_count_file(archiver->asked.options->operation.report,
				       expt_report_bytes(report));
	archiver->to.is_incomplete |= own->to.is_incomplete;
	archiver->to.has_private |= own->to.has_private;
	if (rc < 0 && err)
		*err = job->err;
	for (size_t i = 0; rc == 0 && i < own->to.changes.count; i++) {
		rc = manifest_put(&archiver->to.changes, &own->to.changes.items[i]);
		if (rc < 0)
			expt_fail(err, rc, "cannot record '%s'", job->object->path);
	}
	return rc;
}

static bool is_settled(struct archiver *archiver, const struct archive_object *object,
		       const struct idmap *unsettled)
{
	if (archiver->asked.options->check_only)
		return false;
	if (archive_wants_copy(archiver, object) &&
	    idmap_find(unsettled, idmap_text_key(IDMAP_KEY, object->path)) != IDMAP_NONE)
		return false;
	return archive_is_settled(archiver, object);
}

/* Report the objects that need no work, before any job starts. *left gets how many others
 * there are. Returns 0 or -ENOMEM. */
static int settle(struct archiver *archiver, size_t *left)
{
	struct idmap unsettled = { .slots = NULL }; /* by keys of paths */
	int rc = 0;

	*left = 0;
	archive_lost_debug_files(&unsettled, archiver);
	for (size_t i = 0; rc == 0 && i < archiver->known.objects.count; i++) {
		struct archive_object *object = &archiver->known.objects.items[i];

		rc = archive_choose_version(archiver, object);
		if (rc < 0 || object->is_repeat || object->is_excluded)
			continue;
		object->is_settled = is_settled(archiver, object, &unsettled);
		*left += !object->is_settled;
		if (!object->is_settled)
			archive_mark(&unsettled, object->path);
	}
	if (!archiver->asked.options->check_only)
		archive_present_debug_files(archiver, &unsettled);
	idmap_release(&unsettled);
	return rc;
}

/* Returns the next object that needs a job, or NULL. */
static const struct archive_object *next_object(const struct archiver *archiver,
						size_t *next)
{
	while (*next < archiver->known.objects.count) {
		const struct archive_object *object =
			&archiver->known.objects.items[(*next)++];

		if (!object->is_repeat && !object->is_excluded && !object->is_settled)
			return object;
	}
	return NULL;
}

static bool is_stopped(const struct archiver *archiver)
{
	return archiver->asked.options->operation.stop &&
	       *archiver->asked.options->operation.stop;
}

/* Start a job for each free slot. Returns how many. */
static size_t submit(struct archiver *archiver, struct pipeline *pipeline, size_t *next,
		     int *rc)
{
	const struct archive_object *object;
	struct store_job *job;
	size_t count = 0;

	while (*rc == 0 && !is_stopped(archiver) &&
	       (job = pipeline_take_free(pipeline)) != NULL &&
	       (object = next_object(archiver, next)) != NULL) {
		*rc = job_begin(job, archiver, object);
		if (*rc < 0) {
			job_end(job);
			break;
		}
		pipeline_submit(pipeline);
		count++;
	}
	return count;
}

/* After a failure no new job is started, but the results of pending ones are taken. */
static int store_first(struct archiver *archiver, struct pipeline *pipeline,
		       struct expt_error *err)
{
	size_t next = 0, pending = 0;
	int rc = 0;

	for (;;) {
		struct store_job *job;
		int taken;

		pending += submit(archiver, pipeline, &next, &rc);
		if (rc == -ENOMEM)
			expt_fail(err, rc, "cannot archive '%s'", archiver->known.path);
		if (pending == 0 && rc == 0 && is_stopped(archiver))
			return expt_fail(err, -EINTR, "stopped at '%s'",
					 archiver->known.path);
		if (pending == 0)
			return rc;
		job = pipeline_take_done(pipeline, true);
		taken = take_result(archiver, job, rc == 0 ? err : NULL);
		job_end(job);
		pipeline_recycle(pipeline);
		pending--;
		if (rc == 0)
			rc = taken;
	}
}

/* Repeats depend on what was stored for their path before. */
static int store_repeats(struct archiver *archiver, struct expt_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < archiver->known.objects.count; i++) {
		struct archive_object *object = &archiver->known.objects.items[i];

		if (!object->is_repeat || object->is_excluded)
			continue;
		if (is_stopped(archiver))
			return expt_fail(err, -EINTR, "stopped at '%s'",
					 archiver->known.path);
		rc = archive_choose_version(archiver, object);
		if (rc < 0)
			return expt_fail(err, rc, "cannot archive '%s'", object->path);
		if (archiver->asked.options->check_only ||
		    !archive_is_settled(archiver, object))
			rc = handle(archiver, object, err);
	}
	return rc;
}

static int store_all(struct archiver *archiver, struct expt_error *err)
{
	struct store_job jobs[JOBS];
	struct pipeline *pipeline;
	size_t left;
	unsigned threads = pipeline_threads(0);
	int rc = settle(archiver, &left);

	if (rc < 0)
		return expt_fail(err, rc, "cannot archive '%s'", archiver->known.path);
	progress_expect(archiver->asked.options->operation.progress, left, 0);
	progress_begin(archiver->asked.options->operation.progress, EXPT_PHASE_COPYING);
	if (left > 0) {
		rc = pipeline_open(&pipeline, left > 1 ? threads : 1, jobs, JOBS,
				   sizeof(*jobs), work);
		if (rc < 0)
			return expt_fail(err, rc, "cannot archive '%s'",
					 archiver->known.path);
		rc = store_first(archiver, pipeline, err);
		pipeline_close(pipeline);
	}
	return rc < 0 ? rc : store_repeats(archiver, err);
}

int archive_all(struct archiver *archiver, struct expt_error *err)
{
	int rc;

	archiver->buffer = io_buffer(ARCHIVE_BUFFER);
	if (!archiver->buffer)
		return expt_fail(err, -ENOMEM, "cannot archive '%s'",
				 archiver->known.path);
	rc = store_all(archiver, err);
	if (rc == 0 && archiver->asked.options->check_only)
		archive_check_debug_files(archiver);
	if (rc == 0)
		rc = archive_jit(archiver, err);
	if (rc == 0 &&
	    archive_parts(archiver->asked.options->mode)->copies != ARCHIVE_NONE)
		rc = archive_jars(archiver, err);
	if (rc == 0 &&
	    archive_parts(archiver->asked.options->mode)->sources != ARCHIVE_NONE)
		rc = archive_sources(archiver, err);
	free(archiver->buffer);
	archiver->buffer = NULL;
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies an experiment into a stage beside its new name, makes it durable, reads it
 * back if wanted, and then names it. Sizes are taken before the first byte is read: the
 * copy of a live experiment is a cut at that moment.
 */
#include "libexpt/manage/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/archiver/archive.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/common/report.h"
#include "libexpt/common/workers.h"
#include "libexpt/copy/compare.h"
#include "libexpt/copy/copy.h"
#include "libexpt/format.h"
#include "libexpt/manage/changes.h"
#include "libexpt/manage/links.h"
#include "libexpt/manage/marks.h"
#include "libexpt/manage/unborn.h"
#include "libexpt/stage/commit.h"
#include "libexpt/stage/stage.h"

/* Up to these limits, each file is synced separately: syncfs() would also write what
 * other processes have written. */
#define SYNC_FILES_MAX 64
#define SYNC_BYTES_MAX (UINT64_C(64) << 20)

/* Attempts to copy an experiment that changes although it is not being recorded. */
#define ATTEMPTS_MAX	4
#define ATTEMPT_WAIT_MS 50 /* doubled each time */

/* The lists of what goes into one copy: the experiment, and the founder's archives for a
 * descendant. */
struct copy_job {
	const struct operand *operand;
	const char *from;
	const struct expt_copy_options *options;
	bool is_move;
	struct tree tree, archives;
	struct tree_copy files, archive_files;
};

static void release_job(struct copy_job *job)
{
	tree_copy_release(&job->files);
	tree_copy_release(&job->archive_files);
	tree_release(&job->tree);
	tree_release(&job->archives);
}

/* ---- listing ---- */

/* Take the founder's archives along with a descendant, which could not be read
 * elsewhere without them. */
static int list_archives(struct copy_job *job, struct expt_error *err)
{
	int rc;

	if (!job->operand->is_descendant || job->options->without_archives)
		return 0;
	rc = tree_read_only(&job->archives, job->operand->parent, ARCHIVES_DIR, err);
	if (rc == 0 && job->archives.count == 1) /* only the root: there are none */
		tree_release(&job->archives);
	return rc;
}

static int list_files(struct copy_job *job, struct expt_error *err)
{
	bool has_archives;
	int rc = list_archives(job, err);

	if (rc < 0)
		return rc;
	has_archives = !job->options->without_archives && job->archives.count == 0;
	rc = operand_list(&job->tree, job->operand, has_archives ? NULL : ARCHIVES_DIR,
			  err);
	if (rc == 0 && job->operand->is_live)
		rc = unborn_leave_out(&job->tree, err);
	return rc < 0 ? rc : operand_check_name(job->operand, err);
}

static void expect_files(const struct tree *tree, struct expt_progress *progress)
{
	for (size_t i = 0; i < tree->count; i++)
		if (tree->items[i].type != DT_DIR)
			progress_expect(progress, 1, tree->items[i].size);
}

static bool has_few_files(const struct tree *tree)
{
	uint64_t bytes = 0;

	if (tree->count > SYNC_FILES_MAX)
		return false;
	for (size_t i = 0; i < tree->count; i++)
		bytes += tree->items[i].allocated;
	return bytes <= SYNC_BYTES_MAX;
}

/* ---- reporting ---- */

static struct changes changes_of(const struct copy_job *job)
{
	return (struct changes){
		.is_live = job->operand->is_live,
		.is_move = job->is_move,
		.report = job->options->operation.report,
	};
}

/* Links lead from the stage to where they will lead from the final name, which is as
 * deep. */
static int check_links(const struct copy_job *job, const struct tree *tree, int from,
		       int to)
{
	struct links links = { 0 };
	int rc = links_remember(&links, tree, from);

	if (rc == 0) {
		links_repair(&links, to);
		links_check(&links, to, job->options->operation.report);
	}
	links_release(&links);
	return rc;
}

/* ---- the copy ---- */

static void set_up(const struct copy_job *job, struct tree_copy *copy,
		   const struct tree *tree, int from, int to, bool syncs_files)
{
	const struct expt_copy_options *options = job->options;

	*copy = (struct tree_copy){
		.tree = tree,
		.from = from,
		.to = to,
		.threads = workers_count(options->operation.threads),
		.needs_verify = options->verify || job->is_move,
		.syncs_files = syncs_files,
		.begins_sync = !syncs_files && options->sync != EXPT_SYNC_NONE,
		.without_attributes = options->without_attributes,
		.is_live = job->operand->is_live,
		.reflink = options->reflink,
		.sparse = options->sparse,
		.progress = options->operation.progress,
		.stop = options->operation.stop,
	};
}

static int make_marks(const struct copy_job *job, int to, bool syncs,
		      struct expt_error *err)
{
	int rc = 0;

	if (job->operand->is_descendant)
		rc = copy_mark_detached(job->operand, &job->tree, to, syncs, err);
	if (rc == 0 && job->operand->is_live)
		rc = copy_mark_cut(&job->tree, to, syncs, err);
	return rc;
}

/* Copy the experiment last: that sets the times of the root. */
static int copy_files(struct copy_job *job, int to, bool syncs_files,
		      struct expt_error *err)
{
	const struct operand *operand = job->operand;
	int rc = 0;

	if (job->archives.count) {
		set_up(job, &job->archive_files, &job->archives, operand->parent, to,
		       syncs_files);
		rc = tree_copy_run(&job->archive_files, err);
	}
	if (rc == 0)
		rc = make_marks(job, to, syncs_files, err);
	if (rc < 0)
		return rc;
	set_up(job, &job->files, &job->tree, operand->dir, to, syncs_files);
	return tree_copy_run(&job->files, err);
}

static int verify_files(struct copy_job *job, struct expt_error *err)
{
	int rc = 0;

	if (!job->files.needs_verify)
		return 0;
	progress_begin(job->options->operation.progress, EXPT_PHASE_VERIFYING);
	if (job->archives.count)
		rc = tree_copy_verify(&job->archive_files, err);
	return rc < 0 ? rc : tree_copy_verify(&job->files, err);
}

/* Sync a few files one by one: syncfs() would also write what other processes have
 * written. A descendant has the archives of a founder with it. */
static bool syncs_per_file(const struct copy_job *job)
{
	switch (job->options->sync) {
	case EXPT_SYNC_NONE:
		return false;
	case EXPT_SYNC_PER_FILE:
		return true;
	default:
		return !job->operand->is_descendant && has_few_files(&job->tree);
	}
}

static int sync_files(struct copy_job *job, int dir, struct expt_error *err)
{
	bool is_synced = job->files.syncs_files && job->options->mode == EXPT_ARCHIVE_OFF;

	if (job->options->sync == EXPT_SYNC_NONE || is_synced)
		return 0;
	progress_begin(job->options->operation.progress, EXPT_PHASE_SYNCING);
	if (syncfs(dir) < 0)
		return expt_fail(err, -errno, "cannot sync to disk");
	return 0;
}

/* ---- completing the archives ---- */

/* Fill archives/ of the copy, reading maps and records in the original. Missing objects
 * are reported, but the copy is made without them. */
static int complete_archives(const struct copy_job *job, int dir, struct expt_error *err)
{
	const struct expt_archive_options options = {
		.mode = job->options->mode,
		.operation.report = job->options->operation.report,
	};
	const struct timespec times[2] = { job->tree.items[0].atime,
					   job->tree.items[0].mtime };
	cleanup_free char *source = operand_resolve(job->from);
	int rc;

	operand_warn_of_other_host(job->operand, job->from,
				   job->options->operation.report);
	rc = source ? archive_into(dir, source, &options, err)
		    : expt_fail(err, -errno, "cannot open '%s'", job->from);
	if (rc < 0)
		return rc;
	if (!job->options->without_attributes && futimens(dir, times) < 0)
		return expt_fail(err, -errno, "cannot preserve times");
	if (job->options->sync != EXPT_SYNC_NONE && syncfs(dir) < 0)
		return expt_fail(err, -errno, "cannot sync to disk");
	return 0;
}

/* ---- copying until nothing changes ---- */

static int copy_once(struct copy_job *job, const struct stage *stage,
		     struct expt_error *err)
{
	int rc = list_files(job, err);

	if (rc < 0)
		return rc;
	expect_files(&job->archives, job->options->operation.progress);
	expect_files(&job->tree, job->options->operation.progress);
	progress_begin(job->options->operation.progress, EXPT_PHASE_COPYING);
	return copy_files(job, stage->dir, syncs_per_file(job), err);
}

static int begin_again(struct copy_job *job, const struct stage *stage, unsigned attempt,
		       struct expt_error *err)
{
	const struct timespec wait = { .tv_nsec = ATTEMPT_WAIT_MS * 1000000L << attempt };

	release_job(job);
	job->tree = job->archives = (struct tree){ .items = NULL };
	job->files = job->archive_files = (struct tree_copy){ .tree = NULL };
	nanosleep(&wait, NULL);
	return stage_empty(stage, err);
}

/* A recorder that has written its last event still truncates its files, and an archiver
 * runs after it: then the copy is made again, a few times. A move refuses such an
 * experiment. */
static int copy_when_quiet(struct copy_job *job, const struct stage *stage,
			   struct expt_error *err)
{
	const struct changes changes = changes_of(job);
	int rc = copy_once(job, stage, err);

	for (unsigned attempt = 1; attempt < ATTEMPTS_MAX && rc == 0; attempt++) {
		if (job->is_move || !(changes_exist(&changes, &job->files) ||
				      changes_exist(&changes, &job->archive_files)))
			break;
		rc = begin_again(job, stage, attempt, err);
		if (rc == 0)
			rc = copy_once(job, stage, err);
	}
	return rc;
}

/* Files that appeared since would be removed with the source and lost. */
static int check_source(const struct copy_job *job, struct expt_error *err)
{
	if (!job->is_move || job->operand->is_live)
		return 0;
	return tree_check_unchanged(&job->tree, job->operand->dir, err);
}

static int fill_stage(struct copy_job *job, const struct stage *stage,
		      struct expt_error *err)
{
	const struct changes changes = changes_of(job);
	int rc = copy_when_quiet(job, stage, err);

	if (rc == 0)
		rc = sync_files(job, stage->dir, err);
	if (rc == 0)
		rc = verify_files(job, err);
	if (rc == 0)
		rc = changes_report(&changes, &job->archive_files, err);
	if (rc == 0)
		rc = changes_report(&changes, &job->files, err);
	if (rc == 0)
		rc = check_links(job, &job->archives, job->operand->parent, stage->dir);
	if (rc == 0)
		rc = check_links(job, &job->tree, job->operand->dir, stage->dir);
	if (rc == 0 && job->options->mode != EXPT_ARCHIVE_OFF)
		rc = complete_archives(job, stage->dir, err);
	return rc < 0 ? rc : check_source(job, err);
}

static int make_copy(struct copy_job *job, const char *from, const char *to,
		     struct expt_error *err)
{
	const struct expt_copy_options *options = job->options;
	cleanup(stage_release) struct stage stage = STAGE_INIT;
	int rc = stage_open(&stage, to, options->replace, err);

	if (rc < 0)
		return rc;
	rc = fill_stage(job, &stage, err);
	if (rc < 0)
		return expt_fail_in(err, rc, "'%s'", from);
	return stage_commit(&stage, options->replace,
			    options->sync == EXPT_SYNC_NONE ? STAGE_NO_SYNC
							    : STAGE_SYNC_NAME,
			    tree_copy_directory_mode(&job->files, 0), err);
}

static int plan_archives(const struct copy_job *job, struct expt_error *err)
{
	const struct expt_archive_options options = {
		.mode = job->options->mode,
		.operation.dry_run = true,
		.operation.report = job->options->operation.report,
	};
	int rc;

	if (job->options->mode == EXPT_ARCHIVE_OFF)
		return 0;
	operand_warn_of_other_host(job->operand, job->from,
				   job->options->operation.report);
	rc = expt_archive(job->from, &options, err);
	return rc < 0 ? rc : 0;
}

static int check_only(struct copy_job *job, const char *from, const char *to,
		      struct expt_error *err)
{
	int rc = stage_check(to, job->options->replace, err);

	if (rc < 0)
		return rc;
	rc = list_files(job, err);
	if (rc == 0)
		rc = plan_archives(job, err);
	return rc < 0 ? expt_fail_in(err, rc, "'%s'", from) : 0;
}

int copy_experiment(const struct operand *operand, const char *from, const char *to,
		    const struct expt_copy_options *options, bool is_move,
		    struct expt_error *err)
{
	struct copy_job job = {
		.operand = operand, .from = from, .options = options, .is_move = is_move
	};
	int rc = options->operation.dry_run ? check_only(&job, from, to, err)
					    : make_copy(&job, from, to, err);

	if (rc == 0) {
		tree_count(&job.archives, options->operation.report);
		tree_count(&job.tree, options->operation.report);
		if (operand->is_live)
			expt_report_add(
				options->operation.report, EXPT_NOTE, from,
				"still being recorded: the copy has its current state");
	}
	release_job(&job);
	return rc;
}

int expt_copy(const char *from, const char *to, const struct expt_copy_options *options,
	      struct expt_error *err)
{
	static const struct expt_copy_options defaults;
	cleanup(operand_release) struct operand operand = OPERAND_INIT;
	cleanup_free char *source = operand_resolve(from);
	int rc;

	if (!source)
		return expt_fail(err, -errno, "cannot open '%s'", from);
	rc = operand_open(&operand, source, err);
	if (rc == 0)
		rc = operand_check_target(&operand, from, to, err);
	if (rc == 0)
		rc = operand_read_log(&operand, source, err);
	if (rc < 0)
		return rc;
	return copy_experiment(&operand, from, to, options ? options : &defaults, false,
			       err);
}

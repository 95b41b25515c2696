/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves an experiment. Within a file system that is one rename. To another one it is a
 * copy that was read back and is durable before the source is removed. If it is
 * interrupted between the two, both are complete, and the same move again finds that
 * only the removal is left.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/common/report.h"
#include "libexpt/copy/compare.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"
#include "libexpt/manage/copy.h"
#include "libexpt/manage/links.h"
#include "libexpt/manage/operand_remove.h"
#include "libexpt/stage/aside.h"
#include "libexpt/stage/clean.h"
#include "libexpt/stage/commit.h"
#include "libexpt/stage/rename.h"
#include "libexpt/stage/stage.h"

struct move {
	struct operand operand;
	const char *from, *to;
	int parent; /* directory of the new name */
	char final[256];
	const struct expt_move_options *options;
};

static void release_move(struct move *move)
{
	operand_release(&move->operand);
	if (move->parent >= 0)
		close(move->parent);
}

static int check_source(const struct move *move, struct expt_error *err)
{
	if (move->operand.is_descendant)
		return expt_refuse(err, -EINVAL,
				   "'%s' is part of another experiment: copy it instead",
				   move->from);
	if (move->operand.is_live && !move->options->even_live)
		return expt_refuse(err, -EBUSY, "'%s' is still being recorded",
				   move->from);
	return 0;
}

static bool is_taken(const struct move *move)
{
	struct stat status;

	return fstatat(move->parent, move->final, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* A bind mount of the same file system differs only at the rename. */
static bool is_other_file_system(const struct move *move)
{
	struct stat status;

	return fstat(move->parent, &status) == 0 &&
	       status.st_dev != move->operand.status.st_dev;
}

/* ---- within a file system ---- */

static int sync_parents(const struct move *move)
{
	int rc = stage_sync_directory(move->parent);

	return rc < 0 ? rc : stage_sync_directory(move->operand.parent);
}

/* Rename, and undo it if the new name cannot be made durable. */
static int rename_durably(const struct move *move)
{
	int rc = stage_rename(move->operand.parent, move->operand.name, move->parent,
			      move->final);

	if (rc < 0)
		return rc;
	rc = sync_parents(move);
	if (rc < 0)
		stage_rename(move->parent, move->final, move->operand.parent,
			     move->operand.name);
	return rc;
}

/* Set the old experiment aside first: an exchange would make it appear at the name of the
 * source. */
static int rename_over(const struct move *move, struct expt_error *err)
{
	struct stage_aside aside;
	int rc = stage_set_aside(&aside, move->parent, move->final, err);

	if (rc < 0)
		return rc;
	rc = rename_durably(move);
	if (rc < 0)
		stage_put_back(&aside);
	else
		stage_discard(&aside);
	if (rc == -EEXIST) /* another process was quicker */
		return -EAGAIN;
	return rc < 0 && rc != -EXDEV ? expt_fail(err, rc, "cannot create '%s'", move->to)
				      : rc;
}

static int rename_once(const struct move *move, struct expt_error *err)
{
	int rc = rename_durably(move);

	if (rc == -EEXIST && move->options->replace)
		return rename_over(move, err);
	if (rc < 0 && rc != -EXDEV)
		expt_fail(err, rc, "cannot rename '%s' to '%s'", move->from, move->to);
	return rc;
}

/* Try again as long as other processes replace the same experiment. */
static int rename_it(const struct move *move, struct expt_error *err)
{
	unsigned tries = 0;
	int rc;

	while ((rc = rename_once(move, err)) == -EAGAIN)
		if (!stage_try_again(tries++))
			return expt_fail(err, -EBUSY, "cannot replace '%s'", move->to);
	return rc;
}

/* Returns -EXDEV if nothing was done. */
static int move_by_rename(const struct move *move, struct expt_error *err)
{
	struct tree archives = { 0 };
	struct links links = { 0 };
	int rc = tree_read_only(&archives, move->operand.dir, ARCHIVES_DIR, err);

	if (rc == 0 && links_remember(&links, &archives, move->operand.dir) < 0)
		rc = expt_fail(err, -ENOMEM, "cannot list '%s'", ARCHIVES_DIR);
	if (rc == 0) {
		links_make_absolute(&links, move->operand.dir, move->parent);
		rc = rename_it(move, err);
	}
	if (rc == 0) {
		links_repair(&links, move->operand.dir);
		links_check(&links, move->operand.dir, move->options->operation.report);
	} else {
		links_restore(&links, move->operand.dir);
	}
	links_release(&links);
	tree_release(&archives);
	return rc;
}

/* ---- to another file system ---- */

static int remove_source(struct move *move, struct expt_error *err)
{
	int rc;

	progress_begin(move->options->operation.progress, EXPT_PHASE_REMOVING);
	rc = operand_remove(&move->operand, move->from, NULL, err);
	if (rc < 0)
		return expt_fail_in(err, rc, "copied '%s' to '%s', but did not remove it",
				    move->from, move->to);
	return 0;
}

/* Check if the existing target is the copy that an interrupted move has left. */
static int is_moved_already(const struct move *move, struct expt_error *err)
{
	cleanup_fd int dir = -1;
	int rc = layout_open_at(&dir, move->parent, move->final, move->to, NULL, err);

	if (rc == 0)
		rc = tree_compare(move->operand.dir, dir, err);
	if (rc == 0)
		rc = expt_fail(err, -EEXIST, "cannot create '%s'", move->to);
	return rc;
}

static int finish_interrupted(struct move *move, struct expt_error *err)
{
	int rc = is_moved_already(move, err);

	if (rc < 0)
		return rc;
	expt_report_add(move->options->operation.report, EXPT_NOTE, move->to,
			"already copied: finishing an interrupted move");
	return remove_source(move, err);
}

static int move_by_copy(struct move *move, struct expt_error *err)
{
	const struct expt_copy_options options = {
		.operation = move->options->operation,
		.replace = move->options->replace,
	};
	int rc;

	if (!options.replace && is_taken(move))
		return finish_interrupted(move, err);
	rc = operand_check_removable(&move->operand, move->from, err);
	if (rc < 0)
		return rc;
	rc = copy_experiment(&move->operand, move->from, move->to, &options, true, err);
	return rc < 0 ? rc : remove_source(move, err);
}

/* ---- both ---- */

static int check_only(struct move *move, struct expt_error *err)
{
	struct tree tree = { 0 };
	int rc = stage_check(move->to, move->options->replace, err);

	if (rc == 0 && is_other_file_system(move))
		rc = operand_check_removable(&move->operand, move->from, err);
	if (rc == 0)
		rc = operand_list(&tree, &move->operand, NULL, err);
	if (rc == 0)
		tree_count(&tree, move->options->operation.report);
	tree_release(&tree);
	return rc;
}

static int move_experiment(struct move *move, struct expt_error *err)
{
	int rc;

	if (move->options->operation.dry_run)
		return check_only(move, err);
	/* Only experiments are replaced; the rename reports anything else that has the
	 * name. */
	rc = move->options->replace ? stage_check(move->to, true, err) : 0;
	if (rc < 0)
		return rc;
	stage_clean(move->parent, move->final);
	rc = is_other_file_system(move) ? -EXDEV : move_by_rename(move, err);
	if (rc == -EXDEV)
		rc = move_by_copy(move, err);
	if (rc == 0 && move->operand.is_live)
		expt_report_add(move->options->operation.report, EXPT_NOTE, move->to,
				"still being recorded under its old name");
	return rc;
}

int expt_move(const char *from, const char *to, const struct expt_move_options *options,
	      struct expt_error *err)
{
	static const struct expt_move_options defaults;
	cleanup(release_move) struct move move = {
		.operand = OPERAND_INIT,
		.from = from,
		.to = to,
		.parent = -1,
		.options = options ? options : &defaults,
	};
	int rc = operand_open(&move.operand, from, err);

	if (rc == 0)
		rc = operand_check_target(&move.operand, from, to, err);
	if (rc == 0)
		rc = operand_read_log(&move.operand, from, err);
	if (rc == 0)
		rc = check_source(&move, err);
	if (rc == 0)
		rc = stage_split(&move.parent, move.final, to, err);
	return rc < 0 ? rc : move_experiment(&move, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that were recorded on hosts that share no directory become descendants of one
 * founder: test.3.er is then M_r3.er, and test.3.er/_f1.er is M_r3_f1.er. They are
 * unpacked in the founder's directory under a hidden name, and the rank itself appears
 * last: if it is not there, what has its name is left from an import that was
 * interrupted.
 */
#include "libexpt/import/private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/handle.h"
#include "libexpt/format.h"
#include "libexpt/manage/operand.h"
#include "libexpt/stage/commit.h"
#include "libexpt/stage/rename.h"

static void close_expt(struct expt **expt)
{
	expt_close(*expt);
}

static int check_founder(struct operand *operand, const char *path,
			 struct expt_error *err)
{
	int rc = operand_read_log(operand, path, err);

	if (rc < 0)
		return rc;
	if (operand->is_descendant)
		return expt_refuse(err, -EINVAL, "'%s' is part of another experiment",
				   path);
	if (operand->is_live)
		return expt_refuse(err, -EBUSY, "'%s' is still being recorded", path);
	return 0;
}

int import_open_founder(struct import *import, struct expt_error *err)
{
	const char *path = import->options->into;
	struct operand operand = OPERAND_INIT;
	int rc = operand_open(&operand, path, err);

	if (rc < 0)
		return rc;
	rc = check_founder(&operand, path, err);
	if (rc == 0) {
		import->founder = fcntl(operand.dir, F_DUPFD_CLOEXEC, 0);
		if (import->founder < 0)
			rc = expt_fail(err, -errno, "cannot open '%s'", path);
	}
	operand_release(&operand);
	return rc;
}

/* One import at a time puts its ranks in place. */
static int lock_founder(const struct import *import, struct expt_error *err)
{
	unsigned tries = 0;

	while (flock(import->founder, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return 0; /* there are no locks here */
		if (!stage_try_again(tries++))
			return expt_refuse(err, -EBUSY, "'%s' is in use",
					   import->options->into);
	}
	return 0;
}

/* ---- one rank ---- */

static int find_rank(uint64_t *rank, const struct expt *expt, const struct target *target,
		     struct expt_error *err)
{
	for (size_t i = 0; i < expt_setting_count(expt); i++) {
		const struct expt_attribute *setting = expt_setting(expt, i);

		if (strcmp(setting->name, MPI_RANK_SETTING) == 0 &&
		    number_u64(rank, setting->value) && *rank <= INT32_MAX)
			return 0;
	}
	return expt_refuse(err, -EINVAL, "'%s' is not a rank of an MPI job", target->top);
}

static bool is_taken(const struct import *import, const char *name)
{
	struct stat status;

	return fstatat(import->founder, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Those of a job have names of their own. */
static int check_descendants(const struct expt *expt, const struct target *target,
			     struct expt_error *err)
{
	for (size_t i = 0; i < expt_descendant_count(expt); i++)
		if (expt_descendant_name(expt, i)[0] != '_')
			return expt_refuse(err, -EINVAL,
					   "'%s' is a job, and not a rank of one",
					   target->top);
	return 0;
}

/* Put the rank and its descendants in place of a former one, or leave that as it is. */
static int replace(struct import *import, struct target *target, const char *prefix,
		   mode_t mode, struct expt_error *err)
{
	struct stage *stage = &target->stage;
	struct expt_error ignored;
	struct former former;
	int rc = former_set_aside(&former, import, stage, prefix, err);

	if (rc < 0)
		return rc;
	rc = descendants_move_out(stage->dir, import->founder, prefix, err);
	if (rc == 0)
		rc = stage_commit(stage, import->options->replace, STAGE_SYNC, mode, err);
	if (rc == 0) {
		former_discard(&former);
		return 0;
	}
	fchmod(stage->dir, S_IRWXU);
	descendants_move_in(stage->dir, import->founder, prefix, &ignored);
	former_put_back(&former);
	return rc;
}

static int join(struct import *import, struct target *target, const char *prefix,
		mode_t mode, struct expt_error *err)
{
	struct stage *stage = &target->stage;
	int rc;

	if (is_taken(import, stage->final) && !import->options->replace)
		return expt_fail(err, -EEXIST, "cannot create '%s/%s'",
				 import->options->into, stage->final);
	if (syncfs(stage->dir) < 0)
		return expt_fail(err, -errno, "cannot sync '%s'", stage->final);
	rc = import_merge_archives(stage->dir, import->founder, err);
	return rc < 0 ? rc : replace(import, target, prefix, mode, err);
}

int import_join(struct import *import, struct target *target, mode_t mode,
		struct expt_error *err)
{
	cleanup(close_expt) struct expt *expt = NULL;
	struct stage *stage = &target->stage;
	char prefix[32];
	uint64_t rank;
	int rc = expt_open_directory(&expt, stage->dir, target->top, err);

	if (rc == 0)
		rc = find_rank(&rank, expt, target, err);
	if (rc == 0)
		rc = check_descendants(expt, target, err);
	if (rc < 0)
		return rc;
	snprintf(prefix, sizeof(prefix), MPI_RANK_PREFIX "%" PRIu64, rank);
	snprintf(stage->final, sizeof(stage->final), "%s" EXPERIMENT_SUFFIX, prefix);
	strcpy(target->final, stage->final);
	rc = lock_founder(import, err);
	if (rc < 0)
		return rc;
	rc = join(import, target, prefix, mode, err);
	flock(import->founder, LOCK_UN);
	return rc;
}

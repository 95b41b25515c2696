/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/import/private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"
#include "libexpt/manage/operand.h"
#include "libexpt/stage/commit.h"

/* Limit of experiments being unpacked concurrently: those without a manifest accumulate,
 * and so do those from a pipe until its index is read. */
#define PENDING_MAX 256
#define GROUPS_MAX  256

/* ---- names of results ---- */

int import_path(struct strbuf *path, const struct import *import, const char *name,
		struct expt_error *err)
{
	const char *directory = import->options->directory;

	/* The stage of a rank has a name that belongs to an experiment. */
	if (import->options->into)
		strbuf_printf(path, "%s/" MPI_RANK_PREFIX, import->options->into);
	else if (directory && *directory)
		strbuf_printf(path, "%s/", directory);
	strbuf_add_text(path, name);
	return path->failed ? expt_fail(err, -ENOMEM, "cannot unpack '%s'", name) : 0;
}

static int fail_taken(const struct import *import, const char *name,
		      struct expt_error *err)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;
	int rc = import_path(&path, import, name, err);

	return rc < 0 ? rc : expt_fail(err, -EEXIST, "cannot create '%s'", path.text);
}

/* Choose the name itself or, if it is taken and the caller allows that, the next number.
 */
static int choose_name(struct target *target, const struct import *import,
		       struct expt_error *err)
{
	const char *directory = import->options->directory;
	cleanup_fd int dir = -1;
	struct stat status;

	strcpy(target->final, target->top);
	if (import->is_check || import->options->into)
		return 0;
	dir = open(directory && *directory ? directory : ".",
		   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return expt_fail(err, -errno, "cannot open directory '%s'",
				 directory ? directory : ".");
	if (expt_directory_is_inside(dir))
		return expt_refuse(err, -EINVAL,
				   "'%s' would be inside another experiment",
				   target->top);
	if (fstatat(dir, target->top, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (import->options->rename && !expt_name_is_group(target->top))
		return expt_name_next(target->final, sizeof(target->final), dir,
				      target->top, err);
	return import->options->replace ? 0 : fail_taken(import, target->top, err);
}

/* ---- experiments ---- */

/* Finish inner directories before those that contain them. */
static int finish_directories(const struct import *import, size_t owner, mode_t allowed,
			      struct expt_error *err)
{
	const struct target *target = &import->targets.items[owner];

	for (size_t i = import->members.count; i-- > 0;) {
		const struct member *member = &import->members.items[i];
		int rc;

		if (member->type != TAR_DIRECTORY || member->owner != owner)
			continue;
		rc = unpack_directory_end(target->stage.dir, member, allowed, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Read back from the disk, as far as the kernel allows. */
static int verify(const struct import *import, size_t owner, struct expt_error *err)
{
	const struct target *target = &import->targets.items[owner];
	int rc = 0;

	if (syncfs(target->stage.dir) < 0)
		return expt_fail(err, -errno, "cannot sync to disk");
	for (size_t i = 0; i < import->members.count && rc == 0; i++) {
		const struct member *member = &import->members.items[i];

		if (member->type == TAR_FILE && member->owner == owner &&
		    !member->is_manifest)
			rc = unpack_verify(&import->from, target->stage.dir, member, err);
	}
	return rc;
}

static mode_t top_mode(const struct import *import, const struct target *target)
{
	size_t top = members_find(&import->members, target->top);

	return top == MEMBER_NONE ? DIRECTORY_MODE : import->members.items[top].mode;
}

static int put_in_place(struct import *import, size_t owner, struct expt_error *err)
{
	struct target *target = &import->targets.items[owner];
	struct stat made;
	int rc = io_probe_file(target->stage.dir, PROBE_FILE, &made);
	mode_t mode;

	if (rc < 0)
		return expt_fail(err, rc, "cannot finish '%s'", target->final);
	mode = made.st_mode & DIRECTORY_MODE;
	rc = import->options->verify ? verify(import, owner, err) : 0;
	if (rc == 0)
		rc = finish_directories(import, owner, mode, err);
	mode &= top_mode(import, target);
	if (rc == 0 && import->options->into)
		return import_join(import, target, mode, err);
	return rc < 0 ? rc
		      : stage_commit(&target->stage, import->options->replace, STAGE_SYNC,
				     mode, err);
}

static int commit_experiment(struct import *import, size_t owner, struct expt_error *err)
{
	struct target *target = &import->targets.items[owner];
	int rc = import_writes(import) ? put_in_place(import, owner, err) : 0;

	if (rc < 0)
		return rc;
	target->is_done = true;
	import->pending--;
	if (!import->is_check)
		expt_report_add(import->options->operation.report, EXPT_COPIED,
				target->final, "%llu files, %llu bytes",
				(unsigned long long)target->files,
				(unsigned long long)target->bytes);
	return 0;
}

int import_commit_experiments(struct import *import, bool all, struct expt_error *err)
{
	for (size_t i = 0; import->pending > 0 && i < import->targets.count; i++) {
		struct target *target = &import->targets.items[i];
		int rc;

		if (target->is_done || expt_name_is_group(target->top) ||
		    (!all && !target->is_verified))
			continue;
		rc = commit_experiment(import, i, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int start_experiment(struct import *import, struct target *target,
			    struct expt_error *err)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;
	bool waits = import->passed && import->pending < PENDING_MAX;
	bool replace = import->options->replace;
	int rc = waits ? 0 : import_commit_experiments(import, false, err);

	if (rc == 0 && import->pending >= PENDING_MAX)
		rc = expt_refuse(err, -EPERM,
				 "more than %d experiments without a manifest",
				 PENDING_MAX);
	if (rc == 0)
		rc = choose_name(target, import, err);
	if (rc < 0 || import->is_check)
		return rc;
	rc = import_path(&path, import, target->final, err);
	if (rc < 0)
		return rc;
	return import_writes(import) ? stage_open(&target->stage, path.text, replace, err)
				     : stage_check(path.text, replace, err);
}

static int start_group(struct import *import, struct target *target,
		       struct expt_error *err)
{
	if (++import->groups > GROUPS_MAX)
		return expt_refuse(err, -EPERM, "more than %d groups", GROUPS_MAX);
	return choose_name(target, import, err);
}

/* The sender must not choose what is written or replaced here. */
static int check_wanted(const struct import *import, const char *top,
			struct expt_error *err)
{
	const char *const *only = import->options->only;

	if (!only)
		return 0;
	for (; *only; only++)
		if (strcmp(*only, top) == 0)
			return 0;
	return expt_refuse(err, -EPERM, "refused '%s': it was not requested", top);
}

static int add_target(struct import *import, const char *top, size_t length,
		      struct expt_error *err)
{
	struct target *target = array_add(&import->targets);
	int rc;

	if (!target)
		return expt_fail(err, -ENOMEM, "cannot unpack");
	target->stage = (struct stage)STAGE_INIT;
	memcpy(target->top, top, length);
	target->top[length] = '\0';
	rc = check_wanted(import, target->top, err);
	if (rc < 0)
		return rc;
	if (expt_name_is_group(target->top))
		return start_group(import, target, err);
	rc = start_experiment(import, target, err);
	if (rc == 0) {
		import->has_experiment = true;
		import->pending++;
	}
	return rc;
}

/* Members of one target are usually adjacent, so search from the end. */
int import_find_target(struct import *import, const struct member *member, size_t *owner,
		       struct expt_error *err)
{
	size_t length = strcspn(member->name, "/");

	for (*owner = import->targets.count; (*owner)-- > 0;) {
		const char *top = import->targets.items[*owner].top;

		if (strlen(top) == length && memcmp(top, member->name, length) == 0)
			return 0;
	}
	*owner = import->targets.count;
	return add_target(import, member->name, length, err);
}

void import_release_targets(struct import *import)
{
	for (size_t i = 0; i < import->targets.count; i++) {
		stage_release(&import->targets.items[i].stage);
		free(import->targets.items[i].group);
	}
	array_release(&import->targets);
}

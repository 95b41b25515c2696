/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes experiments and groups into one bundle. Everything is examined before the first
 * byte is written, so that most refusals come before any output; then one pass over the
 * data follows.
 */
#include "libexpt/export/private.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"
#include "libexpt/layout/hidden.h"
#include "libexpt/stage/output.h"

/* A group file as it will be in the bundle, next to its members. */
struct group {
	char top[256];
	struct expt_group *members;
	struct strbuf text;
	struct timespec mtime;
};

struct export_run {
	const struct expt_export_options *options;
	struct {
		struct export_plan *items;
		size_t count, capacity;
	} plans;
	struct {
		struct group *items;
		size_t count, capacity;
	} groups;
};

/* ---- what is named on the command line ---- */

static int fail_memory(struct expt_error *err)
{
	return expt_fail(err, -ENOMEM, "cannot export");
}

/* Two experiments with one name would become one when imported: refuse. Returns 1 if the
 * same experiment was added before, perhaps as a member of another group. */
static int is_taken(struct export_run *run, const struct export_plan *plan,
		    struct expt_error *err)
{
	for (size_t i = 0; i < run->plans.count; i++) {
		const struct export_plan *earlier = &run->plans.items[i];

		if (earlier == plan || strcmp(earlier->top, plan->top) != 0)
			continue;
		if (io_is_same(&earlier->operand.status, &plan->operand.status))
			return 1;
		return expt_refuse(err, -EINVAL,
				   "'%s' and '%s' would have the same name in the bundle",
				   earlier->path, plan->path);
	}
	return 0;
}

static int add_experiment(struct export_run *run, const char *path, char top[256],
			  struct expt_error *err)
{
	struct export_plan *plan = array_add(&run->plans);
	int rc;

	if (!plan)
		return fail_memory(err);
	rc = export_plan_read(plan, path, run->options, err);
	memcpy(top, plan->top, sizeof(plan->top));
	if (rc == 0)
		rc = is_taken(run, plan, err);
	if (rc != 0) {
		export_plan_release(plan);
		run->plans.count--;
	}
	return rc < 0 ? rc : 0;
}

/* Members are named in the group as they are in the bundle. A missing member is reported
 * and left out of the group. */
static int add_members(struct export_run *run, struct group *group,
		       struct expt_error *err)
{
	strbuf_add_text(&group->text, GROUP_HEADER "\n");
	for (size_t i = 0; i < expt_group_count(group->members); i++) {
		const char *path = expt_group_member(group->members, i);
		char top[256];
		int rc = add_experiment(run, path, top, err);

		if (rc == -ENOENT) {
			expt_report_add(run->options->operation.report, EXPT_MISSING,
					path, "no such experiment");
			continue;
		}
		if (rc < 0)
			return rc;
		strbuf_printf(&group->text, "%s\n", top);
	}
	return group->text.failed ? fail_memory(err) : 0;
}

static int add_group(struct export_run *run, const char *path, struct expt_error *err)
{
	struct group *group = array_add(&run->groups);
	cleanup_fd int parent = -1;
	struct stat status;
	int rc;

	if (!group)
		return fail_memory(err);
	rc = stage_split(&parent, group->top, path, err);
	if (rc == 0)
		rc = expt_group_open(&group->members, path, err);
	if (rc < 0)
		return rc;
	if (fstatat(parent, group->top, &status, 0) < 0)
		return expt_fail(err, -errno, "cannot access '%s'", path);
	group->mtime = status.st_mtim;
	for (size_t i = 0; i + 1 < run->groups.count; i++)
		if (strcmp(run->groups.items[i].top, group->top) == 0)
			return expt_refuse(err, -EINVAL, "two groups have the name '%s'",
					   group->top);
	rc = add_members(run, group, err);
	return rc < 0 ? expt_fail_in(err, rc, "'%s'", path) : 0;
}

static int add_operand(struct export_run *run, const char *path, struct expt_error *err)
{
	char top[256];

	return expt_name_is_group(path) ? add_group(run, path, err)
					: add_experiment(run, path, top, err);
}

/* ---- the run ---- */

static void say_exported(const struct export_run *run, const struct export_plan *plan)
{
	uint64_t files = 0, bytes = 0;

	for (size_t i = 0; i < plan->items.count; i++) {
		files += plan->items.items[i].source != EXPORT_DIRECTORY;
		bytes += plan->items.items[i].size;
	}
	expt_report_add(run->options->operation.report, EXPT_COPIED, plan->path,
			"%llu files, %llu bytes", (unsigned long long)files,
			(unsigned long long)bytes);
}

static void expect_files(const struct export_run *run)
{
	for (size_t i = 0; i < run->plans.count; i++) {
		const struct export_plan *plan = &run->plans.items[i];

		for (size_t k = 0; k < plan->items.count; k++)
			if (plan->items.items[k].source != EXPORT_DIRECTORY)
				progress_expect(run->options->operation.progress, 1,
						plan->items.items[k].size);
	}
}

/* Groups come first; the manifest of the experiment after them lists them. */
static int write_all(struct export_run *run, struct export_writer *writer,
		     struct expt_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < run->groups.count; i++) {
		const struct group *group = &run->groups.items[i];

		rc = export_write_text(writer, group->top, group->text.text,
				       group->text.length, group->mtime, err);
	}
	for (size_t i = 0; rc == 0 && i < run->plans.count; i++) {
		rc = export_write_experiment(writer, &run->plans.items[i], err);
		if (rc == 0)
			say_exported(run, &run->plans.items[i]);
	}
	return rc < 0 ? rc : export_writer_finish(writer, err);
}

static int write_to(struct export_run *run, int fd, struct expt_error *err)
{
	struct export_writer writer;
	int rc = export_writer_open(&writer, fd, run->options, err);

	if (rc < 0)
		return rc;
	expect_files(run);
	progress_begin(run->options->operation.progress, EXPT_PHASE_COPYING);
	rc = write_all(run, &writer, err);
	export_writer_release(&writer);
	return rc;
}

static int add_operands(struct export_run *run, const char *const *operands, size_t count,
			struct expt_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add_operand(run, operands[i], err);
	if (rc == 0 && run->plans.count == 0)
		return expt_refuse(err, -EINVAL, "no experiments to export");
	return rc;
}

static int show_all(struct export_run *run, const char *const *operands, size_t count,
		    const char *path, struct expt_error *err)
{
	int rc = path ? output_check(path, run->options->replace, err) : 0;

	if (rc == 0)
		rc = add_operands(run, operands, count, err);
	for (size_t i = 0; rc == 0 && i < run->plans.count; i++)
		say_exported(run, &run->plans.items[i]);
	return rc;
}

/* The bundle is readable for those who may read everything in it. */
static int limit_readers(const struct export_run *run, struct output *output,
			 struct expt_error *err)
{
	struct origin readers = { .readers = ORIGIN_EVERYONE };
	const struct export_plan *first = NULL;
	int rc;

	for (size_t i = 0; i < run->plans.count; i++) {
		const struct export_plan *plan = &run->plans.items[i];

		if (!first && plan->readers.readers != ORIGIN_EVERYONE)
			first = plan;
		origin_join(&readers, &plan->readers);
	}
	rc = output_limit(output, &readers, err);
	if (rc > 0 && first)
		expt_report_add(run->options->operation.report, EXPT_NOTE, output->path,
				"not readable by everyone, because parts of '%s' are not",
				first->path);
	return rc < 0 ? rc : 0;
}

static int export_all(struct export_run *run, const char *const *operands, size_t count,
		      const char *path, int fd, struct expt_error *err)
{
	cleanup_output struct output output = OUTPUT_INIT;
	bool replace = run->options->replace;
	int rc = 0;

	if (run->options->operation.dry_run)
		return show_all(run, operands, count, path, err);
	if (path)
		rc = output_open(&output, path, replace, err);
	if (rc == 0)
		rc = add_operands(run, operands, count, err);
	if (rc == 0 && path)
		rc = limit_readers(run, &output, err);
	if (rc < 0)
		return rc;
	rc = write_to(run, path ? output.file.fd : fd, err);
	if (rc < 0)
		return path ? expt_fail_in(err, rc, "'%s'", path) : rc;
	progress_begin(run->options->operation.progress, EXPT_PHASE_SYNCING);
	return path ? output_commit(&output, replace, err) : 0;
}

int expt_export(const char *const *experiments, size_t count, const char *path, int fd,
		const struct expt_export_options *options, struct expt_error *err)
{
	static const struct expt_export_options defaults;
	struct export_run run = { .options = options ? options : &defaults };
	int rc = export_all(&run, experiments, count, path, fd, err);

	for (size_t i = 0; i < run.plans.count; i++)
		export_plan_release(&run.plans.items[i]);
	for (size_t i = 0; i < run.groups.count; i++) {
		expt_group_close(run.groups.items[i].members);
		strbuf_release(&run.groups.items[i].text);
	}
	array_release(&run.plans);
	array_release(&run.groups);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns a bundle, or any tarball, back into experiments in one pass: a member is judged
 * (members.c), unpacked into the stage of its experiment (unpack.c, stage.c) and summed;
 * the manifest that follows has the right sums. Only then does the experiment appear. A
 * check does the same without stages.
 */
#include "libexpt/import/private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/bundle/checklist.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"

/* ---- members ---- */

static int take_manifest(struct import *import, struct member *member,
			 struct expt_error *err)
{
	struct expt_report *report = import->is_check ? import->options->operation.report
						      : NULL;
	cleanup_free char *text = NULL;
	int rc = unpack_text(&text, &import->from, CHECKLIST_BYTES_MAX, member, err);

	if (rc < 0)
		return rc;
	rc = checklist_check(&import->members, import->unlisted, text, report, err);
	if (rc == -EBADMSG && report && !expt_report_is_complete(report)) {
		import->differs = true;
		rc = 0;
	}
	if (rc < 0)
		return rc;
	import->unlisted = import->members.count;
	import->has_manifest = true;
	for (size_t i = 0; i < import->targets.count; i++)
		import->targets.items[i].is_verified = true;
	return 0;
}

static int take_file(struct import *import, struct target *target, struct member *member,
		     struct expt_error *err)
{
	int rc = unpack_file(&import->from,
			     import_writes(import) ? target->stage.dir : -1, member, err);

	if (rc < 0)
		return rc;
	target->files++;
	target->bytes += member->size;
	if (!import->is_check)
		expt_report_count_file(import->options->operation.report, member->size);
	return 0;
}

static int take_member(struct import *import, size_t index, struct expt_error *err)
{
	struct member *member = &import->members.items[index];
	struct target *target;
	int rc = import_find_target(import, member, &member->owner, err);

	if (rc < 0)
		return rc;
	target = &import->targets.items[member->owner];
	if (target->is_verified)
		return expt_refuse(err, -EPERM,
				   "refused the member '%s': it follows the manifest",
				   member->name);
	if (member->is_manifest)
		return take_manifest(import, member, err);
	if (expt_name_is_group(target->top))
		return import_read_group(import, target, member, err);
	if (member->type == TAR_FILE)
		return take_file(import, target, member, err);
	if (!import_writes(import) || !*member->path)
		return 0;
	return member->type == TAR_LINK
		       ? unpack_link(target->stage.dir, member, err)
		       : unpack_directory(target->stage.dir, member, err);
}

/* members_add() also adds the parent directories that had no member of their own, in
 * front of the member; a directory whose own member comes later is in the table already.
 */
static int take_new_members(struct import *import, size_t first, struct expt_error *err)
{
	int rc = 0;

	for (size_t i = first; rc == 0 && i < import->members.count; i++)
		rc = take_member(import, i, err);
	return rc;
}

static int take_all(struct import *import, struct expt_error *err)
{
	struct tar_member member;
	size_t index;
	int rc;

	while ((rc = tar_reader_next(import->from.reader, &member, err)) > 0) {
		size_t first = import->members.count;

		rc = import_compare_index(import, &member, err);
		if (rc == 0)
			rc = members_add(&import->members, &index, &member,
					 tar_reader_consumed(import->from.reader),
					 tar_reader_size(import->from.reader), err);
		if (rc > 0)
			rc = take_new_members(import, first, err);
		if (rc < 0)
			break;
	}
	return rc < 0 ? rc : import_finish_index(import, err);
}

/* ---- the end ---- */

static int check_manifest(struct import *import, struct expt_error *err)
{
	if (!import->has_manifest && import->options->verify)
		return expt_refuse(err, -EBADMSG, "it ends without a manifest");
	if (!import->has_manifest) {
		expt_report_add(import->options->operation.report,
				import->is_check ? EXPT_FAILED : EXPT_NOTE,
				import->source,
				import->is_check ? "has no manifest"
						 : "not verified: it has no manifest");
		import->differs = import->is_check;
		return 0;
	}
	for (size_t i = import->unlisted; i < import->members.count; i++)
		if (import->members.items[i].type == TAR_FILE)
			return expt_refuse(
				err, -EPERM,
				"refused the member '%s': it is not in a manifest",
				import->members.items[i].name);
	return 0;
}

static int finish(struct import *import, struct expt_error *err)
{
	int rc;

	if (!import->has_experiment)
		return expt_refuse(err, -EBADMSG, "it contains no experiment");
	progress_begin(import->options->operation.progress, EXPT_PHASE_SYNCING);
	rc = check_manifest(import, err);
	if (rc == 0)
		rc = import_commit_experiments(import, true, err);
	/* A group of ranks is their founder now. */
	return rc < 0 || import->options->into ? rc : import_commit_groups(import, err);
}

static int run(struct import *import, int fd, struct expt_error *err)
{
	const struct tar_reading how = {
		.threads = import->options->operation.threads,
		.timeout_s = import->options->timeout_s,
		.limits = &import->members.limits,
		.progress = import->options->operation.progress,
		.stop = import->options->operation.stop,
	};
	int rc = tar_reader_open(&import->from.reader, fd, &how, err);

	if (rc == 0)
		rc = digest_open(&import->from.digest, err);
	if (rc == 0 && import->options->into && !import->is_check)
		rc = import_open_founder(import, err);
	if (rc == 0)
		rc = import_open_index(import, fd, err);
	if (rc == 0) {
		progress_expect(import->options->operation.progress, 0,
				tar_reader_size(import->from.reader));
		progress_begin(import->options->operation.progress, EXPT_PHASE_COPYING);
		rc = take_all(import, err);
	}
	if (rc == 0)
		rc = finish(import, err);
	if (rc < 0)
		return expt_fail_in(err, rc, "'%s'", import->source);
	return import->differs;
}

static int import_stream(const char *path, int fd,
			 const struct expt_import_options *options, bool is_check,
			 struct expt_error *err)
{
	struct import import = { .options = options,
				 .is_check = is_check,
				 .founder = -1,
				 .from.stop = options->operation.stop };
	cleanup_fd int opened = -1;
	int rc;

	if (path) {
		opened = fd = io_open_stream(path);
		if (fd < 0)
			return expt_fail(err, fd, "cannot open '%s'", path);
	}
	import.source = path ? path : "-";
	members_init(&import.members, options);
	import.from.members = &import.members;
	import.from.progress = options->operation.progress;
	rc = run(&import, fd, err);
	tar_reader_close(import.from.reader);
	digest_close(import.from.digest);
	digest_close(import.passed);
	import_release_targets(&import);
	members_release(&import.members);
	if (import.founder >= 0)
		close(import.founder);
	free(import.index_text);
	return rc;
}

int expt_import(const char *path, int fd, const struct expt_import_options *options,
		struct expt_error *err)
{
	static const struct expt_import_options defaults;

	return import_stream(path, fd, options ? options : &defaults, false, err);
}

int expt_bundle_differs(const char *path, const struct expt_import_options *options,
			struct expt_error *err)
{
	return import_stream(path, -1, options, true, err);
}

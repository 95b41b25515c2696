/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a bundle, or somebody's own tarball, back to experiments. One pass: a member is judged
 * (members.c), unpacked into the stage of its experiment (unpack.c, stage.c), and summed; the
 * manifest that follows says whether the sums are right. Only then does the experiment appear.
 * Checking a bundle is the same without stages.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/checklist.h"
#include "libexpt/error.h"
#include "libexpt/expt.h"
#include "libexpt/format.h"
#include "libexpt/members.h"
#include "libexpt/operand.h"
#include "libexpt/output.h"
#include "libexpt/report.h"
#include "libexpt/stage.h"
#include "libexpt/tar.h"
#include "libexpt/unpack.h"

/* Experiments being unpacked at once: only those without a manifest of their own pile up. */
#define PENDING_MAX 256
#define GROUPS_MAX  256

/* An experiment, or a group, in the bundle. */
struct target {
	char top[256];	 /* its name in the bundle */
	char final[256]; /* and here */
	struct stage stage;
	char *group;	  /* the text of a group */
	bool is_verified; /* by a manifest */
	bool is_done;
	uint64_t files, bytes;
};

struct import {
	const struct expt_import_options *options;
	const char *source; /* for messages */
	bool is_check;
	struct unpacker from;
	struct members members;
	struct {
		struct target *items;
		size_t count, capacity;
	} targets;
	size_t unlisted; /* the first member that no manifest has spoken of yet */
	size_t pending;	 /* experiments not yet committed */
	size_t groups;
	bool has_manifest, has_experiment, differs;
};

static bool writes(const struct import *import)
{
	return !import->is_check && !import->options->dry_run;
}

/* ---- names of results ---- */

static int path_of(struct strbuf *path, const struct import *import, const char *name,
		   struct expt_error *err)
{
	const char *directory = import->options->directory;

	if (directory && *directory)
		strbuf_printf(path, "%s/", directory);
	strbuf_add_text(path, name);
	return path->failed ? expt_fail(err, -ENOMEM, "cannot unpack '%s'", name) : 0;
}

/* The name itself or, if it is taken and the caller wants that, the next number. */
static int choose_name(struct target *target, const struct import *import,
		       struct expt_error *err)
{
	const char *directory = import->options->directory;
	cleanup_fd int dir = -1;
	struct stat status;

	strcpy(target->final, target->top);
	if (import->is_check)
		return 0;
	dir = open(directory && *directory ? directory : ".",
		   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return expt_fail(err, -errno, "cannot open the directory '%s'",
				 directory ? directory : ".");
	if (expt_directory_is_inside(dir))
		return expt_fail(err, -EINVAL, "'%s' would be in another experiment",
				 target->top);
	if (fstatat(dir, target->top, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (import->options->rename && !expt_name_is_group(target->top))
		return expt_name_next(target->final, sizeof target->final, dir,
				      target->top, err);
	return import->options->force
		       ? 0
		       : expt_fail(err, -EEXIST, "cannot create '%s'", target->top);
}

/* What the umask leaves of a directory's mode, found without touching the umask. */
static int directory_mode(mode_t *mode, int stage)
{
	static const char probe[] = ".mode";
	struct stat status;
	int rc = 0;

	if (mkdirat(stage, probe, DIRECTORY_MODE) < 0)
		return -errno;
	if (fstatat(stage, probe, &status, AT_SYMLINK_NOFOLLOW) < 0)
		rc = -errno;
	if (unlinkat(stage, probe, AT_REMOVEDIR) < 0)
		rc = -errno;
	*mode = status.st_mode & 0777;
	return rc;
}

/* ---- experiments ---- */

static void release_target(struct target *target)
{
	stage_release(&target->stage);
	free(target->group);
}

/* Directories get their times last, those inside before those around them. */
static int set_directory_times(const struct import *import, size_t owner,
			       struct expt_error *err)
{
	const struct target *target = &import->targets.items[owner];

	for (size_t i = import->members.count; i-- > 0;) {
		const struct member *member = &import->members.items[i];
		int rc;

		if (member->type != TAR_DIRECTORY || member->owner != owner ||
		    member->is_implied)
			continue;
		rc = unpack_directory_time(target->stage.dir, member, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int put_in_place(struct import *import, size_t owner, struct expt_error *err)
{
	struct target *target = &import->targets.items[owner];
	mode_t mode = 0;
	int rc = directory_mode(&mode, target->stage.dir);

	if (rc < 0)
		return expt_fail(err, rc, "cannot finish '%s'", target->final);
	rc = set_directory_times(import, owner, err);
	return rc < 0 ? rc
		      : stage_commit(&target->stage, import->options->force, STAGE_SYNC,
				     mode, err);
}

static int commit_experiment(struct import *import, size_t owner, struct expt_error *err)
{
	struct target *target = &import->targets.items[owner];
	int rc = writes(import) ? put_in_place(import, owner, err) : 0;

	if (rc < 0)
		return rc;
	target->is_done = true;
	import->pending--;
	if (!import->is_check)
		expt_report_add(import->options->report, EXPT_COPIED, target->final,
				"%llu files, %llu bytes", (unsigned long long)target->files,
				(unsigned long long)target->bytes);
	return 0;
}

/* Those that a manifest has verified, or all. */
static int commit_experiments(struct import *import, bool all, struct expt_error *err)
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
	int rc = commit_experiments(import, false, err);

	if (rc == 0 && import->pending >= PENDING_MAX)
		rc = expt_fail(err, -EPERM, "more than %d experiments without a manifest",
			       PENDING_MAX);
	if (rc == 0)
		rc = choose_name(target, import, err);
	if (rc < 0 || !writes(import))
		return rc;
	rc = path_of(&path, import, target->final, err);
	return rc < 0 ? rc
		      : stage_open(&target->stage, path.text, import->options->force, err);
}

static int start_group(struct import *import, struct target *target, struct expt_error *err)
{
	if (++import->groups > GROUPS_MAX)
		return expt_fail(err, -EPERM, "more than %d groups", GROUPS_MAX);
	return choose_name(target, import, err);
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
	if (expt_name_is_group(target->top))
		return start_group(import, target, err);
	rc = start_experiment(import, target, err);
	if (rc == 0) {
		import->has_experiment = true;
		import->pending++;
	}
	return rc;
}

/* The target that a member belongs to; members of one stand together as a rule. */
static int find_target(struct import *import, const struct member *member, size_t *owner,
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

/* ---- members ---- */

static int take_manifest(struct import *import, struct member *member,
			 struct expt_error *err)
{
	struct expt_report *report = import->is_check ? import->options->report : NULL;
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

static int take_group(struct import *import, struct target *target, struct member *member,
		      struct expt_error *err)
{
	int rc = unpack_text(&target->group, &import->from, MEMBERS_GROUP_MAX, member, err);

	if (rc == 0 && strncmp(target->group, GROUP_HEADER, sizeof GROUP_HEADER - 1) != 0)
		return expt_fail(err, -EPERM, "refused the member '%s': it is no group",
				 member->name);
	return rc;
}

static int take_file(struct import *import, struct target *target, struct member *member,
		     struct expt_error *err)
{
	int rc = unpack_file(&import->from, writes(import) ? target->stage.dir : -1,
			     member, err);

	if (rc < 0)
		return rc;
	target->files++;
	target->bytes += member->size;
	if (!import->is_check)
		expt_report_count_file(import->options->report, member->size);
	return 0;
}

static int take_member(struct import *import, size_t index, struct expt_error *err)
{
	struct member *member = &import->members.items[index];
	struct target *target;
	int rc = find_target(import, member, &member->owner, err);

	if (rc < 0)
		return rc;
	target = &import->targets.items[member->owner];
	if (target->is_verified)
		return expt_fail(err, -EPERM,
				 "refused the member '%s': it is behind the manifest",
				 member->name);
	if (member->is_manifest)
		return take_manifest(import, member, err);
	if (expt_name_is_group(target->top))
		return take_group(import, target, member, err);
	if (member->type == TAR_FILE)
		return take_file(import, target, member, err);
	if (!writes(import) || !*member->path)
		return 0;
	return member->type == TAR_LINK ? unpack_link(target->stage.dir, member, err)
					: unpack_directory(target->stage.dir, member, err);
}

/* A member enters the table behind the directories on its way that had no member of their own; one
 * of those whose own member comes later is there already. */
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

		rc = members_add(&import->members, &index, &member,
				 tar_reader_consumed(import->from.reader),
				 tar_reader_size(import->from.reader), err);
		if (rc > 0)
			rc = take_new_members(import, first, err);
		if (rc < 0)
			break;
	}
	return rc;
}

/* ---- the end ---- */

static int check_manifest(struct import *import, struct expt_error *err)
{
	if (!import->has_manifest) {
		expt_report_add(import->options->report,
				import->is_check ? EXPT_FAILED : EXPT_NOTE, import->source,
				import->is_check ? "has no manifest"
						 : "unverified: it has no manifest");
		import->differs = import->is_check;
		return 0;
	}
	for (size_t i = import->unlisted; i < import->members.count; i++)
		if (import->members.items[i].type == TAR_FILE)
			return expt_fail(err, -EPERM,
					 "refused the member '%s': it is in no manifest",
					 import->members.items[i].name);
	return 0;
}

/* The name that an experiment named in a group has here, or NULL if it came from elsewhere. */
static const char *final_name(const struct import *import, const char *line, size_t length)
{
	while (length > 0 && line[length - 1] == '/')
		length--;
	for (size_t start = length; start-- > 0;)
		if (line[start] == '/') {
			line += start + 1;
			length -= start + 1;
			break;
		}
	for (size_t i = 0; i < import->targets.count; i++) {
		const struct target *target = &import->targets.items[i];

		if (!target->group && strlen(target->top) == length &&
		    memcmp(target->top, line, length) == 0)
			return target->final;
	}
	return NULL;
}

/* The experiments that came along stand beside the group now, perhaps under other names. */
static void write_group_text(struct strbuf *text, const struct import *import,
			     const char *line)
{
	while (*line) {
		size_t length = strcspn(line, "\n");
		const char *name = *line == '#' ? NULL : final_name(import, line, length);

		if (name)
			strbuf_add_text(text, name);
		else
			strbuf_add(text, line, length);
		line += length;
		if (*line) {
			strbuf_add_char(text, '\n');
			line++;
		}
	}
}

static int commit_group(struct import *import, const struct target *target,
			struct expt_error *err)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	cleanup_output struct output output = OUTPUT_INIT;
	bool force = import->options->force;
	int rc = path_of(&path, import, target->final, err);

	write_group_text(&text, import, target->group);
	if (text.failed)
		return expt_fail(err, -ENOMEM, "cannot unpack '%s'", target->top);
	if (rc == 0)
		rc = output_open(&output, path.text, force, err);
	if (rc < 0)
		return rc;
	rc = io_write_all(output.fd, text.text, text.length);
	return rc < 0 ? expt_fail(err, rc, "cannot write '%s'", target->final)
		      : output_commit(&output, force, err);
}

/* Groups last: when a group can be seen, so can its members. */
static int commit_groups(struct import *import, struct expt_error *err)
{
	for (size_t i = 0; writes(import) && i < import->targets.count; i++) {
		const struct target *target = &import->targets.items[i];
		int rc = target->group ? commit_group(import, target, err) : 0;

		if (rc < 0)
			return rc;
	}
	return 0;
}

static int finish(struct import *import, struct expt_error *err)
{
	int rc;

	if (!import->has_experiment)
		return expt_fail(err, -EBADMSG, "it holds no experiment");
	rc = check_manifest(import, err);
	if (rc == 0)
		rc = commit_experiments(import, true, err);
	return rc < 0 ? rc : commit_groups(import, err);
}

static int run(struct import *import, int fd, struct expt_error *err)
{
	int rc = tar_reader_open(&import->from.reader, fd, import->options->threads, err);

	if (rc == 0)
		rc = digest_open(&import->from.digest, err);
	if (rc == 0)
		rc = take_all(import, err);
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
				 .from.stop = options->stop };
	cleanup_fd int opened = -1;
	int rc;

	if (path) {
		opened = fd = open(path, O_RDONLY | O_NOCTTY | O_CLOEXEC);
		if (fd < 0)
			return expt_fail(err, -errno, "cannot open '%s'", path);
	}
	import.source = path ? path : "-";
	members_init(&import.members, options->max_entries, options->max_bytes);
	rc = run(&import, fd, err);
	tar_reader_close(import.from.reader);
	digest_close(import.from.digest);
	for (size_t i = 0; i < import.targets.count; i++)
		release_target(&import.targets.items[i]);
	array_release(&import.targets);
	members_release(&import.members);
	return rc;
}

int expt_import(const char *path, int fd, const struct expt_import_options *options,
		struct expt_error *err)
{
	static const struct expt_import_options defaults;

	return import_stream(path, fd, options ? options : &defaults, false, err);
}

int expt_bundle_check(const char *path, struct expt_report *report, struct expt_error *err)
{
	struct expt_import_options options = {
		.max_bytes = UINT64_MAX,
		.max_entries = UINT32_MAX,
		.report = report,
	};

	return import_stream(path, -1, &options, true, err);
}

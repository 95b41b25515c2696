/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archives the files in which programs name code that they make at run time: the perf map
 * of each process, and files in jitdump format that it mapped. Anyone can make a file
 * with the name of a perf map, so it must be a plain file of the recorded user, without
 * other names, that was last written during the run. A file of another process or time is
 * no problem: most processes have none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/name.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/jit/files.h"

#define HEAD_SIZE 4096

/* A member whose files are looked for. */
struct process {
	const struct expt_info *info;
	uid_t user; /* who recorded it */
};

/* ---- is it the process's? ---- */

/* Returns why the file is not taken, or NULL. */
static const char *find_problem(const struct archive_source *source,
				const struct process *process)
{
	const char *problem = jit_file_problem(&source->status, process->info);
	char head[HEAD_SIZE];
	ssize_t got;

	if (problem)
		return problem;
	if (source->status.st_uid != process->user)
		return "it belongs to another user than the experiment";
	if (source->status.st_nlink != 1)
		return "it has several names";
	got = io_pread_full(source->fd, head, sizeof(head), 0);
	return got > 0 && jit_file_begins(head, (size_t)got) ? NULL
							     : "it does not name code";
}

static int take(struct archiver *archiver, const struct archive_object *file,
		const struct process *process, struct expt_error *err)
{
	cleanup_archive_source struct archive_source source = ARCHIVE_SOURCE_INIT;
	char hash[HASH_TEXT_SIZE];
	enum manifest_state state = MANIFEST_NAMES;
	const char *problem;
	int rc = archive_open_path(archiver, &source, file->path, ORIGIN_REFUSE_LINK);

	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot archive '%s'", file->path);
	if (rc < 0)
		state = archive_why_unopened(archiver, rc, &problem);
	else
		problem = find_problem(&source, process);
	if (rc < 0 && state == MANIFEST_MISSING)
		return 0;
	if (problem) {
		archive_say(archiver, EXPT_NOTE, file->path, "not archived: %s", problem);
		return 0;
	}
	rc = 1;
	if (!archiver->asked.options->operation.dry_run)
		rc = archive_write_copy(archiver, &source, file, hash, err);
	if (rc <= 0)
		return rc;
	archive_say(archiver, archive_copied(archiver, &source), file->path, "%s", "");
	return archiver->asked.options->operation.dry_run
		       ? 0
		       : archive_record_plain(archiver, MANIFEST_NAMES, file->path,
					      &source, hash, err);
}

static int store(struct archiver *archiver, const struct archive_object *file,
		 const struct process *process, struct expt_error *err)
{
	const struct manifest_entry *known = archive_find_entry(archiver, file->path);

	if (!archive_patterns_match(&archiver->asked.patterns, file->path) ||
	    archive_name_problem(file->path))
		return 0;
	if (archiver->asked.options->check_only && !archiver->to.gather) {
		if (known && known->state == MANIFEST_NAMES)
			archive_check_line(archiver, known);
		return 0;
	}
	if (known && known->state == MANIFEST_NAMES &&
	    archive_is_untouched(archiver->to.archives, known)) {
		archive_say(archiver, EXPT_PRESENT, file->path, "%s", "");
		return 0;
	}
	return take(archiver, file, process, err);
}

/* ---- processes ---- */

/* Returns whether there is the perf map of any process: most machines have none, and then
 * no log needs to be read. Those in the manifest are checked. */
static bool has_perf_maps(const struct archiver *archiver)
{
	cleanup_fd int dir = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_entries struct entries entries = entries_open(dir);
	const struct dirent64 *entry;

	for (size_t i = 0; i < archiver->known.manifest.count; i++)
		if (archiver->known.manifest.items[i].state == MANIFEST_NAMES)
			return true;
	while ((entry = entries_next(&entries)))
		if (jit_is_perf_map(entry->d_name))
			return true;
	return false;
}

static int open_log(const struct archiver *archiver, size_t member)
{
	const char *name = archiver->known.members.items[member].name;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s" LOG_FILE, name, *name ? "/" : "");
	return io_open_beneath(archiver->known.founder, path, O_RDONLY | O_NONBLOCK, 0);
}

/* The log belongs to the user who recorded. */
static bool find_user(struct process *process, const struct archiver *archiver,
		      size_t member)
{
	cleanup_fd int fd = open_log(archiver, member);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		return false;
	process->user = status.st_uid;
	return true;
}

/* Returns whether the log names a file in jitdump format, without parsing it. */
static bool names_dump(const struct archiver *archiver, size_t member)
{
	cleanup(io_file_close) struct io_file file = { .bytes = NULL };
	cleanup_fd int fd = open_log(archiver, member);

	return fd >= 0 && io_file_read(&file, fd) == 0 && file.size > 0 &&
	       memmem(file.bytes, file.size, JITDUMP_COMMENT, strlen(JITDUMP_COMMENT));
}

static int store_file(struct archiver *archiver, const char *path,
		      const struct process *process, struct expt_error *err)
{
	const struct archive_object file = { .path = path, .identity.build_id = "" };

	return store(archiver, &file, process, err);
}

static int store_files(struct archiver *archiver, const struct expt *expt,
		       const struct process *process, struct expt_error *err)
{
	struct jit_dump dumps[JIT_DUMPS_MAX];
	size_t count = jit_dumps(dumps, expt);
	char path[JIT_PATH_SIZE];
	int rc;

	jit_perf_map_path(path, process->info->pid);
	rc = store_file(archiver, path, process, err);
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = store_file(archiver, dumps[i].path, process, err);
	return rc;
}

static bool is_of_this_machine(const struct expt_info *info)
{
	struct utsname system;

	return uname(&system) == 0 && strcmp(system.nodename, info->host) == 0;
}

static int store_member(struct archiver *archiver, size_t member, struct expt_error *err)
{
	struct process process;
	struct expt *expt;
	int rc = 0;

	if (archive_open_member(&expt, archiver, member, NULL) < 0)
		return 0;
	process.info = expt_info(expt);
	if (process.info->has_run && find_user(&process, archiver, member) &&
	    (is_of_this_machine(process.info) || archiver->asked.options->check_only))
		rc = store_files(archiver, expt, &process, err);
	expt_close(expt);
	return rc;
}

int archive_jit(struct archiver *archiver, struct expt_error *err)
{
	bool has_any = has_perf_maps(archiver);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < archiver->known.members.count; i++)
		if (has_any || names_dump(archiver, i))
			rc = store_member(archiver, i, err);
	return rc;
}

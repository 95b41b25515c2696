/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries that an experiment may hold, by name and type of file. A directory with
 * anything else in it belongs to the user, whatever its name is.
 */
#include "libexpt/layout/layout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/workers.h"
#include "libexpt/format.h"
#include "libexpt/layout/hidden.h"
#include "libexpt/layout/mounts.h"

#define CLASS_SUFFIX  ".class"
#define CLASSES_DEPTH 64 /* of package directories */

static const char *const files[] = {
	LOG_FILE,	    LOAD_MAP_FILE,    OVERVIEW_FILE, FRAMEINFO_FILE,
	FRAMEINFO_FILE_SUN, CLOCK_FILE,	      HWC_FILE,	     HEAP_FILE,
	SYNC_FILE,	    IO_FILE,	      OMP_FILE,	     RACE_FILE,
	DEADLOCK_FILE,	    MPI_FILE,	      DYNTEXT_FILE,  JCLASSES_FILE,
	JCLASSES_FILE_SUN,  NOTES_FILE,	      LABELS_FILE,   WARNINGS_FILE,
	IFREQ_FILE,	    KALLMODSYMS_FILE, MPVIEW_FILE,   ARCHIVE_LOG_FILE,
	EXPORT_MANIFEST, /* remains if a bundle is unpacked with plain tar */
	OWNER_FILE,	 /* of a stage, without flock(2) */
	PROBE_FILE,	 /* of a stage whose maker was killed */
};

static enum layout_kind permanent_entry(const char *name, bool is_descendant)
{
	if (strcmp(name, ARCHIVES_DIR) == 0)
		return LAYOUT_ARCHIVES;
	if (strcmp(name, JDYNCLASSES_DIR) == 0)
		return LAYOUT_CLASSES;
	if (text_starts_with(name, "_") || text_starts_with(name, MPI_RANK_PREFIX))
		return !is_descendant && text_ends_with(name, EXPERIMENT_SUFFIX)
			       ? LAYOUT_DESCENDANT
			       : LAYOUT_UNKNOWN;
	if (text_starts_with(name, METADATA_PREFIX) &&
	    text_ends_with(name + strlen(METADATA_PREFIX), ".xml"))
		return LAYOUT_FILE;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (strcmp(name, files[i]) == 0)
			return LAYOUT_FILE;
	return LAYOUT_UNKNOWN;
}

enum layout_kind layout_entry(const char *name, bool is_descendant)
{
	char permanent[STAGE_NAME_SIZE];

	if (stage_final_name(permanent, name))
		name = permanent;
	return permanent_entry(name, is_descendant);
}

bool layout_has_stacks(const char *name)
{
	return strcmp(name, FRAMEINFO_FILE) == 0 || strcmp(name, FRAMEINFO_FILE_SUN) == 0;
}

/* ---- contents of the directories ---- */

static int refuse(const struct directory *directory, const struct directory_name *name,
		  const char *reason, struct expt_error *err)
{
	return expt_refuse(err, -EBADMSG, "'%s%s%s' %s", directory->path,
			   *directory->path ? "/" : "", name->text, reason);
}

static int not_an_experiments(const struct directory *directory,
			      const struct directory_name *name, struct expt_error *err)
{
	return refuse(directory, name, "does not belong to an experiment", err);
}

static int check_archived(const struct directory *directory,
			  const struct directory_name *name, struct expt_error *err)
{
	if (name->type == DT_REG || name->type == DT_LNK)
		return LAYOUT_FILE;
	return not_an_experiments(directory, name, err);
}

static int check_class(const struct directory *directory,
		       const struct directory_name *name, struct expt_error *err)
{
	if (name->type == DT_REG && text_ends_with(name->text, CLASS_SUFFIX))
		return LAYOUT_FILE;
	if (name->type == DT_DIR && directory->depth + 1 < CLASSES_DEPTH)
		return LAYOUT_CLASSES;
	return not_an_experiments(directory, name, err);
}

/* A rank that is, or was, on the way into its founder still has its descendants. */
static bool is_rank_in_stage(const struct directory *directory)
{
	char final[STAGE_NAME_SIZE];

	return directory->depth == 1 && stage_final_name(final, directory->path) &&
	       text_starts_with(final, MPI_RANK_PREFIX);
}

static int check_member(const struct directory *directory,
			const struct directory_name *name, struct expt_error *err)
{
	bool is_descendant = directory->depth > 0 && !is_rank_in_stage(directory);
	enum layout_kind kind = layout_entry(name->text, is_descendant);

	if (kind == LAYOUT_UNKNOWN)
		return not_an_experiments(directory, name, err);
	/* The name is an experiment's; the type of the file may not be. */
	if (kind == LAYOUT_FILE && name->type != DT_REG)
		return refuse(directory, name, "is not a regular file", err);
	if (kind != LAYOUT_FILE && name->type != DT_DIR)
		return refuse(directory, name, "is not a directory", err);
	return (int)kind;
}

static int check_name(void *context, const struct directory *directory,
		      const struct directory_name *name, struct expt_error *err)
{
	(void)context;
	switch (directory->kind) {
	case LAYOUT_ARCHIVES:
		return check_archived(directory, name, err);
	case LAYOUT_CLASSES:
		return check_class(directory, name, err);
	default: /* a descendant, or the experiment itself */
		return check_member(directory, name, err);
	}
}

static int check_experiment(int dir, struct directories *kept,
			    struct admissions *admissions, struct expt_error *err)
{
	struct directories directories;
	const struct directories_reading reading = {
		.look = check_name,
		.keeps = kept != NULL,
		.admissions = admissions,
		.threads = admissions ? 1 : workers_count(0),
	};
	int rc = directories_read(&directories, dir, &reading, err);

	if (kept && rc == 0 && directories_sort(&directories) < 0)
		rc = expt_fail(err, -ENOMEM, "cannot list the directories");
	if (kept && rc == 0)
		*kept = directories;
	else
		directories_release(&directories);
	return rc;
}

/* Single files may be mount points, too. The list of mounts shows them without a stat()
 * of each file. */
static int check_unmounted(int dir, struct expt_error *err)
{
	char place[PATH_MAX];

	return mounts_find_below(dir, place)
		       ? expt_refuse(err, -EPERM, "'%s' is a mount point", place)
		       : 0;
}

static int check(int dir, const char *path, struct directories *kept,
		 struct admissions *admissions, struct expt_error *err)
{
	int rc = check_experiment(dir, kept, admissions, err);

	if (rc == 0) {
		rc = check_unmounted(dir, err);
		if (rc < 0 && kept)
			directories_release(kept);
	}
	if (rc < 0)
		expt_fail_in(err, rc,
			     rc == -EBADMSG ? "'%s' is not an experiment" : "'%s'", path);
	return rc;
}

int layout_check(int dir, const char *path, struct directories *kept,
		 struct expt_error *err)
{
	return check(dir, path, kept, NULL, err);
}

/* ---- opening ---- */

/* Returns why the name is not a directory, or the error if a directory above it is
 * missing. */
static int not_a_directory(int parent, const char *path)
{
	struct stat status;

	if (fstatat(parent, path, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return S_ISLNK(status.st_mode) ? -ELOOP : -EBADMSG;
}

/* Open the directory of that name itself. A trailing slash would make the kernel follow a
 * link. */
static int open_directory(int parent, const char *name)
{
	char path[4096];
	size_t length = path_length(name);
	int fd;

	if (length >= sizeof(path))
		return -ENAMETOOLONG;
	memcpy(path, name, length);
	path[length] = '\0';
	fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOTDIR)
		return not_a_directory(parent, path);
	return fd < 0 ? -errno : fd;
}

int layout_open_admitting(int *dir, int parent, const char *name, const char *path,
			  struct directories *kept, struct admissions *admissions,
			  struct expt_error *err)
{
	cleanup_fd int fd = -1;
	int rc;

	if (!expt_name_is_experiment(name))
		return expt_fail_name(err, -EINVAL, path);
	fd = open_directory(parent, name);
	if (fd == -EACCES && admissions)
		fd = admit_open(admissions, parent, name);
	if (fd == -EXDEV)
		return expt_refuse(err, -EPERM, "'%s' is a mount point", path);
	if (fd == -ELOOP)
		return expt_refuse(err, -EINVAL,
				   "'%s' is a symbolic link, not an experiment", path);
	if (fd == -EBADMSG)
		return expt_refuse(err, fd,
				   "'%s' is not an experiment: it is not a directory",
				   path);
	if (fd == -ENAMETOOLONG)
		return expt_fail(err, fd, "cannot open '%.60s...'", path);
	if (fd < 0)
		return expt_fail(err, fd, "cannot open '%s'", path);
	rc = check(fd, path, kept, admissions, err);
	if (rc == 0)
		*dir = steal_fd(&fd);
	return rc;
}

int layout_open_at(int *dir, int parent, const char *name, const char *path,
		   struct directories *kept, struct expt_error *err)
{
	return layout_open_admitting(dir, parent, name, path, kept, NULL, err);
}

int layout_open(int *dir, const char *path, struct directories *kept,
		struct expt_error *err)
{
	return layout_open_at(dir, AT_FDCWD, path, path, kept, err);
}

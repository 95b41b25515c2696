/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries an experiment may hold, by name and by kind of file. A directory with anything else
 * in it is somebody's own, whatever its name says.
 */
#include "libexpt/layout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/arena.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/mounts.h"
#include "libexpt/owner.h"
#include "libexpt/stage.h"
#include "libexpt/workers.h"

#define CLASS_SUFFIX  ".class"
#define CLASSES_DEPTH 64 /* of package directories */

static const char *const files[] = {
	LOG_FILE,	    LOAD_MAP_FILE,    OVERVIEW_FILE, FRAMEINFO_FILE,
	FRAMEINFO_FILE_SUN, CLOCK_FILE,	      HWC_FILE,	     HEAP_FILE,
	SYNC_FILE,	    IO_FILE,	      OMP_FILE,	     RACE_FILE,
	DEADLOCK_FILE,	    MPI_FILE,	      DYNTEXT_FILE,  JCLASSES_FILE,
	JCLASSES_FILE_SUN,  NOTES_FILE,	      LABELS_FILE,   WARNINGS_FILE,
	IFREQ_FILE,	    KALLMODSYMS_FILE, MPVIEW_FILE,   ARCHIVE_LOG_FILE,
	EXPORT_MANIFEST, /* left by somebody who unpacked a bundle with plain tar */
	OWNER_FILE,	 /* of a stage, where there are no locks */
	PROBE_FILE,	 /* of one whose maker was killed */
};

struct place;
typedef int check_entry(const struct place *place, const char *name, unsigned char type,
			struct expt_error *err);

/* The directories directly in an experiment, which several threads look into. */
struct directories {
	struct {
		const char *name;
		check_entry *check;
	} * items;
	size_t count, capacity;
	struct arena strings;
};

/* What walks into an experiment carries along: the path below the experiment, for messages. */
struct place {
	const struct place *parent;
	const char *name;
	int dir;
	struct directories *later; /* where not NULL: note directories, do not enter them */
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
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (strcmp(name, files[i]) == 0)
			return LAYOUT_FILE;
	return LAYOUT_UNKNOWN;
}

enum layout_kind layout_entry(const char *name, bool is_descendant)
{
	char permanent[STAGE_NAME_SIZE];

	if (stage_final_of(permanent, name))
		name = permanent;
	return permanent_entry(name, is_descendant);
}

static int not_an_experiments(const struct place *place, const char *name,
			      struct expt_error *err)
{
	const char *where = place->parent ? place->name : "";

	return expt_fail(err, -EBADMSG, "'%s%s%s' does not belong to an experiment",
			 where, *where ? "/" : "", name);
}

/* The name is an experiment's, but what has it is not. */
static int is_no(const char *kind, const struct place *place, const char *name,
		 struct expt_error *err)
{
	const char *where = place->parent ? place->name : "";

	return expt_fail(err, -EBADMSG, "'%s%s%s' is not a %s", where, *where ? "/" : "",
			 name, kind);
}

/* The kind of file, also where the file system does not say it in the directory. */
static int entry_type(unsigned char *type, const struct place *place,
		      const struct dirent64 *entry, struct expt_error *err)
{
	struct stat status;

	*type = entry->d_type;
	if (*type != DT_UNKNOWN)
		return 0;
	if (fstatat(place->dir, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return expt_fail(err, -errno, "cannot look at '%s'", entry->d_name);
	*type = IFTODT(status.st_mode);
	return 0;
}

static int check_one(const struct place *place, const struct dirent64 *entry,
		     check_entry *check, struct expt_error *err)
{
	unsigned char type;
	int rc;

	if (io_is_dots(entry->d_name))
		return 0;
	rc = entry_type(&type, place, entry, err);
	return rc < 0 ? rc : check(place, entry->d_name, type, err);
}

/* Reads the directory through its own descriptor, to the end. */
static int check_all(const struct place *place, check_entry *check, struct expt_error *err)
{
	cleanup_free char *names = malloc(IO_ENTRIES_SIZE);
	ssize_t got;

	if (!names)
		return expt_fail(err, -ENOMEM, "cannot list '%s'", place->name);
	while ((got = getdents64(place->dir, names, IO_ENTRIES_SIZE)) > 0) {
		const struct dirent64 *entry;

		for (ssize_t at = 0; at < got; at += entry->d_reclen) {
			int rc;

			entry = io_entry(names, at);
			rc = check_one(place, entry, check, err);
			if (rc < 0)
				return rc;
		}
	}
	if (got < 0)
		return expt_fail(err, -errno, "cannot list '%s'", place->name);
	return 0;
}

static int enter(const struct place *parent, const char *name, check_entry *check,
		 struct expt_error *err)
{
	cleanup_fd int dir = io_open_unmounted(parent->dir, name, O_RDONLY | O_DIRECTORY);
	struct place place = { .parent = parent, .name = name, .dir = dir };

	if (dir == -EXDEV)
		return expt_fail(err, -EPERM, "'%s%s%s' is a mount point",
				 parent->parent ? parent->name : "",
				 parent->parent ? "/" : "", name);
	if (dir < 0)
		return expt_fail(err, dir, "cannot open '%s'", name);
	return check_all(&place, check, err);
}

static int check_below(const struct place *parent, const char *name, check_entry *check,
		       struct expt_error *err)
{
	struct directories *later = parent->later;
	const char *kept;

	if (!later)
		return enter(parent, name, check, err);
	kept = arena_text(&later->strings, name, strlen(name));
	if (!kept || !array_add(later))
		return expt_fail(err, -ENOMEM, "cannot list '%s'", name);
	later->items[later->count - 1].name = kept;
	later->items[later->count - 1].check = check;
	return 0;
}

static int check_archived(const struct place *place, const char *name, unsigned char type,
			  struct expt_error *err)
{
	if (type == DT_REG || type == DT_LNK)
		return 0;
	return not_an_experiments(place, name, err);
}

static int check_class(const struct place *place, const char *name, unsigned char type,
		       struct expt_error *err)
{
	unsigned depth = 0;

	if (type == DT_REG && text_ends_with(name, CLASS_SUFFIX))
		return 0;
	for (const struct place *above = place; above; above = above->parent)
		depth++;
	if (type == DT_DIR && depth < CLASSES_DEPTH)
		return check_below(place, name, check_class, err);
	return not_an_experiments(place, name, err);
}

static int check_member(const struct place *place, const char *name, unsigned char type,
			struct expt_error *err)
{
	bool is_directory = type == DT_DIR;

	switch (layout_entry(name, place->parent != NULL)) {
	case LAYOUT_FILE:
		return type == DT_REG ? 0 : is_no("regular file", place, name, err);
	case LAYOUT_ARCHIVES:
		if (is_directory)
			return check_below(place, name, check_archived, err);
		break;
	case LAYOUT_CLASSES:
		if (is_directory)
			return check_below(place, name, check_class, err);
		break;
	case LAYOUT_DESCENDANT:
		if (is_directory)
			return check_below(place, name, check_member, err);
		break;
	case LAYOUT_UNKNOWN:
		return not_an_experiments(place, name, err);
	}
	return is_no("directory", place, name, err);
}

/* Why what has the name is no directory; a directory around it may be missing instead. */
static int not_a_directory(int parent, const char *path)
{
	struct stat status;

	if (fstatat(parent, path, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return -errno;
	return S_ISLNK(status.st_mode) ? -ELOOP : -EBADMSG;
}

/* The directory of that name itself; a slash behind a link would make the kernel follow it. */
static int open_directory(int parent, const char *name)
{
	char path[4096];
	size_t length = path_length(name);
	int fd;

	if (length >= sizeof path)
		return -ENAMETOOLONG;
	memcpy(path, name, length);
	path[length] = '\0';
	fd = openat(parent, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 && errno == ENOTDIR)
		return not_a_directory(parent, path);
	return fd < 0 ? -errno : fd;
}

/* Look into the nth directory; for workers_run(). */
static int check_directory(void *context, unsigned worker, size_t n, struct expt_error *err)
{
	const struct place *experiment = context;
	const struct directories *directories = experiment->later;

	(void)worker;
	return enter(experiment, directories->items[n].name, directories->items[n].check,
		     err);
}

static int check_experiment(int dir, const char *path, struct expt_error *err)
{
	struct directories directories = { .items = NULL };
	struct place place = { .name = path, .dir = dir, .later = &directories };
	int rc = check_all(&place, check_member, err);

	if (rc == 0)
		rc = workers_run(workers_for(workers_count(0), directories.count),
				 directories.count, check_directory, &place, err);
	array_release(&directories);
	arena_release(&directories.strings);
	return rc;
}

/* Single files may be mount points, too; it would take a look at each of them to see that. */
static int check_unmounted(int dir, struct expt_error *err)
{
	char place[PATH_MAX];

	return mounts_find_below(dir, place)
		       ? expt_fail(err, -EPERM, "'%s' is a mount point", place)
		       : 0;
}

int layout_check(int dir, const char *path, struct expt_error *err)
{
	int rc = check_experiment(dir, path, err);

	if (rc == 0)
		rc = check_unmounted(dir, err);
	if (rc < 0)
		return expt_fail_in(err, rc,
				    rc == -EBADMSG ? "'%s' is not an experiment" : "'%s'",
				    path);
	if (lseek(dir, 0, SEEK_SET) < 0) /* for those who list it themselves */
		return expt_fail(err, -errno, "cannot list '%s'", path);
	return 0;
}

int layout_open_at(int *dir, int parent, const char *name, const char *path,
		   struct expt_error *err)
{
	cleanup_fd int fd = -1;
	int rc;

	if (!expt_name_is_experiment(name))
		return expt_fail(
			err, -EINVAL,
			"'%s' is not an experiment: its name does not end in '%s'", path,
			EXPERIMENT_SUFFIX);
	fd = open_directory(parent, name);
	if (fd == -ELOOP)
		return expt_fail(err, -EINVAL,
				 "'%s' is a symbolic link, not an experiment", path);
	if (fd == -EBADMSG)
		return expt_fail(err, fd,
				 "'%s' is not an experiment: it is not a directory", path);
	if (fd == -ENAMETOOLONG)
		return expt_fail(err, fd, "cannot open '%.60s...'", path);
	if (fd < 0)
		return expt_fail(err, fd, "cannot open '%s'", path);
	rc = layout_check(fd, path, err);
	if (rc == 0)
		*dir = steal_fd(&fd);
	return rc;
}

int layout_open(int *dir, const char *path, struct expt_error *err)
{
	return layout_open_at(dir, AT_FDCWD, path, path, err);
}

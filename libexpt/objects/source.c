/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text of source files. Debug data, which anyone can have made, name them, so only
 * regular files are opened. They are looked up in the archives, then where a search
 * leads, then at their path.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archives/class_source.h"
#include "libexpt/archives/fetch.h"
#include "libexpt/archives/name.h"
#include "libexpt/archives/search.h"
#include "libexpt/archives/store.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/base/time.h"
#include "libexpt/common/digest.h"
#include "libexpt/common/error.h"
#include "libexpt/objects/private.h"

struct expt_source {
	struct expt_source_info info;
	char *path; /* info.file */
	struct io_file text;
	struct {
		size_t *items; /* where lines begin; one more for the end */
		size_t count, capacity;
	} starts;
};

/* ---- candidates -------------------------------------------------------------------- */

/* The source that the caller asked for, and the best file so far. */
struct hunt {
	struct expt_object *object;
	const char *path;
	const unsigned char *md5; /* or NULL */
	int fd;			  /* -1: none */
	struct expt_source_info info;
	char *file;
};

static const unsigned char *recorded_sum(struct expt_object *object, const char *path)
{
	struct object_debug *debug = object->is_file ? object_debug(object) : NULL;
	const struct dwarf_path *found = debug ? dwarf_find_path(debug->dwarf, path)
					       : NULL;

	return found && found->has_md5 ? found->md5 : NULL;
}

/* Copies in archives may have the time of their making. */
static bool is_newer(const struct hunt *hunt, const struct stat *status)
{
	const struct expt_identity *identity = &hunt->object->identity;

	return identity->has_file && timespec_ns(&status->st_mtim) > identity->mtime_ns;
}

enum place { PLACE_ARCHIVES, PLACE_HERE, PLACE_FETCHED };

static struct expt_source_info judge(const struct hunt *hunt, int fd,
				     const struct stat *status, enum place place)
{
	struct expt_source_info info = { .is_archived = place == PLACE_ARCHIVES };
	unsigned char sum[MD5_SIZE];

	if (hunt->md5 && digest_md5(sum, fd, NULL) == 0) {
		info.is_verified = digest_md5_is(sum, hunt->md5);
		info.is_changed = !info.is_verified;
	}
	info.is_newer = place == PLACE_HERE && !info.is_verified &&
			is_newer(hunt, status);
	return info;
}

/* Take the file if it is better than the one before. Takes over fd. */
static void consider(struct hunt *hunt, int fd, const char *file,
		     const struct stat *status, enum place place)
{
	cleanup_fd int held = fd;
	struct expt_source_info info;
	char *copy;

	if (fd < 0)
		return;
	info = judge(hunt, fd, status, place);
	if (hunt->fd >= 0 && !info.is_verified)
		return;
	copy = strdup(file);
	if (!copy)
		return;
	if (hunt->fd >= 0)
		close(hunt->fd);
	free(hunt->file);
	hunt->fd = steal_fd(&held);
	hunt->info = info;
	hunt->file = copy;
}

static bool is_over(const struct hunt *hunt)
{
	return hunt->fd >= 0 && (hunt->info.is_verified || !hunt->md5);
}

static void try_archives(struct hunt *hunt)
{
	const struct object_table *table = hunt->object->table;
	char name[ARCHIVE_NAME_SIZE];
	cleanup_strbuf struct strbuf file = STRBUF_INIT;
	struct stat status;

	if (!table || !folder_is_open(&table->archives))
		return;
	expt_archive_name(name, hunt->path);
	strbuf_printf(&file, "%s/%s", table->archives_path ? table->archives_path : "?",
		      name);
	consider(hunt, store_open_in(&status, &table->archives, name, NULL),
		 strbuf_text(&file), &status, PLACE_ARCHIVES);
}

/* Several packages may have a file of this name. */
static bool is_of_other_package(const struct hunt *hunt, int fd)
{
	return !hunt->object->is_file && text_ends_with(hunt->object->path, ".class") &&
	       !class_source_fits(fd, hunt->path);
}

/* People link sources, so links are followed. */
static void try_place(struct hunt *hunt, const char *place)
{
	struct stat status;
	int fd = open(place, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0 && (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) ||
			is_of_other_package(hunt, fd))) {
		close(fd);
		fd = -1;
	}
	consider(hunt, fd, place, &status, PLACE_HERE);
}

static void try_fetcher(struct hunt *hunt)
{
	const struct object_table *table = hunt->object->table;
	struct stat status;
	int fd = table ? fetch_source(&table->fetcher, hunt->object->elf, hunt->path)
		       : -ENOENT;

	if (fd >= 0 && fstat(fd, &status) == 0)
		consider(hunt, fd, hunt->path, &status, PLACE_FETCHED);
}

static void look(struct hunt *hunt, const struct expt_search *search)
{
	struct archive_search state = { .search = search, .path = hunt->path };
	char place[PATH_MAX];

	try_archives(hunt);
	while (!is_over(hunt) && archive_search_next(&state, place))
		try_place(hunt, place);
	if (!is_over(hunt) && *hunt->path == '/')
		try_place(hunt, hunt->path);
	if (!is_over(hunt))
		try_fetcher(hunt);
}

/* ---- lines ------------------------------------------------------------------------- */

static int add_start(struct expt_source *source, size_t start)
{
	size_t *new = array_add(&source->starts);

	if (!new)
		return -ENOMEM;
	*new = start;
	return 0;
}

static int find_lines(struct expt_source *source)
{
	const unsigned char *text = source->text.bytes, *end;
	size_t size = source->text.size, start = 0;
	int rc = 0;

	while (rc == 0 && start < size) {
		rc = add_start(source, start);
		end = memchr(text + start, '\n', size - start);
		start = end ? (size_t)(end - text) + 1 : size;
	}
	return rc < 0 ? rc : add_start(source, size);
}

static void source_closep(struct expt_source **source)
{
	expt_source_close(*source);
}

static int read_source(struct expt_source **out, struct hunt *hunt,
		       struct expt_error *err)
{
	cleanup(source_closep) struct expt_source *source = calloc(1, sizeof(*source));
	int rc = source ? 0 : -ENOMEM;

	if (rc == 0 && lseek(hunt->fd, 0, SEEK_SET) < 0)
		rc = -errno;
	if (rc == 0)
		rc = io_file_read(&source->text, hunt->fd);
	if (rc == 0)
		rc = find_lines(source);
	if (rc < 0)
		return expt_fail(err, rc, "cannot read '%s'", hunt->file);
	source->info = hunt->info;
	source->info.file = source->path = steal(&hunt->file);
	*out = steal(&source);
	return 0;
}

/* ---- public ------------------------------------------------------------------------ */

int expt_source_open(struct expt_source **out, struct expt_object *object,
		     const char *path, const struct expt_search *search,
		     struct expt_error *err)
{
	struct hunt hunt = { .object = object,
			     .path = path,
			     .md5 = recorded_sum(object, path),
			     .fd = -1 };
	int rc;

	look(&hunt, search);
	if (hunt.fd < 0)
		return expt_fail(err, -ENOENT, "cannot find the source file '%s'", path);
	rc = read_source(out, &hunt, err);
	close(hunt.fd);
	free(hunt.file);
	return rc;
}

const struct expt_source_info *expt_source_info(const struct expt_source *source)
{
	return &source->info;
}

size_t expt_source_line_count(const struct expt_source *source)
{
	return source->starts.count - 1;
}

/* A line ends with LF, or CR and LF. */
const char *expt_source_line(const struct expt_source *source, size_t line,
			     size_t *length)
{
	const char *text = (const char *)source->text.bytes;
	size_t start, end;

	*length = 0;
	if (line == 0 || line >= source->starts.count)
		return "";
	start = source->starts.items[line - 1];
	end = source->starts.items[line];
	if (end > start && text[end - 1] == '\n')
		end--;
	if (end > start && text[end - 1] == '\r')
		end--;
	*length = end - start;
	return text + start;
}

void expt_source_close(struct expt_source *source)
{
	if (!source)
		return;
	io_file_close(&source->text);
	array_release(&source->starts);
	free(source->path);
	free(source);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/debug_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/archives/fetch.h"
#include "libexpt/archives/name.h"
#include "libexpt/archives/store.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"

#define DEBUG_DIR	     "/usr/lib/debug"
#define SPLIT_PACKAGE_SUFFIX ".dwp"

/* Larger files without a build-id are not worth reading. */
#define CHECKSUM_LIMIT (128 << 20)

/* Compute the CRC-32 of .gnu_debuglink, the same as in zlib and Ethernet. */
static void crc32_table(uint32_t table[256])
{
	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
	}
}

static bool has_checksum(int fd, uint32_t wanted)
{
	cleanup_free unsigned char *bytes = malloc(65536);
	uint32_t crc = UINT32_MAX, table[256];
	off_t offset = 0;
	ssize_t got;

	if (!bytes)
		return false;
	crc32_table(table);
	while (offset <= CHECKSUM_LIMIT &&
	       (got = io_pread_full(fd, bytes, 65536, offset)) > 0) {
		for (ssize_t i = 0; i < got; i++)
			crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 255];
		offset += got;
	}
	return offset <= CHECKSUM_LIMIT && got == 0 && ~crc == wanted;
}

/* Where to look for debug files. */
struct places {
	const struct folder *archives; /* or NULL */
	struct origins *origins;       /* or NULL */
};

/* Distributions link these files to each other, so links are followed; the identity is
 * checked later. Most of the files do not exist, which is faster to find out than the
 * readers of their path. */
static int open_regular(struct debug_file *file, const char *path,
			const struct places *places)
{
	cleanup_fd int fd = -1;

	if (places->origins && access(path, F_OK) < 0)
		return -errno;
	if (places->origins)
		return origin_open(&file->origin, &file->status, places->origins, path,
				   ORIGIN_FOLLOW_LINK);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &file->status) < 0 || !S_ISREG(file->status.st_mode))
		return -1;
	return steal_fd(&fd);
}

/* Requirements on a file: the build-id, or, if that is unknown, the checksum. Files of
 * split units must have one of these units. */
struct wanted {
	const char *build_id;
	const uint32_t *crc; /* or NULL */
	const struct split_unit *units;
	size_t unit_count;
};

static bool has_unit(const struct debug_file *file, const struct wanted *wanted)
{
	struct split_numbers numbers = { .items = NULL };
	bool has_one = false;

	if (elf_split_numbers(&numbers, file->elf) == 0)
		for (size_t i = 0; !has_one && i < wanted->unit_count; i++)
			has_one = split_numbers_have(&numbers, wanted->units[i].number);
	array_release(&numbers);
	return has_one;
}

static bool is_wanted(const struct debug_file *file, const struct wanted *wanted)
{
	const char *build_id = elf_build_id(file->elf);

	if (wanted->units)
		return has_unit(file, wanted);
	if (*wanted->build_id && *build_id)
		return strcmp(wanted->build_id, build_id) == 0;
	return wanted->crc && has_checksum(file->fd, *wanted->crc);
}

/* Accept the file if it is the wanted one. Takes over fd. */
static bool take(struct debug_file *file, int fd, const char *path,
		 const struct wanted *wanted)
{
	file->fd = fd;
	if (fd < 0 || elf_open(&file->elf, fcntl(fd, F_DUPFD_CLOEXEC, 0), NULL) < 0 ||
	    !is_wanted(file, wanted)) {
		if (fd >= 0)
			snprintf(file->other, sizeof(file->other), "%s", path);
		debug_file_release(file);
		return false;
	}
	snprintf(file->path, sizeof(file->path), "%s", path);
	snprintf(file->found_at, sizeof(file->found_at), "%s", path);
	return true;
}

static bool try_archived(struct debug_file *file, const char *path,
			 const struct wanted *wanted, const struct places *places)
{
	char name[ARCHIVE_NAME_SIZE];

	if (!places->archives || !folder_is_open(places->archives))
		return false;
	expt_archive_name(name, path);
	file->is_archived =
		take(file, store_open_in(&file->status, places->archives, name, NULL),
		     path, wanted);
	if (file->is_archived && places->origins)
		origin_of(&file->origin, places->origins, file->fd);
	return file->is_archived;
}

static bool try_file(struct debug_file *file, const struct strbuf *path,
		     const struct wanted *wanted, const struct places *places)
{
	if (path->failed || path->length >= PATH_MAX)
		return false;
	if (try_archived(file, path->text, wanted, places))
		return true;
	return take(file, open_regular(file, path->text, places), path->text, wanted);
}

static bool try_build_id(struct debug_file *file, const char *id,
			 const struct places *places)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;
	const struct wanted wanted = { .build_id = id };

	if (strlen(id) < 4)
		return false;
	strbuf_printf(&path, DEBUG_DIR "/.build-id/%.2s/%s.debug", id, id + 2);
	return try_file(file, &path, &wanted, places);
}

/* Try the file that the link names, in the directory of the object with that prefix and
 * suffix. */
static bool try_link(struct debug_file *file, const struct elf *object,
		     const char *object_path, const char *before, const char *behind,
		     const struct places *places)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;
	const char *slash = strrchr(object_path, '/');
	uint32_t crc;
	const char *name = elf_debuglink(object, &crc);
	const struct wanted wanted = { .build_id = elf_build_id(object), .crc = &crc };

	if (!name || *object_path != '/' || !slash)
		return false;
	strbuf_add_text(&path, before);
	strbuf_add(&path, object_path, (size_t)(slash - object_path) + 1);
	strbuf_add_text(&path, behind);
	strbuf_add_text(&path, name);
	return try_file(file, &path, &wanted, places);
}

bool debug_file_find_split(struct debug_file *file, const struct split_unit *unit,
			   const char *place, const struct folder *archives,
			   struct origins *origins)
{
	const struct wanted wanted = { .units = unit, .unit_count = 1 };
	const struct places places = { archives, origins };

	if (strlen(unit->path) >= PATH_MAX ||
	    (!try_archived(file, unit->path, &wanted, &places) &&
	     !take(file, open_regular(file, place, &places), place, &wanted)))
		return false;
	strcpy(file->path, unit->path);
	return true;
}

bool debug_file_find_package(struct debug_file *file, struct split_numbers *numbers,
			     const char *path, const struct split_units *units,
			     const struct folder *archives, struct origins *origins)
{
	const struct places places = { archives, origins };
	const struct wanted wanted = { .units = units->items,
				       .unit_count = units->count };
	cleanup_strbuf struct strbuf place = STRBUF_INIT;

	*file = (struct debug_file)DEBUG_FILE_INIT;
	strbuf_printf(&place, "%s" SPLIT_PACKAGE_SUFFIX, path);
	return units->count > 0 && try_file(file, &place, &wanted, &places) &&
	       elf_split_numbers(numbers, file->elf) == 0;
}

void debug_file_release(struct debug_file *file)
{
	elf_close(file->elf);
	file->elf = NULL;
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
}

bool debug_file_find(struct debug_file *file, const struct elf *object, const char *path,
		     const struct folder *archives, struct origins *origins)
{
	const struct places places = { archives, origins };

	*file = (struct debug_file)DEBUG_FILE_INIT;
	if (try_link(file, object, path, "", "", &places)) {
		file->place = DEBUG_BESIDE;
		return true;
	}
	if (!try_build_id(file, elf_build_id(object), &places) &&
	    !try_link(file, object, path, "", ".debug/", &places) &&
	    !try_link(file, object, path, DEBUG_DIR, "", &places))
		return false;
	file->place = DEBUG_ELSEWHERE;
	return true;
}

bool debug_file_find_common(struct debug_file *file, const struct elf *elf,
			    const char *path, const struct folder *archives,
			    struct origins *origins)
{
	const struct places places = { archives, origins };
	cleanup_strbuf struct strbuf place = STRBUF_INIT;
	const char *slash = strrchr(path, '/'), *id;
	const char *name = elf_debugaltlink(elf, &id);
	struct wanted wanted = { .build_id = id };

	*file = (struct debug_file)DEBUG_FILE_INIT;
	if (!name || *path != '/')
		return false;
	if (*name != '/')
		strbuf_add(&place, path, (size_t)(slash - path) + 1);
	strbuf_add_text(&place, name);
	if (!try_file(file, &place, &wanted, &places) && !try_build_id(file, id, &places))
		return false;
	file->place = DEBUG_ELSEWHERE;
	return true;
}

enum debug_place debug_file_open(struct elf **out, const struct elf *object,
				 const char *path, const struct folder *archives,
				 const struct expt_fetcher *fetcher)
{
	cleanup_debug_file struct debug_file file;

	if (debug_file_find(&file, object, path, archives, NULL)) {
		*out = steal(&file.elf);
		return file.place;
	}
	*out = fetch_debug_file(fetcher, object);
	return *out ? DEBUG_ELSEWHERE : DEBUG_NOWHERE;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/debug_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"

#define DEBUG_DIR "/usr/lib/debug"

/* Larger ones without a build-id are not worth the reading. */
#define CHECKSUM_LIMIT (128 << 20)

/* The CRC-32 of .gnu_debuglink, which is that of zlib and Ethernet. */
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

/* Distributions link these files to each other, so links are followed here; the identity decides. */
static int open_regular(const char *path)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		return -1;
	return steal_fd(&fd);
}

/* crc is NULL where only the build-id counts. */
static bool try_file(struct elf **out, const struct elf *object, struct strbuf *path,
		     const uint32_t *crc)
{
	cleanup_fd int fd = path->failed ? -1 : open_regular(path->text);
	const char *wanted = elf_build_id(object);
	struct elf *elf;
	bool is_right;

	if (fd < 0 || elf_open(&elf, dup(fd), NULL) < 0)
		return false;
	if (*wanted && *elf_build_id(elf))
		is_right = strcmp(wanted, elf_build_id(elf)) == 0;
	else
		is_right = crc && has_checksum(fd, *crc);
	if (is_right)
		*out = elf;
	else
		elf_close(elf);
	return is_right;
}

static bool try_build_id(struct elf **out, const struct elf *object)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;
	const char *id = elf_build_id(object);

	if (strlen(id) < 4)
		return false;
	strbuf_printf(&path, DEBUG_DIR "/.build-id/%.2s/%s.debug", id, id + 2);
	return try_file(out, object, &path, NULL);
}

/* The file that the link names, in before, the object's directory, and behind. */
static bool try_link(struct elf **out, const struct elf *object, const char *object_path,
		     const char *before, const char *behind)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;
	const char *slash = strrchr(object_path, '/');
	uint32_t crc;
	const char *name = elf_debuglink(object, &crc);

	if (!name || *object_path != '/' || !slash)
		return false;
	strbuf_add_text(&path, before);
	strbuf_add(&path, object_path, (size_t)(slash - object_path) + 1);
	strbuf_add_text(&path, behind);
	strbuf_add_text(&path, name);
	return try_file(out, object, &path, &crc);
}

enum debug_place debug_file_open(struct elf **out, const struct elf *object,
				 const char *path)
{
	if (try_link(out, object, path, "", ""))
		return DEBUG_BESIDE;
	if (try_build_id(out, object) || try_link(out, object, path, "", ".debug/") ||
	    try_link(out, object, path, DEBUG_DIR, ""))
		return DEBUG_ELSEWHERE;
	return DEBUG_NOWHERE;
}

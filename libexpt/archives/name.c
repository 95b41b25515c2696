/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of files in archives/: BASE_CODE, where the code is computed from the
 * directory, so that equal base names from different directories do not clash. gprofng
 * looks up copies by these names.
 */
#include "libexpt/archives/name.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "libexpt/expt.h"
#include "libexpt/format.h"

/* Compute a CRC-64, most significant bit first, with the polynomial x^64 + x^11 + x^2 + x
 * + 1. */
static uint64_t checksum(const char *bytes, size_t length)
{
	uint64_t crc = 0;

	for (size_t i = 0; i < length; i++) {
		crc ^= (uint64_t)(unsigned char)bytes[i] << 56;
		for (int bit = 0; bit < 8; bit++)
			crc = crc << 1 ^ (crc >> 63 ? 0x807 : 0);
	}
	return crc;
}

/* Append '_' and the code of these bytes. */
static size_t add_code(char *out, size_t end, const char *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
	uint64_t crc = checksum(bytes, length);

	out[end++] = '_';
	for (int i = 0; i < ARCHIVE_CODE_LENGTH; i++, crc >>= 6)
		out[end++] = digits[crc & 63];
	return end;
}

/* A base longer than longest is cut to kept bytes, and a code of the base follows. */
static size_t make_name(char *out, const char *path, size_t longest, size_t kept)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const char *directory = slash ? path : "./";
	size_t length = strlen(base), used = length > longest ? kept : length;

	memcpy(out, base, used);
	used = add_code(out, used, directory, slash ? (size_t)(base - path) : 2);
	if (length > longest)
		used = add_code(out, used, base, length);
	out[used] = '\0';
	return used;
}

size_t expt_archive_name(char *out, const char *path)
{
	return make_name(out, path, ARCHIVE_LONG_BASE, ARCHIVE_LONG_BASE_KEPT);
}

size_t expt_archive_description_name(char out[ARCHIVE_NAME_SIZE], const char *path)
{
	size_t suffix = strlen(DESCRIPTION_SUFFIX);
	size_t length = make_name(out, path, ARCHIVE_LONG_BASE - suffix,
				  ARCHIVE_LONG_BASE_KEPT - suffix);

	memcpy(out + length, DESCRIPTION_SUFFIX, suffix + 1);
	return length + suffix;
}

void archive_version_path(struct strbuf *out, const char *path, const char *build_id,
			  uint64_t size, uint64_t mtime_ns)
{
	if (*build_id)
		strbuf_printf(out, "%s@%.40s", path, build_id);
	else
		strbuf_printf(out, "%s@%" PRIu64 "-%" PRIu64, path, size, mtime_ns);
}

static bool has_parent_component(const char *path)
{
	for (const char *dots = path; (dots = strstr(dots, "..")) != NULL; dots++) {
		if ((dots == path || dots[-1] == '/') &&
		    (dots[2] == '/' || dots[2] == '\0'))
			return true;
	}
	return false;
}

const char *archive_name_problem(const char *path)
{
	if (*path != '/')
		return "not an absolute path";
	if (strlen(path) >= PATH_MAX)
		return "the name is too long";
	if (has_parent_component(path))
		return "a component of the path is '..'";
	return NULL;
}

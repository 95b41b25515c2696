/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/hex.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/base/time.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/stage/temporary.h"

#define FIELDS	     11
#define LARGEST_SIZE (256 << 20) /* far larger than real ones; limits damaged ones */

static const char *const state_names[] = {
	[MANIFEST_COPIED] = "copied",	      [MANIFEST_DESCRIBED] = "described",
	[MANIFEST_UNVERIFIED] = "unverified", [MANIFEST_MISSING] = "missing",
	[MANIFEST_UNREADABLE] = "unreadable", [MANIFEST_CHANGED] = "changed",
	[MANIFEST_REFUSED] = "refused",	      [MANIFEST_DEBUG] = "debug",
	[MANIFEST_SOURCE] = "source",	      [MANIFEST_JAR] = "jar",
	[MANIFEST_NAMES] = "names",
};
#define STATES (sizeof(state_names) / sizeof(*state_names))

/* ---- entries ---- */

void manifest_set_file(struct manifest_entry *entry, const struct stat *status)
{
	entry->size = (uint64_t)status->st_size;
	entry->mtime_ns = timespec_ns(&status->st_mtim);
	entry->ctime_ns = timespec_ns(&status->st_ctim);
	entry->device = status->st_dev;
	entry->inode = status->st_ino;
}

bool manifest_is_same_file(const struct manifest_entry *entry, const struct stat *status)
{
	return entry->inode == status->st_ino && entry->device == status->st_dev &&
	       entry->size == (uint64_t)status->st_size &&
	       entry->mtime_ns == timespec_ns(&status->st_mtim) &&
	       entry->ctime_ns == timespec_ns(&status->st_ctim);
}

/* Returns the index of the entry for path, or IDMAP_NONE. *key is its key or the one to
 * use: paths with equal keys take the next free ones. */
static uint32_t find_index(const struct manifest *manifest, const char *path,
			   uint64_t *key)
{
	uint32_t index;

	*key = idmap_text_key(IDMAP_KEY, path);
	while ((index = idmap_find(&manifest->index, *key)) != IDMAP_NONE &&
	       strcmp(manifest->items[index].path, path) != 0)
		++*key;
	return index;
}

const struct manifest_entry *manifest_find(const struct manifest *manifest,
					   const char *path)
{
	uint64_t key;
	uint32_t index = find_index(manifest, path, &key);

	return index == IDMAP_NONE ? NULL : &manifest->items[index];
}

static bool keep_text(struct manifest *manifest, const char **text)
{
	*text = *text && **text ? arena_text(&manifest->strings, *text, strlen(*text))
				: "";
	return *text != NULL;
}

int manifest_put(struct manifest *manifest, const struct manifest_entry *entry)
{
	struct manifest_entry kept = *entry, *item;
	uint64_t key;
	uint32_t index = find_index(manifest, entry->path, &key), *slot;

	if (!keep_text(manifest, &kept.path) || !keep_text(manifest, &kept.real_path) ||
	    !keep_text(manifest, &kept.build_id) || !keep_text(manifest, &kept.reason))
		return -ENOMEM;
	if (index != IDMAP_NONE) {
		manifest->items[index] = kept;
		return 0;
	}
	item = array_add(manifest);
	if (!item)
		return -ENOMEM;
	*item = kept;
	slot = idmap_add(&manifest->index, key);
	if (!slot) {
		manifest->count--;
		return -ENOMEM;
	}
	*slot = (uint32_t)(manifest->count - 1);
	return 0;
}

void manifest_release(struct manifest *manifest)
{
	arena_release(&manifest->strings);
	idmap_release(&manifest->index);
	array_release(manifest);
}

/* ---- reading ---- */

/* Undo the escapes in place; "-" is an empty text. */
static bool unescape(char *text)
{
	char *to = text;

	if (strcmp(text, "-") == 0) {
		*text = '\0';
		return true;
	}
	for (const char *from = text; *from; from++) {
		int high, low;

		if (*from != '%') {
			*to++ = *from;
			continue;
		}
		high = hex_value(from[1]);
		low = high < 0 ? -1 : hex_value(from[2]);
		if (low < 0 || (high == 0 && low == 0))
			return false;
		*to++ = (char)(high << 4 | low);
		from += 2;
	}
	*to = '\0';
	return true;
}

static bool parse_state(enum manifest_state *state, const char *text)
{
	for (size_t i = 0; i < STATES; i++) {
		if (strcmp(text, state_names[i]) == 0) {
			*state = (enum manifest_state)i;
			return true;
		}
	}
	return false;
}

static bool is_hex(const char *text)
{
	for (; *text; text++) {
		if (hex_value(*text) < 0)
			return false;
	}
	return true;
}

static bool parse_number(uint64_t *value, const char *text)
{
	return *text ? number_u64(value, text) : true;
}

static bool parse_time(uint64_t *ns, const char *text)
{
	return *text ? number_seconds(ns, text) : true;
}

static bool parse_fields(struct manifest_entry *entry, char *const fields[FIELDS])
{
	size_t hash = strlen(fields[9]);

	*entry = (struct manifest_entry){ .path = fields[1],
					  .real_path = fields[2],
					  .build_id = fields[3],
					  .reason = fields[10] };
	if (hash == 2 * HASH_SIZE)
		memcpy(entry->hash, fields[9], hash);
	else if (hash > 0)
		return false;
	return *entry->path && parse_state(&entry->state, fields[0]) &&
	       is_hex(entry->build_id) && is_hex(entry->hash) &&
	       parse_number(&entry->size, fields[4]) &&
	       parse_time(&entry->mtime_ns, fields[5]) &&
	       parse_time(&entry->ctime_ns, fields[6]) &&
	       parse_number(&entry->device, fields[7]) &&
	       parse_number(&entry->inode, fields[8]);
}

/* Parse a line, which is overwritten. */
static bool parse_line(struct manifest_entry *entry, char *line)
{
	char *fields[FIELDS];
	size_t count = 0;

	for (char *field; (field = strsep(&line, " ")) != NULL;) {
		if (count == FIELDS || !unescape(field))
			return false;
		fields[count++] = field;
	}
	return count == FIELDS && parse_fields(entry, fields);
}

static int read_line(struct manifest *manifest, const char *text, size_t length,
		     size_t number)
{
	cleanup_free char *line = strndup(text, length);
	struct manifest_entry entry;

	if (!line)
		return -ENOMEM;
	if (strlen(line) == length && parse_line(&entry, line))
		return manifest_put(manifest, &entry);
	if (!manifest->damaged_line)
		manifest->damaged_line = number;
	return 0;
}

int manifest_parse(struct manifest *manifest, const void *bytes, size_t size)
{
	const char *next = bytes, *end = next + size;
	size_t header = strlen(MANIFEST_HEADER);

	if (size <= header || memcmp(next, MANIFEST_HEADER "\n", header + 1) != 0) {
		manifest->damaged_line = 1;
		return 0;
	}
	next += header + 1;
	for (size_t number = 2; next < end; number++) {
		const char *newline = memchr(next, '\n', (size_t)(end - next));
		int rc;

		if (!newline) { /* truncated */
			if (!manifest->damaged_line)
				manifest->damaged_line = number;
			return 0;
		}
		rc = read_line(manifest, next, (size_t)(newline - next), number);
		if (rc < 0)
			return rc;
		next = newline + 1;
	}
	return 0;
}

/* Returns whether the file is a link, device or directory instead of a manifest. */
static bool is_no_manifest(int rc)
{
	return rc == -EINVAL || rc == -ELOOP || rc == -ENXIO || rc == -EISDIR;
}

int manifest_read(struct manifest *manifest, const struct folder *archives)
{
	struct io_file file;
	int rc = folder_read(&file, archives, MANIFEST_FILE, NULL);

	*manifest = (struct manifest)MANIFEST_INIT;
	if (rc == -ENOENT)
		return 0;
	if (rc < 0 && !is_no_manifest(rc)) /* the manifest itself may be good */
		return rc;
	if (rc < 0 || file.size > LARGEST_SIZE)
		manifest->damaged_line = 1;
	if (rc < 0)
		return 0;
	rc = manifest->damaged_line ? 0 : manifest_parse(manifest, file.bytes, file.size);
	io_file_close(&file);
	if (rc < 0)
		manifest_release(manifest);
	return rc;
}

/* ---- writing ---- */

static void add_escaped(struct strbuf *text, const char *value)
{
	strbuf_add_char(text, ' ');
	if (!*value)
		strbuf_add_char(text, '-');
	else if (strcmp(value, "-") == 0)
		strbuf_add_text(text, "%2d");
	else
		for (; *value; value++) {
			unsigned char c = (unsigned char)*value;

			if (c <= ' ' || c == '%' || c == 0x7f)
				strbuf_printf(text, "%%%02x", c);
			else
				strbuf_add_char(text, (char)c);
		}
}

static void add_time(struct strbuf *text, uint64_t ns)
{
	strbuf_printf(text, " %" PRIu64 ".%09" PRIu64, ns / NS_PER_SECOND,
		      ns % NS_PER_SECOND);
}

static void add_entry(struct strbuf *text, const struct manifest_entry *entry)
{
	strbuf_add_text(text, state_names[entry->state]);
	add_escaped(text, entry->path);
	add_escaped(text, entry->real_path);
	add_escaped(text, entry->build_id);
	if (entry->inode) {
		strbuf_printf(text, " %" PRIu64, entry->size);
		add_time(text, entry->mtime_ns);
		add_time(text, entry->ctime_ns);
		strbuf_printf(text, " %" PRIu64 " %" PRIu64, entry->device, entry->inode);
	} else {
		strbuf_add_text(text, " - - - - -");
	}
	add_escaped(text, entry->hash);
	add_escaped(text, entry->reason);
	strbuf_add_char(text, '\n');
}

static int compare_paths(const void *a, const void *b)
{
	const struct manifest_entry *const *first = a, *const *second = b;

	return strcmp((*first)->path, (*second)->path);
}

bool manifest_print(struct strbuf *text, const struct manifest *manifest)
{
	cleanup_free const struct manifest_entry **sorted =
		calloc(manifest->count + 1, sizeof(*sorted));

	if (!sorted)
		return false;
	for (size_t i = 0; i < manifest->count; i++)
		sorted[i] = &manifest->items[i];
	qsort(sorted, manifest->count, sizeof(*sorted), compare_paths);
	strbuf_add_text(text, MANIFEST_HEADER "\n");
	for (size_t i = 0; i < manifest->count; i++)
		add_entry(text, sorted[i]);
	return !text->failed;
}

mode_t manifest_mode(int archives, bool has_private)
{
	struct stat status;

	if (has_private)
		return FILE_MODE & S_IRWXU;
	if (fstatat(archives, MANIFEST_FILE, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISREG(status.st_mode))
		return FILE_MODE;
	return FILE_MODE & (status.st_mode | S_IRWXU);
}

int manifest_write(const struct manifest *manifest, int archives, mode_t mode,
		   struct expt_error *err)
{
	cleanup_temporary struct temporary file = TEMPORARY_INIT;
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	int rc = -ENOMEM;

	if (manifest_print(&text, manifest))
		rc = temporary_open(&file, archives, ARCHIVES_DIR, 0600);
	if (rc == 0)
		rc = io_write_all(file.fd, text.text, text.length);
	if (rc == 0 && fchmod(file.fd, mode) < 0)
		rc = -errno;
	if (rc == 0)
		rc = temporary_commit(&file, MANIFEST_FILE);
	if (rc < 0)
		return expt_fail(err, rc, "cannot write '%s/%s'", ARCHIVES_DIR,
				 MANIFEST_FILE);
	return 0;
}

int manifest_merge(const struct manifest *changes, int archives, bool has_private,
		   struct expt_error *err)
{
	cleanup_manifest struct manifest all = MANIFEST_INIT;
	mode_t mode = manifest_mode(archives, has_private);
	int rc = manifest_read(&all, &(struct folder){ .dir = archives });

	for (size_t i = 0; rc == 0 && i < changes->count; i++)
		rc = manifest_put(&all, &changes->items[i]);
	if (rc < 0)
		return expt_fail(err, rc, "cannot read '%s/%s'", ARCHIVES_DIR,
				 MANIFEST_FILE);
	return manifest_write(&all, archives, mode, err);
}

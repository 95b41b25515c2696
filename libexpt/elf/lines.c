/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line tables through libdw. It combines names and directories of all versions, but
 * ignores the checksums that tables of version 5 can have: line_sums.c reads those.
 */
#include "libexpt/elf/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/common/error.h"
#include "libexpt/elf/dwarf.h"
#include "libexpt/elf/line_sums.h"
#include "libexpt/elf/private.h"

/* ---- the list ---- */

/* Names like "<built-in>" are not files, and relative ones without a directory lead
 * nowhere. */
static bool is_file_name(const char *directory, const char *path)
{
	const char *base = path ? path_base(path) : NULL;

	return base && *base && *base != '<' &&
	       (*path == '/' || (directory && *directory == '/'));
}

static int add_file(struct line_files *files, const char *directory, const char *path,
		    const unsigned char *md5)
{
	cleanup_strbuf struct strbuf whole = STRBUF_INIT;
	struct line_file *file;
	uint32_t *slot = NULL;
	char *clean;

	if (!is_file_name(directory, path))
		return 0;
	if (*path != '/')
		strbuf_printf(&whole, "%s/", directory);
	strbuf_add_text(&whole, path);
	clean = whole.failed ? NULL
			     : arena_text(&files->strings, whole.text, whole.length);
	if (clean) {
		path_clean(clean);
		slot = idmap_add(&files->index, idmap_text_key(IDMAP_KEY, clean));
	}
	if (!slot)
		return -ENOMEM;
	if (*slot != IDMAP_NONE)
		return 0;
	file = array_add(files);
	if (!file)
		return -ENOMEM;
	*slot = (uint32_t)(files->count - 1);
	file->path = clean;
	file->has_md5 = md5 != NULL;
	if (md5)
		memcpy(file->md5, md5, MD5_SIZE);
	return 0;
}

void line_files_release(struct line_files *files)
{
	arena_release(&files->strings);
	idmap_release(&files->index);
	array_release(files);
}

/* ---- places ---- */

struct addresses {
	uint64_t *items;
	size_t count, capacity;
};

static int compare_symbols(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static int add_address(struct addresses *addresses, const struct elf *object,
		       uint64_t offset)
{
	uint64_t address, *new;

	if (!elf_image_address(object, offset, &address))
		return 0;
	new = array_add(addresses);
	if (!new)
		return -ENOMEM;
	*new = address;
	return 0;
}

/* Add the address where the function of each place begins. */
static int add_entries(struct addresses *addresses, const struct elf *object,
		       const struct elf_symbols *symbols,
		       const struct line_places *places)
{
	size_t next = 0, last = SIZE_MAX;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < places->count; i++) {
		while (next < symbols->count &&
		       symbols->items[next].offset <= places->offsets[i])
			next++;
		if (next > 0 && next != last)
			rc = add_address(addresses, object,
					 symbols->items[next - 1].offset);
		last = next;
	}
	return rc;
}

static int find_addresses(struct addresses *addresses, const struct line_tables *tables,
			  const struct line_places *places, struct expt_error *err)
{
	const struct elf *object = tables->object;
	struct elf_symbols symbols = { .items = NULL };
	int rc = elf_read_symbols(&symbols, tables->debug, object, err);

	if (rc == -EBADMSG) /* do without symbols */
		rc = 0;
	if (symbols.count > 0)
		qsort(symbols.items, symbols.count, sizeof(*symbols.items),
		      compare_symbols);
	if (rc == 0)
		rc = add_entries(addresses, object, &symbols, places);
	for (size_t i = 0; rc == 0 && i < places->count; i++)
		rc = add_address(addresses, object, places->offsets[i]);
	array_release(&symbols);
	if (addresses->count > 0)
		qsort(addresses->items, addresses->count, sizeof(*addresses->items),
		      number_compare);
	return rc;
}

/* Whether an address is in [first, end), or is first if that range is empty. */
static bool has_address(const struct addresses *addresses, uint64_t first, uint64_t end)
{
	size_t low = 0, high = addresses->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (addresses->items[middle] < first)
			low = middle + 1;
		else
			high = middle;
	}
	return low < addresses->count &&
	       (addresses->items[low] < end || addresses->items[low] == first);
}

/* ---- tables ---- */

struct line_reader {
	struct line_files *files;
	const struct elf *debug;
	const Elf_Data *section;
	const struct addresses *addresses; /* NULL: everything counts */
};

/* Lines are ascending, and each extends to the next; the last of a sequence is its
 * end. */
static void mark_used(bool *is_used, size_t count, Dwarf_Lines *lines, size_t line_count,
		      const struct addresses *addresses)
{
	for (size_t i = 0; i < line_count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i), *next;
		Dwarf_Addr first, end;
		Dwarf_Files *files;
		bool is_end;
		size_t file;

		if (!line || dwarf_lineendsequence(line, &is_end) != 0 || is_end ||
		    dwarf_lineaddr(line, &first) != 0 ||
		    dwarf_line_file(line, &files, &file) != 0 || file >= count ||
		    is_used[file])
			continue;
		next = i + 1 < line_count ? dwarf_onesrcline(lines, i + 1) : NULL;
		if (!next || dwarf_lineaddr(next, &end) != 0)
			end = first;
		is_used[file] = has_address(addresses, first, end);
	}
}

/* The first directory is that of the compilation. */
static int take_table(const struct line_reader *reader, Dwarf_Off offset,
		      Dwarf_Files *files, size_t count, Dwarf_Lines *lines,
		      size_t line_count)
{
	cleanup_free const unsigned char **sums = calloc(count + 1, sizeof(*sums));
	cleanup_free bool *is_used = calloc(count + 1, sizeof(*is_used));
	struct line_head head;
	const char *const *directories;
	size_t directory_count;
	bool has_sums;
	int rc = 0;

	if (!sums || !is_used)
		return -ENOMEM;
	if (dwarf_getsrcdirs(files, &directories, &directory_count) != 0)
		directory_count = 0;
	line_head_read(&head, reader->debug, reader->section, offset);
	has_sums = line_head_sums(sums, count, &head);
	if (reader->addresses)
		mark_used(is_used, count, lines, line_count, reader->addresses);
	for (size_t i = head.version < 5; rc == 0 && i < count; i++)
		if (!reader->addresses || is_used[i])
			rc = add_file(reader->files,
				      directory_count > 0 ? directories[0] : NULL,
				      dwarf_filesrc(files, i, NULL, NULL),
				      has_sums ? sums[i] : NULL);
	return rc;
}

static int read_tables(const struct line_reader *reader, Dwarf *dwarf,
		       struct expt_error *err)
{
	Dwarf_Off offset = 0, next;
	Dwarf_CU *unit = NULL; /* where libdw looks first */
	Dwarf_Files *files;
	Dwarf_Lines *lines;
	size_t count, line_count;
	int found, rc;

	while ((found = dwarf_next_lines(dwarf, offset, &next, &unit, &files, &count,
					 &lines, &line_count)) == 0) {
		rc = take_table(reader, offset, files, count, lines, line_count);
		if (rc < 0)
			return expt_fail(err, rc, "cannot list source files");
		offset = next;
	}
	if (found < 0)
		return expt_refuse(err, -EBADMSG, "damaged line table: %s",
				   dwarf_errmsg(dwarf_errno()));
	return 0;
}

static Elf_Scn *find_lines(const struct elf *elf)
{
	Elf_Scn *section = elf_find_section(elf, ".debug_line");

	return section ? section : elf_find_section(elf, ".zdebug_line");
}

bool elf_has_lines(const struct elf *elf)
{
	return find_lines(elf) != NULL;
}

static int read_lines(struct line_reader *reader, Elf_Scn *section,
		      const struct elf *common, struct expt_error *err)
{
	cleanup_elf_dwarf struct elf_dwarf opened = { .dwarf = NULL };
	int rc = elf_dwarf_open(&opened, reader->debug, common, err);

	if (rc < 0)
		return rc;
	reader->section = elf_getdata(section, NULL);
	if (!reader->section || !reader->section->d_buf)
		return expt_refuse(err, -EBADMSG, "damaged line table");
	return read_tables(reader, opened.dwarf, err);
}

int elf_line_files(struct line_files *files, const struct line_tables *tables,
		   const struct line_places *places, struct expt_error *err)
{
	struct addresses addresses = { .items = NULL };
	struct line_reader reader = { .files = files, .debug = tables->debug };
	Elf_Scn *section = find_lines(tables->debug);
	int rc = 0;

	if (!section)
		return 0;
	if (places) {
		rc = find_addresses(&addresses, tables, places, err);
		reader.addresses = &addresses;
	}
	if (rc == 0)
		rc = read_lines(&reader, section, tables->common, err);
	array_release(&addresses);
	return rc;
}

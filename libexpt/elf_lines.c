/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Line tables through libdw, which only this file includes. It puts together names and directories of
 * all versions, but passes over the checksums that tables of version 5 can have: those are read here,
 * as they stand there. Compilers write them as everybody does, the GNU assembler backwards.
 */
#include "libexpt/elf_lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/elf_file.h"
#include "libexpt/error.h"

/* ---- the list ---- */

/* Without empty and "." components, as gprofng's readers look for it. What leads upwards stays: it may
 * lead through a link. */
static char *clean_path(struct arena *strings, const char *path)
{
	char *clean = arena_text(strings, path, strlen(path)), *to = clean;

	if (!clean)
		return NULL;
	while (*path) {
		size_t length = strcspn(path, "/");

		if (length > 0 && !(length == 1 && *path == '.')) {
			*to++ = '/';
			memmove(to, path, length);
			to += length;
		}
		path += length + (path[length] == '/');
	}
	*to = '\0';
	return clean;
}

/* "<built-in>" and the like are no files; and nobody knows what names lead to without a directory. */
static bool is_file_name(const char *directory, const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;
	const char *base = slash ? slash + 1 : path;

	return base && *base && *base != '<' &&
	       (*path == '/' || (directory && *directory == '/'));
}

static int add_file(struct line_files *files, const char *directory, const char *path,
		    const unsigned char *md5)
{
	cleanup_strbuf struct strbuf whole = STRBUF_INIT;
	struct line_file *file;
	const char *clean;
	uint32_t *slot;

	if (!is_file_name(directory, path))
		return 0;
	if (*path != '/')
		strbuf_printf(&whole, "%s/", directory);
	strbuf_add_text(&whole, path);
	clean = whole.failed ? NULL : clean_path(&files->strings, whole.text);
	slot = clean ? idmap_add(&files->index, idmap_text_key(IDMAP_KEY, clean)) : NULL;
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

/* ---- checksums, in the header of a table --------------------------------------------- */

/* Reads what is there, and zeros behind the end. */
struct cursor {
	const unsigned char *at, *end;
	bool is_big_endian, failed;
};

static const unsigned char *skip(struct cursor *cursor, uint64_t size)
{
	const unsigned char *bytes = cursor->at;

	if (cursor->failed || size > (uint64_t)(cursor->end - cursor->at)) {
		cursor->failed = true;
		return NULL;
	}
	cursor->at += size;
	return bytes;
}

static uint64_t number(struct cursor *cursor, unsigned size)
{
	const unsigned char *bytes = skip(cursor, size);
	uint64_t value = 0;

	for (unsigned i = 0; bytes && i < size; i++)
		value = value << 8 | bytes[cursor->is_big_endian ? i : size - 1 - i];
	return value;
}

static uint64_t leb128(struct cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t byte = number(cursor, 1);

		value |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	cursor->failed = true;
	return 0;
}

static void skip_text(struct cursor *cursor)
{
	const unsigned char *end =
		memchr(cursor->at, '\0', (size_t)(cursor->end - cursor->at));

	if (end)
		cursor->at = end + 1;
	else
		cursor->failed = true;
}

/* What one field of an entry is, and how it is written. */
struct entry_field {
	uint64_t content, form;
};

struct entry_format {
	struct entry_field fields[256];
	unsigned count;
};

static void read_format(struct entry_format *format, struct cursor *cursor)
{
	format->count = (unsigned)number(cursor, 1);
	for (unsigned i = 0; i < format->count; i++) {
		format->fields[i].content = leb128(cursor);
		format->fields[i].form = leb128(cursor);
	}
}

static void skip_value(struct cursor *cursor, uint64_t form, unsigned offset_size)
{
	switch (form) {
	case DW_FORM_string:
		skip_text(cursor);
		break;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		skip(cursor, offset_size);
		break;
	case DW_FORM_udata:
	case DW_FORM_strx:
		leb128(cursor);
		break;
	case DW_FORM_data1:
	case DW_FORM_strx1:
		skip(cursor, 1);
		break;
	case DW_FORM_data2:
	case DW_FORM_strx2:
		skip(cursor, 2);
		break;
	case DW_FORM_strx3:
		skip(cursor, 3);
		break;
	case DW_FORM_data4:
	case DW_FORM_strx4:
		skip(cursor, 4);
		break;
	case DW_FORM_data8:
		skip(cursor, 8);
		break;
	case DW_FORM_data16:
		skip(cursor, 16);
		break;
	case DW_FORM_block:
		skip(cursor, leb128(cursor));
		break;
	default:
		cursor->failed = true;
	}
}

/* Where not all files of a table have a sum, the assembler writes zeros. */
static const unsigned char *sum_or_none(const unsigned char *md5)
{
	static const unsigned char none[MD5_SIZE];

	return md5 && memcmp(md5, none, MD5_SIZE) != 0 ? md5 : NULL;
}

/* Its MD5 sum, or NULL. */
static const unsigned char *
read_entry(struct cursor *cursor, const struct entry_format *format, unsigned offset_size)
{
	const unsigned char *md5 = NULL;

	for (unsigned i = 0; i < format->count; i++) {
		const struct entry_field *field = &format->fields[i];

		if (field->content == DW_LNCT_MD5 && field->form == DW_FORM_data16)
			md5 = sum_or_none(skip(cursor, MD5_SIZE));
		else
			skip_value(cursor, field->form, offset_size);
	}
	return md5;
}

/* The head of a line table, as far as the files depend on it. */
struct table {
	unsigned version, offset_size;
	struct cursor cursor; /* of version 5: at the format of the directories */
};

static void open_table(struct table *table, const struct elf *elf,
		       const Elf_Data *section, Dwarf_Off offset)
{
	struct cursor *cursor = &table->cursor;
	uint64_t length;
	unsigned opcodes;

	cursor->at = section->d_buf;
	cursor->end = cursor->at + section->d_size;
	cursor->is_big_endian = elf->header.e_ident[EI_DATA] == ELFDATA2MSB;
	skip(cursor, offset);
	length = number(cursor, 4);
	table->offset_size = length == UINT32_MAX ? 8 : 4;
	if (table->offset_size == 8)
		skip(cursor, 8);
	table->version = (unsigned)number(cursor, 2);
	if (table->version != 5)
		return;
	skip(cursor, 2); /* sizes of an address and of a segment selector */
	skip(cursor, table->offset_size);
	skip(cursor, 5); /* what the program of the table needs */
	opcodes = (unsigned)number(cursor, 1);
	skip(cursor, opcodes ? opcodes - 1 : 0);
}

/* Where the sum of each file is, in order; NULL for none. False if the table has none at all. */
static bool read_sums(const unsigned char **sums, size_t count, struct table *table)
{
	struct cursor *cursor = &table->cursor;
	struct entry_format format;
	bool has_any = false;

	if (table->version != 5)
		return false;
	read_format(&format, cursor);
	for (uint64_t left = leb128(cursor); left > 0 && !cursor->failed; left--)
		read_entry(cursor, &format, table->offset_size);
	read_format(&format, cursor);
	leb128(cursor); /* how many: libdw has counted */
	for (size_t i = 0; i < count && !cursor->failed; i++) {
		sums[i] = read_entry(cursor, &format, table->offset_size);
		has_any |= sums[i] != NULL;
	}
	return has_any && !cursor->failed;
}

/* ---- places ---- */

struct addresses {
	uint64_t *items;
	size_t count, capacity;
};

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

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

/* Where the function of each place begins. */
static int add_entries(struct addresses *addresses, const struct elf *object,
		       const struct elf_symbols *symbols, const struct line_places *places)
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

	if (rc == -EBADMSG) /* then it must do without */
		rc = 0;
	if (symbols.count > 0)
		qsort(symbols.items, symbols.count, sizeof *symbols.items, compare_symbols);
	if (rc == 0)
		rc = add_entries(addresses, object, &symbols, places);
	for (size_t i = 0; rc == 0 && i < places->count; i++)
		rc = add_address(addresses, object, places->offsets[i]);
	array_release(&symbols);
	if (addresses->count > 0)
		qsort(addresses->items, addresses->count, sizeof *addresses->items,
		      compare_numbers);
	return rc;
}

/* One of the addresses is in [first, end), or is first where that is empty. */
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

/* Lines are ascending, and each reaches to the next; the last of a sequence is its end. */
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

/* The first directory is the one of the compilation. */
static int take_table(const struct line_reader *reader, Dwarf_Off offset,
		      Dwarf_Files *files, size_t count, Dwarf_Lines *lines,
		      size_t line_count)
{
	cleanup_free const unsigned char **sums = calloc(count + 1, sizeof *sums);
	cleanup_free bool *is_used = calloc(count + 1, sizeof *is_used);
	struct table table = { .version = 0 };
	const char *const *directories;
	size_t directory_count;
	bool has_sums;
	int rc = 0;

	if (!sums || !is_used)
		return -ENOMEM;
	if (dwarf_getsrcdirs(files, &directories, &directory_count) != 0)
		directory_count = 0;
	open_table(&table, reader->debug, reader->section, offset);
	has_sums = read_sums(sums, count, &table);
	if (reader->addresses)
		mark_used(is_used, count, lines, line_count, reader->addresses);
	for (size_t i = table.version < 5; rc == 0 && i < count; i++)
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
	Dwarf_CU *unit = NULL; /* where to look first */
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
		return expt_fail(err, -EBADMSG, "damaged line table: %s",
				 dwarf_errmsg(dwarf_errno()));
	return 0;
}

static Elf_Scn *find_section(const struct elf *elf)
{
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf->handle, section)))
		if (elf_section_header(elf, section, &header, &name) &&
		    header.sh_type != SHT_NOBITS && header.sh_size <= ELF_TABLE_LIMIT &&
		    (strcmp(name, ".debug_line") == 0 || strcmp(name, ".zdebug_line") == 0))
			return section;
	return NULL;
}

bool elf_has_lines(const struct elf *elf)
{
	return find_section(elf) != NULL;
}

static int read_lines(struct line_reader *reader, Elf_Scn *section, Dwarf *common,
		      struct expt_error *err)
{
	/* This also uncompresses the sections. */
	Dwarf *dwarf = dwarf_begin_elf(reader->debug->handle, DWARF_C_READ, NULL);
	int rc;

	reader->section = dwarf ? elf_getdata(section, NULL) : NULL;
	if (reader->section && reader->section->d_buf) {
		dwarf_setalt(dwarf, common);
		rc = read_tables(reader, dwarf, err);
	} else {
		rc = expt_fail(err, -EBADMSG, "damaged line table");
	}
	dwarf_end(dwarf);
	return rc;
}

int elf_line_files(struct line_files *files, const struct line_tables *tables,
		   const struct line_places *places, struct expt_error *err)
{
	struct addresses addresses = { .items = NULL };
	struct line_reader reader = { .files = files, .debug = tables->debug };
	Elf_Scn *section = find_section(tables->debug);
	Dwarf *common = NULL;
	int rc = 0;

	if (!section)
		return 0;
	if (places) {
		rc = find_addresses(&addresses, tables, places, err);
		reader.addresses = &addresses;
	}
	if (tables->common)
		common = dwarf_begin_elf(tables->common->handle, DWARF_C_READ, NULL);
	if (rc == 0)
		rc = read_lines(&reader, section, common, err);
	dwarf_end(common);
	array_release(&addresses);
	return rc;
}

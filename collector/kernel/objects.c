/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/kernel/objects.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/expt.h"
#include "libexpt/format.h"

#define CODE_OFFSET 4096 /* in the file, where nothing is */
#define NOTES_MAX   8192

/* ---- identity ---- */

/* Returns the length of the notes of the kernel, or of a module "[ext4]". */
static size_t read_notes(char notes[NOTES_MAX], const char *module)
{
	char path[PATH_MAX];
	cleanup_fd int fd = -1;
	ssize_t length;

	if (strcmp(module, "[kernel]") == 0)
		snprintf(path, sizeof(path), "/sys/kernel/notes");
	else
		snprintf(path, sizeof(path), "/sys/module/%.*s/notes/.note.gnu.build-id",
			 (int)strlen(module) - 2, module + 1);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? -1 : io_read_full(fd, notes, NOTES_MAX);
	return length < 0 ? 0 : (size_t)length;
}

void object_segment(struct map_segment *segment, const struct module *module)
{
	char notes[NOTES_MAX] __attribute__((aligned(8)));

	*segment = (struct map_segment){ .address = module->low,
					 .size = module->high - module->low,
					 .file_offset = CODE_OFFSET,
					 .name = module->name };
	map_event_copy_build_id(notes, read_notes(notes, module->name),
				segment->build_id);
}

/* ---- the file ---- */

enum section { NONE, TEXT, NOTE, SYMTAB, STRTAB, SHSTRTAB, SECTIONS };

static const char section_names[] = "\0.text\0.note.gnu.build-id\0.symtab\0.strtab\0"
				    ".shstrtab";

struct object {
	const struct module *module;
	struct strbuf file, symbols, names;
	Elf64_Shdr sections[SECTIONS];
};

static Elf64_Word name_of(const char *name)
{
	size_t at = 0;

	while (at < sizeof(section_names) && strcmp(section_names + at, name) != 0)
		at += strlen(section_names + at) + 1;
	return (Elf64_Word)at;
}

static void add_symbol(struct object *object, const struct symbol *symbol,
		       const char *name)
{
	int binding = symbol->type == 'T'   ? STB_GLOBAL
		      : symbol->type == 't' ? STB_LOCAL
					    : STB_WEAK;
	Elf64_Sym entry = { .st_name = (Elf64_Word)object->names.length,
			    .st_info = ELF64_ST_INFO(binding, STT_FUNC),
			    .st_shndx = TEXT,
			    .st_value = symbol->address,
			    .st_size = symbol->end - symbol->address };

	strbuf_add(&object->symbols, &entry, sizeof(entry));
	strbuf_add(&object->names, name, strlen(name) + 1);
}

/* Local symbols come first in a table. Returns the number of the first that is not. */
static size_t add_symbols(struct object *object, const struct symbols *symbols)
{
	static const Elf64_Sym none;
	size_t module = (size_t)(object->module - symbols->modules), first = 0;

	strbuf_add(&object->symbols, &none, sizeof(none));
	strbuf_add_char(&object->names, '\0');
	for (int is_global = 0; is_global < 2; is_global++) {
		for (size_t i = 0; i < symbols->count; i++) {
			const struct symbol *symbol = &symbols->items[i];

			if (symbol->is_used && symbol->module == module &&
			    (symbol->type != 't') == is_global)
				add_symbol(object, symbol, symbol_name(symbols, symbol));
		}
		if (!is_global)
			first = object->symbols.length / sizeof(Elf64_Sym);
	}
	return first;
}

static void put(struct object *object, enum section section, const void *bytes,
		size_t length)
{
	while (object->file.length % 8 != 0)
		strbuf_add_char(&object->file, '\0');
	object->sections[section].sh_offset = object->file.length;
	object->sections[section].sh_size = length;
	strbuf_add(&object->file, bytes, length);
}

static void describe_sections(struct object *object, size_t first_global)
{
	Elf64_Shdr *sections = object->sections;
	const struct module *module = object->module;

	sections[TEXT] = (Elf64_Shdr){ .sh_name = name_of(".text"),
				       .sh_type = SHT_NOBITS,
				       .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
				       .sh_addr = module->low,
				       .sh_offset = CODE_OFFSET,
				       .sh_size = module->high - module->low,
				       .sh_addralign = 16 };
	sections[NOTE].sh_name = name_of(".note.gnu.build-id");
	sections[NOTE].sh_type = SHT_NOTE;
	sections[NOTE].sh_flags = SHF_ALLOC;
	sections[NOTE].sh_addralign = 4;
	sections[SYMTAB].sh_name = name_of(".symtab");
	sections[SYMTAB].sh_type = SHT_SYMTAB;
	sections[SYMTAB].sh_link = STRTAB;
	sections[SYMTAB].sh_info = (Elf64_Word)first_global;
	sections[SYMTAB].sh_addralign = 8;
	sections[SYMTAB].sh_entsize = sizeof(Elf64_Sym);
	sections[STRTAB].sh_name = name_of(".strtab");
	sections[STRTAB].sh_type = SHT_STRTAB;
	sections[SHSTRTAB].sh_name = name_of(".shstrtab");
	sections[SHSTRTAB].sh_type = SHT_STRTAB;
}

static void fill_heads(const struct object *object, Elf64_Ehdr *head, Elf64_Phdr *code,
		       uint64_t sections_at)
{
	const struct module *module = object->module;

	*head = (Elf64_Ehdr){ .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					   ELFDATA2LSB, EV_CURRENT },
			      .e_type = ET_EXEC,
			      .e_machine = EM_X86_64,
			      .e_version = EV_CURRENT,
			      .e_entry = module->low,
			      .e_phoff = sizeof(*head),
			      .e_shoff = sections_at,
			      .e_ehsize = sizeof(*head),
			      .e_phentsize = sizeof(*code),
			      .e_phnum = 1,
			      .e_shentsize = sizeof(Elf64_Shdr),
			      .e_shnum = SECTIONS,
			      .e_shstrndx = SHSTRTAB };
	*code = (Elf64_Phdr){ .p_type = PT_LOAD,
			      .p_flags = PF_R | PF_X,
			      .p_offset = CODE_OFFSET,
			      .p_vaddr = module->low,
			      .p_paddr = module->low,
			      .p_filesz = module->high - module->low,
			      .p_memsz = module->high - module->low,
			      .p_align = 4096 };
}

static void compose(struct object *object, const struct symbols *symbols)
{
	char notes[NOTES_MAX] __attribute__((aligned(8)));
	size_t notes_length = read_notes(notes, object->module->name);
	struct {
		Elf64_Ehdr head;
		Elf64_Phdr code;
	} heads;

	describe_sections(object, add_symbols(object, symbols));
	strbuf_add(&object->file, &(char[sizeof(heads)]){ 0 }, sizeof(heads));
	put(object, NOTE, notes, notes_length);
	put(object, SYMTAB, strbuf_text(&object->symbols), object->symbols.length);
	put(object, STRTAB, strbuf_text(&object->names), object->names.length);
	put(object, SHSTRTAB, section_names, sizeof(section_names));
	while (object->file.length % 8 != 0)
		strbuf_add_char(&object->file, '\0');
	fill_heads(object, &heads.head, &heads.code, object->file.length);
	strbuf_add(&object->file, object->sections, sizeof(object->sections));
	if (!object->file.failed)
		memcpy(object->file.text, &heads, sizeof(heads));
}

/* The file appears whole, in the place of an earlier one with fewer functions. */
static int write_file(const struct object *object, int archives)
{
	char name[NAME_MAX + 1], part[] = ".kernel" RECORDER_PART_SUFFIX;
	cleanup_fd int fd = openat(archives, part,
				   O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, FILE_MODE);
	int rc = fd < 0 ? -errno
			: io_write_all(fd, object->file.text, object->file.length);

	expt_archive_name(name, object->module->name);
	if (rc == 0 && renameat(archives, part, archives, name) < 0)
		rc = -errno;
	if (rc < 0)
		unlinkat(archives, part, 0);
	return rc;
}

static int write_object(const struct symbols *symbols, const struct module *module,
			int archives)
{
	struct object object = { .module = module };
	int rc;

	compose(&object, symbols);
	rc = object.file.failed || object.symbols.failed || object.names.failed
		     ? -ENOMEM
		     : write_file(&object, archives);
	strbuf_release(&object.file);
	strbuf_release(&object.symbols);
	strbuf_release(&object.names);
	return rc;
}

int objects_write(struct symbols *symbols, int archives)
{
	int rc = 0;

	for (size_t i = 0; i < symbols->module_count; i++) {
		struct module *module = &symbols->modules[i];
		int result;

		if (!module->has_news)
			continue;
		result = write_object(symbols, module, archives);
		module->has_news = result < 0;
		rc = rc < 0 ? rc : result;
	}
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collector/base/module.h"

enum { FUNCTION = 1, OLD, NEW, WANTED, SYMBOLS };

/* A module as the dynamic linker leaves it in memory. What follows it is another's. */
static struct image {
	ElfW(Dyn) dynamic[16];
	ElfW(Sym) symbols[SYMBOLS];
	ElfW(Half) versions[SYMBOLS];
	struct {
		ElfW(Verdef) head;
		ElfW(Verdaux) text;
	} defined[2];
	struct {
		ElfW(Verneed) head;
		ElfW(Vernaux) text;
	} needed;
	uint32_t hash[2 + 1 + SYMBOLS];
	ElfW(Rela) calls[2];
	char names[64];
	char beyond[64];
} image;

static ElfW(Phdr) headers[2];
static struct dl_phdr_info info;

static const char names[] = "\0function\0two\0OLD\0NEW\0libc\0WANTED\0wanted";
enum {
	AT_FUNCTION = 1,
	AT_TWO = 10,
	AT_OLD = 14,
	AT_NEW = 18,
	AT_WANTED = 27,
	AT_WANTED_NAME = 34
};

static void put(unsigned i, ElfW(Sxword) tag, uint64_t value)
{
	image.dynamic[i].d_tag = tag;
	image.dynamic[i].d_un.d_val = value;
}

#define OFFSET(field) offsetof(struct image, field)

static void define(unsigned i, uint32_t name, uint16_t version, uint64_t value)
{
	image.symbols[i] = (ElfW(Sym)){
		.st_name = name,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = value ? 1 : SHN_UNDEF,
		.st_value = value,
	};
	image.versions[i] = version;
	image.hash[3 + i] = i - 1; /* one chain: the last symbol first */
}

/* Addresses are relative to the base, or absolute: libc leaves both. */
static int make(void **state)
{
	(void)state;
	memset(&image, 0, sizeof(image));
	memcpy(image.names, names, sizeof(names));
	put(0, DT_SYMTAB, (uintptr_t)image.symbols);
	put(1, DT_STRTAB, (uintptr_t)image.names);
	put(2, DT_STRSZ, sizeof(image.names));
	put(3, DT_HASH, OFFSET(hash));
	put(4, DT_VERSYM, (uintptr_t)image.versions);
	put(5, DT_VERDEF, OFFSET(defined));
	put(6, DT_VERDEFNUM, 2);
	put(7, DT_VERNEED, OFFSET(needed));
	put(8, DT_VERNEEDNUM, 1);
	put(9, DT_JMPREL, OFFSET(calls));
	put(10, DT_PLTRELSZ, sizeof(image.calls));
	put(11, DT_PLTREL, DT_RELA);
	image.hash[0] = 1;
	image.hash[1] = SYMBOLS;
	image.hash[2] = SYMBOLS - 1;
	define(FUNCTION, AT_FUNCTION, 1, 0x10);
	define(OLD, AT_TWO, 0x8002, 0x20);
	define(NEW, AT_TWO, 3, 0x30);
	define(WANTED, AT_WANTED_NAME, 4, 0);
	for (unsigned i = 0; i < 2; i++) {
		image.defined[i].head.vd_ndx = (ElfW(Half))(2 + i);
		image.defined[i].head.vd_aux = sizeof(ElfW(Verdef));
		image.defined[i].head.vd_next = i == 0 ? sizeof(image.defined[0]) : 0;
		image.defined[i].text.vda_name = i == 0 ? AT_OLD : AT_NEW;
	}
	image.needed.head.vn_cnt = 1;
	image.needed.head.vn_aux = sizeof(ElfW(Verneed));
	image.needed.text.vna_other = 4;
	image.needed.text.vna_name = AT_WANTED;
	headers[0] = (ElfW(Phdr)){ .p_type = PT_LOAD,
				   .p_flags = PF_R | PF_W,
				   .p_memsz = OFFSET(beyond) };
	headers[1] = (ElfW(Phdr)){ .p_type = PT_DYNAMIC };
	info = (struct dl_phdr_info){ .dlpi_addr = (uintptr_t)&image,
				      .dlpi_phdr = headers,
				      .dlpi_phnum = 2 };
	return 0;
}

static uintptr_t found(const char *name, const char *version)
{
	struct module module;
	void *function;

	assert_true(module_read(&module, &info));
	function = module_find(&module, name, version);
	return function ? (uintptr_t)function - (uintptr_t)&image : 0;
}

static void finds_a_function_of_any_version(void **state)
{
	(void)state;
	assert_int_equal(found("function", NULL), 0x10);
	assert_int_equal(found("function", "OLD"), 0x10);
	assert_int_equal(found("nothing", NULL), 0);
}

static void finds_the_version(void **state)
{
	(void)state;
	assert_int_equal(found("two", "OLD"), 0x20);
	assert_int_equal(found("two", "NEW"), 0x30);
	assert_int_equal(found("two", NULL), 0x30);
	assert_int_equal(found("two", "WANTED"), 0);
}

static void finds_nothing_that_is_only_wanted(void **state)
{
	struct module module;

	(void)state;
	assert_int_equal(found("wanted", NULL), 0);
	assert_true(module_read(&module, &info));
	assert_string_equal(module_version(&module, WANTED).name, "WANTED");
	assert_true(module_version(&module, OLD).is_hidden);
	assert_true(module_has_version(&module, "WANTED"));
	assert_true(module_has_version(&module, "NEW"));
	assert_false(module_has_version(&module, "libc"));
}

static void finds_the_plt(void **state)
{
	struct module module;

	(void)state;
	image.symbols[WANTED].st_value = 0x40;
	assert_int_equal(found("wanted", NULL), 0);
	assert_true(module_read(&module, &info));
	assert_ptr_equal(module_find_plt(&module, "wanted", "WANTED"),
			 (char *)&image + 0x40);
	assert_null(module_find_plt(&module, "function", NULL));
}

static void reads_relocations(void **state)
{
	struct module module;

	(void)state;
	assert_true(module_read(&module, &info));
	assert_int_equal(module.calls.count, 2);
	assert_ptr_equal(module.calls.first, image.calls);
}

/* ---- damaged ---- */

static void ignores_tables_outside(void **state)
{
	struct module module;

	(void)state;
	put(10, DT_PLTRELSZ, sizeof(image));
	assert_true(module_read(&module, &info));
	assert_int_equal(module.calls.count, 0);
	put(9, DT_JMPREL, UINT64_MAX - 8);
	put(10, DT_PLTRELSZ, 48);
	assert_true(module_read(&module, &info));
	assert_int_equal(module.calls.count, 0);
	put(2, DT_STRSZ, sizeof(image.names) + 1);
	assert_false(module_read(&module, &info));
	put(2, DT_STRSZ, UINT64_MAX);
	assert_false(module_read(&module, &info));
}

static void ignores_a_dynamic_section_outside(void **state)
{
	struct module module;

	(void)state;
	headers[1].p_vaddr = OFFSET(beyond);
	assert_false(module_read(&module, &info));
	headers[1].p_type = PT_NULL;
	assert_false(module_read(&module, &info));
}

static void ignores_names_outside(void **state)
{
	(void)state;
	image.symbols[FUNCTION].st_name = UINT32_MAX;
	assert_int_equal(found("function", NULL), 0);
	image.symbols[FUNCTION].st_name = OFFSET(beyond) - OFFSET(names) - 1;
	image.names[sizeof(image.names) - 1] = 'f'; /* without an end */
	assert_int_equal(found("f", NULL), 0);
}

static void ends_in_a_circle(void **state)
{
	(void)state;
	image.hash[3 + NEW] = WANTED;
	assert_int_equal(found("function", NULL), 0);
	image.hash[2] = UINT32_MAX;
	assert_int_equal(found("function", NULL), 0);
	image.hash[0] = UINT32_MAX;
	assert_int_equal(found("function", NULL), 0);
	put(6, DT_VERDEFNUM, UINT64_MAX);
	put(8, DT_VERNEEDNUM, UINT64_MAX);
	assert_int_equal(found("two", "ANY"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(finds_a_function_of_any_version, make),
		cmocka_unit_test_setup(finds_the_version, make),
		cmocka_unit_test_setup(finds_nothing_that_is_only_wanted, make),
		cmocka_unit_test_setup(finds_the_plt, make),
		cmocka_unit_test_setup(reads_relocations, make),
		cmocka_unit_test_setup(ignores_tables_outside, make),
		cmocka_unit_test_setup(ignores_a_dynamic_section_outside, make),
		cmocka_unit_test_setup(ignores_names_outside, make),
		cmocka_unit_test_setup(ends_in_a_circle, make),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

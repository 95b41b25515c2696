/* SPDX-License-Identifier: Apache-2.0 */
/* Unwind data, good and bad. */

#include <link.h>

#include "tests/collector/unwind/eh_frame.h"

static const char framed[] = "\x41\x0e\x10\x86\x02\x43\x0d\x06\x02\x20\x0c\x07\x08";

static void the_rules_change_with_the_address(void **state)
{
	struct cfi_rules rules;

	assert_int_equal(ask_for(&rules, framed, 13, CODE), CFI_FOUND);
	assert_int_equal(rules.state.cfa_register, REGISTER_SP);
	assert_int_equal(rules.state.cfa_value, 8);
	assert_int_equal(rules.state.kinds[REGISTER_PC], RULE_OFFSET);
	assert_int_equal(rules.state.values[REGISTER_PC], -8);
	assert_int_equal(rules.state.kinds[REGISTER_BP], RULE_DEFAULT);

	assert_int_equal(ask_for(&rules, framed, 13, CODE + 3), CFI_FOUND);
	assert_int_equal(rules.state.cfa_register, REGISTER_SP);
	assert_int_equal(rules.state.cfa_value, 16);
	assert_int_equal(rules.state.values[REGISTER_BP], -16);

	assert_int_equal(ask_for(&rules, framed, 13, CODE + 4), CFI_FOUND);
	assert_int_equal(rules.state.cfa_register, REGISTER_BP);

	assert_int_equal(ask_for(&rules, framed, 13, CODE + 0x24), CFI_FOUND);
	assert_int_equal(rules.state.cfa_register, REGISTER_SP);
	assert_int_equal(rules.state.cfa_value, 8);
}

static void an_address_outside_of_all_functions_has_no_rules(void **state)
{
	struct cfi_rules rules;

	assert_int_equal(ask_for(&rules, framed, 13, CODE - 1), CFI_NONE);
	assert_int_equal(ask_for(&rules, framed, 13, CODE + 0x100), CFI_NONE);
}

static void a_remembered_state_comes_back(void **state)
{
	struct cfi_rules rules;
	static const char code[] = "\x0e\x10\x0a\x41\x0e\x20\x86\x02\x41\x0b";

	assert_int_equal(ask_for(&rules, code, 10, CODE + 1), CFI_FOUND);
	assert_int_equal(rules.state.cfa_value, 32);
	assert_int_equal(ask_for(&rules, code, 10, CODE + 2), CFI_FOUND);
	assert_int_equal(rules.state.cfa_value, 16);
	assert_int_equal(rules.state.kinds[REGISTER_BP], RULE_DEFAULT);
}

static void a_restored_register_has_its_initial_rule(void **state)
{
	struct cfi_rules rules;

	assert_int_equal(ask_for(&rules, "\x86\x02\x41\xc6\x07\x10", 6, CODE + 1),
			 CFI_FOUND);
	assert_int_equal(rules.state.kinds[REGISTER_BP], RULE_DEFAULT);
	assert_int_equal(rules.state.kinds[REGISTER_PC], RULE_UNDEFINED);
}

static void broken_instructions_are_damage(void **state)
{
	struct cfi_rules rules;

	assert_int_equal(ask_for(&rules, "\x0b", 1, CODE),
			 CFI_DAMAGED); /* nothing was remembered */
	assert_int_equal(ask_for(&rules, "\x3f", 1, CODE), CFI_DAMAGED); /* unknown */
	assert_int_equal(ask_for(&rules, "\x0d\x63", 2, CODE),
			 CFI_DAMAGED); /* register 99 */
	assert_int_equal(ask_for(&rules, "\x0e\xff\xff\xff\xff\xff\x7f", 7, CODE),
			 CFI_DAMAGED);
	assert_int_equal(ask_for(&rules, "\x0f\x7f", 2, CODE),
			 CFI_DAMAGED); /* block too long */
	assert_int_equal(ask_for(&rules, "\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a", 9, CODE),
			 CFI_DAMAGED);
}

static void other_registers_are_read_over(void **state)
{
	struct cfi_rules rules;

	/* xmm6 is register 23 */
	assert_int_equal(ask_for(&rules, "\x97\x04\x05\x17\x03\x0e\x18", 7, CODE),
			 CFI_FOUND);
	assert_int_equal(rules.state.cfa_value, 24);
}

static void a_section_cut_anywhere_is_never_read_beyond(void **state)
{
	struct image image;
	struct cfi_rules rules;

	build(&image, framed, 13);
	for (size_t size = 1; size < image.size; size++) {
		struct cfi_section section;
		uint32_t hint = 0;

		if (place(&section, &image, size) && size < image.size - 4)
			assert_int_not_equal(cfi_find(&rules, &section, CODE + 3, &hint),
					     CFI_FOUND);
	}
}

static void every_byte_may_be_anything(void **state)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct image image;
	struct cfi_rules rules;

	build(&image, framed, 13);
	for (size_t i = 0; i < image.size; i++) {
		uint8_t before = image.bytes[i];

		for (size_t j = 0; j < sizeof(values); j++) {
			struct cfi_section section;
			uint32_t hint = 0;

			image.bytes[i] = values[j];
			if (place(&section, &image, image.size))
				cfi_find(&rules, &section, CODE + 3, &hint);
		}
		image.bytes[i] = before;
	}
}

static void bogus_lengths_end_the_search(void **state)
{
	static const uint32_t lengths[] = { 0, 1, 0x7fffffff, 0xfffffff0, 0xffffffff };
	struct image image;
	struct cfi_rules rules;

	build(&image, framed, 13);
	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		memcpy(image.bytes + 8, &lengths[i], 4);
		assert_int_not_equal(ask(&rules, &image, CODE), CFI_FOUND);
	}
}

static void entries_that_name_themselves_are_refused(void **state)
{
	struct image image;
	struct cfi_rules rules;
	size_t at;

	image.size = 0;
	add(&image, "\x01\x1b\xff\xff", 4);
	add_u32(&image, 4);
	at = begin_function(&image, image.size, CODE,
			    0x100); /* its common entry is itself */
	add(&image, framed, 13);
	end_entry(&image, at);
	at = begin_function(&image, image.size - 0x10000, CODE,
			    0x100); /* or is far outside */
	end_entry(&image, at);
	assert_int_equal(ask(&rules, &image, CODE), CFI_NONE);
}

static void unknown_augmentations_are_refused(void **state)
{
	static const char *const texts[] = { "zQ", "eh", "zRQ", "P" };
	struct cfi_rules rules;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct image image = { .size = 0 };
		size_t at;

		add(&image, "\x01\x1b\xff\xff", 4);
		add_u32(&image, 4);
		at = begin_common(&image, texts[i]);
		add_initial_rules(&image);
		end_entry(&image, at);
		at = begin_function(&image, at, CODE, 0x100);
		end_entry(&image, at);
		assert_int_not_equal(ask(&rules, &image, CODE), CFI_FOUND);
	}
}

/* ---- tables ---- */

#define FUNCTIONS 40

/* Builds functions of 0x20 bytes every 0x40 bytes, relative to the section as in real
 * objects. */
static void build_table(struct image *image)
{
	size_t at, common, places[FUNCTIONS];

	image->size = 0;
	add(image, "\x01\x1b\x03\x3b", 4);
	add_u32(image, 8 + 8 * FUNCTIONS);
	add_u32(image, FUNCTIONS);
	image->size += 8 * FUNCTIONS;
	common = begin_common(image, "zR");
	image->bytes[image->size - 1] = 0x1b;
	add_initial_rules(image);
	end_entry(image, common);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		places[i] = at = image->size;
		add_u32(image, 0);
		add_u32(image, (uint32_t)(image->size - common));
		add_u32(image, (uint32_t)(0x10000 + 0x40 * i - image->size));
		add_u32(image, 0x20);
		add(image, "\x00\x0e", 2);
		add_u8(image, 8 + 8 * (i & 7));
		end_entry(image, at);
	}
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		uint32_t pair[2] = { 0x10000 + 0x40 * i, (uint32_t)places[i] };

		memcpy(image->bytes + 12 + 8 * i, pair, 8);
	}
}

static void a_function_is_found_whatever_the_hint(void **state)
{
	struct image image;
	struct cfi_section section;
	struct cfi_rules rules;

	build_table(&image);
	assert_true(place(&section, &image, image.size));
	assert_int_equal(section.count, FUNCTIONS);
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		uintptr_t start = section.header + 0x10000 + 0x40 * i;

		for (uint32_t guess = 0; guess < FUNCTIONS + 3; guess++) {
			uint32_t hint = guess;

			assert_int_equal(cfi_find(&rules, &section, start + 0x1f, &hint),
					 CFI_FOUND);
			assert_int_equal(rules.state.cfa_value, 8 + 8 * (i & 7));
			assert_int_equal(hint, i);
			hint = guess;
			assert_int_equal(cfi_find(&rules, &section, start + 0x20, &hint),
					 CFI_NONE);
		}
	}
	for (uint32_t hint = 0, guess = 0; guess < FUNCTIONS; hint = ++guess)
		assert_int_equal(cfi_find(&rules, &section, section.header, &hint),
				 CFI_NONE);
}

static void a_table_that_lies_is_survived(void **state)
{
	static const uint32_t values[] = { 0, 0x7fffffff, 0x80000000, 0xffffffff, 0xfff };
	struct image image;
	struct cfi_rules rules;

	for (unsigned i = 0; i < 8 * FUNCTIONS / 4; i++) {
		for (unsigned j = 0; j < 5; j++) {
			struct cfi_section section;

			build_table(&image);
			memcpy(image.bytes + 12 + 4 * i, &values[j], 4);
			assert_true(place(&section, &image, image.size));
			for (uint32_t hint = 0, k = 0; k < FUNCTIONS; hint = ++k)
				cfi_find(&rules, &section,
					 section.header + 0x10000 + 0x40 * k, &hint);
		}
	}
}

static void a_count_beyond_the_section_makes_no_table(void **state)
{
	struct image image;
	struct cfi_section section;
	uint32_t count = 0x20000000;

	build_table(&image);
	memcpy(image.bytes + 8, &count, 4);
	assert_true(place(&section, &image, image.size));
	assert_int_equal(section.table, 0);
}

/* ---- real objects ---- */

static int check_object(struct dl_phdr_info *info, size_t size, void *argument)
{
	const ElfW(Phdr) *header = NULL, *segment = NULL;
	struct cfi_section section;
	struct cfi_rules rules;
	unsigned *count = argument;

	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
			header = &info->dlpi_phdr[i];
	}
	for (unsigned i = 0; header && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *at = &info->dlpi_phdr[i];

		if (at->p_type == PT_LOAD && header->p_vaddr - at->p_vaddr < at->p_filesz)
			segment = at;
	}
	if (!segment)
		return 0;
	assert_true(
		cfi_section_init(&section, info->dlpi_addr + header->p_vaddr,
				 info->dlpi_addr + segment->p_vaddr,
				 info->dlpi_addr + segment->p_vaddr + segment->p_filesz));
	for (uint32_t i = 0; i < section.count; i++) {
		int32_t start = ((const int32_t *)section.table)[2 * i];
		uint32_t hint = i / 2;

		assert_int_equal(cfi_find(&rules, &section,
					  section.header + (uintptr_t)start, &hint),
				 CFI_FOUND);
		++*count;
	}
	return 0;
}

static void every_function_of_this_process_has_rules(void **state)
{
	unsigned count = 0;

	dl_iterate_phdr(check_object, &count);
	assert_true(count > 3000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rules_change_with_the_address),
		cmocka_unit_test(an_address_outside_of_all_functions_has_no_rules),
		cmocka_unit_test(a_remembered_state_comes_back),
		cmocka_unit_test(a_restored_register_has_its_initial_rule),
		cmocka_unit_test(broken_instructions_are_damage),
		cmocka_unit_test(other_registers_are_read_over),
		cmocka_unit_test(a_section_cut_anywhere_is_never_read_beyond),
		cmocka_unit_test(every_byte_may_be_anything),
		cmocka_unit_test(bogus_lengths_end_the_search),
		cmocka_unit_test(entries_that_name_themselves_are_refused),
		cmocka_unit_test(unknown_augmentations_are_refused),
		cmocka_unit_test(a_function_is_found_whatever_the_hint),
		cmocka_unit_test(a_table_that_lies_is_survived),
		cmocka_unit_test(a_count_beyond_the_section_makes_no_table),
		cmocka_unit_test(every_function_of_this_process_has_rules),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

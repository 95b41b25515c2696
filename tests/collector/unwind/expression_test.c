/* SPDX-License-Identifier: Apache-2.0 */
/* Rules, applied: expressions, and the registers of the caller. */

#include "collector/unwind/expression.h"
#include "tests/collector/unwind/eh_frame.h"

static void the_rule_of_linkage_stubs_depends_on_the_address(void **state)
{
	static const char stubs[] =
		"\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22";
	struct cfi_rules rules;
	int64_t offset;

	assert_int_equal(ask_for(&rules, stubs, 13, CODE + 10), CFI_FOUND);
	assert_true(rules.state.cfa_is_expression);
	assert_true(cfi_cfa_is_fixed(&rules, CODE + 10, &offset));
	assert_int_equal(offset, 8);
	assert_true(cfi_cfa_is_fixed(&rules, CODE + 11, &offset));
	assert_int_equal(offset, 16);
}

static void a_saved_cfa_is_recognised(void **state)
{
	struct cfi_rules rules;
	int64_t offset, addend;
	unsigned base;

	/* [rsp + 40] + 8, as in OpenSSL */
	assert_int_equal(ask_for(&rules, "\x0f\x05\x77\x28\x06\x23\x08", 7, CODE),
			 CFI_FOUND);
	assert_false(cfi_cfa_is_fixed(&rules, CODE, &offset));
	assert_true(cfi_cfa_is_load(&rules, &base, &offset, &addend));
	assert_int_equal(base, REGISTER_SP);
	assert_int_equal(offset, 40);
	assert_int_equal(addend, 8);
	/* [rbp - 8], bp at [rbp], as compilers write it */
	assert_int_equal(ask_for(&rules, "\x0f\x03\x76\x78\x06\x10\x06\x02\x76\x00", 10,
				 CODE),
			 CFI_FOUND);
	assert_true(cfi_cfa_is_load(&rules, &base, &offset, &addend));
	assert_int_equal(base, REGISTER_BP);
	assert_int_equal(offset, -8);
	assert_int_equal(addend, 0);
	assert_true(cfi_is_saved_at(&rules, REGISTER_BP, &base, &offset));
	assert_int_equal(offset, 0);
}

static void bad_expressions_give_nothing(void **state)
{
	static const struct {
		const char *code;
		size_t size;
	} cases[] = {
		{ "\x0f\x00", 2 },	       /* empty */
		{ "\x0f\x01\x22", 3 },	       /* plus of nothing */
		{ "\x0f\x01\x06", 3 },	       /* load of nothing */
		{ "\x0f\x02\x8f\x00", 4 },     /* register 31 */
		{ "\x0f\x01\xf0", 3 },	       /* unknown */
		{ "\x0f\x03\x2f\xfd\xff", 5 }, /* jump backwards */
		{ "\x0f\x02\x77\x80", 4 },     /* number without end */
		{ "\x0f\x14\x30\x30\x30\x30\x30\x30\x30\x30\x30\x30\x30\x30\x30\x30\x30"
		  "\x30\x30\x30"
		  "\x30\x30",
		  22 }, /* too much on the stack */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct registers registers = { .known = (1u << REGISTERS) - 1 };
		struct cfi_rules rules;

		assert_int_equal(ask_for(&rules, cases[i].code, cases[i].size, CODE),
				 CFI_FOUND);
		assert_false(cfi_apply(&rules, &registers));
	}
}

static void rules_are_applied_to_all_registers(void **state)
{
	uint64_t stack[8] = { 1, 2, 3, 4, 5, 6, 7, CODE };
	struct registers registers = { .known = (1u << REGISTERS) - 1 };
	struct cfi_rules rules;

	registers.value[REGISTER_SP] = (uintptr_t)stack;
	registers.value[REGISTER_BP] = 77;
	registers.value[12] = 1212;
	/* CFA = sp + 64, bp at -24, rbx = r12, r13 unknown, r14 is CFA - 16 */
	assert_int_equal(ask_for(&rules,
				 "\x0e\x40\x86\x03\x09\x03\x0c\x07\x0d\x14\x0e\x02", 12,
				 CODE),
			 CFI_FOUND);
	assert_true(cfi_apply(&rules, &registers));
	assert_int_equal(registers.value[REGISTER_PC], CODE);
	assert_int_equal(registers.value[REGISTER_SP], (uintptr_t)(stack + 8));
	assert_int_equal(registers.value[REGISTER_BP], 6);
	assert_int_equal(registers.value[REGISTER_BX], 1212);
	assert_int_equal(registers.value[14], (uintptr_t)(stack + 6));
	assert_false(registers.known & 1u << 13);
}

static void a_rule_for_an_unknown_register_fails(void **state)
{
	struct registers registers = { .known = 1u << REGISTER_SP | 1u << REGISTER_PC };
	struct cfi_rules rules;

	assert_int_equal(ask_for(&rules, "\x0c\x03\x08", 3, CODE),
			 CFI_FOUND); /* CFA = rbx + 8 */
	assert_false(cfi_apply(&rules, &registers));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_of_linkage_stubs_depends_on_the_address),
		cmocka_unit_test(a_saved_cfa_is_recognised),
		cmocka_unit_test(bad_expressions_give_nothing),
		cmocka_unit_test(rules_are_applied_to_all_registers),
		cmocka_unit_test(a_rule_for_an_unknown_register_fails),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "libexpt/accesses/backtrack.h"

/* A function of steps of 4 bytes from 0x1000 on, of which each letter is one: 'l' loads,
 * 's' stores, 'o' does something else, 'c' calls, 'b' branches to its beginning, 'j'
 * jumps to anywhere, 't' is the target of a branch after it. */
struct sample {
	struct function function;
	struct step steps[32];
};

static uint64_t address_of(size_t step)
{
	return 0x1000 + step * 4;
}

static void make(struct sample *sample, const char *letters)
{
	size_t count = strlen(letters), target = 0;

	*sample = (struct sample){ .function.steps.items = sample->steps };
	sample->function.steps.items = sample->steps;
	sample->function.steps.count = count;
	for (size_t i = 0; i < count; i++) {
		struct step *step = &sample->steps[i];

		*step = (struct step){ .address = address_of(i), .size = 4 };
		step->is_access = strchr("ls", letters[i]);
		step->is_write = letters[i] == 's';
		if (letters[i] == 't')
			target = i;
		if (letters[i] == 'c')
			step->kind = STEP_CALL;
		if (letters[i] == 'j')
			step->kind = STEP_JUMP;
		if (letters[i] == 'b') {
			step->kind = STEP_BRANCH;
			step->has_target = true;
			step->target = address_of(target);
		}
	}
	backtrack_mark(&sample->function);
}

/* Search back from a step. */
static enum backtrack search(const char *letters, size_t from, enum access_kind kind,
			     size_t *found)
{
	struct sample sample;

	make(&sample, letters);
	*found = SIZE_MAX;
	return backtrack_find(found, &sample.function, address_of(from), kind, 8);
}

static void finds_the_last_access_of_the_kind(void **state)
{
	size_t found;

	assert_int_equal(search("lsoo", 3, ACCESS_EITHER, &found), BACKTRACK_FOUND);
	assert_int_equal(found, 1);
	assert_int_equal(search("lsoo", 3, ACCESS_LOAD, &found), BACKTRACK_FOUND);
	assert_int_equal(found, 0);
	assert_int_equal(search("slo", 2, ACCESS_STORE, &found), BACKTRACK_FOUND);
	assert_int_equal(found, 0);
}

static void stops_within_reach_and_at_the_beginning(void **state)
{
	size_t found;

	assert_int_equal(search("looooooooo", 9, ACCESS_EITHER, &found),
			 BACKTRACK_NOT_FOUND);
	assert_int_equal(search("loooooooo", 8, ACCESS_EITHER, &found), BACKTRACK_FOUND);
	assert_int_equal(search("ooo", 2, ACCESS_EITHER, &found), BACKTRACK_NOT_FOUND);
	assert_int_equal(search("lo", 0, ACCESS_EITHER, &found), BACKTRACK_NOT_FOUND);
}

static void stops_at_calls_and_jumps(void **state)
{
	size_t found;

	assert_int_equal(search("loco", 3, ACCESS_EITHER, &found), BACKTRACK_INSTRUCTION);
	assert_int_equal(search("lobo", 3, ACCESS_EITHER, &found), BACKTRACK_INSTRUCTION);
	assert_int_equal(search("cloo", 3, ACCESS_EITHER, &found), BACKTRACK_FOUND);
}

static void stops_at_targets(void **state)
{
	size_t found;

	/* The step after 't' may come only from it, 't' itself from the branch. */
	assert_int_equal(search("ltob", 2, ACCESS_EITHER, &found),
			 BACKTRACK_BRANCH_TARGET);
	assert_int_equal(search("ltlb", 3, ACCESS_EITHER, &found), BACKTRACK_FOUND);
	assert_int_equal(found, 2);
	/* The first step may be one, too. */
	assert_int_equal(search("tolb", 0, ACCESS_EITHER, &found),
			 BACKTRACK_BRANCH_TARGET);
	assert_int_equal(search("toob", 2, ACCESS_EITHER, &found),
			 BACKTRACK_BRANCH_TARGET);
}

static void does_not_trust_functions_with_other_targets(void **state)
{
	size_t found;

	assert_int_equal(search("looj", 2, ACCESS_EITHER, &found),
			 BACKTRACK_NOT_VERIFIED);
	assert_int_equal(search("looj", 0, ACCESS_EITHER, &found),
			 BACKTRACK_NOT_VERIFIED);
}

static void refuses_addresses_inside_instructions(void **state)
{
	struct sample sample;
	size_t found;

	make(&sample, "lo");
	assert_int_equal(backtrack_find(&found, &sample.function, 0x1006, ACCESS_EITHER,
					8),
			 BACKTRACK_NOT_VERIFIED);
	assert_int_equal(backtrack_find(&found, &sample.function, 0x9000, ACCESS_EITHER,
					8),
			 BACKTRACK_NOT_VERIFIED);
}

static void verifies_the_way(void **state)
{
	struct sample sample;

	make(&sample, "looltob");
	assert_int_equal(backtrack_verify(&sample.function, 0x1000, 0x1008),
			 BACKTRACK_FOUND);
	assert_int_equal(backtrack_verify(&sample.function, 0x1000, 0x1000),
			 BACKTRACK_FOUND);
	assert_int_equal(backtrack_verify(&sample.function, 0x1000, 0x1014),
			 BACKTRACK_BRANCH_TARGET);
	assert_int_equal(backtrack_verify(&sample.function, 0x1008, 0x1000),
			 BACKTRACK_NOT_VERIFIED);
	assert_int_equal(backtrack_verify(&sample.function, 0x1002, 0x1008),
			 BACKTRACK_NOT_VERIFIED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_last_access_of_the_kind),
		cmocka_unit_test(stops_within_reach_and_at_the_beginning),
		cmocka_unit_test(stops_at_calls_and_jumps),
		cmocka_unit_test(stops_at_targets),
		cmocka_unit_test(does_not_trust_functions_with_other_targets),
		cmocka_unit_test(refuses_addresses_inside_instructions),
		cmocka_unit_test(verifies_the_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

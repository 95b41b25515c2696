/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/packets.h"

static struct expt *expt;
static struct expt_stack stack;

/* Puts a frame with one native info. An info with a link is compressed. */
static void put_frame(uint64_t uid, uint64_t info_uid, const uint64_t *pcs, size_t count,
		      uint64_t link)
{
	size_t values = count + (link != 0);

	put_head((unsigned)(32 + 8 * values), PACKET_FRAME);
	put_u32(16);
	put_u64(uid);
	put_u32((uint32_t)(16 + 8 * values));
	put_u32(FRAME_NATIVE | (link ? FRAME_COMPRESSED : 0));
	put_u64(info_uid);
	put(pcs, 8 * count);
	if (link)
		put_u64(link);
}

static void put_uid(uint64_t uid, uint64_t pc, uint64_t link)
{
	put_head(link ? 32 : 24, PACKET_UID);
	put_u32(link ? FRAME_COMPRESSED : 0);
	put_u64(uid);
	put_u64(pc);
	if (link)
		put_u64(link);
}

static int find(uint64_t uid)
{
	struct expt_error err;
	int rc = expt_stack(expt, uid, &stack, &err);

	if (rc < 0)
		fail_msg("%s", err.message);
	return rc;
}

static void assert_pcs(uint64_t first, size_t count)
{
	assert_int_equal(stack.count, count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(stack.pcs[i], first + i);
}

static const uint64_t one_two_three[] = { 1, 2, 3 };

static void a_stack_has_its_addresses_leaf_first(void **state)
{
	put_frame(10, 20, one_two_three, 3, 0);
	put_frame(11, 21, one_two_three + 1, 2, 0);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(find(10), 1);
	assert_pcs(1, 3);
	assert_int_equal(stack.end, EXPT_STACK_WHOLE);
	assert_int_equal(stack.index, 0);
	assert_int_equal(find(11), 1);
	assert_pcs(2, 2);
	assert_int_equal(stack.index, 1);
	assert_int_equal(expt_stack_limit(expt), 2);
	expt_close(expt);
}

static void an_unknown_uid_is_an_empty_stack(void **state)
{
	put_frame(10, 20, one_two_three, 3, 0);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(find(12), 0);
	assert_int_equal(stack.count, 0);
	assert_int_equal(stack.index, EXPT_STACK_NONE);
	assert_int_equal(find(0), 0);
	expt_close(expt);
}

static void links_are_followed_also_to_later_packets(void **state)
{
	put_frame(10, 20, one_two_three, 1, 21);
	put_frame(11, 21, one_two_three + 1, 1, 30);
	put_uid(30, 3, 31);
	put_uid(31, 4, 0);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(find(10), 1);
	assert_pcs(1, 4);
	assert_int_equal(find(11), 1);
	assert_pcs(2, 3);
	expt_close(expt);
}

static void an_info_without_values_is_the_list_of_its_uid(void **state)
{
	put_frame(10, 20, NULL, 0, 0);
	put_frame(11, 20, one_two_three, 3, 0);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(find(10), 1);
	assert_pcs(1, 3);
	expt_close(expt);
}

static void a_link_to_nowhere_ends_the_stack(void **state)
{
	put_frame(10, 20, one_two_three, 2, 99);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(find(10), 1);
	assert_pcs(1, 2);
	assert_int_equal(expt_damage_count(expt), 0);
	expt_close(expt);
}

static void a_cycle_of_links_is_damage(void **state)
{
	put_frame(10, 20, one_two_three, 1, 30);
	put_uid(30, 2, 31);
	put_uid(31, 3, 20);
	put_frame(11, 40, one_two_three, 1, 40);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(find(10), 1);
	assert_pcs(1, 3);
	assert_int_equal(find(11), 1);
	assert_pcs(1, 1);
	assert_int_equal(expt_damage_count(expt), 2);
	assert_string_equal(
		expt_damage(expt, 0),
		"data.frameinfo: stack 0x000000000000001e continues in itself");
	expt_close(expt);
}

static void markers_at_the_root_are_no_addresses(void **state)
{
	static const uint64_t truncated[] = { 1, 2, STACK_TRUNCATED };
	static const uint64_t failed[] = { 1, STACK_UNWIND_FAILED };
	static const uint64_t inside[] = { 1, STACK_TRUNCATED, 3 };

	put_frame(10, 20, truncated, 3, 0);
	put_frame(11, 21, failed, 2, 0);
	put_frame(12, 22, inside, 3, 0);
	put_frame(13, 23, one_two_three, 1, 21);
	expt = open_with(FRAMEINFO_FILE);
	find(10);
	assert_pcs(1, 2);
	assert_int_equal(stack.end, EXPT_STACK_TRUNCATED);
	find(11);
	assert_pcs(1, 1);
	assert_int_equal(stack.end, EXPT_STACK_FAILED);
	find(12);
	assert_int_equal(stack.count, 3);
	assert_int_equal(stack.end, EXPT_STACK_WHOLE);
	find(13);
	assert_int_equal(stack.count, 2);
	assert_int_equal(stack.end, EXPT_STACK_FAILED);
	expt_close(expt);
}

static void a_leaf_check_marker_is_left_out(void **state)
{
	static const uint64_t pcs[] = { 1, (uint64_t)-1, 2 };

	put_frame(10, 20, pcs, 3, 0);
	expt = open_with(FRAMEINFO_FILE);
	find(10);
	assert_pcs(1, 2);
	expt_close(expt);
}

static void the_first_frame_of_a_uid_counts(void **state)
{
	put_frame(10, 20, one_two_three, 3, 0);
	put_frame(10, 21, one_two_three, 1, 0);
	expt = open_with(FRAMEINFO_FILE);
	find(10);
	assert_pcs(1, 3);
	assert_int_equal(expt_stack_limit(expt), 1);
	expt_close(expt);
}

static void other_infos_are_passed_over(void **state)
{
	put_head(16 + 24 + 24, PACKET_FRAME);
	put_u32(16);
	put_u64(10);
	put_u32(24);
	put_u32(FRAME_JAVA);
	put_u64(50);
	put_u64(9);
	put_u32(24);
	put_u32(FRAME_NATIVE);
	put_u64(20);
	put_u64(1);
	expt = open_with(FRAMEINFO_FILE);
	find(10);
	assert_pcs(1, 1);
	expt_close(expt);
}

static void an_info_beyond_its_packet_is_damage(void **state)
{
	put_frame(10, 20, one_two_three, 3, 0);
	file.bytes[16] = 200;
	put_frame(11, 21, one_two_three, 3, 0);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(find(10), 1);
	assert_int_equal(stack.count, 0);
	assert_int_equal(find(11), 1);
	assert_pcs(1, 3);
	assert_string_equal(expt_damage(expt, 0),
			    "data.frameinfo: offset 16: a stack of 200 "
			    "bytes does not fit its packet");
	expt_close(expt);
}

static void a_packet_without_a_uid_is_damage(void **state)
{
	put_head(8, PACKET_FRAME);
	put_u32(16);
	put_frame(11, 21, one_two_three, 3, 0);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(find(11), 1);
	assert_int_equal(expt_damage_count(expt), 1);
	expt_close(expt);
}

static void addresses_of_32_bits_are_read_as_such(void **state)
{
	const uint32_t pcs[] = { 1, 2, (uint32_t)STACK_TRUNCATED, 0 };
	char log[sizeof(packets_log)];

	put_head(16 + 16 + 12 + 4, PACKET_FRAME);
	put_u32(16);
	put_u64(10);
	put_u32(16 + 12);
	put_u32(FRAME_NATIVE);
	put_u64(20);
	put(pcs, sizeof(pcs));
	memcpy(log, packets_log, sizeof(log));
	memcpy(strstr(log, "wsize=\"64"), "wsize=\"32", 9);
	expt_close(open_with(FRAMEINFO_FILE));
	write_text("test.1.er/log.xml", log);
	assert_int_equal(expt_open(&expt, "test.1.er", NULL), 0);
	assert_int_equal(find(10), 1);
	assert_pcs(1, 2);
	assert_int_equal(stack.end, EXPT_STACK_TRUNCATED);
	expt_close(expt);
}

static void the_file_may_have_its_old_name(void **state)
{
	put_frame(10, 20, one_two_three, 3, 0);
	expt = open_with(FRAMEINFO_FILE_SUN);
	assert_int_equal(find(10), 1);
	expt_close(expt);
}

/* A chain of thousands of lists, each begun by thousands of frames: hundreds of megabytes
 * if all stacks were built. */
static void long_chains_do_not_eat_the_memory(void **state)
{
	const uint64_t pc = 1;

	for (uint64_t i = 0; i < 12000; i++)
		put_uid(1000000 + i, 5, 1000001 + i);
	for (uint64_t i = 0; i < 12000; i++)
		put_frame(1 + i, 2000000 + i, &pc, 1, 1000000);
	expt = open_with(FRAMEINFO_FILE);
	for (uint64_t i = 0; i < 12000; i++)
		find(1 + i);
	assert_int_equal(expt_damage_count(expt), 1);
	assert_string_equal(expt_damage(expt, 0),
			    "data.frameinfo: the stacks are too long: truncated");
	expt_close(expt);
}

/* The same chain, in a single stack. A reader would walk all of it for each record. */
static void no_stack_is_deeper_than_a_packet(void **state)
{
	const uint64_t pc = 1;

	for (uint64_t i = 0; i < 20000; i++)
		put_uid(1000000 + i, 2 + i, 1000001 + i);
	put_frame(1, 2000000, &pc, 1, 1000000);
	put_frame(2, 2000001, &pc, 1, 1000000 + 20000 - 16000);
	expt = open_with(FRAMEINFO_FILE);
	find(1);
	assert_pcs(1, 16384);
	assert_int_equal(stack.end, EXPT_STACK_TRUNCATED);
	assert_int_equal(expt_damage_count(expt), 1);
	assert_string_equal(expt_damage(expt, 0),
			    "data.frameinfo: a stack is too deep: truncated");
	find(2);
	assert_int_equal(stack.count, 16001);
	assert_int_equal(stack.end, EXPT_STACK_WHOLE);
	expt_close(expt);
}

/* ---- stacks of Java and OpenMP ---- */

static void put_info(uint32_t kind, uint64_t uid, const uint64_t *values, size_t count)
{
	put_u32((uint32_t)(16 + 8 * count));
	put_u32(kind);
	put_u64(uid);
	put(values, 8 * count);
}

/* Puts the head of a frame whose infos have that many bytes. */
static void put_frame_head(uint64_t uid, size_t infos)
{
	put_head((unsigned)(16 + infos), PACKET_FRAME);
	put_u32(16);
	put_u64(uid);
}

static struct expt_java_stack java_of(uint64_t uid)
{
	struct expt_java_stack java;

	assert_true(expt_java_stack(expt, uid, &java, NULL) >= 0);
	return java;
}

static void a_java_stack_has_pairs(void **state)
{
	const uint64_t pairs[] = { 5, 0x100, 0xfffffffd, 0x101, 0, STACK_TRUNCATED };
	struct expt_java_stack java;

	put_frame_head(10, 2 * 16 + 8 * (6 + 3));
	put_info(FRAME_JAVA, 20, pairs, 6);
	put_info(FRAME_NATIVE, 21, one_two_three, 3);
	put_frame(11, 22, one_two_three, 3, 0);
	expt = open_with(FRAMEINFO_FILE);
	java = java_of(10);
	assert_int_equal(java.count, 2);
	assert_int_equal(java.frames[0].bci, 5);
	assert_int_equal(java.frames[0].method, 0x100);
	assert_int_equal(java.frames[1].bci, EXPT_JAVA_NATIVE);
	assert_int_equal(java.end, EXPT_STACK_TRUNCATED);
	assert_int_equal(find(10), 1);
	assert_pcs(1, 3);
	assert_int_equal(java_of(11).count, 0);
	assert_int_equal(java_of(12).count, 0);
	expt_close(expt);
}

static void java_stacks_are_linked_as_well(void **state)
{
	const uint64_t tail[] = { 1, 0x200, 2, 0x201 }, leaf[] = { 3, 0x202, 20 };

	put_frame_head(11, 16 + 8 * 3);
	put_info(FRAME_JAVA | FRAME_COMPRESSED, 30, leaf, 3);
	put_frame_head(10, 16 + 8 * 4);
	put_info(FRAME_JAVA, 20, tail, 4);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(java_of(11).count, 3);
	assert_int_equal(java_of(11).frames[0].method, 0x202);
	assert_int_equal(java_of(11).frames[2].method, 0x201);
	expt_close(expt);
}

static void a_java_stack_of_half_a_pair_is_shorter(void **state)
{
	const uint64_t values[] = { 1, 0x200, 2 };

	put_frame_head(10, 16 + 8 * 3);
	put_info(FRAME_JAVA, 20, values, 3);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(java_of(10).count, 1);
	expt_close(expt);
}

static void openmp_has_a_state_and_a_stack_of_the_user(void **state)
{
	const uint64_t user = 50;
	struct expt_omp_stack omp;

	put_frame_head(10, 16);
	put_info(FRAME_OMP_STATE, EXPT_OMP_IDLE, NULL, 0);
	put_frame_head(11, 24);
	put_info(FRAME_OMP_USER, EXPT_OMP_LOCK_WAIT, &user, 1);
	put_uid(50, 7, 0);
	put_frame(12, 22, one_two_three, 3, 0);
	expt = open_with(FRAMEINFO_FILE);
	assert_int_equal(expt_omp_stack(expt, 10, &omp, NULL), 1);
	assert_int_equal(omp.state, EXPT_OMP_IDLE);
	assert_false(omp.has_user);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(expt_omp_stack(expt, 11, &omp, NULL), 1);
		assert_int_equal(omp.state, EXPT_OMP_LOCK_WAIT);
		assert_true(omp.has_user);
		assert_int_equal(omp.count, 1);
		assert_int_equal(omp.pcs[0], 7);
	}
	assert_int_equal(expt_omp_stack(expt, 12, &omp, NULL), 0);
	expt_close(expt);
}

#define test(name) cmocka_unit_test_setup_teardown(name, start_afresh, start_afresh)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(a_stack_has_its_addresses_leaf_first),
		test(an_unknown_uid_is_an_empty_stack),
		test(links_are_followed_also_to_later_packets),
		test(an_info_without_values_is_the_list_of_its_uid),
		test(a_link_to_nowhere_ends_the_stack),
		test(a_cycle_of_links_is_damage),
		test(markers_at_the_root_are_no_addresses),
		test(a_leaf_check_marker_is_left_out),
		test(the_first_frame_of_a_uid_counts),
		test(other_infos_are_passed_over),
		test(an_info_beyond_its_packet_is_damage),
		test(a_packet_without_a_uid_is_damage),
		test(addresses_of_32_bits_are_read_as_such),
		test(the_file_may_have_its_old_name),
		test(long_chains_do_not_eat_the_memory),
		test(no_stack_is_deeper_than_a_packet),
		test(a_java_stack_has_pairs),
		test(java_stacks_are_linked_as_well),
		test(a_java_stack_of_half_a_pair_is_shorter),
		test(openmp_has_a_state_and_a_stack_of_the_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

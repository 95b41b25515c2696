/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arrays of pointers in frames, with indexes that are not known: one alone, two with
 * pointers to the same type, or to two, arrays in a structure, and such as have no name.
 * The indexes begin elsewhere than at 0, so that compilers may add a constant to the
 * address, which is that of something else then.
 */
#include "truth.h"

#include <alloca.h>

struct apple {
	long weight;
	long price;
};

struct pear {
	long color;
	long weight;
	long price;
};

struct basket {
	struct apple *apples[6];
	struct pear *pears[4];
};

static struct apple apples[8];
static struct pear pears[8];
static struct apple *static_apples[6];
static struct pear *static_pears[6];
static volatile long g_result;
static volatile long g_indexes[6] = { 4, 5, 6, 7, 4, 6 };
static volatile int g_turns = 6, g_few_turns = 2;

/* Compilers do not know what is in the array afterwards. */
#define SHOW(array) __asm__ volatile("" : : "r"(&(array)) : "memory")

__attribute__((noinline)) static void pause_here(void)
{
	__asm__ volatile("" : : : "memory");
}

__attribute__((noinline)) static long alone(void)
{
	struct apple *list[4];
	long sum = 0;

	for (int i = 0; i < 4; i++)
		list[i] = &apples[i];
	SHOW(list);
	for (int turn = 0; turn < g_turns; turn++) {
		long i = g_indexes[turn];

		sum += list[i - 4]->price;
		pause_here();
	}
	return sum;
}

__attribute__((noinline)) static long of_one_type(void)
{
	struct apple *list[4], *others[8];
	long sum = 0;

	for (int i = 0; i < 4; i++)
		list[i] = others[i] = others[i + 4] = &apples[i];
	SHOW(list);
	SHOW(others);
	for (int turn = 0; turn < g_turns; turn++) {
		long i = g_indexes[turn];

		sum += list[i - 4]->price + others[i - 2]->weight;
		pause_here();
	}
	return sum;
}

__attribute__((noinline)) static long of_two_types(void)
{
	struct apple *list[4];
	struct pear *others[4];
	long sum = 0;

	for (int i = 0; i < 4; i++) {
		list[i] = &apples[i];
		others[i] = &pears[i];
	}
	SHOW(list);
	SHOW(others);
	for (int turn = 0; turn < g_few_turns; turn++) {
		long i = g_indexes[turn];

		sum += list[i - 4]->price + others[i - 4]->price;
		pause_here();
	}
	return sum;
}

__attribute__((noinline)) static long in_structure(void)
{
	struct basket basket;
	long sum = 0;

	for (int i = 0; i < 6; i++)
		basket.apples[i] = &apples[i];
	for (int i = 0; i < 4; i++)
		basket.pears[i] = &pears[i];
	SHOW(basket);
	for (int turn = 0; turn < g_few_turns; turn++) {
		long i = g_indexes[turn];

		sum += basket.apples[i - 4]->price + basket.pears[i - 4]->price;
		pause_here();
	}
	return sum;
}

__attribute__((noinline)) static long without_name(void)
{
	struct apple *list[4];
	struct pear **others = alloca(4 * sizeof(*others));
	struct pear **literal =
		(struct pear *[]){ &pears[1], &pears[2], &pears[3], &pears[4] };
	long sum = 0;

	for (int i = 0; i < 4; i++) {
		list[i] = &apples[i];
		others[i] = &pears[i];
	}
	SHOW(list);
	SHOW(*others);
	SHOW(*literal);
	for (int turn = 0; turn < g_few_turns; turn++) {
		long i = g_indexes[turn];

		sum += list[i - 4]->price + others[i - 4]->price + literal[i - 4]->color;
		pause_here();
	}
	return sum;
}

__attribute__((noinline)) static long of_numbers(void)
{
	struct apple *list[4];
	long numbers[4];
	long sum = 0;

	for (int i = 0; i < 4; i++) {
		list[i] = &apples[i];
		numbers[i] = i;
	}
	SHOW(list);
	SHOW(numbers);
	for (int turn = 0; turn < g_few_turns; turn++) {
		long i = g_indexes[turn];

		sum += list[i - 4]->price + pears[numbers[i - 4]].price;
		pause_here();
	}
	return sum;
}

__attribute__((noinline)) static long masked(void)
{
	struct apple *list[8];
	struct pear *others[8];
	long sum = 0;

	for (int i = 0; i < 8; i++) {
		list[i] = &apples[i];
		others[i] = &pears[i];
	}
	SHOW(list);
	SHOW(others);
	for (int turn = 0; turn < g_turns; turn++) {
		long i = g_indexes[turn];

		sum += list[i & 7]->price + others[(i & 3) + 4]->price;
		sum += others[i & 3]->color + list[(i & 1) + 2]->weight;
		sum += static_apples[i & 3]->price + static_pears[i & 3]->price;
		pause_here();
	}
	return sum;
}

__attribute__((noinline)) static long of_file(void)
{
	long sum = 0;

	for (int turn = 0; turn < g_few_turns; turn++) {
		long i = g_indexes[turn];

		sum += static_apples[i - 4]->price + static_pears[i - 4]->price;
	}
	return sum;
}

#define TELL(variable, type) truth_object(&(variable), sizeof(variable), #variable, type)

static void declare(void)
{
	truth_type("apple", sizeof(struct apple));
	TRUTH_MEMBER("apple", struct apple, weight);
	TRUTH_MEMBER("apple", struct apple, price);
	truth_type("pear", sizeof(struct pear));
	TRUTH_MEMBER("pear", struct pear, color);
	TRUTH_MEMBER("pear", struct pear, weight);
	TRUTH_MEMBER("pear", struct pear, price);
	TELL(apples, "apple");
	TELL(pears, "pear");
	TELL(static_apples, "pointer");
	TELL(static_pears, "pointer");
}

int main(void)
{
	declare();
	for (int i = 0; i < 6; i++) {
		static_apples[i] = &apples[i];
		static_pears[i] = &pears[i];
	}
	truth_begin();
	g_result += alone() + of_one_type() + of_two_types() + in_structure();
	g_result += without_name() + of_numbers() + masked() + of_file();
	truth_end();
	return 0;
}

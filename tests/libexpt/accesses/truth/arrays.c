/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of scalars: loops that compilers turn into vector instructions, strings, tables
 * of switches, arrays of variable length, matrices; variables of threads. */
#include <stdio.h>
#include <stdlib.h>

#include "truth.h"

#define SIZE 64

int g_ints[SIZE];
static double g_doubles[SIZE];
static float g_matrix[8][12];
static unsigned char g_bytes[SIZE];
static char g_text[128];
static short g_counters[16];
static const unsigned g_primes[] = { 2, 3, 5, 7, 11, 13, 17, 19 };
static _Thread_local long g_of_thread[4];
static char *g_words[8];
static int *g_rows[4];
long g_total;

static void *make(size_t size, const char *type)
{
	void *made = calloc(1, size);

	truth_block(made, size, type);
	return made;
}

static int fill(int *ints, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		ints[i] = i * i;
	for (int i = 0; i < count; i++)
		sum += ints[i];
	return sum;
}

static void scale(double *to, const float *from, double by, int count)
{
	for (int i = 0; i < count; i++)
		to[i] = from[i] * by + 1;
}

static double dot(const double *restrict one, const double *restrict other, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += one[i] * other[count - 1 - i];
	return sum;
}

/* Globals in their own names, not by pointers. */
static void use_globals(void)
{
	for (int i = 0; i < SIZE; i++)
		g_doubles[i] = g_ints[i] / 2.0;
	for (int i = 1; i < SIZE - 1; i++)
		g_bytes[i] = (unsigned char)((g_ints[i - 1] + g_ints[i + 1]) >> 4);
	for (int i = 0; i < SIZE; i++)
		g_counters[g_bytes[i] & 15]++;
	for (int i = 0; i < 8; i++)
		g_total += g_primes[i] * g_counters[i];
	g_ints[5] = (int)g_total;
	g_bytes[7]++;
	g_total += g_bytes[g_ints[6] & 31];
}

static float use_matrix(void)
{
	float sum = 0;

	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 12; j++)
			g_matrix[i][j] = (float)(i - j);
	for (int j = 0; j < 12; j++)
		for (int i = 0; i < 8; i++)
			sum += g_matrix[i][j] * g_matrix[7 - i][11 - j];
	return sum;
}

static int count_letters(const char *text, char letter)
{
	int count = 0;

	for (; *text; text++)
		count += *text == letter;
	return count;
}

static char *append(char *to, const char *from)
{
	while ((*to = *from++))
		to++;
	return to;
}

static void reverse(char *text, size_t length)
{
	for (size_t i = 0; i < length / 2; i++) {
		char c = text[i];

		text[i] = text[length - 1 - i];
		text[length - 1 - i] = c;
	}
}

/* A switch that is a table of jumps, and one that is a table of results. */
__attribute__((noinline)) static long interpret(const unsigned char *code, int count)
{
	long value = 1;

	for (int i = 0; i < count; i++) {
		switch (code[i] & 7) {
		case 0:
			value += 3;
			break;
		case 1:
			value *= 3;
			break;
		case 2:
			value ^= value >> 3;
			break;
		case 3:
			value -= g_total;
			break;
		case 4:
			g_total++;
			break;
		case 5:
			value = -value;
			break;
		case 6:
			value <<= 1;
			break;
		default:
			value |= 1;
		}
	}
	return value;
}

__attribute__((noinline)) static int variable(int count)
{
	short scratch[count];
	int sum = 0;

	truth_object(scratch, count * sizeof(*scratch), "scratch", "short");
	for (int i = 0; i < count; i++)
		scratch[i] = (short)(i * 3);
	for (int i = 1; i < count; i++)
		sum += scratch[i] - scratch[i - 1];
	truth_forget(scratch);
	return sum;
}

__attribute__((noinline)) static unsigned fixed(unsigned seed)
{
	unsigned state[8];

	truth_object(state, sizeof(state), "state", "unsigned_int");
	for (int i = 0; i < 8; i++)
		state[i] = seed += 77;
	for (int i = 0; i < 20; i++)
		state[i & 7] += state[(i + 3) & 7] ^ (state[(i + 5) & 7] >> 3);
	seed = state[seed & 7];
	truth_forget(state);
	return seed;
}

static void sort(int *ints, int low, int high)
{
	int left = low, right = high, middle = ints[(low + high) / 2];

	while (left <= right) {
		while (ints[left] < middle)
			left++;
		while (ints[right] > middle)
			right--;
		if (left <= right) {
			int other = ints[left];

			ints[left++] = ints[right];
			ints[right--] = other;
		}
	}
	if (low < right)
		sort(ints, low, right);
	if (left < high)
		sort(ints, left, high);
}

static void use_pointers(void)
{
	for (int i = 0; i < 8; i++) {
		g_words[i] = make(16, "char");
		append(append(g_words[i], "word"), i % 2 ? "s" : "");
	}
	for (int i = 0; i < 8; i++)
		g_total += g_words[i][2] + count_letters(g_words[i], 's');
	for (int i = 0; i < 4; i++)
		g_rows[i] = make(6 * sizeof(int), "int");
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 6; j++)
			g_rows[i][j] = i + j;
	for (int **row = g_rows; row < g_rows + 4; row++)
		g_total += (*row)[3] + row[0][5];
}

static void declare(void)
{
	truth_object(g_ints, sizeof(g_ints), "g_ints", "int");
	truth_object(g_doubles, sizeof(g_doubles), "g_doubles", "double");
	truth_object(g_matrix, sizeof(g_matrix), "g_matrix", "float");
	truth_object(g_bytes, sizeof(g_bytes), "g_bytes", "unsigned_char");
	truth_object(g_text, sizeof(g_text), "g_text", "char");
	truth_object(g_counters, sizeof(g_counters), "g_counters", "short");
	truth_object(g_primes, sizeof(g_primes), "g_primes", "unsigned_int");
	truth_object(g_of_thread, sizeof(g_of_thread), "g_of_thread", "long");
	truth_object(g_words, sizeof(g_words), "g_words", "pointer");
	truth_object(g_rows, sizeof(g_rows), "g_rows", "pointer");
	truth_object(&g_total, sizeof(g_total), "g_total", "long");
	truth_complete();
}

static void use_heap(void)
{
	double *doubles = make(SIZE * sizeof(*doubles), "double");
	float *floats = make(SIZE * sizeof(*floats), "float");
	int *ints = make(24 * sizeof(*ints), "int");

	for (int i = 0; i < SIZE; i++)
		floats[i] = (float)i / 4;
	scale(doubles, floats, 1.5, SIZE);
	g_total +=
		(long)dot(doubles, doubles, SIZE / 2) + (long)dot(g_doubles, doubles, 8);
	for (int i = 0; i < 24; i++)
		ints[i] = i * 17 % 24;
	sort(ints, 0, 23);
	g_total += ints[7];
}

int main(void)
{
	declare();
	truth_begin();
	g_total = fill(g_ints, SIZE);
	use_globals();
	g_total += (long)use_matrix();
	append(append(g_text, "a string"), ", another string");
	reverse(g_text, 20);
	g_total += count_letters(g_text, 't');
	g_total += interpret(g_bytes, SIZE);
	g_total += variable(20 + (int)(g_total & 3)) + fixed((unsigned)g_total);
	g_of_thread[g_total & 3] += g_total;
	g_of_thread[1]++;
	use_heap();
	use_pointers();
	truth_end();
	printf("%ld %s\n", g_total, g_text);
	return 0;
}

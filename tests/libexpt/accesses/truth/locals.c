/* SPDX-License-Identifier: Apache-2.0 */
/* Variables on the stack: scalars, structures, arrays of these; parameters, recursion,
 * pointers to the variables of callers, several blocks of one function. */
#include <stdio.h>
#include <stdlib.h>

#include "truth.h"

struct pair {
	int first;
	double second;
};

struct link {
	const struct link *outer;
	int depth, value;
};

struct parser {
	const char *text;
	size_t at, end;
	int depth;
	struct pair last;
	char token[12];
};

struct large {
	long numbers[12];
	struct pair pairs[3];
};

static long g_sum;

#define TELL(variable, type) truth_object(&(variable), sizeof(variable), #variable, type)

/* Every scalar has its place in memory, because its address is known. */
__attribute__((noinline)) static long scalars(int count)
{
	int number = count;
	long wide = 3;
	double real = 0.5;
	unsigned char byte = 7;
	int *pointer = &number;
	long sum = 0;

	TELL(number, "int");
	TELL(wide, "long");
	TELL(real, "double");
	TELL(byte, "unsigned_char");
	TELL(pointer, "pointer");
	for (int i = 0; i < count; i++) {
		number += i;
		wide = wide * 3 + number;
		real *= 1.5;
		byte ^= (unsigned char)wide;
		sum += *pointer + byte;
	}
	sum += (long)real + wide;
	truth_forget(&pointer);
	truth_forget(&byte);
	truth_forget(&real);
	truth_forget(&wide);
	truth_forget(&number);
	return sum;
}

static void swap(int *one, int *other)
{
	int kept = *one;

	*one = *other;
	*other = kept;
}

__attribute__((noinline)) static void change(struct pair *pair, double by)
{
	pair->first++;
	pair->second += by * pair->first;
}

__attribute__((noinline)) static long structures(int count)
{
	struct pair pair = { count, 1 };
	struct pair several[4];
	int left = 3, right = 4;
	long sum = 0;

	TELL(pair, "pair");
	TELL(several, "pair");
	TELL(left, "int");
	TELL(right, "int");
	for (int i = 0; i < 4; i++) {
		several[i].first = i;
		several[i].second = pair.second * i;
		change(&several[i], 2);
		change(&pair, several[i].second);
		swap(&left, &right);
		sum += several[i].first + left;
	}
	several[count & 3] = pair;
	sum += (long)(several[1].second + pair.second) + pair.first + right;
	truth_forget(&pair);
	truth_forget(several);
	truth_forget(&left);
	truth_forget(&right);
	return sum;
}

/* Each level has a variable of its own, and reads those of the levels around it. */
__attribute__((noinline)) static int nest(const struct link *outer, int depth)
{
	struct link mine;
	int sum = 0;

	TELL(mine, "link");
	mine.outer = outer;
	mine.depth = depth;
	mine.value = depth * depth;
	for (const struct link *link = &mine; link; link = link->outer)
		sum += link->value - link->depth;
	if (depth < 6)
		sum += nest(&mine, depth + 1);
	sum += mine.value;
	truth_forget(&mine);
	return sum;
}

static int next_token(struct parser *parser)
{
	size_t length = 0;

	while (parser->at < parser->end && parser->text[parser->at] == ' ')
		parser->at++;
	while (parser->at < parser->end && parser->text[parser->at] != ' ' &&
	       length < sizeof(parser->token) - 1)
		parser->token[length++] = parser->text[parser->at++];
	parser->token[length] = '\0';
	return length > 0;
}

__attribute__((noinline)) static long parse(const char *text)
{
	struct parser parser = { .text = text, .end = strlen(text) };
	long sum = 0;

	TELL(parser, "parser");
	while (next_token(&parser)) {
		if (parser.token[0] == '(')
			parser.depth++;
		parser.last.first = parser.token[1];
		parser.last.second = (double)parser.at;
		sum += parser.depth * parser.last.first + (long)parser.last.second;
	}
	truth_forget(&parser);
	return sum;
}

/* A parameter that lies on the stack. */
__attribute__((noinline)) static long by_value(struct large large, int times)
{
	long sum = 0;

	TELL(large, "large");
	for (int i = 0; i < times; i++) {
		large.numbers[i] += sum;
		sum += large.numbers[i] + large.pairs[i % 3].first;
	}
	truth_forget(&large);
	return sum;
}

__attribute__((noinline)) static struct large make_large(int seed)
{
	struct large large;

	for (int i = 0; i < 12; i++)
		large.numbers[i] = seed * i;
	for (int i = 0; i < 3; i++)
		large.pairs[i] = (struct pair){ seed, i };
	return large;
}

/* Blocks that may share one place. */
__attribute__((noinline)) static long blocks(int count)
{
	long sum = 0;

	if (count & 1) {
		int inner[6];

		TELL(inner, "int");
		for (int i = 0; i < 6; i++)
			inner[i] = i + count;
		sum += inner[count % 6];
		truth_forget(inner);
	} else {
		double other[4];

		TELL(other, "double");
		for (int i = 0; i < 4; i++)
			other[i] = i * 0.5 + count;
		sum += (long)other[count % 4];
		truth_forget(other);
	}
	for (int i = 0; i < count; i++) {
		struct pair each = { i, i };

		TELL(each, "pair");
		change(&each, 1);
		sum += each.first + (long)each.second;
		truth_forget(&each);
	}
	return sum;
}

/* So many values are needed at a time that some are kept on the stack. */
__attribute__((noinline)) static long crowded(const long *v, long n)
{
	long a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6],
	     h = v[7], i = v[8], j = v[9], k = v[10], l = v[11];

	for (long m = 0; m < n; m++) {
		a += b ^ m, b += c ^ l, c += d ^ a, d += e * b, e += f ^ c, f += g * d;
		g += h ^ e, h += i ^ f, i += j * g, j += k ^ h, k += l * i, l += a ^ j;
	}
	return a + b + c + d + e + f + g + h + i + j + k + l;
}

static void declare(void)
{
	truth_type("pair", sizeof(struct pair));
	TRUTH_MEMBER("pair", struct pair, first);
	TRUTH_MEMBER("pair", struct pair, second);
	truth_type("link", sizeof(struct link));
	TRUTH_MEMBER("link", struct link, outer);
	TRUTH_MEMBER("link", struct link, depth);
	TRUTH_MEMBER("link", struct link, value);
	truth_type("parser", sizeof(struct parser));
	TRUTH_MEMBER("parser", struct parser, text);
	TRUTH_MEMBER("parser", struct parser, at);
	TRUTH_MEMBER("parser", struct parser, end);
	TRUTH_MEMBER("parser", struct parser, depth);
	TRUTH_PART("parser", struct parser, last, "pair");
	TRUTH_MEMBER("parser", struct parser, token);
	truth_type("large", sizeof(struct large));
	TRUTH_MEMBER("large", struct large, numbers);
	TRUTH_PART("large", struct large, pairs, "pair");
	TELL(g_sum, "long");
	truth_complete();
}

int main(void)
{
	static const long numbers[12] = { 5, 4, 3, 2, 1, 9, 8, 7, 6, 5, 4, 3 };

	declare();
	TELL(numbers, "long");
	truth_begin();
	g_sum = scalars(12) + structures(5);
	g_sum += nest(NULL, 1);
	g_sum += parse("(some words) in ( a (text of tokens");
	g_sum += by_value(make_large(3), 10);
	g_sum += blocks(3) + blocks(4);
	g_sum += crowded(numbers, 10);
	truth_end();
	printf("%ld\n", g_sum);
	return 0;
}

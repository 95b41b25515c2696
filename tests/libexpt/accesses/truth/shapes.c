/* SPDX-License-Identifier: Apache-2.0 */
/* Structures in structures, unions, bit-fields, packed ones, flexible arrays, functions
 * in structures, structures by value. */
#include <stdio.h>
#include <stdlib.h>

#include "truth.h"

#define COUNT 12

struct point {
	double x, y;
};

struct box {
	int id;
	struct point low, high;
	struct {
		short red, green, blue;
	} colour;
};

/* Members of an anonymous union belong to the structure. */
struct value {
	int kind;
	union {
		long whole;
		double real;
		const char *text;
	};
	union number {
		unsigned u;
		float f;
		unsigned char bytes[4];
	} other;
};

struct flags {
	unsigned ready : 1, mode : 3, level : 10, rest : 7;
	unsigned short port;
	unsigned long stamp : 40, age : 24;
};

struct __attribute__((packed)) wire {
	unsigned char version;
	unsigned length;
	unsigned short check;
	unsigned long address;
};

struct item {
	int number;
	float price;
};

struct bag {
	size_t count;
	const char *label;
	struct item items[];
};

struct text {
	unsigned length;
	char bytes[];
};

typedef struct {
	const char *name;
	long (*apply)(struct box *box, long by);
	long calls;
} action_t;

struct grid {
	int rows, columns;
	struct item cells[4][3];
	unsigned char marks[5];
	struct box frame;
};

struct triple {
	long a, b, c;
};

static struct box g_boxes[COUNT];
static struct grid g_grid;
static struct flags g_flags[4];
static struct value g_value;
struct grid *g_grid_pointer = &g_grid;
static volatile long g_result;

static void *make(size_t size, const char *type)
{
	void *made = calloc(1, size);

	truth_block(made, size, type);
	return made;
}

static void fill_boxes(struct box *boxes, int count)
{
	for (int i = 0; i < count; i++) {
		struct box *box = &boxes[i];

		box->id = i;
		box->low = (struct point){ i, i + 1 };
		box->high.x = box->low.x + 2;
		box->high.y = box->low.y * 3;
		box->colour.red = (short)(i * 3);
		box->colour.green = box->colour.red + 1;
		box->colour.blue += box->colour.green;
	}
}

static double area(const struct point *low, const struct point *high)
{
	return (high->x - low->x) * (high->y - low->y);
}

static double sum_areas(const struct box *boxes, int count)
{
	double sum = 0;

	while (count-- > 0)
		sum += area(&boxes[count].low, &boxes[count].high);
	return sum;
}

static int count_colours(const struct box *boxes, int count)
{
	int sum = 0;

	for (const struct box *box = boxes; box < boxes + count; box++)
		sum += box->colour.red + box->colour.green * box->colour.blue;
	return sum;
}

static double read_value(const struct value *value)
{
	switch (value->kind) {
	case 0:
		return (double)value->whole;
	case 1:
		return value->real;
	case 2:
		return value->text[0];
	default:
		return value->other.f + value->other.bytes[1];
	}
}

static double use_values(struct value *values, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++) {
		values[i].kind = i % 4;
		values[i].whole = i;
		if (values[i].kind == 1)
			values[i].real = 2.5 * i;
		else if (values[i].kind == 2)
			values[i].text = "text";
		values[i].other.u = 0x3f800000;
		sum += read_value(&values[i]);
	}
	return sum;
}

static unsigned use_flags(struct flags *flags, int count)
{
	unsigned sum = 0;

	for (int i = 0; i < count; i++) {
		flags[i].mode = i;
		flags[i].level += i * 100;
		flags[i].ready = flags[i].level > 150;
		flags[i].port = (unsigned short)(flags[i].port + 80);
		flags[i].stamp = flags[i].stamp + 12345;
		flags[i].age++;
		sum += flags[i].mode + flags[i].rest + flags[i].port + flags[i].ready +
		       (unsigned)flags[i].stamp;
	}
	return sum;
}

static unsigned long use_wires(struct wire *wires, int count)
{
	unsigned long sum = 0;

	for (int i = 0; i < count; i++) {
		wires[i].version = 4;
		wires[i].length = i * 10;
		wires[i].check ^= (unsigned short)wires[i].length;
		wires[i].address = sum;
		sum += wires[i].address + wires[i].check + wires[i].version;
	}
	return sum;
}

static struct bag *make_bag(size_t count)
{
	size_t size = sizeof(struct bag) + count * sizeof(struct item);
	struct bag *bag = make(size, "bag");

	bag->count = count;
	bag->label = "bag";
	for (size_t i = 0; i < count; i++) {
		bag->items[i].number = (int)i;
		bag->items[i].price = 1.25f * (float)i;
	}
	return bag;
}

static float price_of(const struct bag *bag)
{
	float sum = (float)bag->label[0];

	for (size_t i = 0; i < bag->count; i++)
		sum += bag->items[i].price * (float)bag->items[i].number;
	return sum;
}

static unsigned add_text(struct text *text, const char *more)
{
	while (*more)
		text->bytes[text->length++] = *more++;
	text->bytes[text->length] = '\0';
	return text->length + (unsigned char)text->bytes[text->length / 2];
}

static long move(struct box *box, long by)
{
	box->low.x += (double)by;
	box->high.x += (double)by;
	return box->id;
}

static long paint(struct box *box, long by)
{
	box->colour.red = box->colour.blue + (short)by;
	return box->colour.red;
}

static long run_actions(action_t *actions, int count)
{
	long sum = 0;

	for (int i = 0; i < count; i++) {
		sum += actions[i].apply(&g_boxes[i], i) + actions[i].name[0];
		actions[i].calls++;
	}
	return sum + actions->calls;
}

static int use_grid(struct grid *grid)
{
	int sum = 0;

	grid->rows = 4;
	grid->columns = 3;
	for (int i = 0; i < grid->rows; i++) {
		for (int j = 0; j < grid->columns; j++) {
			grid->cells[i][j].number = i * j;
			sum += grid->cells[i][j].number;
		}
		grid->marks[i] = (unsigned char)sum;
	}
	grid->frame.high.y = grid->marks[2];
	return sum + grid->marks[1] + (int)grid->frame.low.x;
}

__attribute__((noinline)) static struct triple add(struct triple one, struct triple other)
{
	one.a += other.a;
	one.b += other.b;
	one.c += other.c;
	return one;
}

__attribute__((noinline)) static struct point middle(const struct box *box)
{
	return (struct point){ (box->low.x + box->high.x) / 2,
			       (box->low.y + box->high.y) / 2 };
}

static long add_all(struct triple *triples, int count)
{
	for (int i = 1; i < count; i++)
		triples[i] = add(triples[i - 1], triples[i]);
	return triples[count - 1].a + triples[count - 1].b * triples[count - 1].c;
}

static long count_calls(void)
{
	static long s_calls;
	static struct triple s_last;
	static int s_is_told;

	if (!s_is_told) {
		s_is_told = 1;
		truth_object(&s_calls, sizeof(s_calls), "s_calls", "long_int");
		truth_object(&s_last, sizeof(s_last), "s_last", "triple");
		truth_object(&s_is_told, sizeof(s_is_told), "s_is_told", "int");
	}
	s_calls++;
	s_last.b = s_last.a;
	s_last.a = s_calls * 2;
	return s_last.b;
}

static void declare_parts(void)
{
	truth_type("point", sizeof(struct point));
	TRUTH_MEMBER("point", struct point, x);
	TRUTH_MEMBER("point", struct point, y);
	truth_type("box_colour", TRUTH_SIZE(struct box, colour));
	TRUTH_NESTED("box_colour", struct box, colour, red);
	TRUTH_NESTED("box_colour", struct box, colour, green);
	TRUTH_NESTED("box_colour", struct box, colour, blue);
	truth_type("item", sizeof(struct item));
	TRUTH_MEMBER("item", struct item, number);
	TRUTH_MEMBER("item", struct item, price);
	truth_type("number", sizeof(union number));
	TRUTH_MEMBER("number", union number, u);
	TRUTH_MEMBER("number", union number, f);
	TRUTH_MEMBER("number", union number, bytes);
	truth_type("triple", sizeof(struct triple));
	TRUTH_MEMBER("triple", struct triple, a);
	TRUTH_MEMBER("triple", struct triple, b);
	TRUTH_MEMBER("triple", struct triple, c);
}

static void declare_structures(void)
{
	truth_type("box", sizeof(struct box));
	TRUTH_MEMBER("box", struct box, id);
	TRUTH_PART("box", struct box, low, "point");
	TRUTH_PART("box", struct box, high, "point");
	TRUTH_PART("box", struct box, colour, "box_colour");
	truth_type("value", sizeof(struct value));
	TRUTH_MEMBER("value", struct value, kind);
	TRUTH_MEMBER("value", struct value, whole);
	TRUTH_MEMBER("value", struct value, real);
	TRUTH_MEMBER("value", struct value, text);
	TRUTH_PART("value", struct value, other, "number");
	truth_type("flags", sizeof(struct flags));
	TRUTH_BITS("flags", struct flags, ready);
	TRUTH_BITS("flags", struct flags, mode);
	TRUTH_BITS("flags", struct flags, level);
	TRUTH_BITS("flags", struct flags, rest);
	TRUTH_MEMBER("flags", struct flags, port);
	TRUTH_BITS("flags", struct flags, stamp);
	TRUTH_BITS("flags", struct flags, age);
	truth_type("wire", sizeof(struct wire));
	TRUTH_MEMBER("wire", struct wire, version);
	TRUTH_MEMBER("wire", struct wire, length);
	TRUTH_MEMBER("wire", struct wire, check);
	TRUTH_MEMBER("wire", struct wire, address);
	truth_type("action_t", sizeof(action_t));
	TRUTH_MEMBER("action_t", action_t, name);
	TRUTH_MEMBER("action_t", action_t, apply);
	TRUTH_MEMBER("action_t", action_t, calls);
}

static void declare_arrays(void)
{
	truth_type("bag", sizeof(struct bag));
	TRUTH_MEMBER("bag", struct bag, count);
	TRUTH_MEMBER("bag", struct bag, label);
	TRUTH_REST("bag", struct bag, items, "item");
	truth_type("text", sizeof(struct text));
	TRUTH_MEMBER("text", struct text, length);
	TRUTH_REST("text", struct text, bytes, NULL);
	truth_type("grid", sizeof(struct grid));
	TRUTH_MEMBER("grid", struct grid, rows);
	TRUTH_MEMBER("grid", struct grid, columns);
	TRUTH_PART("grid", struct grid, cells, "item");
	TRUTH_MEMBER("grid", struct grid, marks);
	TRUTH_PART("grid", struct grid, frame, "box");
}

static void declare_variables(void)
{
	truth_object(g_boxes, sizeof(g_boxes), "g_boxes", "box");
	truth_object(&g_grid, sizeof(g_grid), "g_grid", "grid");
	truth_object(g_flags, sizeof(g_flags), "g_flags", "flags");
	truth_object(&g_value, sizeof(g_value), "g_value", "value");
	truth_object(&g_grid_pointer, sizeof(g_grid_pointer), "g_grid_pointer",
		     "pointer");
	truth_object((void *)&g_result, sizeof(g_result), "g_result", "long_int");
	truth_complete();
}

/* Objects of types that variables have as well are on the heap, too. */
static void use_heap(void)
{
	struct box *boxes = make(COUNT * sizeof(*boxes), "box");
	struct value *values = make(COUNT * sizeof(*values), "value");
	struct wire *wires = make(COUNT * sizeof(*wires), "wire");
	struct text *text = make(sizeof(*text) + 64, "text");
	struct triple *triples = make(COUNT * sizeof(*triples), "triple");
	struct bag *bag = make_bag(COUNT);
	struct point centre;

	fill_boxes(boxes, COUNT);
	g_result += (long)sum_areas(boxes, COUNT) + count_colours(boxes, COUNT);
	centre = middle(&boxes[2]);
	g_result += (long)(centre.x * centre.y);
	g_result += (long)use_values(values, COUNT);
	g_result += (long)use_wires(wires, COUNT);
	g_result += add_text(text, "some text, ") + add_text(text, "and more");
	triples[0] = (struct triple){ 1, 2, 3 };
	g_result += add_all(triples, COUNT) + (long)price_of(bag);
}

int main(void)
{
	static action_t actions[] = {
		{ "move", move, 0 },
		{ "paint", paint, 0 },
		{ "move", move, 0 },
	};

	declare_parts();
	declare_structures();
	declare_arrays();
	declare_variables();
	truth_object(actions, sizeof(actions), "actions", "action_t");
	truth_begin();
	fill_boxes(g_boxes, COUNT);
	g_result += (long)sum_areas(g_boxes, COUNT) + count_colours(g_boxes, COUNT);
	g_result += (long)use_values(&g_value, 1);
	g_result += use_flags(g_flags, 4);
	g_result += run_actions(actions, sizeof(actions) / sizeof(*actions));
	g_result += use_grid(g_grid_pointer);
	for (int i = 0; i < 3; i++)
		g_result += count_calls();
	use_heap();
	truth_end();
	printf("%ld\n", g_result);
	return 0;
}

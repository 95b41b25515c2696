// SPDX-License-Identifier: Apache-2.0
// Classes of our own: single, multiple and virtual inheritance, virtual functions,
// templates, references, lambdas that capture, static members, functions of members.
#include <cstdio>
#include <cstdlib>
#include <new>

#include "truth.hh"

template <class T, class... A> static T *make(const char *type, A... arguments)
{
	T *made = static_cast<T *>(calloc(1, sizeof(T)));

	truth_block(made, sizeof(T), type);
	return new (made) T(arguments...);
}

namespace geometry
{

class Point
{
      public:
	Point(int x, int y) : x(x), y(y)
	{
	}
	int x, y;
};

class Shape
{
      public:
	Shape(int id) : id(id), scale(1.5)
	{
	}
	virtual double area() const = 0;
	virtual void grow(double by)
	{
		scale += by;
		growths++;
	}
	int id;
	double scale;
	static long growths;

      protected:
	~Shape() = default;
};
long Shape::growths;

class Circle : public Shape
{
      public:
	Circle(int id, double radius) : Shape(id), radius(radius)
	{
	}
	double area() const override
	{
		return 3 * radius * radius * scale;
	}
	double radius;
};

class Square : public Shape
{
      public:
	Square(int id, double side) : Shape(id), corner(id, 2 * id), side(side)
	{
	}
	double area() const override
	{
		return side * side * scale + corner.x + corner.y;
	}
	void grow(double by) override
	{
		side += by;
		corner.x++;
	}
	Point corner;
	double side;
};

} // namespace geometry

using geometry::Circle;
using geometry::Point;
using geometry::Shape;
using geometry::Square;

struct Named {
	virtual int length() const
	{
		return size;
	}
	const char *name = "name";
	int size = 4;
};

struct Counted {
	virtual void count()
	{
		hits++;
	}
	long hits = 0;
};

// A function of the second base class is entered by way of a thunk.
struct Both : Named, Counted {
	int length() const override
	{
		return size + weight;
	}
	void count() override
	{
		hits += 2;
		weight++;
	}
	int weight = 1;
};

struct Root {
	long root = 1;
};

struct Left : virtual Root {
	long left = 2;
};

struct Right : virtual Root {
	long right = 3;
};

struct Diamond : Left, Right {
	long own = 4;
};

struct Letter {
	virtual char letter() const
	{
		return mark;
	}
	long number = 5;
	char mark = 'a';
};

// Its members are in what would be the padding of the base class.
struct Word : Letter {
	char second = 'b';
	short length = 2;
};

template <class T, int N> struct Ring {
	void push(const T &value)
	{
		values[next] = value;
		next = (next + 1) % N;
		if (used < N)
			used++;
	}
	T sum() const
	{
		T total{};
		for (int i = 0; i < used; i++)
			total += values[i];
		return total;
	}
	T values[N] = {};
	int next = 0, used = 0;
};

template <class T> struct Node {
	T value;
	Node *next;
};

struct Settings {
	int level;
	bool is_loud;
	long (Settings::*measure)() const;
	long plain() const
	{
		return level * 2;
	}
	long loud() const
	{
		return level * (is_loud ? 10 : 3);
	}
};

enum class Colour : unsigned char { red, green, blue };

struct Pixel {
	Colour colour;
	unsigned char depth[3];
	float brightness;
};

static Ring<double, 8> g_ring;
static Ring<int, 4> *g_ints;
static Shape *g_shapes[8];
static Settings g_settings;
static long g_total;

static double areas(Shape *const *shapes, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++) {
		shapes[i]->grow(0.25);
		sum += shapes[i]->area() + shapes[i]->id;
	}
	return sum;
}

__attribute__((noinline)) static long use_both(Named &named, Counted &counted,
					       const Both &both)
{
	long sum = 0;

	for (int i = 0; i < 5; i++) {
		counted.count();
		named.size++;
		sum += named.length() + counted.hits + both.weight + named.name[0];
	}
	return sum;
}

__attribute__((noinline)) static long use_root(Root &root, Left *left, Right *right)
{
	root.root += 2;
	left->left += left->root;
	right->right += right->root + left->left;
	return right->right;
}

__attribute__((noinline)) static long use_own(Diamond *diamond, Word *word)
{
	for (int i = 0; i < 5; i++) {
		diamond->own += diamond->left + diamond->right;
		word->second++;
		word->length += word->second + word->mark;
		word->number += word->letter();
	}
	return diamond->own + word->length;
}

__attribute__((noinline)) static void add_to(int &sum, const Point &point)
{
	sum += point.x * point.y;
}

template <class T> static Node<T> *push(Node<T> *head, T value, const char *type)
{
	Node<T> *node = make<Node<T>>(type);

	node->value = value;
	node->next = head;
	return node;
}

template <class T> static T sum_of(const Node<T> *node)
{
	T sum{};

	for (; node; node = node->next)
		sum += node->value;
	return sum;
}

template <class F>
__attribute__((noinline)) static long repeat(int count, const F &function)
{
	long sum = 0;

	for (int i = 0; i < count; i++)
		sum += function(i);
	return sum;
}

__attribute__((noinline)) static long use_lambdas(int by)
{
	long kept = 5, changed = 0;
	Point point(by, by + 1);

	truth_object(&kept, sizeof(kept), "kept", "long");
	truth_object(&changed, sizeof(changed), "changed", "long");
	truth_object(&point, sizeof(point), "point", "Point");
	kept += repeat(6, [&](int i) {
		changed += i * kept;
		point.x++;
		return point.y + i;
	});
	Point copy = point;
	kept += repeat(4, [by, copy](int i) { return by * i + copy.x; });
	kept += changed;
	truth_forget(&kept);
	truth_forget(&changed);
	truth_forget(&point);
	return kept;
}

static float use_pixels(Pixel *pixels, int count)
{
	float sum = 0;

	for (int i = 0; i < count; i++) {
		Pixel &pixel = pixels[i];

		pixel.colour = i % 2 ? Colour::green : Colour::blue;
		pixel.depth[i % 3] += 3;
		pixel.brightness = pixel.depth[1] * 0.5f;
		if (pixel.colour == Colour::green)
			sum += pixel.brightness;
	}
	return sum;
}

static void declare_shapes()
{
	Circle circle(1, 2);
	Square square(1, 2);
	Point point(1, 2);
	const Shape &shape = circle;

	truth_type("Point", sizeof(Point));
	truth_part("Point", point, "x", point.x);
	truth_part("Point", point, "y", point.y);
	truth_type("Shape", sizeof(Shape));
	truth_member("Shape", "_vptr.Shape|_vptr$Shape", 0, sizeof(void *), nullptr);
	truth_part("Shape", shape, "id", shape.id);
	truth_part("Shape", shape, "scale", shape.scale);
	truth_type("Circle", sizeof(Circle));
	truth_base<Shape>("Circle", circle, "Shape");
	truth_part("Circle", circle, "radius", circle.radius);
	truth_type("Square", sizeof(Square));
	truth_base<Shape>("Square", square, "Shape");
	truth_part("Square", square, "corner", square.corner, "Point");
	truth_part("Square", square, "side", square.side);
	truth_object(&Shape::growths, sizeof(Shape::growths), "growths", "long");
	truth_object(g_shapes, sizeof(g_shapes), "g_shapes", "pointer");
}

static void declare_bases()
{
	Both both;
	Diamond diamond;
	Word word;
	const Letter &letter = word;
	const Named &named = both;
	const Counted &counted = both;

	truth_type("Named", sizeof(Named));
	truth_member("Named", "_vptr.Named|_vptr$Named", 0, sizeof(void *), nullptr);
	truth_part("Named", named, "name", named.name);
	truth_part("Named", named, "size", named.size);
	truth_type("Counted", sizeof(Counted));
	truth_member("Counted", "_vptr.Counted|_vptr$Counted", 0, sizeof(void *),
		     nullptr);
	truth_part("Counted", counted, "hits", counted.hits);
	truth_type("Both", sizeof(Both));
	truth_base<Named>("Both", both, "Named");
	truth_base<Counted>("Both", both, "Counted");
	truth_part("Both", both, "weight", both.weight);
	truth_type("Root", sizeof(Root));
	truth_part("Root", static_cast<const Root &>(diamond), "root", diamond.root);
	// Without the virtual base class, which is elsewhere in larger objects.
	truth_type("Left", 2 * sizeof(long));
	truth_member("Left", "_vptr.Left|_vptr$Left", 0, sizeof(void *), nullptr);
	truth_part("Left", static_cast<const Left &>(diamond), "left", diamond.left);
	truth_type("Right", 2 * sizeof(long));
	truth_member("Right", "_vptr.Right|_vptr$Right", 0, sizeof(void *), nullptr);
	truth_part("Right", static_cast<const Right &>(diamond), "right", diamond.right);
	truth_type("Diamond", sizeof(Diamond));
	truth_base<Root>("Diamond", diamond, "Root");
	truth_base<Left>("Diamond", diamond, "Left", 2 * sizeof(long));
	truth_base<Right>("Diamond", diamond, "Right", 2 * sizeof(long));
	truth_part("Diamond", diamond, "own", diamond.own);
	truth_type("Letter", 17);
	truth_member("Letter", "_vptr.Letter|_vptr$Letter", 0, sizeof(void *), nullptr);
	truth_part("Letter", letter, "number", letter.number);
	truth_part("Letter", letter, "mark", letter.mark);
	truth_type("Word", sizeof(Word));
	truth_base<Letter>("Word", word, "Letter", 17);
	truth_part("Word", word, "second", word.second);
	truth_part("Word", word, "length", word.length);
}

static void declare_templates()
{
	static Ring<int, 4> ints;
	static Node<short> shorts;
	static Node<double> doubles;

	// Both kinds of rings are called Ring.
	truth_type("Ring", sizeof(g_ring));
	truth_part("Ring", g_ring, "values", g_ring.values);
	truth_part("Ring", g_ring, "next", g_ring.next);
	truth_part("Ring", g_ring, "used", g_ring.used);
	truth_type("Ring|Ring_of_int", sizeof(ints));
	truth_part("Ring|Ring_of_int", ints, "values", ints.values);
	truth_part("Ring|Ring_of_int", ints, "next", ints.next);
	truth_part("Ring|Ring_of_int", ints, "used", ints.used);
	truth_type("Node|Node_of_short", sizeof(shorts));
	truth_part("Node|Node_of_short", shorts, "value", shorts.value);
	truth_part("Node|Node_of_short", shorts, "next", shorts.next);
	truth_type("Node", sizeof(doubles));
	truth_part("Node", doubles, "value", doubles.value);
	truth_part("Node", doubles, "next", doubles.next);
	truth_object(&g_ring, sizeof(g_ring), "g_ring", "Ring");
	truth_object(&g_ints, sizeof(g_ints), "g_ints", "pointer");
	truth_object(&g_total, sizeof(g_total), "g_total", "long");
}

static void declare_others()
{
	Pixel pixel;

	truth_type("Settings", sizeof(Settings));
	truth_part("Settings", g_settings, "level", g_settings.level);
	truth_part("Settings", g_settings, "is_loud", g_settings.is_loud);
	truth_part("Settings", g_settings, "measure", g_settings.measure);
	truth_object(&g_settings, sizeof(g_settings), "g_settings", "Settings");
	truth_type("Pixel", sizeof(Pixel));
	truth_part("Pixel", pixel, "colour", pixel.colour);
	truth_part("Pixel", pixel, "depth", pixel.depth);
	truth_part("Pixel", pixel, "brightness", pixel.brightness);
	truth_complete();
}

int main()
{
	Node<short> *shorts = nullptr;
	Node<double> *doubles = nullptr;
	int sum = 0;

	declare_shapes();
	declare_bases();
	declare_templates();
	declare_others();
	truth_begin();
	for (int i = 0; i < 8; i++)
		g_shapes[i] = i % 2 ? static_cast<Shape *>(make<Circle>("Circle", i, 2.0))
				    : make<Square>("Square", i, 3.0);
	g_total = static_cast<long>(areas(g_shapes, 8)) + Shape::growths;
	Both *both = make<Both>("Both");
	g_total += use_both(*both, *both, *both);
	Diamond *diamond = make<Diamond>("Diamond");
	g_total += use_root(*diamond, diamond, diamond) + diamond->own;
	g_total += use_own(diamond, make<Word>("Word"));
	g_ints = make<Ring<int, 4>>("Ring|Ring_of_int");
	for (int i = 0; i < 10; i++) {
		g_ring.push(i * 0.5);
		g_ints->push(i);
		shorts = push<short>(shorts, i, "Node|Node_of_short");
		doubles = push(doubles, i * 2.0, "Node");
		add_to(sum, Point(i, i));
	}
	g_total += g_ints->sum() + static_cast<long>(g_ring.sum() + sum_of(doubles)) +
		   sum_of(shorts);
	g_total += use_lambdas(sum % 5);
	g_settings.level = 4;
	for (int i = 0; i < 6; i++) {
		g_settings.is_loud = i % 3;
		g_settings.measure = i % 2 ? &Settings::plain : &Settings::loud;
		g_total += (g_settings.*g_settings.measure)();
	}
	Pixel *pixels = static_cast<Pixel *>(calloc(9, sizeof(Pixel)));
	truth_block(pixels, 9 * sizeof(Pixel), "Pixel");
	g_total += static_cast<long>(use_pixels(pixels, 9));
	truth_end();
	printf("%ld\n", g_total);
	return 0;
}

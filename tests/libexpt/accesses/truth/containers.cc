// SPDX-License-Identifier: Apache-2.0
// Containers of the library. An allocator tells of the blocks; the members of nodes are
// public in libstdc++, those of the containers themselves are not, so that only their
// types are known.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "truth.hh"

struct Item {
	int key;
	float price;
	long stock;
};

template <class T> struct Name;
template <> struct Name<int> {
	static constexpr const char *text = "int";
};
template <> struct Name<double> {
	static constexpr const char *text = "double";
};
template <> struct Name<char> {
	static constexpr const char *text = "char";
};
template <> struct Name<Item> {
	static constexpr const char *text = "Item";
};
template <class T> struct Name<T *> {
	static constexpr const char *text = "pointer";
};
template <class T> struct Name<std::_Rb_tree_node<T>> {
	static constexpr const char *text = "_Rb_tree_node";
};
template <class T> struct Name<std::_List_node<T>> {
	static constexpr const char *text = "_List_node";
};
template <class T, bool cached> struct Name<std::__detail::_Hash_node<T, cached>> {
	static constexpr const char *text = "_Hash_node";
};
// A count and an item, of shared pointers.
template <class T, class A, __gnu_cxx::_Lock_policy lock>
struct Name<std::_Sp_counted_ptr_inplace<T, A, lock>> {
	static constexpr const char *text = "_Sp_counted_ptr_inplace";
};

template <class T> struct Told {
	using value_type = T;
	Told() = default;
	template <class U> Told(const Told<U> &)
	{
	}
	T *allocate(size_t count)
	{
		void *made = malloc(count * sizeof(T));

		truth_block(made, count * sizeof(T), Name<T>::text);
		return static_cast<T *>(made);
	}
	void deallocate(T *block, size_t)
	{
		truth_forget(block);
		free(block);
	}
	template <class U> bool operator==(const Told<U> &) const
	{
		return true;
	}
	template <class U> bool operator!=(const Told<U> &) const
	{
		return false;
	}
};

template <class T> using Vector = std::vector<T, Told<T>>;
using Text = std::basic_string<char, std::char_traits<char>, Told<char>>;
using Prices = std::map<int, double, std::less<int>, Told<std::pair<const int, double>>>;
using Stock = std::unordered_map<int, double, std::hash<int>, std::equal_to<int>,
				 Told<std::pair<const int, double>>>;

static Vector<Item> g_items;
static Prices g_prices;
static Stock g_stock;
static Text g_text;
static long g_total;

__attribute__((noinline)) static void fill(Vector<Item> &items, int count)
{
	for (int i = 0; i < count; i++)
		items.push_back({ i * 7 % 11, i * 0.5f, i });
	for (auto &item : items)
		item.stock += item.key;
	std::sort(items.begin(), items.end(),
		  [](const Item &one, const Item &other) { return one.key < other.key; });
}

static long sum(const Vector<Item> &items)
{
	long sum = 0;

	for (size_t i = 0; i < items.size(); i++)
		sum += items[i].stock + static_cast<long>(items[i].price);
	return sum;
}

static double use_map(Prices &prices)
{
	double sum = 0;

	for (int i = 0; i < 7; i++)
		prices[i * 5 % 6] += i;
	auto found = prices.find(3);
	if (found != prices.end())
		found->second *= 2;
	for (const auto &price : prices)
		sum += price.first * price.second;
	return sum;
}

static double use_hash(Stock &stock)
{
	double sum = 0;

	for (int i = 0; i < 8; i++)
		stock[i * i % 5] += i;
	for (auto &each : stock)
		sum += each.second - each.first;
	return sum + stock.count(4);
}

static long use_list()
{
	std::list<int, Told<int>> numbers;
	long sum = 0;

	for (int i = 0; i < 5; i++)
		numbers.push_front(i);
	for (int &number : numbers)
		sum += number++;
	return sum;
}

static long use_text(Text &text)
{
	long sum = 0;

	for (int i = 0; i < 3; i++)
		text += "some words, ";
	for (char &c : text) {
		sum += c;
		c = c == ' ' ? '_' : c;
	}
	return sum;
}

static long use_pointers()
{
	std::shared_ptr<Item> one = std::allocate_shared<Item>(Told<Item>());
	std::unique_ptr<Vector<int>> numbers(new Vector<int>(8, 3));
	long sum = 0;

	truth_block(one.get(), sizeof(Item), "Item");
	truth_block(numbers.get(), sizeof(*numbers), "vector");
	for (int i = 0; i < 3; i++) {
		std::shared_ptr<Item> two = one;

		two->key += i;
		two->stock = one->key * 3;
		(*numbers)[two->key & 7] += i;
	}
	for (int number : *numbers)
		sum += number;
	sum += one->stock;
	truth_forget(one.get());
	truth_forget(numbers.get());
	return sum;
}

using Node = std::_Rb_tree_node<std::pair<const int, double>>;
using HashNode = std::__detail::_Hash_node<std::pair<const int, double>, false>;

// Raw memory that holds a pair, by any of its names.
static void declare_storage(const char *owner, size_t offset, size_t size)
{
	truth_member(owner, "_M_storage", offset, size, "pair");
	truth_member(owner, "_M_storage", offset, size, "__aligned_membuf");
	truth_member(owner, "_M_storage", offset, size, "__aligned_buffer");
}

static void declare_pairs()
{
	std::pair<const int, double> pair;

	truth_type("pair", sizeof(pair));
	truth_part("pair", pair, "first", pair.first);
	truth_part("pair", pair, "second", pair.second);
	truth_type("__aligned_membuf", sizeof(pair));
	truth_member("__aligned_membuf", "_M_storage", 0, sizeof(pair), nullptr);
	truth_type("__aligned_buffer", sizeof(pair));
	truth_member("__aligned_buffer", "_M_storage", 0, sizeof(pair), "type");
	truth_type("type", sizeof(pair));
	truth_member("type", "__data", 0, sizeof(pair), nullptr);
}

static void declare_nodes()
{
	alignas(Node) static char space[sizeof(Node)];
	const Node &node = *reinterpret_cast<const Node *>(space);

	truth_type("_Rb_tree_node_base", sizeof(std::_Rb_tree_node_base));
	truth_part("_Rb_tree_node_base", node, "_M_color", node._M_color);
	truth_part("_Rb_tree_node_base", node, "_M_parent", node._M_parent);
	truth_part("_Rb_tree_node_base", node, "_M_left", node._M_left);
	truth_part("_Rb_tree_node_base", node, "_M_right", node._M_right);
	truth_type("_Rb_tree_node", sizeof(Node));
	truth_base<std::_Rb_tree_node_base>("_Rb_tree_node", node, "_Rb_tree_node_base");
	declare_storage("_Rb_tree_node", truth_offset(node, node._M_storage),
			sizeof(node._M_storage));
}

static void declare_lists()
{
	const std::_List_node<int> node{};

	truth_type("_List_node_base", sizeof(std::__detail::_List_node_base));
	truth_part("_List_node_base", node, "_M_next", node._M_next);
	truth_part("_List_node_base", node, "_M_prev", node._M_prev);
	truth_type("_List_node", sizeof(node));
	truth_base<std::__detail::_List_node_base>("_List_node", node, "_List_node_base");
	truth_type("__aligned_membuf|of_int", sizeof(int));
	truth_member("__aligned_membuf|of_int", "_M_storage", 0, sizeof(int), nullptr);
	truth_part("_List_node", node, "_M_storage", node._M_storage,
		   "__aligned_membuf|of_int");
}

static void declare_hash()
{
	alignas(HashNode) static char space[sizeof(HashNode)];
	const HashNode &node = *reinterpret_cast<const HashNode *>(space);
	const char *value = "_Hash_node_value|_Hash_node_value_base";

	truth_type("_Hash_node_base", sizeof(std::__detail::_Hash_node_base));
	truth_part("_Hash_node_base", node, "_M_nxt", node._M_nxt);
	truth_type(value, sizeof(node._M_storage));
	declare_storage(value, 0, sizeof(node._M_storage));
	truth_type("_Hash_node", sizeof(node));
	truth_base<std::__detail::_Hash_node_base>("_Hash_node", node, "_Hash_node_base");
	truth_part("_Hash_node", node, "-", node._M_storage, value);
	truth_type(
		"_Sp_counted_ptr_inplace",
		sizeof(std::_Sp_counted_ptr_inplace<Item, Told<Item>,
						    __gnu_cxx::__default_lock_policy>));
}

static void declare_variables()
{
	Item item;

	truth_type("Item", sizeof(Item));
	truth_part("Item", item, "key", item.key);
	truth_part("Item", item, "price", item.price);
	truth_part("Item", item, "stock", item.stock);
	truth_type("vector", sizeof(g_items));
	truth_type("map", sizeof(g_prices));
	truth_type("unordered_map", sizeof(g_stock));
	truth_type("basic_string", sizeof(g_text));
	truth_object(&g_items, sizeof(g_items), "g_items", "vector");
	truth_object(&g_prices, sizeof(g_prices), "g_prices", "map");
	truth_object(&g_stock, sizeof(g_stock), "g_stock", "unordered_map");
	truth_object(&g_text, sizeof(g_text), "g_text", "basic_string");
	truth_object(&g_total, sizeof(g_total), "g_total", "long");
}

int main()
{
	declare_pairs();
	declare_nodes();
	declare_lists();
	declare_hash();
	declare_variables();
	truth_begin();
	fill(g_items, 10);
	g_total = sum(g_items);
	g_total += static_cast<long>(use_map(g_prices) + use_hash(g_stock));
	g_total += use_list() + use_text(g_text) + use_pointers();
	truth_end();
	printf("%ld\n", g_total);
	return 0;
}

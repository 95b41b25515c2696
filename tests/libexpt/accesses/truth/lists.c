/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, trees, a hash table: objects on the heap that point to each other. */
#include <stdio.h>
#include <stdlib.h>

#include "truth.h"

struct node {
	int key;
	struct node *next, *previous;
	double weight;
};

struct tree {
	struct tree *left, *right;
	short depth;
	long value;
};

struct position {
	int line, column;
};

struct entry {
	const char *name;
	struct position where;
	unsigned hits;
	struct entry *chain;
};

struct table {
	struct entry **buckets;
	size_t size, used;
};

static struct node *g_head;
static struct tree *g_root;
static struct table g_table;
static unsigned long g_sum;

static void *make(size_t size, const char *type)
{
	void *made = calloc(1, size);

	truth_block(made, size, type);
	return made;
}

static void drop(void *object)
{
	truth_forget(object);
	free(object);
}

static void push(int key)
{
	struct node *node = make(sizeof(*node), "node");

	node->key = key;
	node->weight = key * 0.5;
	node->next = g_head;
	if (g_head)
		g_head->previous = node;
	g_head = node;
}

static long sum_list(const struct node *node)
{
	long sum = 0;

	for (; node; node = node->next)
		sum += node->key;
	return sum;
}

static double weigh(struct node *node)
{
	double sum = 0;

	while (node) {
		node->weight *= 1.5;
		sum += node->weight;
		node = node->next;
	}
	return sum;
}

static void reverse(struct node **head)
{
	struct node *node = *head, *last = NULL;

	while (node) {
		struct node *next = node->next;

		node->next = last;
		node->previous = next;
		last = node;
		node = next;
	}
	*head = last;
}

/* A pointer to a pointer, which may be that of a node or the global one. */
static void remove_odd(struct node **link)
{
	while (*link) {
		struct node *node = *link;

		if (node->key % 2) {
			*link = node->next;
			drop(node);
		} else {
			link = &node->next;
		}
	}
}

static void insert(struct tree **root, long value)
{
	short depth = 0;

	while (*root) {
		root = value < (*root)->value ? &(*root)->left : &(*root)->right;
		depth++;
	}
	*root = make(sizeof(**root), "tree");
	(*root)->value = value;
	(*root)->depth = depth;
}

static long sum_tree(const struct tree *tree)
{
	return tree ? tree->value + tree->depth + sum_tree(tree->left) +
			       sum_tree(tree->right)
		    : 0;
}

static const struct tree *deepest(const struct tree *tree)
{
	const struct tree *left, *right, *best = tree;

	if (!tree)
		return NULL;
	left = deepest(tree->left);
	right = deepest(tree->right);
	if (left && left->depth > best->depth)
		best = left;
	return right && right->depth > best->depth ? right : best;
}

static unsigned hash(const char *name)
{
	unsigned value = 5381;

	while (*name)
		value = value * 33 + (unsigned char)*name++;
	return value;
}

static struct entry *look_up(struct table *table, const char *name, int line)
{
	struct entry **bucket = &table->buckets[hash(name) % table->size];
	struct entry *entry;

	for (entry = *bucket; entry; entry = entry->chain)
		if (strcmp(entry->name, name) == 0)
			break;
	if (!entry) {
		entry = make(sizeof(*entry), "entry");
		entry->name = name;
		entry->where.line = line;
		entry->where.column = line * 2;
		entry->chain = *bucket;
		*bucket = entry;
		table->used++;
	}
	entry->hits++;
	return entry;
}

static long count_hits(const struct table *table)
{
	long sum = 0;

	for (size_t i = 0; i < table->size; i++) {
		const struct entry *entry = table->buckets[i];

		while (entry) {
			sum += entry->hits * entry->where.line + entry->where.column;
			entry = entry->chain;
		}
	}
	return sum;
}

static void declare(void)
{
	truth_type("node", sizeof(struct node));
	TRUTH_MEMBER("node", struct node, key);
	TRUTH_MEMBER("node", struct node, next);
	TRUTH_MEMBER("node", struct node, previous);
	TRUTH_MEMBER("node", struct node, weight);
	truth_type("tree", sizeof(struct tree));
	TRUTH_MEMBER("tree", struct tree, left);
	TRUTH_MEMBER("tree", struct tree, right);
	TRUTH_MEMBER("tree", struct tree, depth);
	TRUTH_MEMBER("tree", struct tree, value);
	truth_type("position", sizeof(struct position));
	TRUTH_MEMBER("position", struct position, line);
	TRUTH_MEMBER("position", struct position, column);
	truth_type("entry", sizeof(struct entry));
	TRUTH_MEMBER("entry", struct entry, name);
	TRUTH_PART("entry", struct entry, where, "position");
	TRUTH_MEMBER("entry", struct entry, hits);
	TRUTH_MEMBER("entry", struct entry, chain);
	truth_type("table", sizeof(struct table));
	TRUTH_MEMBER("table", struct table, buckets);
	TRUTH_MEMBER("table", struct table, size);
	TRUTH_MEMBER("table", struct table, used);
	truth_complete();
	truth_object(&g_head, sizeof(g_head), "g_head", "pointer");
	truth_object(&g_root, sizeof(g_root), "g_root", "pointer");
	truth_object(&g_table, sizeof(g_table), "g_table", "table");
	truth_object(&g_sum, sizeof(g_sum), "g_sum", "unsigned_long");
}

int main(void)
{
	static const char *const names[] = { "one", "two", "three", "four", "five" };

	declare();
	truth_object(names, sizeof(names), "names", "pointer");
	g_table.size = 4;
	truth_begin();
	for (int i = 0; i < 30; i++)
		push(i * 7 % 41);
	g_sum += sum_list(g_head) + weigh(g_head);
	reverse(&g_head);
	remove_odd(&g_head);
	g_sum += sum_list(g_head);
	for (int i = 0; i < 30; i++)
		insert(&g_root, i * 37 % 61);
	g_sum += sum_tree(g_root) + deepest(g_root)->depth;
	g_table.buckets = make(g_table.size * sizeof(*g_table.buckets), "pointer");
	for (int i = 0; i < 20; i++)
		g_sum += look_up(&g_table, names[i * i % 5], i)->hits;
	g_sum += count_hits(&g_table);
	truth_end();
	printf("%lu %zu\n", g_sum, g_table.used);
	return 0;
}

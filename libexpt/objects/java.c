/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java methods by their ids, which a Java machine may use again after it has unloaded a
 * class: the latest definition before an event counts. The object of a method is the file
 * of its class, "pkg/Cell.class".
 */
#include "libexpt/objects/java.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/archives/class_location.h"
#include "libexpt/archives/class_source.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/idmap.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/format.h"
#include "libexpt/objects/java_name.h"
#include "libexpt/objects/lined_code.h"
#include "libexpt/objects/private.h"

#define COMPILED_METHODS "JAVA_COMPILED_METHODS"
#define CODE_SIZE_MAX	 65536 /* of a method; a limit of class files */

struct java_class {
	const char *name; /* "pkg/Cell" */
	const char *source;
	const char *location; /* the path of its jar or class file, or "" */
	uint64_t time_ns;
};

struct java_method {
	uint64_t id, time_ns;
	size_t order; /* of definition */
	uint32_t class;
	const char *name, *signature;
	const struct dynamic_line *lines; /* by bytecode index */
	size_t line_count;
	bool has_more_lines;		      /* the next packet continues them */
	const struct expt_function *function; /* NULL until it is needed */
};

struct java_table {
	struct {
		struct java_class *items;
		size_t count, capacity;
	} classes;
	struct {
		struct java_method *items; /* by id and time */
		size_t count, capacity;
	} methods;
	struct {
		const struct expt_function **items;
		size_t count, capacity;
	} compiled;
	struct idmap compiled_index; /* by address and time */
	struct arena texts;
};

/* ---- reading ---- */

static void close_table(struct java_table *table)
{
	array_release(&table->classes);
	array_release(&table->methods);
	array_release(&table->compiled);
	idmap_release(&table->compiled_index);
	arena_release(&table->texts);
	free(table);
}

/* Add the class "Lpkg/Cell;". Other names are of types without methods. */
static bool add_class(struct java_table *table, const struct expt_class *found,
		      bool *is_wanted)
{
	size_t length = found->name_length;
	const char *name = found->name;
	struct java_class *class;

	*is_wanted = length > 0 && name[0] == 'L';
	if (!*is_wanted)
		return true;
	if (name[length - 1] == ';') {
		name++;
		length -= 2;
	}
	class = array_add(&table->classes);
	if (!class)
		return false;
	class->name = arena_text(&table->texts, name, length);
	class->source = arena_text(&table->texts, found->detail, found->detail_length);
	class->location = "";
	class->time_ns = found->time_ns;
	return class->name && class->source;
}

/* It belongs to the class before it. */
static bool add_location(struct java_table *table, const struct expt_class *found)
{
	struct java_class *class = &table->classes.items[table->classes.count - 1];
	cleanup_strbuf struct strbuf path = STRBUF_INIT;

	class_location_path(&path, found->detail, found->detail_length, found->name,
			    found->name_length);
	class->location = arena_text(&table->texts, strbuf_text(&path), path.length);
	return class->location;
}

static bool add_method(struct java_table *table, const struct expt_class *found)
{
	struct java_method *method = array_add(&table->methods);

	if (!method)
		return false;
	method->id = found->method_id;
	method->order = table->methods.count;
	method->class = (uint32_t)(table->classes.count - 1);
	method->time_ns = table->classes.items[method->class].time_ns;
	method->name = arena_text(&table->texts, found->name, found->name_length);
	method->signature =
		arena_text(&table->texts, found->detail, found->detail_length);
	return method->name && method->signature;
}

/* Lines belong to the method before them. Those out of order are left out. */
static bool add_lines(struct java_table *table, const struct expt_class *found)
{
	struct java_method *method;
	struct dynamic_line *lines;
	size_t count;

	if (table->methods.count == 0 || found->line_count == 0)
		return true;
	method = &table->methods.items[table->methods.count - 1];
	count = method->line_count;
	if (method->id != found->method_id || (count > 0 && !method->has_more_lines))
		return true;
	lines = arena_alloc(&table->texts, (count + found->line_count) * sizeof(*lines));
	if (!lines)
		return false;
	if (count > 0)
		memcpy(lines, method->lines, count * sizeof(*lines));
	for (size_t i = 0; i < found->line_count && found->lines[i].bci < CODE_SIZE_MAX;
	     i++)
		if (count == 0 || found->lines[i].bci > lines[count - 1].offset)
			lines[count++] = (struct dynamic_line){ found->lines[i].bci,
								found->lines[i].line };
	method->has_more_lines = found->line_count == JAVA_LINES_MAX &&
				 count > method->line_count;
	method->lines = lines;
	method->line_count = count;
	return true;
}

/* Read all classes; a method belongs to the last one. false: out of memory. */
static bool read_classes(struct java_table *table, struct expt *expt)
{
	struct expt_classes *classes;
	struct expt_class found;
	struct expt_error err;
	bool is_good = true, is_wanted = false;
	int rc = expt_classes_open(&classes, expt, &err);

	if (rc == 0) {
		while (is_good && (rc = expt_classes_next(classes, &found, &err)) > 0)
			if (found.kind == EXPT_CLASS)
				is_good = add_class(table, &found, &is_wanted);
			else if (found.kind == EXPT_CLASS_LOCATION && is_wanted)
				is_good = add_location(table, &found);
			else if (found.kind == EXPT_CLASS_METHOD && is_wanted)
				is_good = add_method(table, &found);
			else if (found.kind == EXPT_CLASS_LINES && is_wanted)
				is_good = add_lines(table, &found);
		expt_classes_close(classes);
	}
	if (rc < 0)
		expt_add_damage(expt, "%s", err.message);
	return is_good;
}

static int compare_methods(const void *left, const void *right)
{
	const struct java_method *a = left, *b = right;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Returns the methods of the experiment; NULL: out of memory. */
static struct java_table *get_table(struct expt *expt)
{
	struct java_table *table = expt->java;

	if (table)
		return table;
	table = calloc(1, sizeof(*table));
	if (!table || !read_classes(table, expt)) {
		if (table)
			close_table(table);
		return NULL;
	}
	if (table->methods.count > 1)
		qsort(table->methods.items, table->methods.count,
		      sizeof(*table->methods.items), compare_methods);
	expt->close_java = close_table;
	return expt->java = table;
}

static struct java_method *find_method(const struct java_table *table, uint64_t id,
				       uint64_t time_ns)
{
	struct java_method wanted = { .id = id, .time_ns = time_ns, .order = SIZE_MAX };
	size_t low = 0, high = table->methods.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_methods(&table->methods.items[middle], &wanted) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || table->methods.items[low - 1].id != id)
		return NULL;
	return &table->methods.items[low - 1];
}

/* ---- names ---- */

static const char *text_of(struct arena *arena, struct strbuf *text)
{
	const char *kept = arena_text(arena, strbuf_text(text), text->length);

	strbuf_release(text);
	return kept ? kept : UNKNOWN_NAME;
}

static const char *source_of(struct arena *arena, const struct java_class *class)
{
	struct strbuf path = STRBUF_INIT;

	class_source_path(&path, class->name, strlen(class->name), class->source,
			  strlen(class->source));
	return text_of(arena, &path);
}

/* ---- functions ---- */

static struct expt_object *object_of(struct object_table *table,
				     const struct java_class *class)
{
	struct strbuf path = STRBUF_INIT;
	struct expt_object *object;

	strbuf_printf(&path, "%s.class", class->name);
	object = object_java(table, strbuf_text(&path));
	strbuf_release(&path);
	return object;
}

/* The function's owner is its long name, by which methods of one name differ. */
static void name_function(struct expt_function *wanted, struct arena *strings,
			  const struct java_method *method,
			  const struct java_class *class)
{
	struct strbuf name = STRBUF_INIT;

	java_name_add_class(&name, class->name, strlen(class->name));
	strbuf_printf(&name, ".%s", method->name);
	wanted->symbol = arena_text(strings, strbuf_text(&name), name.length);
	java_name_add_arguments(&name, method->signature);
	wanted->long_name = text_of(strings, &name);
	if (!wanted->symbol)
		wanted->symbol = UNKNOWN_NAME;
	wanted->short_name = wanted->symbol;
	wanted->owner = wanted->long_name;
	wanted->source = source_of(strings, class);
}

/* Note where the bytecode of the method is. */
static bool note_bytecode(struct expt_function *function, struct arena *strings,
			  const struct java_method *method,
			  const struct java_class *class)
{
	struct java_bytecode *bytecode = arena_alloc(strings, sizeof(*bytecode));

	if (!bytecode)
		return false;
	*bytecode = (struct java_bytecode){
		.class_name = arena_text(strings, class->name, strlen(class->name)),
		.name = arena_text(strings, method->name, strlen(method->name)),
		.signature =
			arena_text(strings, method->signature, strlen(method->signature)),
		.location = arena_text(strings, class->location, strlen(class->location)),
		.lines = method->lines,
		.line_count = method->line_count,
	};
	function->bytecode = bytecode;
	return bytecode->class_name && bytecode->name && bytecode->signature &&
	       bytecode->location;
}

static const struct expt_function *make_function(struct object_table *table,
						 const struct java_method *method,
						 const struct java_class *class)
{
	struct expt_object *object = object_of(table, class);
	struct expt_function wanted = { .size = 0 };

	if (!object || !note_bytecode(&wanted, &table->strings, method, class))
		return &unknown_function;
	name_function(&wanted, &table->strings, method, class);
	if (method->line_count > 0) {
		wanted.lines = method->lines;
		wanted.line_count = method->line_count;
		wanted.size = method->lines[method->line_count - 1].offset + 1;
	}
	return function_dynamic(object, &wanted, IDMAP_KEY);
}

/* Returns the method with this id at a time; NULL: it is not known. */
static struct java_method *get_method(struct expt *expt, uint64_t id, uint64_t time_ns)
{
	struct java_table *java = object_table_get(expt) ? get_table(expt) : NULL;

	return java ? find_method(java, id, time_ns) : NULL;
}

static const struct java_class *class_of(struct expt *expt,
					 const struct java_method *method)
{
	const struct java_table *java = expt->java;

	return &java->classes.items[method->class];
}

bool expt_java_place(struct expt *expt, uint64_t method, int64_t bci, uint64_t time_ns,
		     struct expt_place *place)
{
	struct java_method *found = get_method(expt, method, time_ns);

	if (found && !found->function)
		found->function = make_function(object_table_get(expt), found,
						class_of(expt, found));
	*place = (struct expt_place){
		.function = found ? found->function : expt_special_function(EXPT_NO_JAVA),
		.offset = (uint64_t)bci,
	};
	return found;
}

/* ---- compiled code ---- */

/* Returns the line of a bytecode index; 0: it is not known. */
static uint32_t line_at(const struct java_method *method, uint32_t bci)
{
	size_t count = lined_code_count_to(method->lines, method->line_count, bci);

	return count > 0 ? method->lines[count - 1].line : 0;
}

/* Set the lines of code by those of its method. */
static void set_lines(struct expt_function *function, struct arena *strings,
		      const struct java_method *method, const struct dynamic_lines *codes)
{
	struct dynamic_line *lines;
	size_t count = 0;

	if (!codes || codes->line_count == 0 || method->line_count == 0)
		return;
	lines = arena_alloc(strings, codes->line_count * sizeof(*lines));
	if (!lines)
		return;
	for (size_t i = 0; i < codes->line_count; i++) {
		uint32_t line = line_at(method, codes->lines[i].line);

		if (line > 0 && (count == 0 || lines[count - 1].line != line))
			lines[count++] =
				(struct dynamic_line){ codes->lines[i].offset, line };
	}
	function->lines = lines;
	function->line_count = count;
}

static const struct expt_function *make_compiled(struct expt *expt,
						 const struct java_code *code,
						 const struct java_method *method)
{
	struct object_table *table = object_table_get(expt);
	struct expt_object *object = object_java(table, COMPILED_METHODS);
	struct expt_function wanted = { .start = code->address, .size = code->size };

	if (!object)
		return &unknown_function;
	name_function(&wanted, &table->strings, method, class_of(expt, method));
	set_lines(&wanted, &table->strings, method, code->find_lines(expt, code->data));
	return function_dynamic(object, &wanted, code->address);
}

/* Returns the function of this code, which is made at the first call; NULL: its method is
 * not known. */
static const struct expt_function *
find_compiled(struct expt *expt, const struct java_code *code, uint64_t time_ns)
{
	const struct java_method *method = get_method(expt, code->method, time_ns);
	struct java_table *java = expt->java;
	const struct expt_function **function;
	uint32_t *slot;

	if (!method)
		return NULL;
	slot = idmap_add(&java->compiled_index,
			 code->address * STACK_UID_FACTOR + code->loaded_ns);
	if (slot && *slot != IDMAP_NONE)
		return java->compiled.items[*slot];
	function = slot ? array_add(&java->compiled) : NULL;
	if (!function)
		return NULL;
	*slot = (uint32_t)(java->compiled.count - 1);
	return *function = make_compiled(expt, code, method);
}

void java_compiled(struct expt *expt, const struct java_code *code, uint64_t offset,
		   uint64_t time_ns, struct expt_place *place)
{
	const struct expt_function *function = find_compiled(expt, code, time_ns);

	if (function)
		*place = (struct expt_place){ .function = function, .offset = offset };
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Java methods by their ids, which a Java machine may use again after it has unloaded a
 * class: the latest definition before an event counts. The object of a method is the file
 * of its class, "pkg/Cell.class".
 */
#include "libexpt/objects/java.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/objects/private.h"

#define COMPILED_METHODS "JAVA_COMPILED_METHODS"

struct java_class {
	const char *name; /* "pkg/Cell" */
	const char *source;
	uint64_t time_ns;
};

struct java_method {
	uint64_t id, time_ns;
	size_t order; /* of definition */
	uint32_t class;
	const char *name, *signature;
	const struct dynamic_line *lines; /* by bytecode index */
	size_t line_count;
	const struct expt_function *function, *compiled; /* NULL until they are needed */
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
	struct arena texts;
};

/* ---- reading ---- */

static void close_table(struct java_table *table)
{
	array_release(&table->classes);
	array_release(&table->methods);
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
	class->time_ns = found->time_ns;
	return class->name && class->source;
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
	size_t count = 0;

	if (table->methods.count == 0 || found->line_count == 0)
		return true;
	method = &table->methods.items[table->methods.count - 1];
	if (method->id != found->method_id || method->lines)
		return true;
	lines = arena_alloc(&table->texts, found->line_count * sizeof(*lines));
	if (!lines)
		return false;
	for (size_t i = 0; i < found->line_count; i++)
		if (count == 0 || found->lines[i].bci > lines[count - 1].offset)
			lines[count++] = (struct dynamic_line){ found->lines[i].bci,
								found->lines[i].line };
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

static void add_dotted(struct strbuf *name, const char *path, size_t length)
{
	for (size_t i = 0; i < length; i++)
		strbuf_add_char(name, path[i] == '/' ? '.' : path[i]);
}

static const char *primitive_name(char code)
{
	static const struct {
		char code;
		const char *name;
	} types[] = {
		{ 'B', "byte" }, { 'C', "char" }, { 'D', "double" }, { 'F', "float" },
		{ 'I', "int" },	 { 'J', "long" }, { 'S', "short" },  { 'Z', "boolean" },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (types[i].code == code)
			return types[i].name;
	return NULL;
}

/* Add a type and return the text after it; NULL: it is malformed. */
static const char *add_type(struct strbuf *name, const char *type)
{
	size_t dimensions = strspn(type, "[");
	const char *primitive, *end;

	type += dimensions;
	primitive = primitive_name(*type);
	end = *type == 'L' ? strchr(type, ';') : type;
	if (!end || (!primitive && *type != 'L'))
		return NULL;
	if (primitive)
		strbuf_add_text(name, primitive);
	else
		add_dotted(name, type + 1, (size_t)(end - type - 1));
	while (dimensions-- > 0)
		strbuf_add_text(name, "[]");
	return end + 1;
}

/* Add "(int, java.lang.String[])" for "(I[Ljava/lang/String;)V"; nothing if that is
 * malformed. */
static void add_arguments(struct strbuf *name, const char *signature)
{
	cleanup_strbuf struct strbuf arguments = STRBUF_INIT;
	const char *next = signature + 1;

	if (*signature != '(')
		return;
	while (next && *next != ')') {
		if (next != signature + 1)
			strbuf_add_text(&arguments, ", ");
		next = add_type(&arguments, next);
	}
	if (next)
		strbuf_printf(name, "(%s)", strbuf_text(&arguments));
}

static const char *text_of(struct arena *arena, struct strbuf *text)
{
	const char *kept = arena_text(arena, strbuf_text(text), text->length);

	strbuf_release(text);
	return kept ? kept : UNKNOWN_NAME;
}

/* Returns "pkg/Cell.java"; if it was not recorded, the name is that of the outermost
 * class. */
static const char *source_of(struct arena *arena, const struct java_class *class)
{
	const char *base = path_base(class->name);
	struct strbuf path = STRBUF_INIT;

	strbuf_add(&path, class->name, (size_t)(base - class->name));
	if (class->source[0] != '\0' && strcmp(class->source, UNKNOWN_NAME) != 0)
		strbuf_add_text(&path, class->source);
	else
		strbuf_printf(&path, "%.*s.java", (int)strcspn(base, "$"), base);
	return text_of(arena, &path);
}

/* ---- functions ---- */

static struct expt_object *object_of(struct object_table *table,
				     const struct java_class *class, bool is_compiled)
{
	struct strbuf path = STRBUF_INIT;
	struct expt_object *object;

	if (is_compiled)
		return object_java(table, COMPILED_METHODS);
	strbuf_printf(&path, "%s.class", class->name);
	object = object_java(table, strbuf_text(&path));
	strbuf_release(&path);
	return object;
}

/* The function's owner is its long name, by which methods of one name differ. */
static const struct expt_function *make_function(struct object_table *table,
						 const struct java_method *method,
						 const struct java_class *class,
						 bool is_compiled)
{
	struct expt_object *object = object_of(table, class, is_compiled);
	struct expt_function wanted = { .size = 0 };
	struct strbuf name = STRBUF_INIT;

	if (!object)
		return &unknown_function;
	add_dotted(&name, class->name, strlen(class->name));
	strbuf_printf(&name, ".%s", method->name);
	wanted.symbol = arena_text(&table->strings, strbuf_text(&name), name.length);
	add_arguments(&name, method->signature);
	wanted.long_name = text_of(&table->strings, &name);
	if (!wanted.symbol)
		wanted.symbol = UNKNOWN_NAME;
	wanted.short_name = wanted.symbol;
	wanted.owner = wanted.long_name;
	wanted.source = source_of(&table->strings, class);
	if (!is_compiled && method->line_count > 0) {
		wanted.lines = method->lines;
		wanted.line_count = method->line_count;
		wanted.size = method->lines[method->line_count - 1].offset + 1;
	}
	return function_dynamic(object, &wanted, IDMAP_KEY);
}

/* Returns the method with this id at a time as a function of its class's file, or, with
 * is_compiled, of compiled code; NULL: it is not known. */
static const struct expt_function *find_function(struct expt *expt, uint64_t id,
						 uint64_t time_ns, bool is_compiled)
{
	struct object_table *table = object_table_get(expt);
	struct java_table *java = table ? get_table(expt) : NULL;
	struct java_method *method = java ? find_method(java, id, time_ns) : NULL;
	const struct expt_function **function;

	if (!method)
		return NULL;
	function = is_compiled ? &method->compiled : &method->function;
	if (!*function)
		*function = make_function(
			table, method, &java->classes.items[method->class], is_compiled);
	return *function;
}

void java_compiled(struct expt *expt, uint64_t id, uint64_t offset, uint64_t time_ns,
		   struct expt_place *place)
{
	const struct expt_function *function = find_function(expt, id, time_ns, true);

	if (function)
		*place = (struct expt_place){ .function = function, .offset = offset };
}

bool expt_java_place(struct expt *expt, uint64_t method, int64_t bci, uint64_t time_ns,
		     struct expt_place *place)
{
	const struct expt_function *function =
		find_function(expt, method, time_ns, false);

	*place = (struct expt_place){
		.function = function ? function : expt_special_function(EXPT_NO_JAVA),
		.offset = (uint64_t)bci,
	};
	return function;
}

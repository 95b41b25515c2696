/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of live functions, sorted by address; they never overlap. It is kept whether
 * or not there is an experiment: the experiment of a child of fork lists all of them,
 * whenever it is made.
 */

#include "collector/experiment/dynamic.h"

#include <string.h>

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/experiment/dyntext.h"
#include "collector/experiment/map.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/files/output.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "libexpt/format.h"

#define RECORD_SIZE_MAX	 32768
#define WARNINGS_MAX	 20
#define SMALLEST_BLOCK	 128
#define BLOCK_SIZES	 24 /* each twice the one before */
#define FIRST_TABLE_SIZE 4096

struct function {
	struct dynamic_function is;
	uint64_t loaded_ns;
	bool is_described; /* in this experiment */
	const char *alias;
	size_t block_size;
	struct function *next_free;
	char texts[];
};

static struct function **functions;
static size_t count, capacity;
static struct function *free_blocks[BLOCK_SIZES];
static bool is_unwanted, is_forking;
static struct spin lock;

static void warn(const char *text)
{
	static _Atomic unsigned warnings;

	if (collector_has_experiment() && atomic_fetch_add(&warnings, 1) < WARNINGS_MAX)
		log_message("cwarn", EXPT_WARNING_GENERAL, text, 0);
}

/* ---- memory: blocks are reused, as programs make and drop code endlessly ---- */

static struct function **free_list_of(size_t block_size)
{
	return &free_blocks[__builtin_ctzl(block_size / SMALLEST_BLOCK)];
}

static struct function *get_block(size_t size)
{
	size_t block_size = SMALLEST_BLOCK;
	struct function **list, *block;

	while (block_size < size)
		block_size *= 2;
	if (block_size >= (size_t)SMALLEST_BLOCK << BLOCK_SIZES)
		return NULL;
	list = free_list_of(block_size);
	block = *list;
	if (block)
		*list = block->next_free;
	else
		block = memory_get(block_size);
	if (block)
		*block = (struct function){ .block_size = block_size };
	return block;
}

static void put_back(struct function *function)
{
	struct function **list = free_list_of(function->block_size);

	function->next_free = *list;
	*list = function;
}

static const char *keep(char **room, const char *text)
{
	char *kept = *room;
	size_t size;

	if (!text)
		return NULL;
	size = strlen(text) + 1;
	memcpy(kept, text, size);
	*room += size;
	return kept;
}

static size_t text_size(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

static struct function *make_function(const struct dynamic_function *wanted,
				      const char *alias)
{
	size_t lines_size = wanted->method ? 0
					   : wanted->line_count * sizeof(*wanted->lines);
	struct function *function =
		get_block(sizeof(*function) + lines_size + text_size(wanted->name) +
			  text_size(wanted->source) + text_size(alias));
	char *room;

	if (!function)
		return NULL;
	room = function->texts;
	function->is = *wanted;
	if (lines_size > 0)
		function->is.lines = memcpy(room, wanted->lines, lines_size);
	room += lines_size;
	function->is.name = keep(&room, wanted->name);
	function->is.source = keep(&room, wanted->source);
	function->alias = keep(&room, alias);
	return function;
}

/* ---- the experiment ---- */

static uint64_t since_start(uint64_t time)
{
	return time > process.start_ns ? time - process.start_ns : 0;
}

static void add_name(struct text *record, const struct dynamic_function *function)
{
	if (function->name)
		text_add_attribute(record, "name", function->name);
	if (function->method == 0)
		return;
	text_add(record, " methodId=\"0x");
	text_add_hex(record, function->method, 1);
	text_add(record, "\"");
}

static bool describe(struct function *function)
{
	MEMORY_APART static char buffer[RECORD_SIZE_MAX];
	struct text record = TEXT_ON(buffer);

	loadmap_add_event(&record, function->is.method ? "jcm" : "function",
			  function->loaded_ns, function->is.address);
	text_add_number(&record, "size", (int64_t)function->is.size);
	add_name(&record, &function->is);
	if (function->alias)
		text_add_attribute(&record, "alias", function->alias);
	if (function->is.source)
		text_add_attribute(&record, "srcfile", function->is.source);
	text_add(&record, "/>\n");
	if (!loadmap_put(&record))
		return false;
	dyntext_put(&function->is, since_start(function->loaded_ns));
	function->is_described = true;
	return true;
}

static void describe_new(struct function *function)
{
	if (output_is_open(&files.map) && !function->is_described)
		describe(function);
}

static void describe_end(const struct function *function, uint64_t now)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);

	if (!function->is_described)
		return;
	loadmap_add_unmap(&record, function->is.address, now);
	loadmap_put(&record);
}

void dynamic_describe(void)
{
	if (count == 0 || !spin_lock_patiently(&lock))
		return;
	for (size_t i = 0; i < count; i++)
		describe_new(functions[i]);
	spin_unlock(&lock);
}

/* ---- the table ---- */

/* Returns the index of the first function that ends after the address. */
static size_t find(uintptr_t address)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (functions[middle]->is.address + functions[middle]->is.size > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void end_at(size_t i, uint64_t now)
{
	describe_end(functions[i], now);
	put_back(functions[i]);
	count--;
	memmove(functions + i, functions + i + 1, (count - i) * sizeof(*functions));
}

static bool make_room(void)
{
	size_t size = capacity > 0 ? 2 * capacity : FIRST_TABLE_SIZE;
	struct function **larger;

	if (count < capacity)
		return true;
	larger = memory_get_pages(size * sizeof(*larger));
	if (!larger)
		return false;
	if (count > 0) {
		memcpy(larger, functions, count * sizeof(*larger));
		memory_return_pages(functions, capacity * sizeof(*larger));
	}
	functions = larger;
	capacity = size;
	return true;
}

static void add(struct function *function)
{
	uintptr_t end = function->is.address + function->is.size;
	size_t i = find(function->is.address);

	function->loaded_ns = collector_now();
	while (i < count && functions[i]->is.address < end)
		end_at(i, function->loaded_ns);
	memmove(functions + i + 1, functions + i, (count - i) * sizeof(*functions));
	functions[i] = function;
	count++;
	describe_new(function);
}

/* ---- what the program calls ---- */

static bool is_sorted(const struct dynamic_line *lines, size_t line_count)
{
	for (size_t i = 1; i < line_count; i++)
		if (lines[i].offset <= lines[i - 1].offset)
			return false;
	return true;
}

static void check_lines(struct dynamic_function *wanted, int line_count)
{
	wanted->line_count = line_count > 0 ? (size_t)line_count : 0;
	if (line_count > 0 && wanted->lines &&
	    is_sorted(wanted->lines, wanted->line_count))
		return;
	if (line_count > 0)
		warn(!wanted->lines
			     ? "collector_func_load: a table of lines is missing"
			     : "collector_func_load: a table of lines is not sorted");
	wanted->line_count = 0;
	wanted->lines = NULL;
}

/* Write the address in gprofng's format. */
static void name_by_address(struct text *name, uintptr_t address)
{
	static const char digits[] = "0123456789abcdef";
	int shift = 60;

	text_add(name, "0x");
	while (shift > 0 && address >> shift == 0)
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		text_add_bytes(name, &digits[address >> shift & 15], 1);
}

static void load(const struct dynamic_function *wanted, const char *alias)
{
	struct function *function;

	if (!spin_lock_patiently(&lock))
		return;
	function = make_room() ? make_function(wanted, alias) : NULL;
	if (function)
		add(function);
	if (function && wanted->method) {
		function->is.lines = NULL;
		function->is.line_count = 0;
	}
	spin_unlock(&lock);
}

void dynamic_load(const char *name, const char *alias, const char *source,
		  uintptr_t address, int size, int line_count,
		  const struct dynamic_line *lines)
{
	char buffer[32];
	struct text number = TEXT_ON(buffer);
	struct dynamic_function wanted = {
		.name = name,
		.source = source,
		.address = address,
		.size = (size_t)size,
		.lines = lines,
	};
	uint64_t mask;

	/* A sandbox permits neither memory nor a file for it. */
	if (is_unwanted || collector_is_frozen())
		return;
	mask = collector_enter();
	if (address == 0 || size <= 0 || address + (size_t)size < address) {
		warn("collector_func_load: no address or size: call ignored");
		collector_leave(mask);
		return;
	}
	name_by_address(&number, address);
	if (!name)
		wanted.name = number.start;
	check_lines(&wanted, line_count);
	load(&wanted, alias);
	collector_leave(mask);
}

void dynamic_load_method(uint64_t method, uintptr_t address, size_t size,
			 const struct dynamic_line *lines, size_t line_count)
{
	const struct dynamic_function wanted = {
		.method = method,
		.address = address,
		.size = size,
		.lines = lines,
		.line_count = line_count,
	};
	uint64_t mask;

	if (is_unwanted || collector_is_frozen())
		return;
	mask = collector_enter();
	load(&wanted, NULL);
	collector_leave(mask);
}

void dynamic_unload(uintptr_t address)
{
	uint64_t mask = collector_enter();
	size_t i;

	if (count > 0 && spin_lock_patiently(&lock)) {
		i = find(address);
		if (i < count && functions[i]->is.address == address)
			end_at(i, collector_now());
		spin_unlock(&lock);
	}
	collector_leave(mask);
}

void dynamic_start(bool is_wanted)
{
	is_unwanted = !is_wanted;
}

/* ---- forks ---- */

void dynamic_before_fork(void)
{
	is_forking = spin_lock_patiently(&lock);
}

void dynamic_after_fork(void)
{
	if (is_forking)
		spin_unlock(&lock);
	is_forking = false;
}

void dynamic_forget(void)
{
	/* A raw fork happened while another thread was changing the table. */
	if (atomic_load(&lock.is_held) && !is_forking)
		count = 0;
	is_forking = false;
	atomic_store(&lock.is_held, 0);
	dyntext_forget();
	for (size_t i = 0; i < count; i++)
		functions[i]->is_described = false;
}

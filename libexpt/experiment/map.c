/* SPDX-License-Identifier: Apache-2.0 */
/*
 * map.xml: the address map of the process. A new mapping ends those that it overlaps, as
 * unmapping does; so live ranges never overlap, and one sorted list of them is enough.
 */
#include "libexpt/experiment/map.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/xml/xml.h"

#define BUILD_ID_LENGTH 128	    /* in hex digits; real ones have 40 */
#define FUNCTION_BIT	0x80000000u /* of a live index: set for functions */

struct map_reader {
	struct expt_map *map;
	unsigned line;
	struct {
		uint32_t *items; /* indexes of segments and functions, by address */
		size_t count, capacity;
	} live;
};

/* The common part of segments and functions. */
struct range {
	uint64_t address, size, loaded_ns;
};

/* ---- live ranges ------------------------------------------------------------------ */

static uint64_t live_start(const struct map_reader *reader, uint32_t index)
{
	if (index & FUNCTION_BIT)
		return reader->map->functions.items[index & ~FUNCTION_BIT].address;
	return reader->map->segments.items[index].address;
}

static uint64_t live_end(const struct map_reader *reader, uint32_t index)
{
	if (index & FUNCTION_BIT)
		return live_start(reader, index) +
		       reader->map->functions.items[index & ~FUNCTION_BIT].size;
	return live_start(reader, index) + reader->map->segments.items[index].size;
}

static void end_life(struct map_reader *reader, uint32_t index, uint64_t time_ns)
{
	if (index & FUNCTION_BIT)
		reader->map->functions.items[index & ~FUNCTION_BIT].unloaded_ns = time_ns;
	else
		reader->map->segments.items[index].unloaded_ns = time_ns;
}

/* Returns the position of the first live range that ends above address. */
static size_t find_live(const struct map_reader *reader, uint64_t address)
{
	size_t low = 0, high = reader->live.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (live_end(reader, reader->live.items[middle]) > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void remove_live(struct map_reader *reader, size_t first, size_t count)
{
	uint32_t *items = reader->live.items;

	if (count == 0)
		return;
	memmove(items + first, items + first + count,
		(reader->live.count - first - count) * sizeof(*items));
	reader->live.count -= count;
}

/* Add the new index to the live ranges, and end those that it overlaps. */
static int add_live(struct map_reader *reader, uint32_t index, uint64_t time_ns)
{
	size_t place = find_live(reader, live_start(reader, index)), covered = 0;
	uint64_t end = live_end(reader, index);
	uint32_t *items;

	while (place + covered < reader->live.count &&
	       live_start(reader, reader->live.items[place + covered]) < end)
		end_life(reader, reader->live.items[place + covered++], time_ns);
	remove_live(reader, place, covered);
	if (!array_add(&reader->live))
		return -ENOMEM;
	items = reader->live.items;
	memmove(items + place + 1, items + place,
		(reader->live.count - 1 - place) * sizeof(*items));
	items[place] = index;
	return 0;
}

/* ---- attributes -------------------------------------------------------------------- */

static void damage(const struct map_reader *reader, const char *what, const char *text)
{
	damage_add(&reader->map->damage, &reader->map->strings,
		   LOAD_MAP_FILE ":%u: %s: '%.60s'", reader->line, what, text);
}

/* Get a number that the element must have. */
static bool take_number(const struct map_reader *reader,
			const struct xml_element *element, const char *name,
			uint64_t *value)
{
	const char *text = xml_attribute(element, name);

	if (text && number_u64(value, text))
		return true;
	if (text)
		damage_add(&reader->map->damage, &reader->map->strings,
			   LOAD_MAP_FILE ":%u: '%s' is not a number: '%.40s'",
			   reader->line, name, text);
	else
		damage(reader, "attribute missing", name);
	return false;
}

/* Get the time since the start; 0 if there is none. */
static uint64_t take_time(const struct map_reader *reader,
			  const struct xml_element *element)
{
	const char *text = xml_attribute(element, "tstamp");
	uint64_t ns = 0;

	if (text && !number_seconds(&ns, text)) {
		damage(reader, "'tstamp' is not a time", text);
		return 0;
	}
	return ns;
}

/* Get a range, which must not be empty or pass the end of memory. */
static bool take_range(const struct map_reader *reader, const struct xml_element *element,
		       struct range *range)
{
	uint64_t end;

	if (!take_number(reader, element, "vaddr", &range->address) ||
	    !take_number(reader, element, "size", &range->size))
		return false;
	if (range->size == 0 ||
	    __builtin_add_overflow(range->address, range->size, &end)) {
		damage(reader, "invalid size", xml_attribute(element, "size"));
		return false;
	}
	range->loaded_ns = take_time(reader, element);
	return true;
}

/* Parse "+0x00001000", decimal, or hex digits without a prefix; 0 if missing. */
static bool take_file_offset(const struct map_reader *reader,
			     const struct xml_element *element, uint64_t *offset)
{
	const char *text = xml_attribute(element, "foffset");
	char hex[32];

	*offset = 0;
	if (!text)
		return true;
	if (number_u64(offset, text + (*text == '+')))
		return true;
	snprintf(hex, sizeof(hex), "0x%.20s", text + (*text == '+'));
	if (number_u64(offset, hex))
		return true;
	damage(reader, "'foffset' is not a number", text);
	return false;
}

static const char *keep(const struct map_reader *reader, const char *text)
{
	return arena_text(&reader->map->strings, text, strlen(text));
}

/* ---- segments ---------------------------------------------------------------------- */

static bool is_build_id(const char *text)
{
	size_t length = strspn(text, "0123456789abcdef");

	return length <= BUILD_ID_LENGTH && length % 2 == 0 && text[length] == '\0';
}

/* Take what the recorder knew about the file; other recorders omit it. */
static int take_identity(const struct map_reader *reader,
			 const struct xml_element *element, struct expt_segment *segment)
{
	const char *build_id = xml_attribute(element, "buildid");
	const char *mtime = xml_attribute(element, "mtime");

	segment->identity.build_id = "";
	if (build_id && !is_build_id(build_id))
		damage(reader, "'buildid' is not a build-id", build_id);
	else if (build_id)
		segment->identity.build_id = keep(reader, build_id);
	if (!segment->identity.build_id)
		return -ENOMEM;
	if (!mtime || !xml_attribute(element, "fsize"))
		return 0;
	segment->identity.has_file =
		take_number(reader, element, "fsize", &segment->identity.size) &&
		number_seconds(&segment->identity.mtime_ns, mtime);
	if (!segment->identity.has_file)
		damage(reader, "file size or modification time missing", mtime);
	return 0;
}

/* The collector rereads the whole map, and may write the same segment again. */
static bool is_live_already(const struct map_reader *reader, const struct range *range,
			    const char *path)
{
	size_t place = find_live(reader, range->address);
	const struct expt_segment *segment;

	if (place == reader->live.count || reader->live.items[place] & FUNCTION_BIT)
		return false;
	segment = &reader->map->segments.items[reader->live.items[place]];
	return segment->address == range->address && segment->size == range->size &&
	       strcmp(segment->path, path) == 0;
}

static int add_segment(struct map_reader *reader, const struct xml_element *element)
{
	const char *path = xml_attribute(element, "name");
	struct expt_segment *segment;
	uint64_t modes, offset;
	struct range range;
	int rc;

	if (!path || !*path) {
		damage(reader, "attribute missing", "name");
		return 0;
	}
	if (!take_range(reader, element, &range) ||
	    !take_number(reader, element, "modes", &modes) ||
	    !take_file_offset(reader, element, &offset) ||
	    is_live_already(reader, &range, path))
		return 0;
	segment = array_add(&reader->map->segments);
	if (!segment)
		return -ENOMEM;
	segment->path = keep(reader, path);
	if (!segment->path)
		return -ENOMEM;
	segment->address = range.address;
	segment->size = range.size;
	segment->file_offset = offset;
	segment->modes = (uint32_t)modes;
	segment->loaded_ns = range.loaded_ns;
	segment->unloaded_ns = UINT64_MAX;
	rc = take_identity(reader, element, segment);
	if (rc < 0)
		return rc;
	return add_live(reader, (uint32_t)(reader->map->segments.count - 1),
			range.loaded_ns);
}

/* ---- dynamic functions ------------------------------------------------------------- */

enum code { CODE_FUNCTION, CODE_PART, CODE_JAVA };

static int add_function(struct map_reader *reader, const struct xml_element *element,
			enum code code)
{
	static const char *const names[] = { "name", "funcname", "methodId" };
	const char *name = xml_attribute(element, names[code]);
	const char *alias = xml_attribute(element, "alias");
	const char *source = xml_attribute(element, "srcfile");
	struct map_function *function;
	struct range range;
	uint64_t method = 0;

	if (!name) {
		damage(reader, "attribute missing", names[code]);
		return 0;
	}
	if (!take_range(reader, element, &range) ||
	    (code == CODE_JAVA && !take_number(reader, element, names[code], &method)))
		return 0;
	function = array_add(&reader->map->functions);
	if (!function)
		return -ENOMEM;
	function->name = keep(reader, code == CODE_JAVA ? "" : name);
	function->alias = alias ? keep(reader, alias) : NULL;
	function->source = source ? keep(reader, source) : NULL;
	if (!function->name || (alias && !function->alias) ||
	    (source && !function->source))
		return -ENOMEM;
	function->address = range.address;
	function->size = range.size;
	function->loaded_ns = range.loaded_ns;
	function->unloaded_ns = UINT64_MAX;
	function->is_part = code == CODE_PART;
	function->is_java = code == CODE_JAVA;
	function->method = method;
	if (function->is_part)
		return 0;
	return add_live(reader,
			(uint32_t)(reader->map->functions.count - 1) | FUNCTION_BIT,
			range.loaded_ns);
}

/* Parts precede their function and have no times. */
static void give_times_to_parts(struct expt_map *map)
{
	const struct map_function *whole = NULL;

	for (size_t i = map->functions.count; i-- > 0;) {
		struct map_function *function = &map->functions.items[i];

		if (!function->is_part) {
			whole = function;
		} else if (whole) {
			function->loaded_ns = whole->loaded_ns;
			function->unloaded_ns = whole->unloaded_ns;
		}
	}
}

/* ---- events ------------------------------------------------------------------------ */

static int read_map(struct map_reader *reader, const struct xml_element *element)
{
	const char *object = xml_attribute(element, "object");

	if (object && strcmp(object, "segment") == 0)
		return add_segment(reader, element);
	if (object && strcmp(object, "function") == 0)
		return add_function(reader, element, CODE_FUNCTION);
	if (object && strcmp(object, "dynfunc") == 0)
		return add_function(reader, element, CODE_PART);
	if (object && strcmp(object, "jcm") == 0)
		return add_function(reader, element, CODE_JAVA);
	damage(reader, "mapping of an unknown object", object ? object : "");
	return 0;
}

static void read_unmap(struct map_reader *reader, const struct xml_element *element)
{
	uint64_t address, time_ns = take_time(reader, element);
	size_t place;

	if (xml_attribute(element, "methodId") ||
	    !take_number(reader, element, "vaddr", &address))
		return;
	place = find_live(reader, address);
	if (place == reader->live.count ||
	    live_start(reader, reader->live.items[place]) != address)
		return; /* it has been mapped over */
	end_life(reader, reader->live.items[place], time_ns);
	remove_live(reader, place, 1);
}

static int on_start(void *context, const struct xml_element *element)
{
	struct map_reader *reader = context;
	const char *kind = xml_attribute(element, "kind");

	reader->line = element->line;
	if (strcmp(element->name, "event") != 0)
		damage(reader, "unknown element", element->name);
	else if (kind && strcmp(kind, "map") == 0)
		return read_map(reader, element);
	else if (kind && strcmp(kind, "unmap") == 0)
		read_unmap(reader, element);
	else
		damage(reader, "unknown kind of event", kind ? kind : "");
	return 0;
}

static int on_end(void *context, const char *name, const char *text)
{
	return 0;
}

static void on_damage(void *context, unsigned line, const char *what)
{
	const struct map_reader *reader = context;

	damage_add(&reader->map->damage, &reader->map->strings, LOAD_MAP_FILE ":%u: %s",
		   line, what);
}

/* ---- the file ---------------------------------------------------------------------- */

int map_parse(struct expt_map *map, const void *bytes, size_t size,
	      struct expt_error *err)
{
	static const struct xml_handler handler = { on_start, on_end, on_damage };
	struct map_reader reader = { .map = map };
	int rc = xml_read(bytes, size, &handler, &reader, err);

	array_release(&reader.live);
	give_times_to_parts(map);
	if (rc < 0)
		return expt_fail(err, rc, "cannot read '%s'", LOAD_MAP_FILE);
	return 0;
}

int map_read(struct expt_map *map, const struct folder *folder, struct expt_error *err)
{
	cleanup(io_file_close) struct io_file file = { 0 };
	struct expt_error inner;
	int rc = folder_read(&file, folder, LOAD_MAP_FILE, &inner);

	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read '%s'", LOAD_MAP_FILE);
	if (rc == -EIO)
		damage_add(&map->damage, &map->strings, "%s", inner.message);
	else if (rc < 0)
		damage_add(&map->damage, &map->strings, LOAD_MAP_FILE ": %s",
			   rc == -EINVAL ? "not a regular file" : strerrordesc_np(-rc));
	else if (file.size == 0)
		damage_add(&map->damage, &map->strings,
			   LOAD_MAP_FILE ": the file is empty");
	return rc < 0 ? 0 : map_parse(map, file.bytes, file.size, err);
}

void map_release(struct expt_map *map)
{
	array_release(&map->segments);
	array_release(&map->functions);
	array_release(&map->damage);
	arena_release(&map->strings);
}

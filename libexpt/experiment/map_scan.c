/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A line is <event NAME="VALUE" .../>, with one blank before each attribute, and
 * sometimes one after the last. Everything that map.c checks is checked here, and also
 * that the result cannot depend on earlier lines. In doubt the scan fails.
 */
#include "libexpt/experiment/map_scan.h"

#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/time.h"
#include "libexpt/expt.h"

#define VALUE_MAX 4096

struct text {
	const char *at;
	size_t length;
};

enum {
	KIND,
	OBJECT,
	TSTAMP,
	VADDR,
	SIZE,
	PAGESZ,
	FOFFSET,
	MODES,
	CHKSUM,
	NAME,
	BUILDID,
	FSIZE,
	MTIME,
	FUNCNAME,
	ALIAS,
	SRCFILE,
	ATTRIBUTES,
};

/* The attributes in the order in which they are written. */
static const struct text names[ATTRIBUTES] = {
	[KIND] = { "kind", 4 },	      [OBJECT] = { "object", 6 },
	[TSTAMP] = { "tstamp", 6 },   [VADDR] = { "vaddr", 5 },
	[SIZE] = { "size", 4 },	      [PAGESZ] = { "pagesz", 6 },
	[FOFFSET] = { "foffset", 7 }, [MODES] = { "modes", 5 },
	[CHKSUM] = { "chksum", 6 },   [NAME] = { "name", 4 },
	[BUILDID] = { "buildid", 7 }, [FSIZE] = { "fsize", 5 },
	[MTIME] = { "mtime", 5 },     [FUNCNAME] = { "funcname", 8 },
	[ALIAS] = { "alias", 5 },     [SRCFILE] = { "srcfile", 7 },
};

struct line {
	struct text values[ATTRIBUTES]; /* at is NULL: missing */
};

static bool is(const struct text *value, const char *text)
{
	return value->at && value->length == strlen(text) &&
	       memcmp(value->at, text, value->length) == 0;
}

/* ---- lines ---- */

static bool starts_with(const char *at, const char *end, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(end - at) >= length && memcmp(at, text, length) == 0;
}

/* Returns the attribute named at at, usually the one after the previous, or ATTRIBUTES if
 * it is unknown. */
static unsigned find_name(const char *at, const char *end, unsigned next)
{
	for (unsigned i = 0; i < ATTRIBUTES; i++, next++) {
		unsigned name = next < ATTRIBUTES ? next : next - ATTRIBUTES;
		size_t length = names[name].length;

		if ((size_t)(end - at) > length + 2 &&
		    memcmp(at, names[name].at, length) == 0 && at[length] == '=' &&
		    at[length + 1] == '"')
			return name;
	}
	return ATTRIBUTES;
}

/* Returns whether a value has no markup, reference or escape, and only ASCII. */
static bool is_plain(const struct text *value)
{
	for (size_t i = 0; i < value->length; i++) {
		unsigned char c = (unsigned char)value->at[i];

		if (c < ' ' || c > '~' || c == '<' || c == '>' || c == '&' || c == '%' ||
		    c == '\'')
			return false;
	}
	return true;
}

/* Parse the line at at and return its end, or NULL if it is not understood. */
static const char *parse_line(struct line *line, const char *at, const char *end)
{
	unsigned next = 0;

	memset(line, 0, sizeof(*line));
	if (!starts_with(at, end, "<event"))
		return NULL;
	for (at += 6; end - at > 1 && at[0] == ' ' && at[1] != '/'; at++) {
		unsigned name = find_name(at + 1, end, next);
		struct text *value;
		const char *closing;

		if (name == ATTRIBUTES || line->values[name].at)
			return NULL;
		value = &line->values[name];
		value->at = at + 1 + names[name].length + 2;
		closing = memchr(value->at, '"', (size_t)(end - value->at));
		if (!closing || closing - value->at > VALUE_MAX)
			return NULL;
		value->length = (size_t)(closing - value->at);
		if (!is_plain(value))
			return NULL;
		at = closing;
		next = name + 1;
	}
	at += at < end && *at == ' ';
	return starts_with(at, end, "/>\n") ? at + 3 : NULL;
}

/* ---- values ---- */

static bool parse_digits(uint64_t *value, const char *at, size_t length)
{
	*value = 0;
	if (length == 0 || length > 18)
		return false;
	for (; length > 0; length--, at++) {
		if (*at < '0' || *at > '9')
			return false;
		*value = *value * 10 + (unsigned)(*at - '0');
	}
	return true;
}

/* Parse up to 16 digits. */
static bool parse_hex(uint64_t *value, const char *at, size_t length)
{
	*value = 0;
	if (length == 0 || length > 16)
		return false;
	for (; length > 0; length--, at++) {
		unsigned digit;

		if (*at >= '0' && *at <= '9')
			digit = (unsigned)(*at - '0');
		else if (*at >= 'A' && *at <= 'F')
			digit = (unsigned)(*at - 'A') + 10;
		else if (*at >= 'a' && *at <= 'f')
			digit = (unsigned)(*at - 'a') + 10;
		else
			return false;
		*value = *value << 4 | digit;
	}
	return true;
}

static bool parse_number(uint64_t *value, const struct text *text)
{
	if (!text->at)
		return false;
	if (text->length > 2 && text->at[0] == '0' && text->at[1] == 'x')
		return parse_hex(value, text->at + 2, text->length - 2);
	return parse_digits(value, text->at, text->length);
}

/* Parse seconds with nine decimals. */
static bool parse_time(uint64_t *ns, const struct text *text)
{
	uint64_t seconds, fraction;
	size_t point = text->length - 10;

	if (text->length < 11 || text->length > 20 || text->at[point] != '.' ||
	    !parse_digits(&seconds, text->at, point) ||
	    !parse_digits(&fraction, text->at + point + 1, 9))
		return false;
	*ns = seconds * NS_PER_SECOND + fraction;
	return true;
}

static bool is_time_or_none(const struct text *text)
{
	uint64_t ns;

	return !text->at || parse_time(&ns, text);
}

/* The form is "+0x00001000". */
static bool is_offset_or_none(const struct text *text)
{
	uint64_t offset;

	return !text->at || (text->length > 3 && memcmp(text->at, "+0x", 3) == 0 &&
			     parse_hex(&offset, text->at + 3, text->length - 3));
}

static bool is_build_id_or_none(const struct text *text)
{
	if (text->length % 2 != 0 || text->length > 128)
		return false;
	for (size_t i = 0; i < text->length; i++)
		if ((text->at[i] < '0' || text->at[i] > '9') &&
		    (text->at[i] < 'a' || text->at[i] > 'f'))
			return false;
	return true;
}

/* ---- segments ---- */

/* The scan fails if a mapping recurs with other modes: map_read() may then ignore the
 * later one. */
static bool is_new_mapping(struct map_scan *scan, uint64_t path_key, uint64_t address,
			   uint64_t size, uint64_t modes)
{
	const uint64_t place[2] = { address, size };
	uint32_t *slot =
		idmap_add(&scan->mappings, idmap_key(path_key, place, sizeof(place)));

	if (!slot || modes >= IDMAP_NONE)
		return false;
	if (*slot == IDMAP_NONE)
		*slot = (uint32_t)modes;
	return *slot == modes;
}

static bool is_same(const struct map_object *a, const struct map_object *b,
		    const struct line *line)
{
	return is(&line->values[NAME], a->path) &&
	       strlen(a->identity.build_id) == line->values[BUILDID].length &&
	       memcmp(a->identity.build_id,
		      line->values[BUILDID].at ? line->values[BUILDID].at : "",
		      line->values[BUILDID].length) == 0 &&
	       a->identity.has_file == b->identity.has_file &&
	       a->identity.size == b->identity.size &&
	       a->identity.mtime_ns == b->identity.mtime_ns;
}

static bool keep_object(struct map_scan *scan, struct map_object object,
			const struct line *line)
{
	const struct text *path = &line->values[NAME], *build_id = &line->values[BUILDID];
	struct map_object *new = array_add(&scan->objects);

	object.path = arena_text(&scan->strings, path->at, path->length);
	object.identity.build_id =
		build_id->length
			? arena_text(&scan->strings, build_id->at, build_id->length)
			: "";
	if (!new || !object.path || !object.identity.build_id)
		return false;
	*new = object;
	return true;
}

static bool parse_identity(struct map_object *object, const struct line *line)
{
	const struct text *size = &line->values[FSIZE], *mtime = &line->values[MTIME];

	object->identity.has_file = size->at && mtime->at;
	return is_build_id_or_none(&line->values[BUILDID]) &&
	       (!object->identity.has_file ||
		(parse_number(&object->identity.size, size) &&
		 parse_time(&object->identity.mtime_ns, mtime)));
}

static bool add_object(struct map_scan *scan, uint64_t path_key,
		       const struct map_object *object, const struct line *line)
{
	uint32_t *slot = idmap_add(&scan->by_path, path_key);

	if (!slot)
		return false;
	if (*slot != IDMAP_NONE)
		return is_same(&scan->objects.items[*slot], object, line);
	*slot = (uint32_t)scan->objects.count;
	return keep_object(scan, *object, line);
}

/* Parse a range, which must not be empty or pass the end of memory, and check its
 * time. */
static bool parse_range(uint64_t *address, uint64_t *size, const struct line *line)
{
	return parse_number(address, &line->values[VADDR]) &&
	       parse_number(size, &line->values[SIZE]) && *size > 0 &&
	       *size <= UINT64_MAX - *address && is_time_or_none(&line->values[TSTAMP]);
}

static bool take_segment(struct map_scan *scan, const struct line *line)
{
	const struct text *path = &line->values[NAME];
	struct map_object object = { .path = NULL };
	uint64_t address, size, modes, key;

	if (path->length == 0 || !parse_range(&address, &size, line) ||
	    !parse_number(&modes, &line->values[MODES]) ||
	    !is_offset_or_none(&line->values[FOFFSET]) || !parse_identity(&object, line))
		return false;
	key = idmap_key(IDMAP_KEY, path->at, path->length);
	return is_new_mapping(scan, key, address, size, modes) &&
	       (modes != EXPT_MAP_LOAD_OBJECT || add_object(scan, key, &object, line));
}

/* ---- events ---- */

static bool is_function(const struct line *line, unsigned name)
{
	uint64_t address, size;

	return line->values[name].at && parse_range(&address, &size, line);
}

static bool take_map(struct map_scan *scan, const struct line *line)
{
	const struct text *object = &line->values[OBJECT];

	if (is(object, "segment"))
		return take_segment(scan, line);
	return is(object, "function")
		       ? is_function(line, NAME)
		       : is(object, "dynfunc") && is_function(line, FUNCNAME);
}

static bool take_line(struct map_scan *scan, const struct line *line)
{
	uint64_t address;

	if (is(&line->values[KIND], "map"))
		return take_map(scan, line);
	return is(&line->values[KIND], "unmap") &&
	       parse_number(&address, &line->values[VADDR]) &&
	       is_time_or_none(&line->values[TSTAMP]);
}

/* ---- the file ---- */

/* Recorders reserve space after what they have written. There is much of it, so it is
 * skipped in large steps. */
static const char *skip_unused(const char *at, const char *end)
{
	static const char unused[64];

	while ((size_t)(end - at) > sizeof(unused) &&
	       memcmp(at, unused, sizeof(unused)) == 0)
		at += sizeof(unused);
	while (at < end && (*at == '\0' || *at == '\n'))
		at++;
	return at;
}

bool map_scan(struct map_scan *scan, const void *bytes, size_t size)
{
	const char *at = bytes, *end = at + size;
	struct line line;

	if (size == 0)
		return false;
	while ((at = skip_unused(at, end)) < end) {
		at = parse_line(&line, at, end);
		if (!at || !take_line(scan, &line))
			return false;
	}
	return true;
}

void map_scan_release(struct map_scan *scan)
{
	arena_release(&scan->strings);
	array_release(&scan->objects);
	idmap_release(&scan->by_path);
	idmap_release(&scan->mappings);
	*scan = (struct map_scan){ .by_path = { .slots = NULL } };
}

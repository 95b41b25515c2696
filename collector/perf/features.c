/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/features.h"

#include <stdlib.h>
#include <string.h>

#include "collector/base/text.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

/* Bits of features, as perf numbers them. */
enum {
	BUILD_ID = 2,
	HOST = 3,
	RELEASE = 4,
	VERSION = 5,
	ARCHITECTURE = 6,
	CPUS = 7,
	MEMORY = 10,
	COMMAND = 11,
	EVENTS = 12,
	CLOCK = 29,
	FEATURES = 64
};

#define SECTION_MAX   (64 << 20)
#define RECORDED_SIZE 20 /* most bytes of a build-id */

/* ---- values ---- */

struct cursor {
	const char *at, *end;
	bool has_failed;
};

static const char *take(struct cursor *cursor, size_t size)
{
	const char *bytes = cursor->at;

	if (cursor->has_failed || size > (size_t)(cursor->end - cursor->at)) {
		cursor->has_failed = true;
		return NULL;
	}
	cursor->at += size;
	return bytes;
}

static uint32_t take_u32(struct cursor *cursor)
{
	uint32_t value = 0;
	const char *bytes = take(cursor, sizeof(value));

	if (bytes)
		memcpy(&value, bytes, sizeof(value));
	return value;
}

static uint64_t take_u64(struct cursor *cursor)
{
	uint64_t value = 0;
	const char *bytes = take(cursor, sizeof(value));

	if (bytes)
		memcpy(&value, bytes, sizeof(value));
	return value;
}

/* Returns a copy, or NULL. */
static char *take_string(struct cursor *cursor)
{
	uint32_t size = take_u32(cursor);
	const char *bytes = take(cursor, size);

	return bytes ? strndup(bytes, size) : NULL;
}

/* ---- sections ---- */

static void take_words(struct features *features, struct cursor *cursor)
{
	uint32_t count = take_u32(cursor);

	if (features->words || count > (size_t)(cursor->end - cursor->at) / 4)
		return;
	features->words = calloc(count + 1, sizeof(*features->words));
	for (uint32_t i = 0; features->words && i < count; i++) {
		char *word = take_string(cursor);

		if (!word)
			break;
		features->words[features->word_count++] = word;
	}
}

/* The events are in the order of those in the header. */
static void take_names(struct recording *recording, struct cursor *cursor)
{
	uint32_t count = take_u32(cursor), attr_size = take_u32(cursor);

	for (uint32_t i = 0; i < count && i < recording->kind_count; i++) {
		uint32_t ids;
		char *name;

		take(cursor, attr_size);
		ids = take_u32(cursor);
		name = take_string(cursor);
		take(cursor, (size_t)ids * sizeof(uint64_t));
		if (cursor->has_failed) {
			free(name);
			return;
		}
		free(recording->kinds[i].name);
		recording->kinds[i].name = name;
	}
}

void features_format_id(char text[BUILD_ID_MAX * 2 + 1], const unsigned char *bytes,
			size_t size)
{
	struct text out = text_on(text, BUILD_ID_MAX * 2 + 1);

	text[0] = '\0';
	for (size_t i = 0; i < size && i < BUILD_ID_MAX; i++)
		text_add_byte(&out, bytes[i]);
}

static bool add_id(struct features *features, const char *name, size_t size,
		   const unsigned char *bytes, size_t bytes_size)
{
	struct recorded_id *grown =
		realloc(features->ids, (features->id_count + 1) * sizeof(*grown));

	if (!grown)
		return false;
	features->ids = grown;
	grown += features->id_count;
	grown->name = strndup(name, size);
	features_format_id(grown->build_id, bytes, bytes_size);
	features->id_count += grown->name != NULL;
	return grown->name != NULL;
}

/* Records with a process, 24 bytes for the build-id and its length, and a name. */
static void take_build_ids(struct features *features, struct cursor *cursor)
{
	for (;;) {
		struct perf_event_header header;
		const char *bytes = take(cursor, sizeof(header));
		size_t size, used = RECORDED_SIZE;

		if (!bytes)
			return;
		memcpy(&header, bytes, sizeof(header));
		size = header.size < sizeof(header) ? 0 : header.size - sizeof(header);
		bytes = take(cursor, size);
		if (!bytes || size < 4 + 24)
			return;
		if ((header.misc & PERF_RECORD_MISC_EXT_RESERVED) != 0 &&
		    (unsigned char)bytes[24] <= RECORDED_SIZE)
			used = (unsigned char)bytes[24];
		if (!add_id(features, bytes + 28, size - 28,
			    (const unsigned char *)bytes + 4, used))
			return;
	}
}

static void take_clock(struct features *features, struct cursor *cursor)
{
	take_u32(cursor); /* version */
	take_u32(cursor); /* which clock the records have */
	features->wall_ns = take_u64(cursor);
	features->clock_ns = take_u64(cursor);
	features->has_clock = !cursor->has_failed;
}

static void take_text(char **text, struct cursor *cursor)
{
	if (!*text)
		*text = take_string(cursor);
}

static void take_section(struct features *features, struct recording *recording,
			 unsigned feature, struct cursor *cursor)
{
	switch (feature) {
	case BUILD_ID:
		take_build_ids(features, cursor);
		break;
	case HOST:
		take_text(&features->host, cursor);
		break;
	case RELEASE:
		take_text(&features->release, cursor);
		break;
	case VERSION:
		take_text(&features->version, cursor);
		break;
	case ARCHITECTURE:
		take_text(&features->architecture, cursor);
		break;
	case CPUS:
		features->cpus = take_u32(cursor);
		break;
	case MEMORY:
		features->memory_kb = take_u64(cursor);
		break;
	case COMMAND:
		take_words(features, cursor);
		break;
	case EVENTS:
		take_names(recording, cursor);
		break;
	case CLOCK:
		take_clock(features, cursor);
		break;
	}
}

static bool is_of_use(unsigned feature)
{
	return (feature >= BUILD_ID && feature <= CPUS) ||
	       (feature >= MEMORY && feature <= EVENTS) || feature == CLOCK;
}

static int read_section(struct features *features, struct recording *recording,
			unsigned feature, uint64_t at)
{
	struct section section;
	struct cursor cursor = { 0 };
	cleanup_free char *bytes = NULL;

	if (recording_read(recording, &section, sizeof(section), at) != CLI_OK)
		return CLI_FAILED;
	if (!is_of_use(feature))
		return CLI_OK;
	if (section.size > recording->size || section.size > SECTION_MAX)
		return recording_damaged(recording, false, at, "a section of %llu bytes",
					 (unsigned long long)section.size);
	bytes = malloc(section.size + 1);
	if (!bytes)
		return cli_error("out of memory");
	if (recording_read(recording, bytes, section.size, section.offset) != CLI_OK)
		return CLI_FAILED;
	cursor.at = bytes;
	cursor.end = bytes + section.size;
	take_section(features, recording, feature, &cursor);
	return CLI_OK;
}

static int compare(const void *a, const void *b)
{
	const struct recorded_id *x = a, *y = b;

	return strcmp(x->name, y->name);
}

int features_read(struct features *features, struct recording *recording)
{
	uint64_t at = recording->data.offset + recording->data.size;

	*features = (struct features){ 0 };
	for (unsigned i = 0; i < FEATURES; i++) {
		if ((recording->features >> i & 1) == 0)
			continue;
		if (read_section(features, recording, i, at) != CLI_OK)
			return CLI_FAILED;
		at += sizeof(struct section);
	}
	if (features->id_count > 0)
		qsort(features->ids, features->id_count, sizeof(*features->ids), compare);
	if (features->architecture && strcmp(features->architecture, "x86_64") != 0)
		return cli_error("'%s' was recorded on a processor of another kind: %s",
				 recording->path, features->architecture);
	return CLI_OK;
}

void features_release(struct features *features)
{
	for (size_t i = 0; i < features->id_count; i++)
		free(features->ids[i].name);
	for (size_t i = 0; i < features->word_count; i++)
		free(features->words[i]);
	free(features->ids);
	free(features->words);
	free(features->host);
	free(features->release);
	free(features->version);
	free(features->architecture);
}

const char *features_build_id(const struct features *features, const char *name)
{
	const struct recorded_id key = { .name = (char *)name };
	const struct recorded_id *found =
		features->id_count == 0 ? NULL
					: bsearch(&key, features->ids, features->id_count,
						  sizeof(key), compare);

	return found ? found->build_id : "";
}

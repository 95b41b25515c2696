/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A device in /sys/bus/event_source/devices is a part of the processor that counts. It
 * has a number, type; files in events, such as mem-loads, with terms like
 * "event=0xcd,ldlat=3"; and files in format, which say for each term where its value
 * belongs, as "config1:0-15".
 */
#include "collector/counters/devices.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"

#define DEVICES	 "/sys/bus/event_source/devices"
#define TEXT_MAX 256

static void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

/* ---- files ---- */

/* Read the first line of DEVICES/device/part/name. */
static bool read_line(char text[TEXT_MAX], const char *device, const char *part,
		      const char *name)
{
	char path[PATH_MAX];
	FILE *file;
	bool is_read;

	if (strchr(name, '/') || (size_t)snprintf(path, sizeof(path), DEVICES "/%s/%s/%s",
						  device, part, name) >= sizeof(path))
		return false;
	file = fopen(path, "re");
	if (!file)
		return false;
	is_read = fgets(text, TEXT_MAX, file);
	fclose(file);
	if (is_read)
		text[strcspn(text, "\n")] = '\0';
	return is_read;
}

static bool read_type(uint32_t *type, const char *device)
{
	char text[TEXT_MAX];
	uint64_t number;

	if (!read_line(text, device, ".", "type") || !number_u64(&number, text) ||
	    number > UINT32_MAX)
		return false;
	*type = (uint32_t)number;
	return true;
}

/* ---- terms ---- */

/* Put the lowest bits of the value into the bits of the ranges, "0-7,32". */
static bool place_value(uint64_t *config, char *ranges, uint64_t value)
{
	char *range;

	while ((range = strsep(&ranges, ",")) != NULL) {
		char *last = range, *first = strsep(&last, "-");
		uint64_t from, to, mask;

		if (!number_u64(&from, first) || !number_u64(&to, last ? last : first) ||
		    from > to || to > 63)
			return false;
		mask = UINT64_MAX >> (63 - (to - from));
		*config = (*config & ~(mask << from)) | (value & mask) << from;
		value = to - from == 63 ? 0 : value >> (to - from + 1);
	}
	return value == 0;
}

/* Set one term, "name=value", or "name" for 1. */
static bool set_term(struct counter_code *code, const char *device, char *term)
{
	const struct {
		const char *name;
		uint64_t *config;
	} configs[] = {
		{ "config", &code->config },
		{ "config1", &code->config1 },
		{ "config2", &code->config2 },
	};
	char *value_text = term, *name = strsep(&value_text, "=");
	char format[TEXT_MAX], *ranges = format, *config;
	uint64_t value = 1;

	if ((value_text && !number_u64(&value, value_text)) ||
	    !read_line(format, device, "format", name))
		return false;
	config = strsep(&ranges, ":");
	for (size_t i = 0; ranges && i < sizeof(configs) / sizeof(configs[0]); i++)
		if (strcmp(configs[i].name, config) == 0)
			return place_value(configs[i].config, ranges, value);
	return false;
}

static bool set_terms(struct counter_code *code, const char *device, char *terms)
{
	char *term;

	while ((term = strsep(&terms, ",")) != NULL)
		if (*term && !set_term(code, device, term))
			return false;
	return true;
}

/* Attributes replace values of terms, but for the one that all counters have. */
static bool set_attributes(struct counter_code *code, const char *device, char *list)
{
	char *attribute;

	while ((attribute = strsep(&list, "~")) != NULL) {
		if (strcmp(attribute, "system=1") == 0)
			code->counts_kernel = true;
		else if (!set_term(code, device, attribute))
			return false;
	}
	return true;
}

/* ---- names ---- */

int counter_devices_encode(struct counter_code *code, const char *name)
{
	cleanup(close_directory) DIR *devices = opendir(DEVICES);
	char copy[TEXT_MAX], terms[TEXT_MAX], *attributes = copy, *event;
	const struct dirent *device = NULL;

	*code = (struct counter_code){};
	if ((size_t)snprintf(copy, sizeof(copy), "%s", name) >= sizeof(copy))
		return -ENOENT;
	event = strsep(&attributes, "~");
	while (devices && (device = readdir(devices)) != NULL)
		if (read_line(terms, device->d_name, "events", event))
			break;
	if (!device || !read_type(&code->type, device->d_name))
		return -ENOENT;
	return set_terms(code, device->d_name, terms) &&
			       set_attributes(code, device->d_name, attributes)
		       ? 0
		       : -EINVAL;
}

/* Only events of memory accesses are listed: libpfm4 has names for all others. */
void counter_devices_list(FILE *to)
{
	cleanup(close_directory) DIR *devices = opendir(DEVICES);
	static const char *const names[] = { "mem-loads", "mem-stores" };
	const struct dirent *device;
	char terms[TEXT_MAX];

	while (devices && (device = readdir(devices)) != NULL)
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (read_line(terms, device->d_name, "events", names[i]))
				fprintf(to, "    [+]%s,%d ('%s' of %s)\n", names[i],
					COUNTER_PERIOD_USUAL, terms, device->d_name);
}

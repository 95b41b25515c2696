/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/kernel_code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/kernel/objects.h"

#define KERNEL	      "[kernel]"
#define PERF_KERNEL   "[kernel.kallsyms]"
#define MODULE_SUFFIX ".ko"

/* ---- is it the one? ---- */

static bool is_kernel(const struct kernel_range *range)
{
	return strncmp(range->name, PERF_KERNEL, strlen(PERF_KERNEL)) == 0;
}

static const struct kernel_range *kernel_range(const struct images *images)
{
	for (size_t i = 0; i < images->kernel_count; i++)
		if (is_kernel(&images->kernel[i]))
			return &images->kernel[i];
	return NULL;
}

/* Returns the address of a function or label, or 0. */
static uint64_t address_of(const struct symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->count; i++)
		if (strcmp(symbol_name(symbols, &symbols->items[i]), name) == 0)
			return symbols->items[i].address;
	return 0;
}

/* The range is named after its first symbol, whose address differs after each start of
 * the machine: "[kernel.kallsyms]_text". */
static void find_shift(struct kernel_code *kernel, const struct kernel_range *range)
{
	uint64_t today = address_of(&kernel->symbols, range->name + strlen(PERF_KERNEL));

	if (today != 0 && range->reference != 0)
		kernel->shift = today - range->reference;
	else
		kernel->is_running = kernel->symbols.are_hidden;
}

static bool is_running(const char *build_id)
{
	const struct module kernel = { .name = KERNEL };
	struct map_segment segment;

	object_segment(&segment, &kernel);
	return build_id[0] != '\0' && strcmp(segment.build_id, build_id) == 0;
}

int kernel_code_open(struct kernel_code *kernel, struct images *images,
		     const struct features *features)
{
	const struct kernel_range *range = kernel_range(images);
	int rc;

	*kernel = (struct kernel_code){ .images = images, .features = features };
	kernel->is_running = is_running(features_build_id(features, PERF_KERNEL));
	if (!kernel->is_running)
		return 0;
	rc = symbols_read(&kernel->symbols);
	if (rc == 0 && range)
		find_shift(kernel, range);
	return rc;
}

void kernel_code_release(struct kernel_code *kernel)
{
	symbols_release(&kernel->symbols);
	free(kernel->parts);
}

/* ---- parts ---- */

static struct kernel_range *range_at(const struct images *images, uint64_t pc)
{
	size_t low = 0, high = images->kernel_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (images->kernel[middle].address <= pc)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 ||
	    pc - images->kernel[low - 1].address >= images->kernel[low - 1].size)
		return NULL;
	return &images->kernel[low - 1];
}

/* "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.zst" and "[ext4]" are "[ext4]", with
 * underscores as the kernel writes names. */
static void name_of(char *name, size_t size, const struct kernel_range *range)
{
	const char *base = strrchr(range->name, '/');
	const char *end;

	if (is_kernel(range)) {
		snprintf(name, size, KERNEL);
		return;
	}
	base = base ? base + 1 : range->name + (range->name[0] == '[');
	end = strstr(base, MODULE_SUFFIX);
	snprintf(name, size, "[%.*s]",
		 (int)(end ? (size_t)(end - base) : strcspn(base, "]")), base);
	for (char *at = name; *at; at++)
		if (*at == '-')
			*at = '_';
}

static struct kernel_part *find_part(struct kernel_code *kernel, uint64_t address)
{
	for (size_t i = 0; i < kernel->part_count; i++)
		if (kernel->parts[i].segment.address == address)
			return &kernel->parts[i];
	return NULL;
}

static struct kernel_part *add_part(struct kernel_code *kernel, const char *name,
				    const struct map_segment *segment)
{
	struct kernel_part *grown =
		realloc(kernel->parts, (kernel->part_count + 1) * sizeof(*grown));

	if (!grown)
		return NULL;
	kernel->parts = grown;
	grown += kernel->part_count++;
	*grown = (struct kernel_part){ .segment = *segment };
	snprintf(grown->name, sizeof(grown->name), "%s", name);
	return grown;
}

/* The module has the functions of today if it is the same one at the same place. */
static bool is_same_module(const struct kernel_code *kernel, const struct module *module,
			   const struct kernel_range *range)
{
	char name[64];
	const char *recorded = features_build_id(kernel->features, range->name);
	struct map_segment segment;

	name_of(name, sizeof(name), range);
	if (strcmp(name, module->name) != 0 || kernel->shift != 0)
		return false;
	object_segment(&segment, module);
	return strcmp(segment.build_id, recorded) == 0;
}

static struct kernel_part *running_part(struct kernel_code *kernel, uint64_t *pc,
					const struct kernel_range *range)
{
	bool is_core = !range || is_kernel(range);
	uint64_t today = *pc + (is_core ? kernel->shift : 0);
	struct module *module = symbols_use(&kernel->symbols, today);
	struct map_segment segment;
	struct kernel_part *part;

	if (!module || (!is_core && !is_same_module(kernel, module, range)) ||
	    (is_core && strcmp(module->name, KERNEL) != 0 && kernel->shift != 0))
		return NULL;
	*pc = today;
	part = find_part(kernel, module->low);
	if (part)
		return part;
	object_segment(&segment, module);
	return add_part(kernel, module->name, &segment);
}

/* The range as it was recorded, without functions. */
static struct kernel_part *recorded_part(struct kernel_code *kernel,
					 struct kernel_range *range)
{
	struct map_segment segment = { .address = range->address, .size = range->size };
	struct kernel_part *part;
	char name[64];

	if (range->part > 0)
		return &kernel->parts[range->part - 1];
	name_of(name, sizeof(name), range);
	snprintf(segment.build_id, sizeof(segment.build_id), "%s",
		 features_build_id(kernel->features,
				   is_kernel(range) ? PERF_KERNEL : range->name));
	part = add_part(kernel, name, &segment);
	range->part = part ? kernel->part_count : 0;
	return part;
}

struct kernel_part *kernel_code_find(struct kernel_code *kernel, uint64_t *pc)
{
	struct kernel_range *range = range_at(kernel->images, *pc);
	struct kernel_part *part = NULL;

	kernel->is_used = true;
	if (kernel->is_running)
		part = running_part(kernel, pc, range);
	return part || !range ? part : recorded_part(kernel, range);
}

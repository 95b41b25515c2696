/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/images.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

/* ---- processes ---- */

struct process {
	uint32_t pid, parent;
	char name[PROCESS_NAME_SIZE];
	struct image *image;
	unsigned made; /* images */
};

static int compare(const void *a, const void *b)
{
	const struct process *x = a, *y = b;

	return x->pid < y->pid ? -1 : x->pid > y->pid;
}

/* Returns the process, new if need be; NULL: out of memory. */
static struct process *get_process(struct images *images, uint32_t pid)
{
	struct process key = { .pid = pid }, *process;
	struct process **found = tfind(&key, &images->processes, compare);

	if (found)
		return *found;
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	strcpy(process->name, pid == 0 ? "swapper" : "unknown");
	if (tsearch(process, &images->processes, compare))
		return process;
	free(process);
	return NULL;
}

/* Names become those of directories. */
static void set_name(char name[PROCESS_NAME_SIZE], const char *from)
{
	snprintf(name, PROCESS_NAME_SIZE, "%s", from);
	for (char *at = name; *at; at++)
		if ((unsigned char)*at <= ' ' || (unsigned char)*at >= 0x7f ||
		    strchr("/\"'<>&\\`*?|;", *at))
			*at = '_';
}

/* ---- images ---- */

static bool make_room(struct images *images)
{
	size_t room = 2 * images->room + 64;
	struct image **grown;

	if (images->count < images->room)
		return true;
	grown = realloc(images->items, room * sizeof(struct image *));
	if (!grown)
		return false;
	images->items = grown;
	images->room = room;
	return true;
}

/* Returns a new image of the process, or NULL. */
static struct image *add_image(struct images *images, struct process *process,
			       struct image *parent, char element, uint64_t now_ns)
{
	struct image *image = make_room(images) ? calloc(1, sizeof(*image)) : NULL;

	if (!image)
		return NULL;
	image->number = (uint32_t)images->count;
	images->items[images->count++] = image;
	image->pid = process->pid;
	image->parent_pid = process->parent;
	image->parent = parent;
	image->root = parent ? parent->root : image;
	image->element = element;
	image->start_ns = now_ns;
	image->serial = ++process->made;
	memcpy(image->name, process->name, sizeof(image->name));
	process->image = image;
	return image;
}

/* Returns the image that a process has now. It may have begun before the recording. */
static struct image *present_image(struct images *images, uint32_t pid)
{
	struct process *process = get_process(images, pid);

	if (!process)
		return NULL;
	return process->image ? process->image
			      : add_image(images, process, NULL, 0, images->start_ns);
}

static void add_child(struct image *parent, struct image *child)
{
	if (parent->last)
		parent->last->next = child;
	else
		parent->first = child;
	parent->last = child;
}

/* ---- records ---- */

/* A record without a time tells of a process that ran before. */
static struct image *take_fork(struct images *images, const struct perf_record *record)
{
	struct image *parent, *image;
	struct process *process = get_process(images, record->pid);

	if (!process || record->pid == record->parent)
		return NULL;
	process->parent = record->parent;
	if (record->time_ns == 0) {
		if (process->image)
			process->image->parent_pid = record->parent;
		return NULL;
	}
	parent = present_image(images, record->parent);
	if (!parent)
		return NULL;
	if (process->image)
		process->image->end_ns = record->time_ns;
	memcpy(process->name, parent->name, sizeof(process->name));
	image = add_image(images, process, parent, LINEAGE_FORK, record->time_ns);
	if (!image)
		return NULL;
	image->position = ++parent->forks;
	add_child(parent, image);
	return parent;
}

/* What perf runs begins in a process of perf's, which is not recorded. */
static bool is_prelude(const struct image *image)
{
	return !image->parent && image->samples == 0 && !image->is_executed;
}

static struct image *take_exec(struct images *images, struct process *process,
			       uint64_t now_ns)
{
	struct image *former = process->image, *image = former;

	if (!former)
		image = add_image(images, process, NULL, 0, now_ns);
	else if (!is_prelude(former))
		image = add_image(images, process, former, LINEAGE_EXEC, now_ns);
	if (!image)
		return NULL;
	if (former && image != former) {
		former->end_ns = now_ns;
		image->position = ++former->execs;
	}
	image->start_ns = now_ns;
	image->is_executed = true;
	return image;
}

static struct image *take_name(struct images *images, const struct perf_record *record)
{
	struct process *process = get_process(images, record->pid);
	struct image *image = NULL;

	if (!process || (record->pid != record->tid && !record->is_exec))
		return NULL;
	set_name(process->name, record->name);
	if (record->is_exec)
		image = take_exec(images, process, record->time_ns);
	else
		process->image = present_image(images, record->pid);
	if (process->image)
		memcpy(process->image->name, process->name, sizeof(process->name));
	return image;
}

#define RANGES_MAX 4096

static int compare_ranges(const void *a, const void *b)
{
	const struct kernel_range *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static int add_range(struct images *images, const struct perf_record *record)
{
	struct kernel_range *grown;

	if (strncmp(record->name, "[guest", 6) == 0 || record->size == 0 ||
	    images->kernel_count == RANGES_MAX)
		return CLI_OK;
	grown = realloc(images->kernel, (images->kernel_count + 1) * sizeof(*grown));
	if (!grown)
		return cli_error("out of memory");
	images->kernel = grown;
	grown += images->kernel_count;
	*grown = (struct kernel_range){ record->address, record->size,
					record->file_offset, strdup(record->name), 0 };
	if (!grown->name)
		return cli_error("out of memory");
	images->kernel_count++;
	return CLI_OK;
}

static struct image *take_sample(struct images *images, const struct event *event,
				 struct recording *recording)
{
	struct image *image;

	if (event->kind == recording->kind_count) {
		images->unknown++;
		return NULL;
	}
	image = present_image(images, event->record.pid);
	if (image)
		image->samples++;
	recording->kinds[event->kind].samples++;
	return image;
}

static struct image *take_exit(struct images *images, const struct perf_record *record)
{
	struct process *process = get_process(images, record->pid);

	if (process && process->image)
		process->image->end_ns = record->time_ns;
	return NULL;
}

static bool is_of_kernel(const struct event *event)
{
	return event->record.pid == UINT32_MAX ||
	       event->mode == PERF_RECORD_MISC_KERNEL ||
	       event->mode == PERF_RECORD_MISC_GUEST_KERNEL;
}

static int take(struct images *images, struct records *records, struct found *found)
{
	const struct perf_record *record;
	struct image *image = NULL;
	struct event event;

	found->image = IMAGE_NONE;
	if (records_parse(records, found, &event) != CLI_OK)
		return CLI_FAILED;
	record = &event.record;
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		image = take_sample(images, &event, records->recording);
		break;
	case PERF_RECORD_COMM:
		image = take_name(images, record);
		break;
	case PERF_RECORD_FORK:
		image = take_fork(images, record);
		break;
	case PERF_RECORD_EXIT:
		image = take_exit(images, record);
		break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		if (is_of_kernel(&event))
			return add_range(images, record);
		image = present_image(images, record->pid);
		break;
	}
	if (image)
		found->image = image->number;
	return CLI_OK;
}

/* ---- the founder ---- */

/* Returns the only line that has samples, or NULL; *count: of such lines. */
static struct image *only_line(const struct images *images, size_t *count)
{
	struct image *only = NULL;

	*count = 0;
	for (size_t i = 0; i < images->count; i++) {
		struct image *root = images->items[i]->root;

		if (images->items[i]->samples == 0 || root == only)
			continue;
		++*count;
		only = root;
	}
	return *count == 1 ? only : NULL;
}

static struct image *first_executed(const struct images *images)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i]->is_executed)
			return images->items[i]->root;
	return NULL;
}

/* A process that perf started, or the only one that was recorded. Others, whose fork was
 * lost, or which have lost their number, count as forked by it. */
static void choose_founder(struct images *images, const struct records *records)
{
	bool is_started = false;
	size_t lines;

	for (size_t i = 0; i < records->recording->kind_count; i++)
		is_started = is_started ||
			     records->recording->kinds[i].attr.enable_on_exec;
	if (records->is_system_wide)
		return;
	images->founder = only_line(images, &lines);
	if (!images->founder && (is_started || lines == 0))
		images->founder = first_executed(images);
	if (!images->founder && lines == 0 && images->count > 0)
		images->founder = images->items[0];
	for (size_t i = 0; images->founder && i < images->count; i++) {
		struct image *image = images->items[i];

		if (image->parent || image == images->founder)
			continue;
		image->element = LINEAGE_FORK;
		image->position = ++images->founder->forks;
	}
}

static void set_times(struct images *images, const struct records *records)
{
	for (size_t i = 0; i < records->count && images->start_ns == 0; i++)
		images->start_ns = records->items[i].time_ns;
	if (records->count > 0)
		images->end_ns = records->items[records->count - 1].time_ns;
}

int images_find(struct images *images, struct records *records)
{
	*images = (struct images){ 0 };
	set_times(images, records);
	for (size_t i = 0; i < records->count; i++)
		if (*records->stop || take(images, records, &records->items[i]) != CLI_OK)
			return CLI_FAILED;
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i]->end_ns == 0)
			images->items[i]->end_ns = images->end_ns;
	choose_founder(images, records);
	if (images->kernel_count > 0)
		qsort(images->kernel, images->kernel_count, sizeof(*images->kernel),
		      compare_ranges);
	return CLI_OK;
}

void images_release(struct images *images)
{
	for (size_t i = 0; i < images->count; i++)
		free(images->items[i]);
	for (size_t i = 0; i < images->kernel_count; i++)
		free(images->kernel[i].name);
	free(images->items);
	free(images->kernel);
	tdestroy(images->processes, free);
}

/* ---- names ---- */

/* Put elements before others, from the end of the text on. */
static bool prepend(char *text, size_t *at, const char *element)
{
	size_t length = strlen(element);

	if (length > *at)
		return false;
	*at -= length;
	memcpy(text + *at, element, length);
	return true;
}

bool image_lineage(char *lineage, size_t size, const struct image *image,
		   const struct images *images)
{
	size_t at = size - 1;

	lineage[at] = '\0';
	if (!images->founder) {
		snprintf(lineage, size, "_%s_PID_%d.%u", image->name, (int)image->pid,
			 image->serial);
		return true;
	}
	for (; image && image != images->founder; image = image->parent) {
		char element[32];

		snprintf(element, sizeof(element), "_%c%u", image->element,
			 image->position);
		if (!prepend(lineage, &at, element))
			return false;
	}
	memmove(lineage, lineage + at, size - at);
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Files are made at the first event, as in processes that record themselves. */

#include "collector/sampler/image.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/common/follow.h"
#include "collector/common/log_text.h"
#include "collector/files/log.h"
#include "collector/outside/status.h"
#include "collector/sampler/founder.h"
#include "collector/sampler/map.h"

/* ---- the log ---- */

void image_log_exec(struct image *image, const char *lineage, const char *command,
		    uint64_t now_ns)
{
	char buffer[LOG_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_event(&text, "exec_start", outputs_time(&image->outputs, now_ns));
	text_add_attribute(&text, "variant", "execve");
	text_add_attribute(&text, "lineage", lineage);
	text_add_number(&text, "follow", 1);
	text_add_attribute(&text, "msg", command);
	text_add(&text, "/>\n");
	file_put_text(&image->outputs.log, &text);
}

/* ---- samples of resource use ---- */

static uint64_t ns_of(struct overview_time time)
{
	return (uint64_t)time.seconds * NS_PER_SECOND + (uint64_t)time.nanoseconds;
}

static uint64_t growth(uint64_t value, uint64_t from)
{
	return value > from ? value - from : 0;
}

/* A wait counts when it ends, and not all threads are asked each time: what has no room
 * in this sample is left for the next. */
static uint64_t grown_wait(const struct image *image, const struct overview_record *now)
{
	const struct overview_record *last = &image->last;
	uint64_t real = growth(ns_of(now->real), ns_of(last->real));
	uint64_t cpu = growth(ns_of(now->user) + ns_of(now->system),
			      ns_of(last->user) + ns_of(last->system));
	uint64_t from = ns_of(last->wait_cpu);
	uint64_t grown = growth(usage_wait_cpu_ns(image->used), from);

	return from + (grown < growth(real, cpu) ? grown : growth(real, cpu));
}

static void fill_sample(struct overview_record *record, const struct image *image,
			uint64_t now_ns)
{
	const struct status *status = &image->used->status;
	uint64_t real = growth(usage_real_ns(image->used, now_ns), image->former_ns);
	uint64_t last =
		ns_of(image->last.real); /* the end of a thread is heard of late */

	*record = (struct overview_record){
		.id = image->pid,
		.real = outputs_seconds(real > last ? real : last),
		.user = outputs_seconds(status->user_ns),
		.system = outputs_seconds(status->system_ns),
		.minor_faults = (int64_t)status->minor_faults,
		.major_faults = (int64_t)status->major_faults,
	};
	record->wait_cpu = outputs_seconds(image->outputs.samples > 0
						   ? grown_wait(image, record)
						   : usage_wait_cpu_ns(image->used));
}

void image_sample(struct image *image, const char *label, uint64_t now_ns)
{
	struct overview_record sample;

	fill_sample(&sample, image, now_ns);
	outputs_sample(&image->outputs, &sample, label, now_ns);
	image->last = sample;
}

void image_sample_if_due(struct image *image, uint64_t now_ns)
{
	if (now_ns >= image->outputs.next_sample_ns)
		image_sample(image, SAMPLE_PERIODIC, now_ns);
}

/* ---- the beginning ---- */

static bool is_founder(const struct image *image)
{
	return image->lineage[0] == '\0';
}

static void take_map(struct image *image, const struct image *from)
{
	image->entry = from ? from->entry : 0;
	for (size_t i = 0; from && i < from->code_count; i++)
		image_map(image, &from->codes[i], image->outputs.start_ns);
}

static int make_files(struct image *image, int directory)
{
	int rc = outputs_make(&image->outputs, directory);

	if (rc == 0)
		rc = founder_show_directory(image->lineage);
	if (rc < 0)
		outputs_remove(directory);
	return rc;
}

/* Make directory and files at the first call. */
static void make(struct image *image)
{
	int directory, rc;

	if (image->is_made || !image->is_recorded)
		return;
	directory = founder_make_directory(image->lineage);
	rc = directory < 0 ? directory : make_files(image, directory);
	if (directory >= 0)
		close(directory);
	image->is_made = rc == 0;
	image->is_recorded = rc == 0;
	if (directory >= 0 && rc < 0)
		founder_remove_directory(image->lineage);
	if (rc < 0)
		founder_warn(image->lineage, -rc);
}

struct image *image_open(const char *lineage, pid_t pid, const char *path,
			 const char *command, uint64_t start_ns, const struct usage *used,
			 const struct image *from)
{
	struct image *image = calloc(1, sizeof(*image));

	if (!image)
		return NULL;
	snprintf(image->lineage, sizeof(image->lineage), "%s", lineage);
	image->pid = pid;
	image->used = used;
	image->former_ns = usage_real_ns(used, start_ns);
	image->is_recorded = strlen(lineage) <= LINEAGE_MAX &&
			     follow_matches(lineage, path);
	outputs_open_for(&image->outputs, pid, 0, command, CLOCK_NUMSTATES, start_ns);
	image_sample(image, from || is_founder(image) ? SAMPLE_OPEN : SAMPLE_RESUME_EXEC,
		     start_ns);
	take_map(image, from);
	if (is_founder(image)) /* readers look for it */
		make(image);
	return image;
}

/* ---- the end ---- */

static void free_codes(struct image *image)
{
	for (size_t i = 0; i < image->code_count; i++)
		code_release(&image->codes[i]);
	free(image->codes);
}

void image_close(struct image *image, const char *ending, uint64_t now_ns)
{
	bool is_end = strcmp(ending, SAMPLE_CLOSE) == 0;

	image_sample(image, ending, now_ns);
	if (is_end) {
		outputs_end(&image->outputs, now_ns);
		if (settings_ask_for_archives() && !is_founder(image))
			outputs_message(&image->outputs, "comment", EXPT_COMMENT,
					FOUNDER_ARCHIVES_COMMENT, 0);
		make(image);
	}
	outputs_close(&image->outputs);
	if (is_end && image->is_made)
		founder_archive(image->lineage, image->pid);
	free_codes(image);
	free(image);
}

void image_flush(struct image *image)
{
	if (image->is_made)
		outputs_flush(&image->outputs);
}

/* ---- events ---- */

static bool is_in_window(uint64_t now_ns)
{
	uint64_t since = now_ns > settings.founder_start_ns
				 ? now_ns - settings.founder_start_ns
				 : 0;

	return since >= settings.window_start_ns &&
	       (settings.window_end_ns == 0 || since < settings.window_end_ns);
}

/* Returns the address of the call that returns there; 0: no code, or no call. */
static uint64_t call_before(struct image *image, uint64_t return_address)
{
	for (size_t i = 0; i < image->code_count; i++) {
		struct code *code = &image->codes[i];

		/* A call that does not return may be the last instruction. */
		if (return_address - 1 - code->segment.address < code->segment.size)
			return code_call_before(code, return_address);
	}
	return 0;
}

/* The kernel follows frame pointers: where code has none it may mistake any word for a
 * return address. */
static size_t copy_stack(struct image *image, uint64_t *stack, const uint64_t *pcs,
			 size_t count)
{
	size_t depth = settings.depth < STACK_PCS_MAX ? settings.depth : STACK_PCS_MAX;
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t pc = pcs[i];

		if (pc >= (uint64_t)PERF_CONTEXT_MAX)
			continue; /* the kernel's mark: user or kernel frames follow */
		if (used > 0)
			pc = call_before(image, pc);
		if (used + 1 == depth)
			pc = STACK_TRUNCATED;
		stack[used++] = pc != 0 ? pc : STACK_UNWIND_FAILED;
		if (pc == 0 || pc == STACK_TRUNCATED)
			break;
	}
	return used;
}

void image_set_stack(struct image *image, uint32_t thread, const uint64_t *pcs,
		     size_t count)
{
	uint64_t stack[STACK_PCS_MAX];
	size_t used = copy_stack(image, stack, pcs, count);

	image->thread = thread;
	image->stack = stacks_number(&image->outputs.stacks, stack, used);
}

void image_record(struct image *image, uint32_t cpu, enum expt_thread_state state,
		  uint32_t ticks, uint64_t now_ns)
{
	uint64_t time_us = (uint64_t)ticks * settings.period_us / CLOCK_UNIT_US;
	struct perf_record at = { .tid = image->thread, .cpu = cpu, .time_ns = now_ns };

	if (!is_in_window(now_ns) || image->outputs.is_full)
		return;
	outputs_spend(&image->outputs, &at, state, image->stack, time_us);
	make(image);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Files are made at the first event, as in processes that record themselves. */

#include "collector/sampler/image.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/common/clock_text.h"
#include "collector/common/follow.h"
#include "collector/common/log_text.h"
#include "collector/files/log.h"
#include "collector/outside/status.h"
#include "collector/sampler/founder.h"
#include "collector/sampler/map.h"

#define HEADER_MAX (64 * 1024)

static uint64_t since_start(const struct image *image, uint64_t now_ns)
{
	return now_ns > image->start_ns ? now_ns - image->start_ns : 0;
}

/* ---- the log ---- */

static void compose_header(struct image *image, const char *command)
{
	static char buffer[HEADER_MAX];
	struct text text = TEXT_ON(buffer);
	char directory[PATH_MAX] = "", path[64];
	struct status status = { 0 };

	status_read(&status, image->pid);
	snprintf(path, sizeof(path), "/proc/%d/cwd", image->pid);
	if (readlink(path, directory, sizeof(directory) - 1) < 0)
		directory[0] = '\0';
	log_header_system(&text);
	log_header_process(&text,
			   &(struct log_process){ image->pid, status.parent, status.group,
						  status.session, directory, command });
	clock_describe(&text);
	log_header_run(&text, image->start_ns, status_now());
	file_put_text(&image->log, &text);
}

void image_log_message(struct image *image, const char *kind, int number,
		       const char *message, int error)
{
	char buffer[LOG_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_message(&text, kind, number, message, error);
	file_put_text(&image->log, &text);
}

void image_log_exec(struct image *image, const char *lineage, const char *command,
		    uint64_t now_ns)
{
	char buffer[LOG_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_event(&text, "exec_start", since_start(image, now_ns));
	text_add_attribute(&text, "variant", "execve");
	text_add_attribute(&text, "lineage", lineage);
	text_add_number(&text, "follow", 1);
	text_add_attribute(&text, "msg", command);
	text_add(&text, "/>\n");
	file_put_text(&image->log, &text);
}

/* ---- samples of resource use ---- */

static struct overview_time time_of(uint64_t ns)
{
	return (struct overview_time){ (int64_t)(ns / NS_PER_SECOND),
				       (int64_t)(ns % NS_PER_SECOND) };
}

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
		.contributors = 1,
		.stamp = time_of(now_ns),
		.created = time_of(image->start_ns),
		.real = time_of(real > last ? real : last),
		.user = time_of(status->user_ns),
		.system = time_of(status->system_ns),
		.minor_faults = (int64_t)status->minor_faults,
		.major_faults = (int64_t)status->major_faults,
	};
	record->wait_cpu = time_of(image->samples > 0 ? grown_wait(image, record)
						      : usage_wait_cpu_ns(image->used));
}

void image_sample(struct image *image, const char *label, uint64_t now_ns)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);
	struct overview_record sample;

	fill_sample(&sample, image, now_ns);
	file_put(&image->overview, &sample, sizeof(sample));
	image->last = sample;
	log_header_event(&text, "sample", since_start(image, now_ns));
	text_add_number(&text, "id", image->samples++);
	text_add_attribute(&text, "label", label);
	text_add(&text, "/>\n");
	file_put_text(&image->log, &text);
	image->next_sample_ns = settings.sample_period_ns > 0
					? now_ns + settings.sample_period_ns
					: UINT64_MAX;
}

void image_sample_if_due(struct image *image, uint64_t now_ns)
{
	if (now_ns >= image->next_sample_ns)
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
		image_map(image, &from->codes[i], image->start_ns);
}

static int make_files(struct image *image, int directory)
{
	const struct {
		struct file *file;
		const char *name;
	} files[] = {
		{ &image->map, LOAD_MAP_FILE },
		{ &image->overview, OVERVIEW_FILE },
		{ &image->stacks.file, FRAMEINFO_FILE },
		{ &image->clock, CLOCK_FILE },
		{ &image->log, LOG_FILE }, /* with it the directory is an experiment */
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && rc == 0; i++) {
		rc = file_make(files[i].file, directory, files[i].name);
		if (rc == 0)
			rc = file_flush(files[i].file);
	}
	if (rc == 0)
		rc = founder_show_directory(image->lineage);
	/* Half an experiment is worse than none. */
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && rc < 0; i++)
		unlinkat(directory, files[i].name, 0);
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
	image->start_ns = start_ns;
	image->used = used;
	image->former_ns = usage_real_ns(used, start_ns);
	image->is_recorded = strlen(lineage) <= LINEAGE_MAX &&
			     follow_matches(lineage, path);
	file_init(&image->log);
	file_init(&image->map);
	file_init(&image->overview);
	file_init(&image->clock);
	stacks_init(&image->stacks);
	compose_header(image, command);
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

/* gprofng drops a descendant with an empty stack file, together with its samples. */
static void fill_empty(struct file *frames)
{
	static const struct {
		struct packet_head head;
		uint32_t rest;
	} filler = { { sizeof(filler), PACKET_EMPTY }, 0 };

	if (file_size(frames) == 0)
		file_put(frames, &filler, sizeof(filler));
}

static void log_end(struct image *image, uint64_t now_ns)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_event(&text, "exit", since_start(image, now_ns));
	text_add(&text, "/>\n");
	file_put_text(&image->log, &text);
	if (settings_ask_for_archives() && !is_founder(image))
		image_log_message(image, "comment", EXPT_COMMENT,
				  FOUNDER_ARCHIVES_COMMENT, 0);
}

static void log_length_of(struct image *image, const char *file, size_t length)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_length(&text, file, length);
	if (length > 0)
		file_put_text(&image->log, &text);
}

void image_close(struct image *image, const char *ending, uint64_t now_ns)
{
	bool is_end = strcmp(ending, SAMPLE_CLOSE) == 0;

	image_sample(image, ending, now_ns);
	if (is_end) {
		log_end(image, now_ns);
		make(image);
	}
	fill_empty(&image->stacks.file);
	log_length_of(image, CLOCK_FILE, file_close(&image->clock));
	log_length_of(image, FRAMEINFO_FILE, stacks_close(&image->stacks));
	file_close(&image->overview);
	file_close(&image->map);
	file_close(&image->log);
	if (is_end && image->is_made)
		founder_archive(image->lineage, image->pid);
	free_codes(image);
	free(image);
}

void image_flush(struct image *image)
{
	int rc;

	if (!image->is_made)
		return;
	/* Write stacks before the events that refer to them. */
	rc = file_flush(&image->stacks.file);
	if (rc == 0)
		rc = file_flush(&image->clock);
	if (rc < 0 && !image->is_full) {
		image->is_full = true;
		image_log_message(image, "cerror", EXPT_ERROR_FILE_RESIZE,
				  "recording stops", -rc);
	}
	file_flush(&image->map);
	file_flush(&image->overview);
	file_flush(&image->log);
}

/* ---- events ---- */

static bool is_within_limit(struct image *image, uint64_t now_ns)
{
	char buffer[96];
	struct text message = TEXT_ON(buffer);

	if (settings.limit_bytes == 0 || image->is_full ||
	    file_size(&image->clock) + file_size(&image->stacks.file) <=
		    settings.limit_bytes)
		return !image->is_full;
	image->is_full = true;
	log_header_limit(&message, since_start(image, now_ns));
	image_log_message(image, "cwarn", EXPT_WARNING_SIZE_LIMIT, buffer, 0);
	return false;
}

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
	image->stack = stacks_number(&image->stacks, stack, used);
}

void image_record(struct image *image, uint32_t cpu, enum expt_thread_state state,
		  uint32_t ticks, uint64_t now_ns)
{
	uint64_t time_us = (uint64_t)ticks * settings.period_us / CLOCK_UNIT_US;
	struct clock_packet packet = {
		.head = { .packet = { sizeof(packet), PACKET_CLOCK },
			  .lwp = image->thread,
			  .thread = image->thread,
			  .cpu = (int32_t)cpu,
			  .time_ns = now_ns,
			  .stack = image->stack },
		.state = (int32_t)state,
		.ticks = time_us > INT32_MAX ? INT32_MAX : (int32_t)time_us,
	};

	if (!is_in_window(now_ns) || !is_within_limit(image, now_ns))
		return;
	file_put_packet(&image->clock, &packet, sizeof(packet));
	make(image);
}

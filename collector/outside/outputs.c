/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/common/clock_text.h"
#include "collector/common/counter_text.h"
#include "collector/common/directory_name.h"
#include "collector/common/map_text.h"
#include "collector/common/settings.h"
#include "collector/common/vdso.h"
#include "collector/files/log.h"
#include "collector/outside/status.h"

#define VDSO_MAP_MAX 65536
#define HEADER_MAX   (64 * 1024)

uint64_t outputs_time(const struct outputs *outputs, uint64_t now_ns)
{
	return now_ns > outputs->start_ns ? now_ns - outputs->start_ns : 0;
}

/* ---- beginning and end ---- */

static void init(struct outputs *outputs, uint64_t start_ns)
{
	*outputs = (struct outputs){ .start_ns = start_ns,
				     .limit_bytes = settings.limit_bytes,
				     .sample_period_ns = settings.sample_period_ns,
				     .has_clock = true };
	file_init(&outputs->log);
	file_init(&outputs->map);
	file_init(&outputs->overview);
	file_init(&outputs->clock);
	file_init(&outputs->counters);
	stacks_init(&outputs->stacks);
}

static void describe_data(const struct outputs *outputs, struct text *text,
			  unsigned states)
{
	if (outputs->has_clock)
		clock_describe_states(text, states);
	if (settings.counter_count > 0)
		counters_describe(text);
}

void outputs_open(struct outputs *outputs, const struct log_process *process,
		  unsigned states, uint64_t start_ns)
{
	static char buffer[HEADER_MAX];
	struct text text = TEXT_ON(buffer);

	init(outputs, start_ns);
	log_header_system(&text);
	log_header_process(&text, process);
	describe_data(outputs, &text, states);
	log_header_run(&text, start_ns, status_now());
	file_put_text(&outputs->log, &text);
}

void outputs_open_past(struct outputs *outputs, const struct log_process *process,
		       const struct past_run *run)
{
	static char buffer[HEADER_MAX];
	struct text text = TEXT_ON(buffer);

	init(outputs, run->start_ns);
	outputs->has_clock = settings.period_us > 0;
	log_header_machine(&text, &run->machine, run->cpus);
	log_header_process(&text, process);
	describe_data(outputs, &text, CLOCK_NUMSTATES);
	log_header_run_at(&text, run->start_ns, run->start_seconds);
	file_put_text(&outputs->log, &text);
}

void outputs_open_for(struct outputs *outputs, pid_t pid, pid_t parent,
		      const char *command, unsigned states, uint64_t start_ns)
{
	struct status status = { .parent = parent };
	char directory[PATH_MAX], path[64];
	ssize_t length;

	status_read(&status, pid);
	snprintf(path, sizeof(path), "/proc/%d/cwd", pid);
	length = readlink(path, directory, sizeof(directory) - 1);
	directory[length > 0 ? length : 0] = '\0';
	outputs_open(outputs,
		     &(struct log_process){ pid, status.parent, status.group,
					    status.session, directory, command },
		     states, start_ns);
}

/* A directory with the log is an experiment: it is made last. */
static const char *const names[] = { LOAD_MAP_FILE, OVERVIEW_FILE, FRAMEINFO_FILE,
				     CLOCK_FILE,    HWC_FILE,	   LOG_FILE };
#define FILES (sizeof(names) / sizeof(names[0]))

static bool is_wanted(const struct outputs *outputs, const char *name)
{
	if (strcmp(name, CLOCK_FILE) == 0)
		return outputs->has_clock;
	return strcmp(name, HWC_FILE) != 0 || settings.counter_count > 0;
}

void outputs_remove(int directory)
{
	for (size_t i = 0; i < FILES; i++)
		unlinkat(directory, names[i], 0);
}

int outputs_make(struct outputs *outputs, int directory)
{
	struct file *const files[FILES] = { &outputs->map,	   &outputs->overview,
					    &outputs->stacks.file, &outputs->clock,
					    &outputs->counters,	   &outputs->log };
	int rc = 0;

	for (size_t i = 0; i < FILES && rc == 0; i++) {
		if (!is_wanted(outputs, names[i]))
			continue;
		rc = file_make(files[i], directory, names[i]);
		if (rc == 0)
			rc = file_flush(files[i]);
	}
	/* Half an experiment is worse than none. */
	if (rc < 0)
		outputs_remove(directory);
	return rc;
}

void outputs_end(struct outputs *outputs, uint64_t now_ns)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_event(&text, "exit", outputs_time(outputs, now_ns));
	text_add(&text, "/>\n");
	file_put_text(&outputs->log, &text);
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

static void log_length_of(struct outputs *outputs, const char *file, size_t length)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_length(&text, file, length);
	if (length > 0)
		file_put_text(&outputs->log, &text);
}

void outputs_close(struct outputs *outputs)
{
	fill_empty(&outputs->stacks.file);
	log_length_of(outputs, CLOCK_FILE, file_close(&outputs->clock));
	log_length_of(outputs, HWC_FILE, file_close(&outputs->counters));
	log_length_of(outputs, FRAMEINFO_FILE, stacks_close(&outputs->stacks));
	file_close(&outputs->overview);
	file_close(&outputs->map);
	file_close(&outputs->log);
}

int outputs_show(int founder, const char *lineage)
{
	char from[DIRECTORY_NAME_SIZE], to[DIRECTORY_NAME_SIZE];

	if (lineage[0] == '\0' || !directory_name_can_hide(lineage))
		return 0;
	return renameat(founder, directory_name(from, lineage, true).start, founder,
			directory_name(to, lineage, false).start) < 0
		       ? -errno
		       : 0;
}

void outputs_flush(struct outputs *outputs)
{
	int rc;

	file_flush(&outputs->map);
	rc = file_flush(&outputs->stacks.file);
	if (rc == 0)
		rc = file_flush(&outputs->clock);
	if (rc == 0)
		rc = file_flush(&outputs->counters);
	if (rc < 0 && !outputs->is_full) {
		outputs->is_full = true;
		outputs_message(outputs, "cerror", EXPT_ERROR_FILE_RESIZE,
				"recording stops", -rc);
	}
	file_flush(&outputs->overview);
	file_flush(&outputs->log);
}

/* ---- what is recorded ---- */

void outputs_sample(struct outputs *outputs, struct overview_record *sample,
		    const char *label, uint64_t now_ns)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	sample->contributors = 1;
	sample->stamp = outputs_seconds(now_ns);
	sample->created = outputs_seconds(outputs->start_ns);
	file_put(&outputs->overview, sample, sizeof(*sample));
	log_header_event(&text, "sample", outputs_time(outputs, now_ns));
	text_add_number(&text, "id", outputs->samples++);
	text_add_attribute(&text, "label", label);
	text_add(&text, "/>\n");
	file_put_text(&outputs->log, &text);
	outputs->next_sample_ns = outputs->sample_period_ns > 0
					  ? now_ns + outputs->sample_period_ns
					  : UINT64_MAX;
}

void outputs_message(struct outputs *outputs, const char *kind, int number,
		     const char *message, int error)
{
	char buffer[LOG_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_message(&text, kind, number, message, error);
	file_put_text(&outputs->log, &text);
}

static bool is_within_limit(struct outputs *outputs, uint64_t now_ns)
{
	char buffer[96];
	struct text message = TEXT_ON(buffer);

	if (outputs->limit_bytes == 0 || outputs->is_full ||
	    file_size(&outputs->clock) + file_size(&outputs->counters) +
			    file_size(&outputs->stacks.file) <=
		    outputs->limit_bytes)
		return !outputs->is_full;
	outputs->is_full = true;
	log_header_limit(&message, outputs_time(outputs, now_ns));
	outputs_message(outputs, "cwarn", EXPT_WARNING_SIZE_LIMIT, buffer, 0);
	return false;
}

static struct event_head head_of(const struct perf_record *record, uint64_t stack)
{
	return (struct event_head){ .lwp = record->tid,
				    .thread = record->tid,
				    .cpu = (int32_t)record->cpu,
				    .time_ns = record->time_ns,
				    .stack = stack };
}

void outputs_spend(struct outputs *outputs, const struct perf_record *record,
		   enum expt_thread_state state, uint64_t stack, uint64_t time_us)
{
	struct clock_packet packet = { .head = head_of(record, stack),
				       .state = (int32_t)state };

	packet.head.packet = (struct packet_head){ sizeof(packet), PACKET_CLOCK };
	/* A packet has room for half an hour. */
	while (time_us > 0 && is_within_limit(outputs, record->time_ns)) {
		packet.ticks = time_us > INT32_MAX ? INT32_MAX : (int32_t)time_us;
		time_us -= (uint64_t)packet.ticks;
		file_put_packet(&outputs->clock, &packet, sizeof(packet));
	}
}

void outputs_count_events(struct outputs *outputs, const struct perf_record *record,
			  size_t counter, uint64_t stack, uint64_t events)
{
	struct counter_packet packet = {
		.head = head_of(record, stack),
		.tag = (int32_t)counter,
		.events = (int64_t)events,
	};

	packet.head.packet = (struct packet_head){ sizeof(packet), PACKET_HWC };
	if (is_within_limit(outputs, record->time_ns))
		file_put_packet(&outputs->counters, &packet, sizeof(packet));
}

void outputs_count(struct outputs *outputs, const struct perf_record *record,
		   size_t counter, uint64_t stack)
{
	outputs_count_events(outputs, record, counter, stack,
			     settings.counters[counter].period);
}

void outputs_warn_unmade(int founder, const char *lineage, int error)
{
	char buffer[LINEAGE_MAX + 128];
	struct text line = TEXT_ON(buffer);
	int fd = openat(founder, WARNINGS_FILE,
			O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
			FILE_MODE);

	if (fd < 0)
		return;
	log_header_unmade(&line, lineage, error);
	if (write(fd, line.start, line.length) < 0)
		error = errno; /* it cannot be reported anywhere */
	close(fd);
}

/* ---- the address map ---- */

void outputs_map_vdso(struct outputs *outputs, uint64_t address, uint64_t now_ns)
{
	static char buffer[VDSO_MAP_MAX];
	struct text text = TEXT_ON(buffer);

	vdso_compose(&text, address, outputs_time(outputs, now_ns));
	file_put_text(&outputs->map, &text);
}

void outputs_unmap(struct outputs *outputs, const struct mappings *mappings,
		   uint64_t address, uint64_t size, uint64_t now_ns)
{
	for (size_t i = 0; i < mappings->count; i++) {
		const struct mapping *mapping = &mappings->items[i];
		char buffer[256];
		struct text text = TEXT_ON(buffer);

		if (!mapping->binary || mapping->address >= address + size ||
		    mapping->address + mapping->size <= address)
			continue;
		map_event_unmap(&text, outputs_time(outputs, now_ns), mapping->address);
		file_put_text(&outputs->map, &text);
	}
}

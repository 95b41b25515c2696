/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/common/clock_text.h"
#include "collector/common/log_text.h"
#include "collector/common/map_text.h"
#include "collector/common/settings.h"
#include "collector/er_kernel/objects.h"
#include "collector/files/log.h"
#include "collector/outside/status.h"

#define HEADER_MAX (64 * 1024)
/* Frames of processes have addresses that no code has. */
#define ROOT_FIRST UINT64_C(0x0010000000000000)
#define ROOT_SIZE  16

static uint64_t since_start(const struct kernel *kernel, uint64_t now_ns)
{
	return now_ns > kernel->start_ns ? now_ns - kernel->start_ns : 0;
}

/* ---- the log ---- */

/* The texts of an experiment take what they say of it from there. */
static void set_settings(const struct plan *plan)
{
	settings = (struct settings){
		.archiver = plan->is_archived ? "" : NULL,
		.archive_mode = plan->is_archived ? "" : NULL,
		.period_us = plan->period_us,
		.sample_period_ns = plan->sample_period_ns,
		.window_start_ns = plan->window_start_ns,
		.window_end_ns = plan->window_end_ns,
		.limit_bytes = plan->limit_bytes,
		.depth = STACK_DEPTH_DEFAULT,
	};
}

static void compose_header(struct kernel *kernel)
{
	static char buffer[HEADER_MAX];
	struct text text = TEXT_ON(buffer);
	char directory[PATH_MAX] = "";

	if (!getcwd(directory, sizeof(directory)))
		directory[0] = '\0';
	log_header_system(&text);
	log_header_process(&text, &(struct log_process){ getpid(), getppid(), getpgrp(),
							 getsid(0), directory,
							 kernel->plan->command });
	clock_describe_states(&text, CLOCK_NUMSTATES_KERNEL);
	log_header_run(&text, kernel->start_ns, status_now());
	file_put_text(&kernel->log, &text);
}

void kernel_message(struct kernel *kernel, const char *kind, int number,
		    const char *message)
{
	char buffer[LOG_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_message(&text, kind, number, message, 0);
	file_put_text(&kernel->log, &text);
}

/* ---- samples of resource use ---- */

static struct overview_time time_of(uint64_t ns)
{
	return (struct overview_time){ (int64_t)(ns / NS_PER_SECOND),
				       (int64_t)(ns % NS_PER_SECOND) };
}

/* The use of all processors: what they did not work, they slept. */
static void fill_sample(struct overview_record *sample, const struct kernel *kernel,
			uint64_t now_ns)
{
	uint64_t cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	struct machine_status status = { 0 };

	status_machine(&status);
	*sample = (struct overview_record){
		.id = getpid(),
		.contributors = 1,
		.stamp = time_of(now_ns),
		.created = time_of(kernel->start_ns),
		.real = time_of(since_start(kernel, now_ns) * cpus),
		.user = time_of(status.user_ns),
		.system = time_of(status.system_ns),
		.voluntary_switches = (int64_t)status.switches,
	};
}

static void take_sample(struct kernel *kernel, const char *label, uint64_t now_ns)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);
	struct overview_record sample;

	fill_sample(&sample, kernel, now_ns);
	file_put(&kernel->overview, &sample, sizeof(sample));
	log_header_event(&text, "sample", since_start(kernel, now_ns));
	text_add_number(&text, "id", kernel->samples++);
	text_add_attribute(&text, "label", label);
	text_add(&text, "/>\n");
	file_put_text(&kernel->log, &text);
	kernel->next_sample_ns = kernel->plan->sample_period_ns > 0
					 ? now_ns + kernel->plan->sample_period_ns
					 : UINT64_MAX;
}

void kernel_sample_if_due(struct kernel *kernel, uint64_t now_ns)
{
	if (now_ns >= kernel->next_sample_ns)
		take_sample(kernel, SAMPLE_PERIODIC, now_ns);
}

/* ---- beginning and end ---- */

static int make_files(struct kernel *kernel)
{
	const struct {
		struct file *file;
		const char *name;
	} files[] = {
		{ &kernel->map, LOAD_MAP_FILE },
		{ &kernel->overview, OVERVIEW_FILE },
		{ &kernel->stacks.file, FRAMEINFO_FILE },
		{ &kernel->clock, CLOCK_FILE },
		{ &kernel->log, LOG_FILE }, /* with it the directory is an experiment */
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]) && rc == 0; i++) {
		rc = file_make(files[i].file, kernel->plan->directory, files[i].name);
		if (rc == 0)
			rc = file_flush(files[i].file);
	}
	return rc;
}

static int open_archives(struct kernel *kernel)
{
	int directory = kernel->plan->directory;

	mkdirat(directory, ARCHIVES_DIR, DIRECTORY_MODE);
	kernel->archives = openat(directory, ARCHIVES_DIR,
				  O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	return kernel->archives < 0 ? -errno : 0;
}

int kernel_open(struct kernel *kernel, const struct plan *plan, uint64_t now_ns)
{
	int rc;

	*kernel = (struct kernel){
		.plan = plan, .start_ns = now_ns, .archives = -1, .next_root = ROOT_FIRST
	};
	file_init(&kernel->log);
	file_init(&kernel->map);
	file_init(&kernel->overview);
	file_init(&kernel->clock);
	stacks_init(&kernel->stacks);
	set_settings(plan);
	compose_header(kernel);
	take_sample(kernel, SAMPLE_OPEN, now_ns);
	rc = open_archives(kernel);
	if (rc == 0)
		rc = symbols_read(&kernel->symbols);
	return rc < 0 ? rc : make_files(kernel);
}

static void log_end(struct kernel *kernel, uint64_t now_ns)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_event(&text, "exit", since_start(kernel, now_ns));
	text_add(&text, "/>\n");
	file_put_text(&kernel->log, &text);
}

static void log_length_of(struct kernel *kernel, const char *file, size_t length)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	log_header_length(&text, file, length);
	if (length > 0)
		file_put_text(&kernel->log, &text);
}

void kernel_close(struct kernel *kernel, uint64_t now_ns)
{
	kernel_flush(kernel);
	take_sample(kernel, SAMPLE_CLOSE, now_ns);
	log_end(kernel, now_ns);
	log_length_of(kernel, CLOCK_FILE, file_close(&kernel->clock));
	log_length_of(kernel, FRAMEINFO_FILE, stacks_close(&kernel->stacks));
	file_close(&kernel->overview);
	file_close(&kernel->map);
	file_close(&kernel->log);
	symbols_release(&kernel->symbols);
	if (kernel->archives >= 0)
		close(kernel->archives);
}

/* What events refer to is written before them. */
void kernel_flush(struct kernel *kernel)
{
	char buffer[128];
	int rc = objects_write(&kernel->symbols, kernel->archives);

	file_flush(&kernel->map);
	if (rc == 0)
		rc = file_flush(&kernel->stacks.file);
	if (rc == 0)
		rc = file_flush(&kernel->clock);
	if (rc < 0 && !kernel->is_full) {
		kernel->is_full = true;
		snprintf(buffer, sizeof(buffer), "recording stops: %s",
			 strerrordesc_np(-rc));
		kernel_message(kernel, "cerror", EXPT_ERROR_FILE_RESIZE, buffer);
	}
	file_flush(&kernel->overview);
	file_flush(&kernel->log);
}

/* ---- stacks ---- */

static void map_module(struct kernel *kernel, struct module *module, uint64_t now_ns)
{
	char buffer[MAP_EVENT_MAX];
	struct text text = TEXT_ON(buffer);
	struct map_segment segment;

	if (module->is_used)
		return;
	module->is_used = true;
	object_segment(&segment, module);
	map_event_segment(&text, &segment, since_start(kernel, now_ns));
	file_put_text(&kernel->map, &text);
}

/* Readers show the frame as a function that has the name of the process. */
static uint64_t root_of(struct kernel *kernel, struct process *process)
{
	char buffer[256], name[64];
	struct text text = TEXT_ON(buffer);

	if (process->root != 0)
		return process->root;
	process->root = kernel->next_root;
	kernel->next_root += ROOT_SIZE;
	snprintf(name, sizeof(name), "%s_PID_%d", process->name, process->pid);
	map_event_begin(&text, "function", 0, process->root);
	text_add_number(&text, "size", ROOT_SIZE);
	text_add_attribute(&text, "name", name);
	text_add(&text, "/>\n");
	file_put_text(&kernel->map, &text);
	return process->root;
}

/* The first address is that of an instruction, the others are where calls return to. */
static uint64_t number_stack(struct kernel *kernel, const struct perf_record *record,
			     struct process *process)
{
	uint64_t stack[STACK_PCS_MAX];
	size_t used = 0;

	for (size_t i = 0; i < record->pc_count && used < STACK_PCS_MAX - 1; i++) {
		uint64_t pc = record->pcs[i] - (used > 0);
		struct module *module;

		if (record->pcs[i] >= (uint64_t)PERF_CONTEXT_MAX)
			continue; /* a mark of the kernel */
		module = symbols_use(&kernel->symbols, pc);
		if (module)
			map_module(kernel, module, record->time_ns);
		stack[used++] = pc;
	}
	if (process)
		stack[used++] = root_of(kernel, process);
	return stacks_number(&kernel->stacks, stack, used);
}

/* ---- events ---- */

static bool is_within_limit(struct kernel *kernel, uint64_t now_ns)
{
	char buffer[96];
	struct text message = TEXT_ON(buffer);
	uint64_t limit = kernel->plan->limit_bytes;

	if (limit == 0 || kernel->is_full ||
	    file_size(&kernel->clock) + file_size(&kernel->stacks.file) <= limit)
		return !kernel->is_full;
	kernel->is_full = true;
	log_header_limit(&message, since_start(kernel, now_ns));
	kernel_message(kernel, "cwarn", EXPT_WARNING_SIZE_LIMIT, buffer);
	return false;
}

void kernel_spend(struct kernel *kernel, const struct perf_record *record,
		  struct process *process, uint64_t time_us)
{
	struct clock_packet packet = {
		.head = { .packet = { sizeof(packet), PACKET_CLOCK },
			  .lwp = record->tid,
			  .thread = record->tid,
			  .cpu = (int32_t)record->cpu,
			  .time_ns = record->time_ns },
		.state = EXPT_STATE_KERNEL_CPU,
		.ticks = time_us > INT32_MAX ? INT32_MAX : (int32_t)time_us,
	};

	if (!is_within_limit(kernel, record->time_ns))
		return;
	packet.head.stack = number_stack(kernel, record, process);
	file_put_packet(&kernel->clock, &packet, sizeof(packet));
}

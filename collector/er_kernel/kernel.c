/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/common/map_text.h"
#include "collector/common/settings.h"
#include "collector/kernel/objects.h"
#include "collector/outside/status.h"

/* Frames of processes have addresses that no code has. */
#define ROOT_FIRST UINT64_C(0x0010000000000000)
#define ROOT_SIZE  16

/* After looking for modules that were loaded meanwhile; more, if there were none. */
#define PAUSE_LEAST_NS NS_PER_SECOND
#define PAUSE_MOST_NS  (64 * NS_PER_SECOND)

/* ---- samples of resource use ---- */

/* The use of all processors: what they did not work, they slept. */
static void take_sample(struct kernel *kernel, const char *label, uint64_t now_ns)
{
	uint64_t cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
	struct machine_status status = { 0 };
	struct overview_record sample;

	status_machine(&status);
	sample = (struct overview_record){
		.id = getpid(),
		.real = outputs_seconds(outputs_time(&kernel->outputs, now_ns) * cpus),
		.user = outputs_seconds(status.user_ns),
		.system = outputs_seconds(status.system_ns),
		.voluntary_switches = (int64_t)status.switches,
	};
	outputs_sample(&kernel->outputs, &sample, label, now_ns);
}

void kernel_sample_if_due(struct kernel *kernel, uint64_t now_ns)
{
	if (now_ns >= kernel->outputs.next_sample_ns)
		take_sample(kernel, SAMPLE_PERIODIC, now_ns);
}

/* ---- beginning and end ---- */

static void map_module(struct kernel *kernel, struct module *module, uint64_t now_ns)
{
	char buffer[MAP_EVENT_MAX];
	struct text text = TEXT_ON(buffer);
	struct map_segment segment;

	if (module->is_used)
		return;
	module->is_used = true;
	object_segment(&segment, module);
	/* Other stacks may have had its addresses before it was known. */
	map_event_segment(&text, &segment,
			  outputs_time(&kernel->outputs,
				       module->is_late ? kernel->read_ns : now_ns));
	file_put_text(&kernel->outputs.map, &text);
}

/* The texts of an experiment take what they say of it from there. */
static void set_settings(const struct plan *plan)
{
	settings = (struct settings){
		.archiver = plan->is_archived ? "" : NULL,
		.archive_mode = plan->is_archived ? "" : NULL,
		.period_us = plan->period_us,
		.follow = plan->follow != PLAN_FOLLOW_NONE ? FOLLOW_ALL : 0,
		.sample_period_ns = plan->sample_period_ns,
		.window_start_ns = plan->window_start_ns,
		.window_end_ns = plan->window_end_ns,
		.limit_bytes = plan->limit_bytes,
		.depth = STACK_DEPTH_DEFAULT,
		.counter_count = plan->counter_count,
	};
	for (size_t i = 0; i < plan->counter_count; i++) {
		const struct plan_counter *counter = &plan->counters[i];

		settings.counters[i] = (struct counter){ .name = counter->name,
							 .internal = counter->internal,
							 .cpu = counter->cpu,
							 .type = counter->type,
							 .period = counter->period };
	}
}

static void open_outputs(struct kernel *kernel, const struct plan *plan, uint64_t now_ns)
{
	char directory[PATH_MAX] = "";
	const struct log_process process = { getpid(),	getppid(), getpgrp(),
					     getsid(0), directory, plan->command };

	if (!getcwd(directory, sizeof(directory)))
		directory[0] = '\0';
	outputs_open(&kernel->outputs, &process, CLOCK_NUMSTATES_KERNEL, now_ns);
	kernel->is_open = true;
}

static int open_archives(struct kernel *kernel, int directory)
{
	mkdirat(directory, ARCHIVES_DIR, DIRECTORY_MODE);
	kernel->archives = openat(directory, ARCHIVES_DIR,
				  O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	return kernel->archives < 0 ? -errno : 0;
}

int kernel_open(struct kernel *kernel, const struct plan *plan, uint64_t now_ns)
{
	int rc;

	*kernel = (struct kernel){ .archives = -1, .next_root = ROOT_FIRST };
	set_settings(plan);
	open_outputs(kernel, plan, now_ns);
	take_sample(kernel, SAMPLE_OPEN, now_ns);
	rc = open_archives(kernel, plan->directory);
	if (rc == 0)
		rc = symbols_read(&kernel->symbols);
	kernel->read_ns = now_ns;
	kernel->pause_ns = PAUSE_LEAST_NS;
	if (rc == 0)
		map_module(kernel, &kernel->symbols.modules[0], now_ns);
	return rc < 0 ? rc : outputs_make(&kernel->outputs, plan->directory);
}

void kernel_close(struct kernel *kernel, uint64_t now_ns)
{
	if (!kernel->is_open)
		return;
	kernel_flush(kernel);
	take_sample(kernel, SAMPLE_CLOSE, now_ns);
	outputs_end(&kernel->outputs, now_ns);
	outputs_close(&kernel->outputs);
	symbols_release(&kernel->symbols);
	if (kernel->archives >= 0)
		close(kernel->archives);
}

/* Without names, functions would be unknown. */
void kernel_flush(struct kernel *kernel)
{
	int rc = objects_write(&kernel->symbols, kernel->archives);

	if (rc < 0 && !kernel->outputs.is_full)
		outputs_message(&kernel->outputs, "cerror", EXPT_ERROR_FILE_RESIZE,
				"functions of the kernel", -rc);
	kernel->outputs.is_full = kernel->outputs.is_full || rc < 0;
	outputs_flush(&kernel->outputs);
}

/* ---- stacks ---- */

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
	file_put_text(&kernel->outputs.map, &text);
	return process->root;
}

/* Returns the module of an address that none had when they were read, or NULL. */
static struct module *find_late(struct kernel *kernel, uint64_t pc, uint64_t now_ns)
{
	struct module *module;

	if (kernel->symbols.are_hidden || now_ns < kernel->renew_ns)
		return NULL;
	/* Modules that are gone by now */
	objects_write(&kernel->symbols, kernel->archives);
	symbols_renew(&kernel->symbols);
	module = symbols_use(&kernel->symbols, pc);
	if (module) {
		kernel->pause_ns = PAUSE_LEAST_NS;
		map_module(kernel, module, now_ns);
	} else if (kernel->pause_ns < PAUSE_MOST_NS) {
		kernel->pause_ns *= 2;
	}
	kernel->read_ns = now_ns;
	kernel->renew_ns = now_ns + kernel->pause_ns;
	return module;
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
		if (!module)
			module = find_late(kernel, pc, record->time_ns);
		if (module)
			map_module(kernel, module, record->time_ns);
		stack[used++] = pc;
	}
	if (process)
		stack[used++] = root_of(kernel, process);
	return stacks_number(&kernel->outputs.stacks, stack, used);
}

uint64_t kernel_spend(struct kernel *kernel, const struct perf_record *record,
		      struct process *process, uint64_t time_us)
{
	uint64_t stack;

	if (kernel->outputs.is_full)
		return 0;
	stack = number_stack(kernel, record, process);
	kernel_spend_at(kernel, record, stack, time_us);
	return stack;
}

void kernel_spend_at(struct kernel *kernel, const struct perf_record *record,
		     uint64_t stack, uint64_t time_us)
{
	if (!kernel->outputs.is_full)
		outputs_spend(&kernel->outputs, record, EXPT_STATE_KERNEL_CPU, stack,
			      time_us);
}

void kernel_count(struct kernel *kernel, const struct perf_record *record,
		  struct process *process, size_t counter)
{
	if (!kernel->outputs.is_full)
		outputs_count(&kernel->outputs, record, counter,
			      number_stack(kernel, record, process));
}

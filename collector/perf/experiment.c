/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/experiment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/common/directory_name.h"
#include "collector/perf/chain.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

#define NS_PER_US  1000
#define GONE	   " (deleted)" /* as in the names of the kernel */
#define FLUSH_SIZE (1 << 20)
#define FILES	   6
#define FILE_LEAST 4096 /* an empty one counts, too, for the disk */

/* ---- files ---- */

static uint64_t size_of(const struct outputs *outputs)
{
	return file_size(&outputs->log) + file_size(&outputs->map) +
	       file_size(&outputs->overview) + file_size(&outputs->clock) +
	       file_size(&outputs->counters) + file_size(&outputs->stacks.file);
}

static int check_size(struct experiment *experiment)
{
	const struct experiments *all = experiment->all;
	uint64_t size = all->written + size_of(&experiment->outputs) + FILES * FILE_LEAST;

	return size <= all->most
		       ? CLI_OK
		       : cli_error("the experiment would have more than %llu bytes; see "
				   "--max-bytes and --max-expansion",
				   (unsigned long long)all->most);
}

static int say_full(const struct experiment *experiment)
{
	return experiment->outputs.is_full ? cli_error("cannot write the experiment: is "
						       "the disk full?")
					   : check_size((struct experiment *)experiment);
}

int experiment_flush(struct experiment *experiment)
{
	const struct outputs *outputs = &experiment->outputs;

	if (outputs->clock.length + outputs->counters.length + outputs->map.length +
		    outputs->stacks.file.length <
	    FLUSH_SIZE)
		return CLI_OK;
	outputs_flush(&experiment->outputs);
	return say_full(experiment);
}

/* Returns the directory, or a negative errno. */
static int make_directory(const struct experiments *all, const char *lineage)
{
	char name[DIRECTORY_NAME_SIZE];
	int fd;

	if (lineage[0] == '\0')
		return fcntl(all->directory, F_DUPFD_CLOEXEC, 3);
	directory_name(name, lineage, false);
	if (mkdirat(all->directory, name, DIRECTORY_MODE) < 0)
		return -errno;
	fd = openat(all->directory, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int make_files(struct experiment *experiment, const char *lineage)
{
	cleanup_fd int directory = make_directory(experiment->all, lineage);
	int rc = directory < 0 ? directory : 0;

	if (rc == 0)
		rc = outputs_make(&experiment->outputs, directory);
	return rc == 0 ? CLI_OK
		       : cli_error("cannot make an experiment: %s", strerrordesc_np(-rc));
}

/* ---- beginning and end ---- */

/* The process is gone: what is known is what was recorded. */
static void add_sample(struct experiment *experiment, const char *label, uint64_t now_ns)
{
	struct outputs *outputs = &experiment->outputs;
	struct overview_record sample = {
		.id = experiment->image ? (int64_t)experiment->image->pid : 0,
		.real = outputs_seconds(outputs_time(outputs, now_ns)),
		.user = outputs_seconds(experiment->user_us * NS_PER_US),
		.system = outputs_seconds(experiment->system_us * NS_PER_US),
	};

	outputs_sample(outputs, &sample, label, now_ns);
}

static void open_outputs(struct experiment *experiment, bool is_founder)
{
	const struct experiments *all = experiment->all;
	const struct features *features = all->features;
	const struct image *image = experiment->image;
	const struct log_process process = {
		.pid = image ? (pid_t)image->pid : 0,
		.parent = image ? (pid_t)image->parent_pid : 0,
		.directory = "",
		.command = is_founder ? all->command : image->name,
	};
	const struct past_run run = {
		.machine = { features->host ? features->host : "", "x86_64", all->os,
			     features->memory_kb / 4 },
		.cpus = features->cpus,
		.start_ns = experiment->start_ns,
		.start_seconds = all->start_seconds + (int64_t)((experiment->start_ns -
								 all->images->start_ns) /
								NS_PER_SECOND),
	};

	outputs_open_past(&experiment->outputs, &process, &run);
	outputs_message(&experiment->outputs, "comment", EXPT_COMMENT, all->source, 0);
	if (!is_founder)
		outputs_message(&experiment->outputs, "comment", EXPT_COMMENT,
				FOUNDER_ARCHIVES_COMMENT, 0);
	for (size_t i = 0; is_founder && all->warnings[i]; i++)
		outputs_message(&experiment->outputs, "cwarn", EXPT_WARNING_GENERAL,
				all->warnings[i], 0);
}

int experiment_open(struct experiment *experiment, struct experiments *all,
		    const struct image *image)
{
	char lineage[LINEAGE_MAX + 1] = "";

	*experiment = (struct experiment){
		.all = all,
		.image = image,
		.start_ns = image ? image->start_ns : all->images->start_ns,
	};
	if (image && !image_lineage(lineage, sizeof(lineage), image, all->images))
		return cli_error("process %u has too many ancestors", image->pid);
	all->made += 1 + FILES;
	if (all->made > all->most_made)
		return cli_error("the experiment would have more files than "
				 "--max-entries allows");
	open_outputs(experiment, lineage[0] == '\0');
	add_sample(experiment, SAMPLE_OPEN, experiment->start_ns);
	if (make_files(experiment, lineage) == CLI_OK && check_size(experiment) == CLI_OK)
		return CLI_OK;
	outputs_close(&experiment->outputs);
	return CLI_FAILED;
}

int experiment_close(struct experiment *experiment)
{
	struct experiments *all = experiment->all;
	uint64_t end = experiment->image ? experiment->image->end_ns
					 : all->images->end_ns;
	int status;

	add_sample(experiment, SAMPLE_CLOSE, end);
	outputs_end(&experiment->outputs, end);
	outputs_flush(&experiment->outputs);
	status = say_full(experiment);
	all->written += size_of(&experiment->outputs) + FILES * FILE_LEAST;
	outputs_close(&experiment->outputs);
	return status;
}

/* ---- the address map ---- */

static void put_segment(struct experiment *experiment, const struct map_segment *segment,
			uint64_t now_ns)
{
	static char buffer[MAP_EVENT_MAX];
	struct text text = TEXT_ON(buffer);

	map_event_segment(&text, segment, outputs_time(&experiment->outputs, now_ns));
	file_put_text(&experiment->outputs.map, &text);
}

/* Without its file and its build-id, any other file might have its name. */
static void put_file(struct experiment *experiment, const struct mapping *mapping,
		     uint64_t now_ns)
{
	static char name[PATH_MAX + sizeof(GONE)];
	const struct binary *binary = mapping->binary;
	bool is_sure = binary->is_known || binary->build_id[0] != '\0';
	struct map_segment segment = {
		.address = mapping->address,
		.size = mapping->size,
		.file_offset = mapping->file_offset,
		.file_size = binary->file_size,
		.file_time_ns = binary->file_time_ns,
		.name = name,
	};

	snprintf(name, sizeof(name), "%s%s", binary->name, is_sure ? "" : GONE);
	snprintf(segment.build_id, sizeof(segment.build_id), "%s", binary->build_id);
	put_segment(experiment, &segment, now_ns);
}

void experiment_map(struct experiment *experiment, const struct mapping *mapping,
		    uint64_t now_ns)
{
	if (!mapping->binary)
		return;
	if (mapping->binary->name[0] == '/')
		put_file(experiment, mapping, now_ns);
	else
		outputs_map_vdso(&experiment->outputs, mapping->address, now_ns);
}

struct use_of_kernel {
	struct experiment *experiment;
	uint64_t now_ns;
};

static void map_kernel(void *data, struct kernel_part *part)
{
	const struct use_of_kernel *use = data;
	const struct image *image = use->experiment->image;
	struct map_segment segment = part->segment;

	if (part->mapped_by == image->number + 1)
		return;
	part->mapped_by = image->number + 1;
	segment.name = part->name;
	put_segment(use->experiment, &segment, use->now_ns);
}

/* ---- events ---- */

static void spend(struct experiment *experiment, const struct event *event,
		  uint64_t stack)
{
	uint64_t time_us;

	experiment->rest_ns += event->period;
	time_us = experiment->rest_ns / NS_PER_US;
	experiment->rest_ns %= NS_PER_US;
	if (event->record.is_in_kernel)
		experiment->system_us += time_us;
	else
		experiment->user_us += time_us;
	outputs_spend(&experiment->outputs, &event->record,
		      event->record.is_in_kernel ? EXPT_STATE_SYSTEM : EXPT_STATE_USER,
		      stack, time_us);
}

void experiment_take(struct experiment *experiment, const struct event *event,
		     const struct mappings *mappings)
{
	struct use_of_kernel use = { experiment, event->record.time_ns };
	const struct use_of *use_of = &experiment->all->plan->uses[event->kind];
	uint64_t pcs[STACK_PCS_MAX], stack;
	size_t count;

	if (use_of->use == USE_NONE)
		return;
	count = chain_read(pcs, event, mappings, experiment->all->kernel, map_kernel,
			   &use);
	stack = stacks_number(&experiment->outputs.stacks, pcs, count);
	if (use_of->use == USE_CLOCK)
		spend(experiment, event, stack);
	else
		outputs_count_events(&experiment->outputs, &event->record,
				     use_of->counter, stack, event->period);
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/user.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/common/directory_name.h"
#include "collector/common/map_text.h"
#include "collector/outside/status.h"
#include "collector/outside/walk.h"

#define GONE  " (deleted)" /* as in the names of the kernel */
#define US_NS 1000

struct user {
	pid_t pid;
	struct outputs outputs;
	uint64_t spent_us;
};

/* ---- samples of resource use ---- */

/* The process may be gone: what is known is what was recorded. */
static void take_sample(struct user *user, const char *label, uint64_t now_ns)
{
	struct overview_record sample = {
		.id = user->pid,
		.real = outputs_seconds(outputs_time(&user->outputs, now_ns)),
		.user = outputs_seconds(user->spent_us * US_NS),
	};

	outputs_sample(&user->outputs, &sample, label, now_ns);
}

/* ---- the address map ---- */

static void put_segment(struct user *user, const struct mapping *mapping, uint64_t now_ns)
{
	const struct binary *binary = mapping->binary;
	char buffer[MAP_EVENT_MAX], name[PATH_MAX + sizeof(GONE)];
	struct text text = TEXT_ON(buffer);
	struct map_segment segment = {
		.address = mapping->address,
		.size = mapping->size,
		.file_offset = mapping->file_offset,
		.file_size = binary->file_size,
		.file_time_ns = binary->file_time_ns,
		.name = binary->name,
	};

	/* Another file may have the name by now. */
	if (!binary->is_known || !binary->is_named) {
		snprintf(name, sizeof(name), "%s" GONE, binary->name);
		segment.name = name;
	}
	snprintf(segment.build_id, sizeof(segment.build_id), "%s", binary->build_id);
	map_event_segment(&text, &segment, outputs_time(&user->outputs, now_ns));
	file_put_text(&user->outputs.map, &text);
}

void user_map(struct user *user, const struct mapping *mapping, uint64_t now_ns)
{
	if (!mapping->binary)
		return;
	if (mapping->binary->name[0] == '/')
		put_segment(user, mapping, now_ns);
	else
		outputs_map_vdso(&user->outputs, mapping->address, now_ns);
}

void user_unmap(struct user *user, const struct mappings *mappings, uint64_t address,
		uint64_t size, uint64_t now_ns)
{
	outputs_unmap(&user->outputs, mappings, address, size, now_ns);
}

/* ---- beginning and end ---- */

/* Returns the directory under its hidden name, or a negative errno. lineage: the first
 * that is free. */
static int make_directory(char *lineage, size_t size, int founder, const char *name,
			  pid_t pid)
{
	char path[DIRECTORY_NAME_SIZE];
	int fd;

	for (unsigned number = 1;; number++) {
		snprintf(lineage, size, "_%s_PID_%d.%u", name, pid, number);
		if (faccessat(founder, directory_name(path, lineage, false).start, F_OK,
			      AT_SYMLINK_NOFOLLOW) < 0)
			break;
	}
	directory_name(path, lineage, true);
	if (mkdirat(founder, path, DIRECTORY_MODE) < 0)
		return -errno;
	fd = openat(founder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int make(struct user *user, int founder, const char *name)
{
	char lineage[LINEAGE_MAX + 1], path[DIRECTORY_NAME_SIZE];
	int directory =
		make_directory(lineage, sizeof(lineage), founder, name, user->pid);
	int rc = directory < 0 ? directory : outputs_make(&user->outputs, directory);

	if (rc == 0)
		rc = outputs_show(founder, lineage);
	if (directory >= 0 && rc < 0)
		outputs_remove(directory);
	if (directory >= 0)
		close(directory);
	if (rc < 0) {
		unlinkat(founder, directory_name(path, lineage, true).start,
			 AT_REMOVEDIR);
		outputs_warn_unmade(founder, lineage, -rc);
	}
	return rc;
}

/* A process that has ended has only its name. */
static void open_outputs(struct user *user, const struct process *process,
			 uint64_t start_ns)
{
	char buffer[8192];
	struct text command = TEXT_ON(buffer);

	if (!status_add_command(&command, user->pid))
		text_add(&command, process->name);
	outputs_open_for(&user->outputs, user->pid, process->parent, buffer,
			 process->has_waits ? CLOCK_NUMSTATES_WAITS : CLOCK_NUMSTATES,
			 start_ns);
}

struct user *user_open(int founder, const struct process *process, uint64_t start_ns)
{
	struct user *user = calloc(1, sizeof(*user));

	if (!user)
		return NULL;
	user->pid = process->pid;
	open_outputs(user, process, start_ns);
	take_sample(user, SAMPLE_OPEN, start_ns);
	for (size_t i = 0; i < process->mappings.count; i++)
		user_map(user, &process->mappings.items[i], start_ns);
	if (make(user, founder, process->name) == 0)
		return user;
	outputs_close(&user->outputs);
	free(user);
	return NULL;
}

void user_close(struct user *user, uint64_t now_ns)
{
	take_sample(user, SAMPLE_CLOSE, now_ns);
	outputs_message(&user->outputs, "comment", EXPT_COMMENT, FOUNDER_ARCHIVES_COMMENT,
			0);
	outputs_end(&user->outputs, now_ns);
	outputs_close(&user->outputs);
	free(user);
}

void user_flush(struct user *user, uint64_t now_ns)
{
	if (now_ns >= user->outputs.next_sample_ns)
		take_sample(user, SAMPLE_PERIODIC, now_ns);
	outputs_flush(&user->outputs);
}

/* ---- events ---- */

uint64_t user_stack(struct user *user, const struct perf_record *record,
		    const struct mappings *mappings, bool is_cut)
{
	uint64_t stack[STACK_PCS_MAX + 1];
	size_t count;

	if (user->outputs.is_full)
		return 0;
	count = walk_record(stack, STACK_PCS_MAX - 1, record, mappings, is_cut);
	return stacks_number(&user->outputs.stacks, stack, count);
}

void user_spend(struct user *user, const struct perf_record *record, uint64_t stack,
		uint64_t time_us)
{
	user->spent_us += time_us;
	outputs_spend(&user->outputs, record, EXPT_STATE_USER, stack, time_us);
}

void user_count(struct user *user, const struct perf_record *record, uint64_t stack,
		size_t counter)
{
	outputs_count(&user->outputs, record, counter, stack);
}

void user_wait(struct user *user, const struct perf_record *record, uint64_t stack,
	       uint64_t time_us, bool is_preempted)
{
	outputs_spend(&user->outputs, record,
		      is_preempted ? EXPT_STATE_WAIT_CPU : EXPT_STATE_SLEEP, stack,
		      time_us);
}

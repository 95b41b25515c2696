/* SPDX-License-Identifier: Apache-2.0 */
/* The files of an experiment, from the first record to the end. */

#include "collector/experiment/experiment.h"

#include <errno.h>

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/experiment/classes.h"
#include "collector/experiment/directory.h"
#include "collector/experiment/dynamic.h"
#include "collector/experiment/map.h"
#include "collector/experiment/samples_waiting.h"
#include "collector/experiment/unmade.h"
#include "collector/files/access.h"
#include "collector/files/blocks.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/files/output.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

#define EVENT_WINDOW	 (8 * BLOCK_SIZE)
#define COMPOSE_TEXT_MAX (128 * 1024)

static _Atomic int progress;
enum { NOTHING_MADE, MAKING, MADE, NOT_MADE };

/* Buffer for composed text, used by the thread that makes the experiment. */
MEMORY_APART static char compose_buffer[COMPOSE_TEXT_MAX];

/* gprofng drops a descendant and its samples if its stack file is empty. */
static const struct {
	struct packet_head head;
	uint32_t rest;
} filler = { { sizeof(filler), PACKET_EMPTY }, 0 };

/* ---- making ---- */

static int make_log(int founder, bool is_open)
{
	struct text text = TEXT_ON(compose_buffer);

	log_compose(&text);
	return directory_make_file(founder, is_open ? &files.log : NULL, BLOCK_SIZE,
				   LOG_FILE, text.start, text.length);
}

/* gprofng refuses a log that declares a kind of data which it does not know. */
static int make_metadata(int founder)
{
	const struct data_source *source;
	int rc = 0;

	for (size_t i = 0; rc == 0 && (source = source_at(i)) != NULL; i++) {
		struct text text = TEXT_ON(compose_buffer);

		if (!source->metadata)
			continue;
		source->describe(&text);
		rc = directory_make_file(founder, NULL, 0, source->metadata, text.start,
					 text.length);
	}
	return rc;
}

static int make_map(int founder, bool is_open)
{
	size_t size = loadmap_compose_size();
	bool is_large = size > sizeof(compose_buffer);
	char *buffer = is_large ? memory_get_pages(size) : compose_buffer;
	struct text text;
	int rc;

	if (!buffer)
		return -ENOMEM;
	text = text_on(buffer, is_large ? size : sizeof(compose_buffer));
	loadmap_compose(&text);
	rc = directory_make_file(founder, is_open ? &files.map : NULL, BLOCK_SIZE,
				 LOAD_MAP_FILE, text.start, text.length);
	if (is_large)
		memory_return_pages(buffer, size);
	return rc;
}

static int make_overview(int founder, bool is_open)
{
	size_t length;
	const char *records = samples_waiting(&length);

	return directory_make_file(founder, is_open ? &files.overview : NULL, BLOCK_SIZE,
				   OVERVIEW_FILE, records, length);
}

static int make_block_files(int founder)
{
	const struct data_source *source;
	int rc;

	rc = directory_make_file(founder, &files.frames, EVENT_WINDOW, FRAMEINFO_FILE, "",
				 0);
	for (size_t i = 0; rc == 0 && (source = source_at(i)) != NULL; i++)
		if (!source->is_late)
			rc = directory_make_file(founder, &files.data[source->kind],
						 EVENT_WINDOW, source->file, "", 0);
	return rc;
}

/* ---- bytes in use ---- */

static size_t data_length(size_t kind)
{
	size_t length = files.data[kind].end;

	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		length = cursor_limit(&thread->data[kind], length);
	return length;
}

static size_t frames_length(void)
{
	size_t length = files.frames.end;

	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		length = cursor_limit(&thread->in_call.frames,
				      cursor_limit(&thread->in_handler.frames, length));
	return length;
}

MEMORY_APART static char last_frames[BLOCK_SIZE], last_ticks[BLOCK_SIZE];

static int make_whole(int founder, const char *name, const char *content, size_t length)
{
	int rc = directory_make_file(founder, NULL, 0, name, content, length);

	if (rc == 0)
		log_length(name, length);
	return rc;
}

static int make_files_at_end(int founder)
{
	int rc = make_whole(founder, FRAMEINFO_FILE, last_frames, frames_length());

	return rc < 0 ? rc
		      : make_whole(founder, CLOCK_FILE, last_ticks,
				   data_length(DATA_CLOCK));
}

static int make_files(int founder, bool is_open)
{
	int rc = make_map(founder, is_open);

	if (rc == 0)
		rc = make_overview(founder, is_open);
	if (rc == 0)
		rc = make_metadata(founder);
	if (rc == 0 && is_open)
		rc = make_block_files(founder);
	else if (rc == 0 &&
		 data_length(DATA_CLOCK) > 0) /* otherwise there is nothing to hold */
		rc = make_files_at_end(founder);
	return rc;
}

static bool has_no_stacks(void)
{
	return output_is_open(&files.frames) && files.frames.end == 0;
}

static bool put_filler(void)
{
	return output_append(&files.frames, (const char *)&filler, sizeof(filler), 0);
}

/* A file without stacks would hide the experiment from gprofng. */
static void fill_stacks(void)
{
	if (has_no_stacks() && put_filler())
		files.frames.end = sizeof(filler);
}

/* The log comes last: it makes the directory an experiment, and it says what is missing.
 */
static int make_experiment(int founder, bool is_open)
{
	int rc = directory_make(founder), error;

	if (rc < 0)
		return rc;
	if (collector_is_founder())
		sys_mkdirat(founder, ARCHIVES_DIR, DIRECTORY_MODE);
	error = make_files(founder, is_open);
	if (error == 0)
		error = make_log(founder, is_open);
	if (error < 0) {
		log_message("cerror", EXPT_ERROR_FILE_OPEN, "nothing is recorded",
			    -error);
		rc = make_log(founder, is_open);
	}
	if (rc == 0)
		rc = directory_show(founder);
	if (rc < 0)
		directory_remove_hidden(founder);
	return rc < 0 ? rc : error;
}

struct making {
	bool is_open;
	int rc;
};

/* Begin nothing that would fail halfway because descriptors run out. */
static long make(int founder, void *argument)
{
	struct making *making = argument;
	int spare = sys_fcntl(founder, F_DUPFD_CLOEXEC, 0);

	if (spare < 0)
		return spare;
	sys_close(spare);
	making->rc = make_experiment(founder, making->is_open);
	return 0;
}

/* Files that are made at the end are never open. */
static bool is_whole;

static bool make_once(bool is_open)
{
	struct making making = { is_open, 0 };
	int expected = NOTHING_MADE;
	long rc;

	if (atomic_load(&progress) == MADE)
		return true;
	if (collector_is_frozen() ||
	    !atomic_compare_exchange_strong(&progress, &expected, MAKING))
		return false;
	rc = access_run(make, &making);
	if (rc == 0)
		rc = making.rc;
	if (rc == 0) {
		is_whole = !is_open;
		atomic_store(&progress, MADE);
		dynamic_describe();
		return true;
	}
	if (!collector_is_founder())
		unmade_report((int)-rc);
	atomic_store(&progress, NOT_MADE);
	atomic_store(&process.state, COLLECTOR_CARRIED);
	return false;
}

bool experiment_materialise(void)
{
	return make_once(true);
}

bool experiment_materialise_at_end(void)
{
	if (atomic_load(&progress) != NOTHING_MADE)
		return experiment_materialise();
	if (atomic_load(&files.frames.end) == 0) {
		output_open_in_memory(&files.frames, last_frames);
		output_open_in_memory(&files.data[DATA_CLOCK], last_ticks);
	}
	return true;
}

bool experiment_is_made(void)
{
	return atomic_load(&progress) != NOTHING_MADE;
}

static long reserve(int founder, void *argument)
{
	const struct data_source *source;

	(void)founder;
	(void)argument;
	output_reserve(&files.log);
	output_reserve(&files.frames);
	for (size_t i = 0; (source = source_at(i)) != NULL; i++)
		if (output_is_open(&files.data[source->kind]))
			output_reserve(&files.data[source->kind]);
	return 0;
}

void experiment_reserve(void)
{
	if (experiment_materialise())
		access_run(reserve, NULL);
}

/* ---- all of them ---- */

#define OTHER_OUTPUTS 6

/* Returns NULL after the last one. */
static struct output *output_at(size_t i)
{
	static struct output *const others[OTHER_OUTPUTS] = {
		&files.log,    &files.map,     &files.overview,
		&files.frames, &files.dyntext, &files.classes,
	};

	if (i < OTHER_OUTPUTS)
		return others[i];
	return i < OTHER_OUTPUTS + DATA_COUNT ? &files.data[i - OTHER_OUTPUTS] : NULL;
}

/* Files that were made at the end have never had windows of their own. */
void experiment_unmap(void)
{
	struct output *output;

	if (atomic_load(&progress) != MADE || is_whole)
		return;
	for (size_t i = 0; (output = output_at(i)) != NULL; i++)
		windows_unmap(&output->windows);
}

void experiment_forget(void)
{
	bool is_in_call = thread_self && thread_self->call_frame != 0;
	struct output *output;

	for (size_t i = 0; (output = output_at(i)) != NULL; i++)
		output_forget(output, is_in_call);
	classes_forget();
	atomic_store(&progress, NOTHING_MADE);
	is_whole = false;
}

void experiment_hold(void)
{
	struct output *output;

	if (!experiment_materialise())
		return;
	for (size_t i = 0; (output = output_at(i)) != NULL; i++)
		file_hold(&output->file);
}

uint64_t experiment_bytes(void)
{
	uint64_t bytes = frames_length() + classes_length() + files.log.end +
			 files.map.end + files.dyntext.end;

	for (size_t i = 0; i < DATA_COUNT; i++)
		bytes += data_length(i);
	return bytes;
}

/* ---- the end ---- */

static void close_file(struct output *output, size_t length)
{
	const char *name = output->file.name;
	size_t kept = output_close(output, length);

	if (kept > 0)
		log_length(name, kept);
}

static long close_files(int founder, void *argument)
{
	(void)founder;
	(void)argument;
	fill_stacks();
	close_file(&files.frames, frames_length());
	for (size_t i = 0; i < DATA_COUNT; i++)
		close_file(&files.data[i], data_length(i));
	close_file(&files.classes, classes_length());
	output_close(&files.overview, 0);
	output_close(&files.dyntext, 0);
	output_close(&files.map, files.map.end);
	output_close(&files.log, files.log.end);
	return 0;
}

void experiment_close(void)
{
	if (atomic_load(&progress) == NOTHING_MADE)
		make_once(false);
	if (is_whole)
		return;
	dynamic_describe();
	if (access_run(close_files, NULL) < 0)
		close_files(-1, NULL);
}

/* ---- around an exec that may fail ---- */

static long suspend(int founder, void *argument)
{
	(void)founder;
	(void)argument;
	if (has_no_stacks())
		put_filler();
	else
		output_suspend(&files.frames);
	output_suspend(&files.classes);
	for (size_t i = 0; i < DATA_COUNT; i++)
		output_suspend(&files.data[i]);
	return 0;
}

void experiment_suspend(void)
{
	experiment_materialise();
	access_run(suspend, NULL);
}

static long resume(int founder, void *argument)
{
	bool is_good;

	(void)founder;
	(void)argument;
	if (has_no_stacks())
		output_suspend(&files.frames);
	is_good = output_resume(&files.frames) && output_resume(&files.classes);
	for (size_t i = 0; i < DATA_COUNT; i++)
		is_good = output_resume(&files.data[i]) && is_good;
	return is_good ? 0 : -EIO;
}

bool experiment_resume(void)
{
	return access_run(resume, NULL) == 0;
}

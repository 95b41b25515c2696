/* SPDX-License-Identifier: Apache-2.0 */
/* Directory and files of an experiment, from the first record to the end. */

#include <collector/collector.h>
#include <collector/descriptors.h>
#include <collector/directory_name.h>
#include <collector/dynamic.h>
#include <collector/experiment.h>
#include <collector/loadmap.h>
#include <collector/log.h>
#include <collector/log_header.h>
#include <collector/memory.h>
#include <collector/sample.h>
#include <collector/source.h>
#include <collector/system.h>
#include <collector/text.h>
#include <collector/thread.h>
#include <errno.h>
#include <libexpt/format.h>

#define EVENT_WINDOW	 (8 * BLOCK_SIZE)
#define COMPOSE_TEXT_MAX (128 * 1024)

static _Atomic int progress;
enum { NOTHING_MADE, MAKING, MADE, NOT_MADE };

/* For text that is composed; used by the thread that makes the experiment. */
MEMORY_APART static char compose_buffer[COMPOSE_TEXT_MAX];

/* gprofng drops a descendant whose stack file is empty, its samples with it. */
static const struct {
	struct packet_head head;
	uint32_t rest;
} filler = { { sizeof(filler), PACKET_EMPTY }, 0 };

/* ---- making ---- */

static bool is_hidden; /* a descendant's directory, at the moment */

/* Seen from the founder's directory. */
static struct text path_of(char *buffer, size_t size, const char *name)
{
	struct text path = text_on(buffer, size);

	if (!collector_is_founder()) {
		directory_name_add(&path, process.lineage, is_hidden);
		text_add(&path, "/");
	}
	text_add(&path, name);
	return path;
}

static int make_directory(void)
{
	char buffer[DIRECTORY_NAME_SIZE];

	if (collector_is_founder())
		return 0;
	is_hidden = directory_name_can_hide(process.lineage);
	return sys_mkdirat(process.founder_fd,
			   directory_name(buffer, process.lineage, is_hidden).start,
			   DIRECTORY_MODE);
}

static int show_directory(void)
{
	char from[DIRECTORY_NAME_SIZE], to[DIRECTORY_NAME_SIZE];
	int rc;

	if (!is_hidden)
		return 0;
	rc = writer_rename(process.founder_fd,
			   directory_name(from, process.lineage, true).start,
			   directory_name(to, process.lineage, false).start);
	if (rc == 0)
		is_hidden = false;
	return rc;
}

/* A file that stays open and grows; without output, one that is complete. */
static int make_file(struct output *output, size_t window, const char *name,
		     const char *content, size_t length)
{
	char buffer[DIRECTORY_NAME_SIZE + 64];
	struct text path = path_of(buffer, sizeof(buffer), name);
	int fd = is_hidden ? writer_create(process.founder_fd, path.start, content, length)
			   : writer_create_at_once(process.founder_fd, path.start,
						   content, length);

	if (fd < 0)
		return fd;
	if (output != NULL)
		output_open(output, fd, length, window);
	else
		sys_close(fd);
	return 0;
}

int experiment_add_file(struct output *output, const char *name)
{
	return make_file(output, BLOCK_SIZE, name, "", 0);
}

static int make_log(bool is_open)
{
	struct text text = TEXT_ON(compose_buffer);

	log_compose(&text);
	return make_file(is_open ? &process.log : NULL, BLOCK_SIZE, LOG_FILE, text.start,
			 text.length);
}

static int make_map(bool is_open)
{
	size_t size = loadmap_compose_size();
	bool is_large = size > sizeof(compose_buffer);
	char *buffer = is_large ? memory_get_pages(size) : compose_buffer;
	struct text text;
	int rc;

	if (buffer == NULL)
		return -ENOMEM;
	text = text_on(buffer, is_large ? size : sizeof(compose_buffer));
	loadmap_compose(&text);
	rc = make_file(is_open ? &process.map : NULL, BLOCK_SIZE, LOAD_MAP_FILE,
		       text.start, text.length);
	if (is_large)
		memory_return_pages(buffer, size);
	return rc;
}

static int make_overview(bool is_open)
{
	size_t length;
	const char *records = sample_waiting(&length);

	return make_file(is_open ? &process.overview : NULL, BLOCK_SIZE, OVERVIEW_FILE,
			 records, length);
}

static int make_block_files(void)
{
	const struct data_source *source;
	int rc;

	rc = make_file(&process.frames, EVENT_WINDOW, FRAMEINFO_FILE, "", 0);
	for (size_t i = 0; rc == 0 && (source = source_at(i)) != NULL; i++)
		rc = make_file(&process.data[source->kind], EVENT_WINDOW, source->file,
			       "", 0);
	return rc;
}

static int make_files(bool is_open)
{
	int rc = make_map(is_open);

	if (rc == 0)
		rc = make_overview(is_open);
	if (rc == 0 && is_open) /* a run without records needs none */
		rc = make_block_files();
	return rc;
}

static bool has_no_stacks(void)
{
	return process.frames.fd >= 0 && process.frames.end == 0;
}

/* A file without stacks would hide the experiment from gprofng. */
static void fill_stacks(void)
{
	if (has_no_stacks() &&
	    writer_put(process.frames.fd, (const char *)&filler, sizeof(filler), 0) == 0)
		process.frames.end = sizeof(filler);
}

/* The program needs the descriptors, and nothing will be written to them. What is not there yet is made. */
static void give_up_files(void)
{
	output_close(&process.map, process.map.end);
	output_close(&process.overview, process.overview.end);
	fill_stacks();
	output_close(&process.frames, process.frames.end);
	for (size_t i = 0; i < DATA_COUNT; i++)
		output_close(&process.data[i], process.data[i].end);
	make_files(false);
}

static void remove_file(const char *name)
{
	char buffer[DIRECTORY_NAME_SIZE + 64];
	struct text path = path_of(buffer, sizeof(buffer), name);

	system_call(SYS_unlinkat, process.founder_fd, (long)path.start, 0, 0, 0, 0);
}

/* What there is no room for leaves nothing. */
static void remove_hidden_directory(void)
{
	char buffer[DIRECTORY_NAME_SIZE];
	struct text name = directory_name(buffer, process.lineage, true);
	const struct data_source *source;

	if (!is_hidden)
		return;
	remove_file(LOG_FILE);
	remove_file(LOAD_MAP_FILE);
	remove_file(OVERVIEW_FILE);
	remove_file(FRAMEINFO_FILE);
	for (size_t i = 0; (source = source_at(i)) != NULL; i++)
		remove_file(source->file);
	system_call(SYS_unlinkat, process.founder_fd, (long)name.start, AT_REMOVEDIR, 0,
		    0, 0);
}

/* The log is the last: with it the directory is an experiment. It says what else there is not. */
static int make_experiment(bool is_open)
{
	int rc = make_directory(), error;

	if (rc < 0)
		return rc;
	if (collector_is_founder())
		sys_mkdirat(process.founder_fd, ARCHIVES_DIR, DIRECTORY_MODE);
	error = is_open && !descriptors_have_room() ? -EMFILE : make_files(is_open);
	if (error == 0)
		error = make_log(is_open);
	if (error < 0) {
		is_open = is_open && error != -EMFILE;
		if (error == -EMFILE)
			give_up_files();
		log_message("cerror", EXPT_ERROR_FILE_OPEN, "nothing is recorded", -error);
		rc = make_log(is_open);
	}
	if (rc == 0)
		rc = show_directory();
	if (rc < 0)
		remove_hidden_directory();
	return rc < 0 ? rc : error;
}

/* Where the founder's reader looks. All here is on the stack, and is safe in a child of vfork. */
void experiment_warn(const struct text *line)
{
	int fd = sys_openat(process.founder_fd, WARNINGS_FILE,
			    O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
			    FILE_MODE);

	if (fd < 0)
		return;
	if (writer_may_grow(1 << 20))
		system_call(SYS_write, fd, (long)line->start, (long)line->length, 0, 0, 0);
	sys_close(fd);
}

/* A descendant that can have no directory. */
static void report_failure(int error)
{
	char buffer[LINEAGE_MAX + 128];
	struct text line = TEXT_ON(buffer);

	log_header_unmade(&line, process.lineage, error);
	experiment_warn(&line);
}

/* Where no directory can be made no file can either, for report_failure(). */
void experiment_foresee(const char *lineage)
{
	char name[DIRECTORY_NAME_SIZE];
	int rc;

	if (process.founder_fd < 0 || collector_is_frozen())
		return;
	rc = sys_may_write(process.founder_fd);
	if (rc == -EACCES || rc == -EROFS)
		log_message("cwarn", EXPT_ERROR_MKDIR,
			    directory_name(name, lineage, false).start, -rc);
}

static bool make_once(bool is_open)
{
	int expected = NOTHING_MADE, rc;

	if (atomic_load(&progress) == MADE)
		return true;
	if (collector_is_frozen() ||
	    !atomic_compare_exchange_strong(&progress, &expected, MAKING))
		return false;
	rc = make_experiment(is_open);
	if (rc == 0) {
		atomic_store(&progress, MADE);
		dynamic_describe();
		return true;
	}
	if (!collector_is_founder())
		report_failure(-rc);
	atomic_store(&progress, NOT_MADE);
	atomic_store(&process.state, COLLECTOR_CARRIED);
	return false;
}

bool experiment_materialise(void)
{
	return make_once(true);
}

void experiment_reserve(void)
{
	const struct data_source *source;

	if (!experiment_materialise())
		return;
	output_reserve(&process.log);
	output_reserve(&process.frames);
	for (size_t i = 0; (source = source_at(i)) != NULL; i++)
		output_reserve(&process.data[source->kind]);
}

void experiment_forget(void)
{
	struct output *const outputs[] = { &process.log, &process.map, &process.overview,
					   &process.frames, &process.dyntext };

	bool is_in_call = thread_self != NULL && thread_self->call_frame != 0;

	for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++)
		output_forget(outputs[i], is_in_call);
	for (size_t i = 0; i < DATA_COUNT; i++)
		output_forget(&process.data[i], is_in_call);
	atomic_store(&progress, NOTHING_MADE);
}

/* ---- the end ---- */

static size_t data_length(size_t kind)
{
	size_t length = process.data[kind].end;

	for (struct thread *thread = thread_first(); thread != NULL; thread = thread->next)
		length = cursor_limit(&thread->data[kind], length);
	return length;
}

static size_t frames_length(void)
{
	size_t length = process.frames.end;

	for (struct thread *thread = thread_first(); thread != NULL; thread = thread->next)
		length = cursor_limit(&thread->in_call.frames,
				      cursor_limit(&thread->in_handler.frames, length));
	return length;
}

void experiment_close(void)
{
	if (atomic_load(&progress) == NOTHING_MADE)
		make_once(false);
	dynamic_describe();
	fill_stacks();
	output_close(&process.frames, frames_length());
	for (size_t i = 0; i < DATA_COUNT; i++)
		output_close(&process.data[i], data_length(i));
	output_close(&process.overview, 0);
	output_close(&process.dyntext, 0);
	output_close(&process.map, process.map.end);
	output_close(&process.log, process.log.end);
}

/* ---- around an exec that may fail ---- */

void experiment_suspend(void)
{
	experiment_materialise();
	if (has_no_stacks())
		writer_put(process.frames.fd, (const char *)&filler, sizeof(filler), 0);
	else
		output_suspend(&process.frames);
	for (size_t i = 0; i < DATA_COUNT; i++)
		output_suspend(&process.data[i]);
}

bool experiment_resume(void)
{
	bool is_good;

	if (has_no_stacks())
		sys_ftruncate(process.frames.fd, 0);
	is_good = output_resume(&process.frames);
	for (size_t i = 0; i < DATA_COUNT; i++)
		is_good = output_resume(&process.data[i]) && is_good;
	return is_good;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of descriptors: events name a descriptor, and the file it refers to is found by
 * replaying events in the order of time. The rules are those of gprofng, except for
 * events that it drops, such as closing a descriptor that is older than the program: they
 * belong to no file; and for names that erkit records at the first use of a descriptor.
 */
#include "libexpt/analysis/io_files.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/idmap.h"
#include "libexpt/events/filter.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/residents.h"
#include "libexpt/kinds/io.h"

#define UNNAMED "<pipe(), socket(), or other fds>"

enum { STANDARD_IN, STANDARD_OUT, STANDARD_ERROR, NO_FILE, STANDARD_COUNT };

struct io_file {
	struct expt_io_file shown;
	int64_t file_system;
	bool is_used; /* has events */
};

/* State while one experiment is read. */
struct reader {
	struct expt_io_files *files;
	size_t member;
	size_t first; /* index of its first file: the standard ones */
	int64_t next_number;
	struct idmap bound; /* files of descriptors; IDMAP_NONE: closed */
};

struct expt_io_files {
	struct {
		struct io_file *items;
		size_t count, capacity;
	} list;
	struct arena names;
	struct reader reader;
	bool is_begun;	   /* an experiment is read */
	uint32_t *numbers; /* of files, once they are chosen */
};

void expt_io_files_free(struct expt_io_files *files)
{
	if (!files)
		return;
	array_release(&files->list);
	idmap_release(&files->reader.bound);
	arena_release(&files->names);
	free(files->numbers);
	free(files);
}

static struct io_file *add_file(struct reader *reader, const char *name, int64_t fd)
{
	struct io_file *file = array_add(&reader->files->list);

	if (file)
		*file = (struct io_file){
			.shown = {
				.name = name,
				.expt = reader->member,
				.number = reader->next_number++,
				.fd = fd,
			},
			.file_system = EXPT_FS_UNKNOWN,
		};
	return file;
}

static struct io_file *file_of_none(struct reader *reader)
{
	return &reader->files->list.items[reader->first + NO_FILE];
}

static uint64_t key_of(int64_t fd)
{
	return (uint32_t)fd;
}

/* NULL: the descriptor refers to no known file. */
static struct io_file *bound_file(struct reader *reader, int64_t fd)
{
	uint32_t index = idmap_find(&reader->bound, key_of(fd));

	return index == IDMAP_NONE ? NULL : &reader->files->list.items[index];
}

static bool bind_to(struct reader *reader, int64_t fd, const struct io_file *file)
{
	uint32_t *slot = idmap_add(&reader->bound, key_of(fd));

	if (!slot)
		return false;
	*slot = file ? (uint32_t)(file - reader->files->list.items) : IDMAP_NONE;
	return true;
}

/* Add a file that the descriptor refers to from now on. */
static struct io_file *bind_new(struct reader *reader, const char *name, int64_t fd)
{
	struct io_file *file = add_file(reader, name, fd);

	return file && bind_to(reader, fd, file) ? file : NULL;
}

static struct io_file *open_file(struct reader *reader, const struct io_event *event)
{
	struct io_file *file, *old;

	if (event->name) {
		file = bind_new(reader, event->name, event->fd);
		if (file)
			file->file_system = event->file_system;
		return file;
	}
	if (event->old_fd > 0) {
		const char *name;
		int64_t file_system;

		old = bound_file(reader, event->old_fd);
		if (!old)
			return file_of_none(reader);
		name = old->shown.name;
		file_system = old->file_system;
		file = bind_new(reader, name, event->fd); /* this may move *old */
		if (file)
			file->file_system = file_system;
		return file;
	}
	old = bound_file(reader, event->fd);
	return old ? old : bind_new(reader, UNNAMED, event->fd);
}

static struct io_file *close_file(struct reader *reader, const struct io_event *event)
{
	struct io_file *file = bound_file(reader, event->fd);

	if (!file)
		return file_of_none(reader);
	return bind_to(reader, event->fd, NULL) ? file : NULL;
}

/* A thread may have used the descriptor just before another one recorded its name. false:
 * out of memory. */
static bool name_file(struct reader *reader, const struct io_event *event)
{
	struct io_file *file = bound_file(reader, event->fd);

	if (!event->name)
		return true;
	if (!file || (strcmp(file->shown.name, UNNAMED) != 0 &&
		      strcmp(file->shown.name, event->name) != 0))
		file = bind_new(reader, event->name, event->fd);
	if (!file)
		return false;
	file->shown.name = event->name;
	file->file_system = event->file_system;
	return true;
}

/* NULL: out of memory. */
static struct io_file *file_of_event(struct reader *reader, const struct io_event *event)
{
	struct io_file *file;

	switch (event->call) {
	case EXPT_IO_READ:
	case EXPT_IO_WRITE:
	case EXPT_IO_READ + EXPT_IO_FAILED:
	case EXPT_IO_WRITE + EXPT_IO_FAILED:
		file = bound_file(reader, event->fd);
		return file ? file : bind_new(reader, UNNAMED, event->fd);
	case EXPT_IO_OPEN:
		return open_file(reader, event);
	case EXPT_IO_OPEN + EXPT_IO_FAILED:
		return event->name ? add_file(reader, event->name, event->fd)
				   : file_of_none(reader);
	case EXPT_IO_CLOSE:
	case EXPT_IO_CLOSE + EXPT_IO_FAILED:
		return close_file(reader, event);
	default:
		return file_of_none(reader);
	}
}

static bool add_standard_files(struct reader *reader)
{
	static const char *const names[STANDARD_COUNT] = {
		[STANDARD_IN] = "<stdin>",
		[STANDARD_OUT] = "<stdout>",
		[STANDARD_ERROR] = "<stderr>",
		[NO_FILE] = "<Other IO activity>",
	};

	for (int i = 0; i < STANDARD_COUNT; i++) {
		struct io_file *file = add_file(reader, names[i], i < NO_FILE ? i : -1);

		if (!file || (i < NO_FILE && !bind_to(reader, i, file)))
			return false;
		file->shown.number = i + 1;
	}
	return true;
}

/* An event that the filter drops still opens and closes files. */
static bool count_event(struct reader *reader, const struct io_event *event, bool keeps,
			uint32_t *number)
{
	struct io_file *file;

	if (event->call == EXPT_IO_NAME)
		return name_file(reader, event);
	if (event->call < 0 || event->call >= 2 * EXPT_IO_FAILED)
		return true;
	file = file_of_event(reader, event);
	if (!file)
		return false;
	if (!keeps)
		return true;
	file->is_used = true;
	io_event_measure(event, file->shown.values);
	*number = (uint32_t)(file - reader->files->list.items);
	return true;
}

static bool begin_member(struct expt_io_files *files, size_t member)
{
	struct reader *reader = &files->reader;
	int64_t next_number = reader->next_number + EXPT_IO_FIRST;

	idmap_release(&reader->bound);
	*reader = (struct reader){
		.files = files,
		.member = member,
		.first = files->list.count,
	};
	files->is_begun = true;
	if (!add_standard_files(reader))
		return false;
	reader->next_number = next_number;
	return true;
}

struct expt_io_files *io_files_new(void)
{
	return calloc(1, sizeof(struct expt_io_files));
}

bool io_files_add(struct expt_io_files *files, size_t member,
		  const struct expt_record *record, bool keeps, uint32_t *number)
{
	struct io_event event;

	*number = IDMAP_NONE;
	return ((files->is_begun && files->reader.member == member) ||
		begin_member(files, member)) &&
	       io_event_read(&event, record, &files->names) &&
	       count_event(&files->reader, &event, keeps, number);
}

/* false: out of memory, or stopped. */
static bool read_member(struct expt_view *view, struct expt_io_files *files,
			size_t member)
{
	struct expt_records *records;
	struct expt_record record;
	struct expt_error err;
	uint32_t number;
	bool is_good = begin_member(files, member), keeps;
	int rc;

	residents_use(view, member);
	rc = expt_records_open(&records, view->members.items[member].expt, EXPT_IO, &err);
	if (rc == 0) {
		rc = expt_records_order(records, &err);
		while (is_good && rc >= 0 &&
		       (rc = expt_records_next(records, &record, &err)) > 0)
			is_good = !view_is_stopped(view) &&
				  filter_keeps_record(view, member, &record, &keeps) &&
				  io_files_add(files, member, &record, keeps, &number);
		expt_records_close(records);
	}
	if (rc < 0)
		view_add_failure(view, member, &err);
	return is_good;
}

static bool read_members(struct expt_view *view, struct expt_io_files *files)
{
	for (size_t i = 0; i < view->members.count; i++)
		if (expt_has_data(view->members.items[i].expt, EXPT_IO) &&
		    !read_member(view, files, i))
			return false;
	return true;
}

/* ---- those with events ---- */

static void drop_unused(struct expt_io_files *files)
{
	size_t count = 0;

	for (size_t i = 0; i < files->list.count; i++) {
		bool is_used = files->list.items[i].is_used;

		files->numbers[i] = is_used ? (uint32_t)count : IDMAP_NONE;
		if (is_used)
			files->list.items[count++] = files->list.items[i];
	}
	files->list.count = count;
}

static void merge(struct io_file *into, const struct io_file *file)
{
	if (!io_file_system_name(into->file_system))
		into->file_system = file->file_system;
	for (size_t i = 0; i < EXPT_IO_METRIC_COUNT; i++)
		add_saturated(&into->shown.values[i], file->shown.values[i]);
}

/* Merge the files of each name. false: out of memory. */
static bool merge_names(struct expt_io_files *files, uint32_t *merged)
{
	struct idmap by_name = { 0 };
	size_t count = 0;
	bool is_good = true;

	for (size_t i = 0; i < files->list.count && is_good; i++) {
		const struct io_file *file = &files->list.items[i];
		uint32_t *slot =
			idmap_add(&by_name, idmap_text_key(IDMAP_KEY, file->shown.name));

		is_good = slot;
		if (slot && *slot != IDMAP_NONE) {
			merge(&files->list.items[*slot], file);
			merged[i] = *slot;
		} else if (slot) {
			merged[i] = *slot = (uint32_t)count;
			files->list.items[count++] = *file;
		}
	}
	files->list.count = count;
	idmap_release(&by_name);
	return is_good;
}

bool io_files_choose(struct expt_io_files *files, bool by_name)
{
	size_t count = files->list.count;
	uint32_t *merged = calloc(count + 1, sizeof(*merged));
	bool is_good;

	files->numbers = calloc(count + 1, sizeof(*files->numbers));
	is_good = merged && files->numbers;
	if (is_good)
		drop_unused(files);
	if (is_good && by_name) {
		is_good = merge_names(files, merged);
		for (size_t i = 0; i < count; i++)
			if (files->numbers[i] != IDMAP_NONE)
				files->numbers[i] = merged[files->numbers[i]];
	}
	free(merged);
	for (size_t i = 0; i < files->list.count; i++)
		files->list.items[i].shown.file_system =
			io_file_system_name(files->list.items[i].file_system);
	return is_good;
}

uint32_t io_files_number(const struct expt_io_files *files, uint32_t number)
{
	return files->numbers[number];
}

int expt_io_files_find(struct expt_io_files **out, struct expt_view *view, bool by_name,
		       struct expt_error *err)
{
	struct expt_io_files *files = io_files_new();

	if (files && (!filter_is_set(view) || stack_sums_get(view)) &&
	    read_members(view, files) && io_files_choose(files, by_name)) {
		*out = files;
		return 0;
	}
	expt_io_files_free(files);
	return view_refuse(view, err);
}

size_t expt_io_files_count(const struct expt_io_files *files)
{
	return files->list.count;
}

const struct expt_io_file *expt_io_file(const struct expt_io_files *files, size_t i)
{
	return &files->list.items[i].shown;
}

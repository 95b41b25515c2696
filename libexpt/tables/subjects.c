/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/tables/subjects.h"

#include <stdlib.h>

#include "libexpt/analysis/io_files.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/dataspace/data_objects.h"

/* Set the number of the subject. false: out of memory. */
static bool number_of(struct subjects *subjects, enum expt_data data, int64_t wanted,
		      uint32_t *number)
{
	uint64_t key = idmap_number_key(IDMAP_KEY, (uint64_t)data);
	uint32_t *slot =
		idmap_add(&subjects->by_number, idmap_number_key(key, (uint64_t)wanted));
	struct expt_table_subject *subject;

	if (slot && *slot == IDMAP_NONE) {
		subject = array_add(&subjects->list);
		if (!subject)
			return false;
		*subject = (struct expt_table_subject){ .data = data, .number = wanted };
		*slot = (uint32_t)subjects->list.count - 1;
	}
	if (slot)
		*number = *slot;
	return slot;
}

static bool find_lock(void *context, uint32_t member, const struct expt_record *record,
		      bool keeps, uint32_t *number)
{
	int64_t lock;

	return !expt_record_value(record, EXPT_SOBJ, &lock) ||
	       number_of(context, EXPT_SYNC, lock, number);
}

static bool find_file(void *context, uint32_t member, const struct expt_record *record,
		      bool keeps, uint32_t *number)
{
	struct subjects *subjects = context;
	uint32_t file;

	return io_files_add(subjects->files, member, record, keeps, &file) &&
	       (file == IDMAP_NONE || number_of(subjects, EXPT_IO, file, number));
}

static bool find_object(void *context, uint32_t member, const struct expt_record *record,
			bool keeps, uint32_t *number)
{
	struct subjects *subjects = context;
	uint32_t row;

	return data_objects_add(subjects->objects, member, record, &row) &&
	       (row == EXPT_ROW_TOTAL || number_of(subjects, EXPT_HWC, row, number));
}

static bool has_data_objects(const struct expt_view *view)
{
	for (size_t i = 0; i < view->metric_count; i++)
		if (view->metrics[i].has_data_objects)
			return true;
	return false;
}

static void use(struct subjects *subjects, enum expt_data data,
		struct subject_finder finder)
{
	finder.context = subjects;
	subjects->finders[data] = finder;
	subjects->view->finders[data] = &subjects->finders[data];
}

bool subjects_begin(struct subjects *subjects, struct expt_view *view)
{
	subjects->view = view;
	subjects->files = io_files_new();
	subjects->objects = data_objects_new(view);
	if (!array_add(&subjects->list) || !subjects->files || !subjects->objects)
		return false;
	use(subjects, EXPT_SYNC, (struct subject_finder){ .find = find_lock });
	use(subjects, EXPT_IO,
	    (struct subject_finder){ .find = find_file, .is_of_all = true });
	if (has_data_objects(view))
		use(subjects, EXPT_HWC, (struct subject_finder){ .find = find_object });
	return true;
}

void subjects_end(struct subjects *subjects)
{
	for (size_t i = 0; i < EXPT_DATA_COUNT; i++)
		subjects->view->finders[i] = NULL;
}

/* Number the subjects anew, as files of one name are one. */
static bool number_again(struct subjects *subjects)
{
	size_t count = subjects->list.count;
	cleanup_free struct expt_table_subject *found = subjects->list.items;

	subjects->numbers = calloc(count + 1, sizeof(*subjects->numbers));
	subjects->list.items = NULL;
	subjects->list.count = subjects->list.capacity = 0;
	idmap_release(&subjects->by_number);
	if (!subjects->numbers || !io_files_choose(subjects->files, true) ||
	    !array_add(&subjects->list))
		return false;
	for (size_t i = 1; i < count; i++) {
		bool is_file = found[i].data == EXPT_IO;

		if (!number_of(subjects, found[i].data,
			       is_file ? io_files_number(subjects->files,
							 (uint32_t)found[i].number)
				       : found[i].number,
			       &subjects->numbers[i]))
			return false;
	}
	return true;
}

bool subjects_complete(struct subjects *subjects)
{
	if (has_data_objects(subjects->view)) {
		data_objects_end(subjects->objects);
		subjects->objects = NULL;
	}
	return number_again(subjects);
}

void subjects_release(struct subjects *subjects)
{
	array_release(&subjects->list);
	free(subjects->numbers);
	idmap_release(&subjects->by_number);
	expt_io_files_free(subjects->files);
	data_objects_free(subjects->objects);
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/replay.h"

#include <stdlib.h>

#include "collector/perf/shared.h"
#include "libexpt/cli/cli.h"

#define RECORDS_PER_LOOK  1024
#define MAPPINGS_OF_FORKS (1 << 20)
#define BYTES_PER_MAPPING 16 /* of the recording; records of mappings have more */

struct player {
	struct experiments *all;
	struct records *records;
	struct files *files;
	struct shared_budget budget;
	struct image *image;
	struct image *next_child;
	struct experiment experiment;
	bool is_wanted; /* it becomes an experiment */
};

/* Those of an image are together, still in the order of time. */
static int compare(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->image != y->image)
		return x->image < y->image ? -1 : 1;
	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* ---- records ---- */

static int take_mapping(struct player *player, const struct event *event)
{
	const struct perf_record *record = &event->record;
	struct image *image = player->image;
	const struct mapping mapping = { record->address, record->size,
					 record->file_offset,
					 event->has_code ? files_get(player->files, event)
							 : NULL };
	struct shared *code;

	if (record->size == 0)
		return CLI_OK;
	if (player->is_wanted)
		outputs_unmap(&player->experiment.outputs, &image->code->mappings,
			      record->address, record->size, record->time_ns);
	code = shared_map(image->code, &mapping, event->has_code, &player->budget);
	if (!code)
		return cli_error("'%s': process %u has too many mappings",
				 player->records->recording->path, image->pid);
	image->code = code;
	if (!player->is_wanted)
		return CLI_OK;
	if (event->has_code)
		experiment_map(&player->experiment, &mapping, record->time_ns);
	return experiment_flush(&player->experiment);
}

static void take_fork(struct player *player)
{
	struct image *child = player->next_child;

	if (!child)
		return;
	child->code = shared_add_user(player->image->code);
	player->next_child = child->next;
}

/* What perf executes replaces perf's own code. */
static int take_exec(struct player *player, const struct perf_record *record)
{
	struct image *image = player->image;

	if (player->is_wanted)
		outputs_unmap(&player->experiment.outputs, &image->code->mappings, 0,
			      UINT64_MAX, record->time_ns);
	shared_release(image->code, &player->budget);
	image->code = shared_new();
	return image->code ? CLI_OK : cli_error("out of memory");
}

static int take(struct player *player, const struct found *found)
{
	struct event event;

	if (records_parse(player->records, found, &event) != CLI_OK)
		return CLI_FAILED;
	switch (event.record.type) {
	case PERF_RECORD_SAMPLE:
		experiment_take(&player->experiment, &event,
				&player->image->code->mappings);
		return experiment_flush(&player->experiment);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return take_mapping(player, &event);
	case PERF_RECORD_FORK:
		take_fork(player);
		return CLI_OK;
	case PERF_RECORD_COMM:
		return take_exec(player, &event.record);
	}
	return CLI_OK;
}

/* ---- images ---- */

static int take_all(struct player *player, const struct found *items, size_t count)
{
	int status = CLI_OK;

	for (size_t i = 0; i < count && status == CLI_OK; i++) {
		if (i % RECORDS_PER_LOOK == 0 && *player->records->stop)
			return CLI_FAILED;
		status = take(player, &items[i]);
	}
	return status;
}

static int begin(struct player *player)
{
	struct image *image = player->image;
	int status = CLI_OK;

	player->next_child = image->first;
	player->is_wanted = image->samples > 0 || image == player->all->images->founder;
	if (!image->code)
		image->code = shared_new();
	if (!image->code)
		return cli_error("out of memory");
	if (player->is_wanted)
		status = experiment_open(&player->experiment, player->all, image);
	player->is_wanted = player->is_wanted && status == CLI_OK;
	for (size_t i = 0; player->is_wanted && i < image->code->mappings.count; i++)
		experiment_map(&player->experiment, &image->code->mappings.items[i],
			       image->start_ns);
	return status;
}

static int play(struct player *player, struct image *image, const struct found *items,
		size_t count)
{
	int status, ended = CLI_OK;

	player->image = image;
	status = begin(player);
	if (status == CLI_OK)
		status = take_all(player, items, count);
	if (player->is_wanted)
		ended = experiment_close(&player->experiment);
	shared_release(image->code, &player->budget);
	image->code = NULL;
	return status == CLI_OK ? ended : status;
}

/* All processes of a machine are below one that is none of them. */
static int make_common_founder(struct experiments *all)
{
	struct experiment founder;

	return experiment_open(&founder, all, NULL) == CLI_OK ? experiment_close(&founder)
							      : CLI_FAILED;
}

int replay(struct experiments *all, struct records *records, struct files *files)
{
	struct images *images = all->images;
	struct player player = {
		.all = all,
		.records = records,
		.files = files,
		.budget.most =
			MAPPINGS_OF_FORKS + (size_t)(records->recording->size +
						     records->recording->spool_size) /
						    BYTES_PER_MAPPING,
	};
	size_t at = 0;
	int status = images->founder ? CLI_OK : make_common_founder(all);

	if (records->count > 0)
		qsort(records->items, records->count, sizeof(*records->items), compare);
	for (size_t i = 0; i < images->count && status == CLI_OK; i++) {
		size_t begin = at;

		while (at < records->count && records->items[at].image == i)
			at++;
		status = play(&player, images->items[i], records->items + begin,
			      at - begin);
	}
	for (size_t i = 0; i < images->count; i++)
		shared_release(images->items[i]->code, &player.budget);
	return status;
}

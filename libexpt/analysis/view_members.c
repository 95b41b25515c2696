/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/analysis/view_members.h"

#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/workers.h"
#include "libexpt/events/problems.h"
#include "libexpt/experiment/handle.h"

void view_member_close(struct view_member *member)
{
	expt_close(member->expt);
	free(member->name);
}

/* Figures lack what came after an error of the recording. */
static void add_error(struct expt_view *view, const char *name,
		      const struct expt_event *event)
{
	const char *meaning = expt_message_text(event->id);
	const char *reason = strerrordesc_np((int)event->error_number);

	view_add_problem(view, false, "%s: error while recording: %s%s%s%s%s", name,
			 meaning ? meaning : "", meaning && event->text[0] ? ": " : "",
			 event->text, event->error_number ? ": " : "",
			 event->error_number && reason ? reason : "");
}

bool view_members_add(struct expt_view *view, struct expt *expt, size_t founder)
{
	const char *path = expt_path(expt);
	char *name = strndup(path, path_length(path));
	struct view_member *member = name ? array_add(&view->members) : NULL;

	if (!member) {
		free(name);
		expt_close(expt);
		return false;
	}
	*member = (struct view_member){ .expt = expt, .name = name, .founder = founder };
	for (size_t i = 0; i < expt_event_count(expt); i++)
		if (expt_event(expt, i)->kind == EXPT_EVENT_ERROR)
			add_error(view, name, expt_event(expt, i));
	return true;
}

/* ---- descendants, opened by several threads ---- */

struct opening {
	struct expt *founder;
	struct opened {
		size_t number;
		struct expt *expt; /* NULL: it cannot be opened */
		char *problem;	   /* the reason; NULL: out of memory */
	} * items;
	size_t count;
};

/* Open one descendant; for workers_run(). */
static int open_descendant(void *context, unsigned worker, size_t item,
			   struct expt_error *err)
{
	struct opening *opening = context;
	struct opened *opened = &opening->items[item];
	struct expt_error why;

	if (expt_descendant_open(&opened->expt, opening->founder, opened->number, &why) <
	    0)
		opened->problem = strdup(why.message);
	return 0;
}

static void open_all(struct opening *opening)
{
	unsigned threads = opening->founder->folder.package ? 1 : workers_count(0);

	threads = workers_for(threads, opening->count);
	if (threads > 1)
		io_expect_descriptors(opening->founder->folder.dir, opening->count);
	workers_run(threads, opening->count, open_descendant, opening, NULL);
}

static bool add_opened(struct expt_view *view, struct opened *opened, size_t founder)
{
	bool is_good = opened->problem;

	if (opened->expt)
		return view_members_add(view, opened->expt, founder);
	if (is_good)
		view_add_problem(view, true, "%s", opened->problem);
	free(opened->problem);
	return is_good;
}

bool view_members_open(struct expt_view *view, size_t founder,
		       const struct expt_view_options *options)
{
	struct opening opening = { .founder = view->members.items[founder].expt };
	size_t count = expt_descendant_count(opening.founder);
	bool is_good = true;

	opening.items = calloc(count + 1, sizeof(*opening.items));
	if (!opening.items)
		return false;
	for (size_t i = 0; i < count; i++)
		if (!options || !options->wants ||
		    options->wants(options->context,
				   expt_descendant_name(opening.founder, i)))
			opening.items[opening.count++].number = i;
	open_all(&opening);
	for (size_t i = 0; i < opening.count; i++)
		is_good = add_opened(view, &opening.items[i], founder) && is_good;
	free(opening.items);
	return is_good;
}

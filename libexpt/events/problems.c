/* SPDX-License-Identifier: Apache-2.0 */
/* Problems of the experiments of a view. */
#include "libexpt/events/problems.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/events/view.h"

#define TEXT_SIZE 2048

void view_add_problem(struct expt_view *view, bool is_error, const char *format, ...)
{
	char line[TEXT_SIZE];
	struct expt_problem *problem;
	va_list arguments;
	uint32_t *slot;
	char *text;

	va_start(arguments, format);
	vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	slot = idmap_add(&view->problem_keys, idmap_text_key(IDMAP_KEY, line));
	if (!slot || *slot != IDMAP_NONE)
		return;
	*slot = 0;
	text = arena_text(&view->texts, line, strlen(line));
	problem = text ? array_add(&view->problems) : NULL;
	if (problem)
		*problem = (struct expt_problem){ is_error, text };
}

void view_add_failure(struct expt_view *view, size_t member, const struct expt_error *err)
{
	view_add_problem(view, true, "%s: %s", view->members.items[member].name,
			 err->message);
}

int view_refuse(const struct expt_view *view, struct expt_error *err)
{
	if (view_is_stopped(view))
		return expt_refuse(err, -EINTR, "interrupted");
	return expt_refuse(err, -ENOMEM, "out of memory");
}

/* Damage is found wherever a file is read: take over what is new. */
static void add_damage(struct expt_view *view)
{
	for (size_t i = 0; i < view->members.count; i++) {
		struct view_member *member = &view->members.items[i];

		for (; member->damage < expt_damage_count(member->expt); member->damage++)
			view_add_problem(view, true, "%s: %s", member->name,
					 expt_damage(member->expt, member->damage));
	}
}

size_t expt_view_problem_count(struct expt_view *view)
{
	add_damage(view);
	return view->problems.count;
}

const struct expt_problem *expt_view_problem(const struct expt_view *view, size_t i)
{
	return &view->problems.items[i];
}

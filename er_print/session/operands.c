/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/session/operands.h"

#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/path.h"

#define NO_GROUP SIZE_MAX

static bool is_founder(const struct expt_view *view, size_t i)
{
	return expt_view_founder(view, i) == i;
}

static char *last_part(const char *path)
{
	size_t length = path_length(path), start = length;

	while (start > 0 && path[start - 1] != '/')
		start--;
	return strndup(path + start, length - start);
}

bool operands_add(struct operands *operands, const struct expt_view *view, size_t first,
		  const char *path)
{
	struct operand *new = array_add(operands);

	if (!new)
		return false;
	new->name = last_part(path);
	new->group = NO_GROUP;
	for (size_t i = first; i < expt_view_count(view) && new->name; i++) {
		struct founder *founder;

		if (!is_founder(view, i))
			continue;
		founder = array_add(&operands->founders);
		if (!founder)
			return false;
		founder->expt = expt_view_expt(view, i);
		founder->operand = operands->count - 1;
	}
	return new->name;
}

/* A dropped experiment may have been where a later one is now: the last one counts. */
static struct operand *operand_of(const struct operands *operands,
				  const struct expt *expt)
{
	for (size_t i = operands->founders.count; i-- > 0;)
		if (operands->founders.items[i].expt == expt)
			return &operands->items[operands->founders.items[i].operand];
	return NULL;
}

/* Number the operands that are still loaded. Returns their count. */
static size_t number_operands(struct operands *operands, const struct expt_view *view)
{
	size_t count = 0;

	for (size_t i = 0; i < operands->count; i++)
		operands->items[i].group = NO_GROUP;
	for (size_t i = 0; i < expt_view_count(view); i++) {
		struct operand *operand = operand_of(operands, expt_view_expt(view, i));

		if (operand && operand->group == NO_GROUP)
			operand->group = count++;
	}
	return count;
}

void operands_group(struct operands *operands, struct expt_view *view, bool apart)
{
	size_t groups = apart ? number_operands(operands, view) : 1;

	if (groups == 1 && expt_view_groups(view) == 1)
		return;
	expt_view_set_groups(view, groups);
	for (size_t i = 0; i < expt_view_count(view); i++) {
		struct operand *operand = operand_of(operands, expt_view_expt(view, i));

		if (is_founder(view, i))
			expt_view_set_group(view, i,
					    apart && operand ? operand->group : 0);
	}
}

const char *operands_group_name(const struct operands *operands, size_t group)
{
	for (size_t i = 0; i < operands->count; i++)
		if (operands->items[i].group == group)
			return operands->items[i].name;
	return "";
}

void operands_release(struct operands *operands)
{
	for (size_t i = 0; i < operands->count; i++)
		free(operands->items[i].name);
	array_release(operands);
	array_release(&operands->founders);
}

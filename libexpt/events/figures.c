/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/figures.h"

bool figures_make(struct figures *figures, const struct expt_view *view, size_t groups,
		  struct arena *arena)
{
	size_t squares = groups * view->squares_width;

	figures->values = arena_alloc(arena, groups * view->width * sizeof(int64_t) + 1);
	figures->squares = squares > 0 ? arena_alloc(arena, squares * sizeof(double))
				       : NULL;
	return figures->values && (squares == 0 || figures->squares);
}

static void add(int64_t *sums, const int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		add_saturated(&sums[i], values[i]);
}

static void add_squares(double *sums, const double *squares, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sums[i] += squares[i];
}

void figures_add(const struct expt_view *view, const struct figures *sum, size_t group,
		 const struct figures *one)
{
	add(sum->values + group * view->width, one->values, view->width);
	if (view->squares_width > 0)
		add_squares(sum->squares + group * view->squares_width, one->squares,
			    view->squares_width);
}

void figures_add_all(const struct expt_view *view, const struct figures *sum,
		     const struct figures *all)
{
	add(sum->values, all->values, view->groups * view->width);
	if (view->squares_width > 0)
		add_squares(sum->squares, all->squares,
			    view->groups * view->squares_width);
}

bool figures_are_zero(const struct expt_view *view, const struct figures *one)
{
	for (size_t i = 0; i < view->width; i++)
		if (one->values[i] != 0)
			return false;
	return true;
}

int64_t figures_value(const struct expt_view *view, const struct figures *figures,
		      size_t group, size_t metric)
{
	size_t place = metric < view->metric_count ? view->places[metric] : PLACE_NONE;
	int64_t sum = 0;

	if (place == PLACE_NONE)
		return 0;
	if (group != EXPT_ALL_GROUPS)
		return figures->values[group * view->width + place];
	for (size_t i = 0; i < view->groups; i++)
		add_saturated(&sum, figures->values[i * view->width + place]);
	return sum;
}

double figures_square(const struct expt_view *view, const struct figures *figures,
		      size_t group, size_t metric)
{
	size_t place = metric < view->metric_count ? view->square_places[metric]
						   : PLACE_NONE;
	double sum = 0;

	if (place == PLACE_NONE)
		return 0;
	if (group != EXPT_ALL_GROUPS)
		return figures->squares[group * view->squares_width + place];
	for (size_t i = 0; i < view->groups; i++)
		sum += figures->squares[i * view->squares_width + place];
	return sum;
}

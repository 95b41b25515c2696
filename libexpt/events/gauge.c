/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/gauge.h"

const struct kind_use *gauge_use(const struct expt_view *view, enum expt_data data)
{
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (view->uses[i].kind->data == data)
			return &view->uses[i];
	return NULL;
}

void gauge_set(struct gauge *gauge, const struct expt_view *view,
	       const struct kind_use *use, const struct expt *expt)
{
	*gauge = (struct gauge){ .kind = use ? use->kind : NULL };
	if (!use)
		return;
	if (use->kind->begin)
		use->kind->begin(gauge, use, expt);
	for (size_t i = 0; i < use->count; i++) {
		size_t place = view->places[use->base + i];

		if (place == PLACE_NONE)
			continue;
		gauge->kept[gauge->kept_count].metric = i;
		gauge->kept[gauge->kept_count].place = place;
		gauge->kept[gauge->kept_count].classes =
			use->kind->classes ? use->kind->classes[i] : UINT32_C(1) << i;
		gauge->kept[gauge->kept_count++].square_place =
			view->square_places[use->base + i];
	}
}

static void weigh(const struct gauge *gauge, const struct expt_record *record,
		  const struct figures *sum)
{
	int64_t value;
	uint32_t class = gauge->kind->weigh(record, gauge, &value);

	for (size_t i = 0; i < gauge->kept_count; i++)
		if (gauge->kept[i].classes & class) {
			add_saturated(&sum->values[gauge->kept[i].place], value);
			sum->squares[gauge->kept[i].square_place] +=
				(double)value * (double)value;
		}
}

static void measure(const struct gauge *gauge, const struct expt_record *record,
		    const struct figures *sum)
{
	int64_t values[KIND_METRICS_MAX] = { 0 };

	gauge->kind->measure(record, gauge, values);
	for (size_t i = 0; i < gauge->kept_count; i++)
		add_saturated(&sum->values[gauge->kept[i].place],
			      values[gauge->kept[i].metric]);
}

void gauge_add(const struct gauge *gauge, const struct expt_record *record,
	       const struct figures *sum)
{
	if (gauge->kind->is_sampled)
		weigh(gauge, record, sum);
	else
		measure(gauge, record, sum);
}

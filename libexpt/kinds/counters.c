/* SPDX-License-Identifier: Apache-2.0 */
/* Counters: their number and names are known only when the experiments are open. */
#include "libexpt/kinds/counters.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/number.h"
#include "libexpt/events/facts.h"
#include "libexpt/events/problems.h"
#include "libexpt/events/view.h"
#include "libexpt/kinds/data_access.h"
#include "libexpt/kinds/data_names.h"

#define TAGS		 64 /* of counters in one experiment */
#define ATTRIBUTES_MAX	 16
#define NONE		 0xff
#define TITLE_OF_UNKNOWN "Events"
#define NAME_SIZE	 128

/* The metric of each tag of a member. */
struct declared {
	const struct expt *expt;
	uint8_t metric[TAGS];
	bool is_precise[TAGS]; /* records have the exact address of the instruction */
	bool is_time[TAGS];    /* cycles, shown as time */
	bool has_data[TAGS];   /* records have data addresses */
};

struct counters {
	struct {
		struct declared *items;
		size_t count, capacity;
	} declared;
	struct metric_form metrics[KIND_METRICS_MAX];
	size_t count;
	uint32_t with_data; /* of metrics, by bits */
	struct data_names data_names;
};

/* ---- names ---- */

static const char *attribute_of(const struct expt_profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->attribute_count; i++)
		if (strcmp(profile->attributes[i].name, name) == 0)
			return profile->attributes[i].value;
	return "";
}

static int compare_words(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Append "~name=0x1f", whatever base the value was written in. */
static void add_attribute(char *out, size_t size, const char *attribute)
{
	size_t length = strlen(out);
	const char *equals = strchr(attribute, '=');
	char *end;
	uint64_t value = equals ? strtoull(equals + 1, &end, 0) : 0;

	if (equals && end > equals + 1 && *end == '\0')
		snprintf(out + length, size - length, "~%.*s=0x%" PRIx64,
			 (int)(equals - attribute), attribute, value);
	else
		snprintf(out + length, size - length, "~%s", attribute);
}

/* Make the counter's name in commands: without '+' and register, attributes sorted. */
static void normalise(char *out, size_t size, const char *name)
{
	char copy[NAME_SIZE], *words[ATTRIBUTES_MAX], *rest = copy, *first;
	size_t count = 0;

	snprintf(copy, sizeof(copy), "%s", name + (*name == '+' || *name == '-'));
	copy[strcspn(copy, "/")] = '\0';
	first = strsep(&rest, "~");
	while (rest && count < ATTRIBUTES_MAX)
		words[count++] = strsep(&rest, "~");
	qsort(words, count, sizeof(*words), compare_words);
	snprintf(out, size, "%s", first);
	for (size_t i = 0; i < count; i++)
		add_attribute(out, size, words[i]);
}

/* Processors whose well-known counters gprofng has titles for. */
static bool is_known_processor(const char *code)
{
	static const char *const codes[] = { "2040", "2045", "2060", "2080",
					     "2499", "2500", "2501", "2503" };

	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (strcmp(codes[i], code) == 0)
			return true;
	return false;
}

static void find_unit(struct metric_form *metric, const struct expt_profile *profile)
{
	bool is_known = is_known_processor(attribute_of(profile, "cpuver")) &&
			*attribute_of(profile, "int_name") == '\0';

	metric->unit = EXPT_UNIT_COUNT;
	if (is_known && strcmp(metric->name, "cycles") == 0) {
		metric->title = metric->column = "CPU Cycles";
		metric->unit = EXPT_UNIT_TIME;
	} else if (is_known && strcmp(metric->name, "insts") == 0) {
		metric->title = metric->column = "Instructions Executed";
	}
}

/* Copy the texts, which live as long as the view. */
static bool keep_texts(struct arena *texts, struct metric_form *metric)
{
	char title[NAME_SIZE + sizeof(TITLE_OF_UNKNOWN) + 1];

	metric->name = arena_text(texts, metric->name, strlen(metric->name));
	if (!metric->name)
		return false;
	if (metric->title)
		return true;
	snprintf(title, sizeof(title), "%s " TITLE_OF_UNKNOWN, metric->name);
	metric->title = metric->column = arena_text(texts, title, strlen(title));
	return metric->title;
}

/* ---- declared counters ---- */

static uint8_t find_metric(const struct counters *counters,
			   const struct metric_form *wanted)
{
	for (size_t i = 0; i < counters->count; i++)
		if (strcmp(counters->metrics[i].name, wanted->name) == 0 &&
		    counters->metrics[i].unit == wanted->unit)
			return (uint8_t)i;
	return NONE;
}

static uint8_t add_metric(struct expt_view *view, struct counters *counters,
			  const struct expt_profile *profile)
{
	char name[NAME_SIZE];
	struct metric_form metric = { .name = name };
	uint8_t number;

	normalise(name, sizeof(name), attribute_of(profile, "hwcname"));
	find_unit(&metric, profile);
	number = find_metric(counters, &metric);
	if (number != NONE)
		return number;
	if (counters->count == KIND_METRICS_MAX) {
		view_add_problem(view, false,
				 "ignoring counter '%s': there are more than %d counters",
				 name, KIND_METRICS_MAX);
		return NONE;
	}
	if (!keep_texts(&view->texts, &metric))
		return NONE;
	counters->metrics[counters->count] = metric;
	return (uint8_t)counters->count++;
}

static bool is_precise(const struct expt_profile *profile)
{
	uint64_t memop;

	return number_u64(&memop, attribute_of(profile, "memop")) &&
	       (memop == EXPT_MEMOP_PRECISE || memop == EXPT_MEMOP_PRECISE_NEXT);
}

static bool has_data(const struct expt_profile *profile)
{
	uint64_t memop;

	return number_u64(&memop, attribute_of(profile, "memop")) &&
	       data_access_is_told(memop);
}

static void find_declared(struct expt_view *view, struct counters *counters,
			  struct declared *own)
{
	for (size_t i = 0; i < expt_profile_count(own->expt); i++) {
		const struct expt_profile *profile = expt_profile(own->expt, i);
		uint64_t tag;

		/* If two counters have the same tag, the first counts. */
		if (profile->data != EXPT_HWC ||
		    !number_u64(&tag, attribute_of(profile, "tag")) || tag >= TAGS ||
		    own->metric[tag] != NONE)
			continue;
		own->metric[tag] = add_metric(view, counters, profile);
		own->is_precise[tag] = is_precise(profile);
		own->has_data[tag] = has_data(profile);
		if (own->has_data[tag] && own->metric[tag] != NONE)
			counters->with_data |= UINT32_C(1) << own->metric[tag];
		own->is_time[tag] = own->metric[tag] != NONE &&
				    counters->metrics[own->metric[tag]].unit ==
					    EXPT_UNIT_TIME;
	}
}

static bool find_all(struct expt_view *view, struct counters *counters)
{
	for (size_t i = 0; i < view->members.count; i++) {
		struct declared *own;

		if (!expt_has_data(view->members.items[i].expt, EXPT_HWC))
			continue;
		own = array_add(&counters->declared);
		if (!own)
			return false;
		own->expt = view->members.items[i].expt;
		memset(own->metric, NONE, sizeof(own->metric));
		find_declared(view, counters, own);
	}
	return true;
}

static bool declare(struct expt_view *view, struct kind_use *use)
{
	struct counters *counters = calloc(1, sizeof(*counters));

	use->own = counters;
	if (!counters || !find_all(view, counters))
		return false;
	use->forms = counters->metrics;
	use->count = counters->count;
	use->with_data = counters->with_data;
	return true;
}

static void forget(void *own)
{
	struct counters *counters = own;

	if (!counters)
		return;
	array_release(&counters->declared);
	data_names_release(&counters->data_names);
	free(counters);
}

/* ---- the kind ---- */

static const struct declared *declared_of(const struct kind_use *use,
					  const struct expt *expt)
{
	const struct counters *counters = use->own;

	for (size_t i = 0; i < counters->declared.count; i++)
		if (counters->declared.items[i].expt == expt)
			return &counters->declared.items[i];
	return NULL;
}

static bool offers(const struct kind_use *use, const struct expt *expt, size_t metric)
{
	const struct declared *own = declared_of(use, expt);

	for (size_t tag = 0; own && tag < TAGS; tag++)
		if (own->metric[tag] == metric)
			return true;
	return false;
}

static void begin(struct gauge *gauge, const struct kind_use *use,
		  const struct expt *expt)
{
	gauge->own = declared_of(use, expt);
}

/* Convert cycles to time by the highest clock rate of the machine. */
static int64_t time_of(const struct expt *expt, int64_t cycles)
{
	uint32_t mhz = expt_info(expt)->clock_max_mhz;

	return mhz ? (int64_t)((double)cycles * 1000 / mhz) : 0;
}

static uint32_t weigh(const struct expt_record *record, const struct gauge *gauge,
		      int64_t *value)
{
	const struct declared *own = gauge->own;
	int64_t tag = -1, events = 0;
	uint8_t metric;

	expt_record_value(record, EXPT_HWCTAG, &tag);
	expt_record_value(record, EXPT_HWCINT, &events);
	if (!own || tag < 0 || tag >= TAGS || events < 0) /* negative: doubtful */
		return 0;
	metric = own->metric[tag];
	if (metric == NONE)
		return 0;
	*value = own->is_time[tag] ? time_of(own->expt, events) : events;
	return UINT32_C(1) << metric;
}

/* Returns the exact address, as the stack was taken some instructions later, perhaps in
 * another function. */
static uint64_t leaf(const struct expt_record *record, const struct gauge *gauge)
{
	const struct declared *own = gauge->own;
	int64_t tag = -1, pc = 0;

	expt_record_value(record, EXPT_HWCTAG, &tag);
	if (!own || tag < 0 || tag >= TAGS || !own->is_precise[tag])
		return 0;
	expt_record_value(record, EXPT_VIRTPC, &pc);
	return (uint64_t)pc;
}

bool counters_has_data(const struct kind_use *use, const struct expt *expt,
		       const struct expt_record *record)
{
	const struct declared *own = declared_of(use, expt);
	int64_t tag = -1;

	expt_record_value(record, EXPT_HWCTAG, &tag);
	return own && tag >= 0 && tag < TAGS && own->metric[tag] != NONE &&
	       use->with_data >> own->metric[tag] & 1;
}

static bool find(struct kind_use *use, const struct event *event,
		 enum expression_word word, int64_t *value)
{
	struct counters *counters = use->own;
	uint32_t number;

	if (word != EXPRESSION_DOBJ || !counters ||
	    !counters_has_data(use, event->view->members.items[event->member].expt,
			       event->record))
		return false;
	number = data_names_find(&counters->data_names, event->view, event->member,
				 event->record);
	*value = number;
	return number != IDMAP_NONE;
}

static size_t names(const struct kind_use *use, const char *const **out)
{
	const struct counters *counters = use->own;

	*out = counters ? counters->data_names.names.items : NULL;
	return counters ? counters->data_names.names.count : 0;
}

const struct data_kind counters_kind = {
	.data = EXPT_HWC,
	.declare = declare,
	.forget = forget,
	.is_sampled = true,
	.offers = offers,
	.begin = begin,
	.weigh = weigh,
	.leaf = leaf,
	.find = find,
	.names = names,
};

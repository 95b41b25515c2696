/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of events. Threads are numbered within an experiment in the order in which
 * they occur: a recorder may use addresses for them. */
#include "libexpt/events/facts.h"

#include "libexpt/events/stack_sums.h"

typedef bool finder(const struct event *event, int64_t *value);

static struct expt *expt_of(const struct event *event)
{
	return event->view->members.items[event->member].expt;
}

static bool find_number(const struct idmap *ids, uint64_t id, int64_t *value)
{
	uint32_t number = idmap_find(ids, id);

	*value = number;
	return number != IDMAP_NONE;
}

static bool find_thread(const struct event *event, int64_t *value)
{
	return find_number(&event->counts->threads.ids, event->record->thread, value);
}

static bool find_lwp(const struct event *event, int64_t *value)
{
	return find_number(&event->counts->lwps.ids, event->record->lwp, value);
}

static bool find_cpu(const struct event *event, int64_t *value)
{
	*value = event->record->cpu;
	return true;
}

static bool find_experiment(const struct event *event, int64_t *value)
{
	*value = (int64_t)event->member + 1;
	return true;
}

/* The number among those of its group. */
static bool find_compared(const struct event *event, int64_t *value)
{
	const struct view_member *members = event->view->members.items;

	*value = 1;
	for (uint32_t i = 0; i < event->member; i++)
		*value += members[i].group == members[event->member].group;
	return true;
}

static bool find_group(const struct event *event, int64_t *value)
{
	*value = (int64_t)event->view->members.items[event->member].group + 1;
	return true;
}

static bool find_process(const struct event *event, int64_t *value)
{
	*value = expt_info(expt_of(event))->pid;
	return true;
}

/* A sample has the events after its start, and up to its end. */
static bool find_sample(const struct event *event, int64_t *value)
{
	struct expt *expt = expt_of(event);
	uint64_t time_ns = event->record->time_ns;
	size_t first = 0, end = expt_sample_count(expt);

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (expt_sample(expt, middle)->end_ns < time_ns)
			first = middle + 1;
		else
			end = middle;
	}
	if (first >= expt_sample_count(expt) ||
	    time_ns < expt_sample(expt, first)->start_ns)
		return false;
	*value = (int64_t)expt_sample(expt, first)->number;
	return true;
}

static bool find_collection(const struct event *event, int64_t *value)
{
	*value = 0; /* outside of any */
	return true;
}

static bool find_time(const struct event *event, int64_t *value)
{
	*value = (int64_t)event->record->time_ns;
	return true;
}

/* Find when the event began, if it took time. */
static bool find_request(const struct event *event, int64_t *start)
{
	return expt_record_value(event->record, EXPT_SRQST, start) ||
	       expt_record_value(event->record, EXPT_IORQST, start) ||
	       expt_record_value(event->record, EXPT_MPIRQST, start);
}

/* Waits and I/O last from a request on; other events take no time. */
static bool find_duration(const struct event *event, int64_t *value)
{
	int64_t start = 0, end = 0;

	*value = 0;
	find_request(event, &start);
	if (start == 0 || !expt_record_value(event->record, EXPT_TSTAMP, &end))
		return true;
	return !__builtin_sub_overflow(end, start, value);
}

/* Unknown for events that cannot take time. */
static bool find_event_time(const struct event *event, int64_t *value)
{
	int64_t start;

	return find_request(event, &start) && find_duration(event, value);
}

static bool find_start(const struct event *event, int64_t *value)
{
	int64_t duration;

	return find_duration(event, &duration) &&
	       !__builtin_sub_overflow((int64_t)event->record->time_ns, duration, value);
}

static bool find_frequency(const struct event *event, int64_t *value)
{
	*value = expt_info(expt_of(event))->clock_max_mhz;
	return true;
}

static bool find_ticks_us(const struct event *event, int64_t *value)
{
	return expt_record_value(event->record, EXPT_NTICK, value) &&
	       !__builtin_mul_overflow(
		       *value, (int64_t)expt_clock_period_us(expt_of(event)), value);
}

static bool find_leaf(const struct event *event, int64_t *value)
{
	*value = event->stack.count > 0 ? event->stack.functions[0] : 0;
	return true;
}

/* Bytes of an allocation or a transfer; other events have none. */
static bool find_bytes(const struct event *event, int64_t *value)
{
	*value = 0;
	if (!expt_record_value(event->record, EXPT_HSIZE, value))
		expt_record_value(event->record, EXPT_IONBYTE, value);
	return true;
}

static finder *const finders[EXPRESSION_WORD_COUNT] = {
	[EXPRESSION_THRID] = find_thread,
	[EXPRESSION_LWPID] = find_lwp,
	[EXPRESSION_CPUID] = find_cpu,
	[EXPRESSION_EXPID] = find_experiment,
	[EXPRESSION_EXPID_CMP] = find_compared,
	[EXPRESSION_EXPGRID] = find_group,
	[EXPRESSION_PID] = find_process,
	[EXPRESSION_SAMPLE] = find_sample,
	[EXPRESSION_SAMPLE_MAP] = find_sample,
	[EXPRESSION_GCEVENT_MAP] = find_collection,
	[EXPRESSION_TSTAMP] = find_time,
	[EXPRESSION_TSTAMP_LO] = find_start,
	[EXPRESSION_TSTAMP_HI] = find_time,
	[EXPRESSION_TSTAMP2] = find_time,
	[EXPRESSION_EVT_TIME] = find_event_time,
	[EXPRESSION_FREQ_MHZ] = find_frequency,
	[EXPRESSION_LEAF] = find_leaf,
	[EXPRESSION_NTICK_USEC] = find_ticks_us,
	[EXPRESSION_IOHEAPBYTES] = find_bytes,
};

/* 1 + the field that has the property; 0: none. */
#define FIELD(name) [EXPRESSION_##name] = 1 + EXPT_##name
static const uint8_t fields[EXPRESSION_WORD_COUNT] = {
	FIELD(MSTATE),	  FIELD(NTICK),	    FIELD(HWCTAG),    FIELD(HWCINT),
	FIELD(VADDR),	  FIELD(PADDR),	    FIELD(VIRTPC),    FIELD(PHYSPC),
	FIELD(LEAFPC),	  FIELD(HTYPE),	    FIELD(HSIZE),     FIELD(HVADDR),
	FIELD(HOVADDR),	  FIELD(SRQST),	    FIELD(SOBJ),      FIELD(IOTYPE),
	FIELD(IOFD),	  FIELD(IONBYTE),   FIELD(IORQST),    FIELD(IOOFD),
	FIELD(CPRID),	  FIELD(PPRID),	    FIELD(PRPC),      FIELD(TSKID),
	FIELD(PTSKID),	  FIELD(RID),	    FIELD(RTYPE),     FIELD(RVADDR),
	FIELD(RCNT),	  FIELD(DID),	    FIELD(DTYPE),     FIELD(DLTYPE),
	FIELD(DVADDR),	  FIELD(IOFSTYPE),  FIELD(MPITYPE),   FIELD(MPIRQST),
	FIELD(MPISCOUNT), FIELD(MPISBYTES), FIELD(MPIRCOUNT), FIELD(MPIRBYTES),
	FIELD(MPICOMM),	  FIELD(MPIPEER),   FIELD(MPITAG),
};
#undef FIELD

static bool find_by_kind(const struct event *event, enum expression_word word,
			 int64_t *value)
{
	struct kind_use *uses = event->view->uses;

	for (size_t i = 0; i < KIND_COUNT; i++)
		if (uses[i].kind->find &&
		    uses[i].kind->find(&uses[i], event, word, value))
			return true;
	return false;
}

bool event_value(void *context, enum expression_word word, int64_t *value)
{
	const struct event *event = context;

	if (finders[word])
		return finders[word](event, value);
	if (!fields[word])
		return find_by_kind(event, word, value);
	return expt_record_value(event->record, (enum expt_field)(fields[word] - 1),
				 value) ||
	       find_by_kind(event, word, value);
}

bool event_stack(void *context, enum expression_word word, struct expression_stack *stack)
{
	const struct event *event = context;

	*stack = event->stack;
	return true;
}

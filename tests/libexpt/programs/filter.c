/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter EXPERIMENT - evaluates expressions, one on each line of standard input, for all
 * clock and counter events. The values of one expression are one line of output, with a
 * "?" for an unknown one; a line that begins with "-" has the reason why an expression is
 * refused.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/expression/expression.h"

#define STACK_MAX 64

struct event {
	int64_t values[EXPRESSION_WORD_COUNT];
	bool is_known[EXPRESSION_WORD_COUNT];
	uint32_t stack[STACK_MAX];
	size_t depth;
};

static struct {
	struct event *items;
	size_t count, capacity;
} events;

/* A function's id is its index. */
static struct {
	const struct expt_function **items;
	size_t count, capacity;
} functions;

static void fail(const char *message)
{
	fprintf(stderr, "filter: %s\n", message);
	exit(1);
}

/* ---- events ---- */

static uint32_t function_id(const struct expt_function *function)
{
	const struct expt_function **new;

	for (size_t i = 0; i < functions.count; i++)
		if (functions.items[i] == function)
			return (uint32_t)i;
	new = array_add(&functions);
	if (!new)
		fail("out of memory");
	*new = function;
	return (uint32_t)functions.count - 1;
}

static void set(struct event *event, enum expression_word word, uint64_t value)
{
	event->values[word] = (int64_t)value;
	event->is_known[word] = true;
}

static void set_stack(struct event *event, struct expt *expt,
		      const struct expt_record *record)
{
	struct expt_stack stack;

	if (expt_stack(expt, record->stack, &stack, NULL) < 0 || stack.count > STACK_MAX)
		fail("a stack is unreadable");
	for (size_t i = 0; i < stack.count; i++) {
		struct expt_place place;

		expt_place(expt, stack.pcs[i], record->time_ns, &place);
		event->stack[i] = function_id(place.function);
	}
	event->depth = stack.count;
	if (stack.count)
		set(event, EXPRESSION_LEAF, event->stack[0]);
}

static const struct {
	enum expt_field field;
	enum expression_word word;
} fields[] = {
	{ EXPT_MSTATE, EXPRESSION_MSTATE }, { EXPT_NTICK, EXPRESSION_NTICK },
	{ EXPT_HWCTAG, EXPRESSION_HWCTAG }, { EXPT_HWCINT, EXPRESSION_HWCINT },
	{ EXPT_VADDR, EXPRESSION_VADDR },   { EXPT_VIRTPC, EXPRESSION_VIRTPC },
};

static void add_event(struct expt *expt, const struct expt_record *record)
{
	struct event *event = array_add(&events);

	if (!event)
		fail("out of memory");
	set(event, EXPRESSION_THRID, record->thread);
	set(event, EXPRESSION_LWPID, record->lwp);
	set(event, EXPRESSION_CPUID, record->cpu);
	set(event, EXPRESSION_TSTAMP, record->time_ns);
	set(event, EXPRESSION_EXPID, 1);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		int64_t value;

		if (expt_record_value(record, fields[i].field, &value))
			set(event, fields[i].word, (uint64_t)value);
	}
	set_stack(event, expt, record);
}

static void read_events(struct expt *expt, enum expt_data data)
{
	struct expt_records *records;
	struct expt_record record;
	struct expt_error err;
	int rc = expt_records_open(&records, expt, data, &err);

	if (rc < 0)
		fail(err.message);
	while ((rc = expt_records_next(records, &record, &err)) > 0)
		add_event(expt, &record);
	if (rc < 0)
		fail(err.message);
	expt_records_close(records);
}

/* ---- expressions ---- */

static bool event_value(void *context, enum expression_word word, int64_t *value)
{
	const struct event *event = context;

	*value = event->values[word];
	return event->is_known[word];
}

static bool event_stack(void *context, enum expression_word word,
			struct expression_stack *stack)
{
	const struct event *event = context;

	stack->functions = event->stack;
	stack->count = event->depth;
	return true;
}

static bool *make_set(const struct expression *expression, size_t name)
{
	bool *has = calloc(functions.count + 1, sizeof(*has));

	if (!has)
		fail("out of memory");
	for (size_t id = 0; id < functions.count; id++)
		has[id] = expression_name_matches(expression, name,
						  expt_function_name(functions.items[id],
								     EXPT_NAME_SHORT));
	return has;
}

static void evaluate(const struct expression *expression,
		     const struct expression_set *sets)
{
	for (size_t i = 0; i < events.count; i++) {
		const struct expression_facts facts = { .context = &events.items[i],
							.value = event_value,
							.stack = event_stack,
							.sets = sets };
		int64_t value;

		if (expression_evaluate(expression, &facts, &value))
			printf("%" PRIu64 " ", (uint64_t)value);
		else
			printf("? ");
	}
	printf("\n");
}

static void evaluate_text(const char *text)
{
	cleanup(expression_freep) struct expression *expression = NULL;
	struct expression_set sets[20];
	struct expt_error err;
	size_t names;

	if (expression_parse(&expression, text, NULL, &err) < 0) {
		printf("- %s\n", err.message);
		return;
	}
	names = expression_name_count(expression);
	if (names > sizeof(sets) / sizeof(*sets))
		fail("too many names");
	for (size_t i = 0; i < names; i++)
		sets[i] = (struct expression_set){ .has = make_set(expression, i),
						   .limit = functions.count };
	evaluate(expression, sets);
	for (size_t i = 0; i < names; i++)
		free((void *)sets[i].has);
}

int main(int argc, char **argv)
{
	cleanup_free char *line = NULL;
	struct expt_error err;
	struct expt *expt;
	size_t size = 0;

	if (argc != 2)
		fail("usage: filter EXPERIMENT");
	if (expt_open(&expt, argv[1], &err) < 0)
		fail(err.message);
	read_events(expt, EXPT_CLOCK);
	read_events(expt, EXPT_HWC);
	while (getline(&line, &size, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		evaluate_text(line);
	}
	array_release(&events);
	array_release(&functions);
	expt_close(expt);
	return 0;
}

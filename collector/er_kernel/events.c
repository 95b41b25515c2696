/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/er_kernel/events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "collector/outside/record.h"

#define RING_SIZE	  (1 << 20)  /* seconds without stacks, at most rates */
#define STACK_RING_SIZE	  (16 << 20) /* of copies of stacks */
#define LEAVING_RING_SIZE (4 << 20)  /* of switches, thousands in a second */
#define RING_CHECKED	  (1 << 12)
#define RING_LEAST	  (1 << 18)
#define STACK_MOST	  65000 /* a record has less than 65536 bytes */
#define LEAVING_MOST	  8192
#define RARE_US		  500
#define US_NS		  1000

static struct perf_event_attr clock_event(const struct plan *plan)
{
	struct perf_event_attr event = rings_event((uint64_t)plan->period_us * US_NS);

	event.config = PERF_COUNT_SW_CPU_CLOCK;
	event.exclude_callchain_user = 1;
	return event;
}

static struct perf_event_attr counter_event(const struct plan_counter *counter)
{
	struct perf_event_attr event = rings_event(counter->period);

	event.type = counter->type;
	event.config = counter->config;
	event.config1 = counter->config1;
	event.config2 = counter->config2;
	event.precise_ip = counter->precision & 3;
	event.exclude_kernel = counter->is_user_only;
	event.exclude_callchain_user = !counter->is_user_only;
	return event;
}

/* One event tells of processes and their code. */
static void leave_out_tasks(struct perf_event_attr *event)
{
	event->mmap = event->mmap2 = event->comm = event->comm_exec = event->task = 0;
}

/* The higher the rate, the less of each stack fits in the rings. */
static size_t stack_bytes_for(size_t ring_size, bool is_rare)
{
	size_t most = is_rare ? STACK_MOST : STACK_MOST / 4, share = ring_size / 64;

	return (share < most ? share : most) & ~(size_t)7;
}

/* With copies of stacks, in the largest rings that the kernel grants. */
static int open_with_stacks(struct rings *rings, struct perf_event_attr *event,
			    pid_t thread, bool is_rare, size_t *stack_bytes)
{
	size_t size = STACK_RING_SIZE;
	int rc;

	event->sample_type |= RECORD_STACK_TYPE;
	event->sample_regs_user = RECORD_REGISTERS;
	do {
		*stack_bytes = stack_bytes_for(size, is_rare);
		event->sample_stack_user = (uint32_t)*stack_bytes;
		rc = rings_add_large(rings, event, thread, size);
	} while ((rc == -EPERM || rc == -ENOMEM) && (size /= 2) >= RING_LEAST);
	return rc;
}

static int open_event(struct rings *rings, struct perf_event_attr *event,
		      const struct plan *plan, pid_t thread, unsigned source,
		      struct event_stacks *stacks)
{
	bool is_rare = source == EVENT_CLOCK && plan->period_us >= RARE_US;

	rings->mark = source;
	return plan->follow == PLAN_FOLLOW_NONE
		       ? rings_add(rings, event, thread, RING_SIZE)
		       : open_with_stacks(rings, event, thread, is_rare,
					  &stacks->bytes[source]);
}

/* It has ended, or is another user's. */
static bool is_no_matter(int rc)
{
	return rc == -ESRCH || rc == -EACCES;
}

/* The first thread has the rings, and the others write to them. */
static int open_on_threads(struct rings *rings, struct perf_event_attr *event,
			   const struct plan *plan, unsigned source,
			   struct event_stacks *stacks, struct event_threads *threads)
{
	size_t before = rings->count, i = 0;
	int rc = -ESRCH;

	if (before > 0)
		leave_out_tasks(event);
	while (i < threads->count && is_no_matter(rc))
		rc = open_event(rings, event, plan, threads->items[i++], source, stacks);
	if (rc < 0)
		return rc;
	for (; i < threads->count; i++) {
		rc = rings_join(rings, event, threads->items[i], rings->count - before);
		threads->failed += rc < 0 && !is_no_matter(rc);
	}
	return 0;
}

/* Set the event of that source. False: the plan has none. */
static bool describe(struct perf_event_attr *event, const struct plan *plan,
		     unsigned source)
{
	if (source == EVENT_CLOCK && plan->period_us != 0)
		*event = clock_event(plan);
	else if (source >= EVENT_COUNTERS &&
		 source - EVENT_COUNTERS < plan->counter_count)
		*event = counter_event(&plan->counters[source - EVENT_COUNTERS]);
	else
		return false;
	if (plan->scope == PLAN_ALL_PROCESSES) {
		event->context_switch = source == EVENT_CLOCK;
		return true;
	}
	if (source == EVENT_CLOCK)
		event->config = PERF_COUNT_SW_TASK_CLOCK;
	event->inherit = 1;
	event->exclude_kernel = event->exclude_kernel ||
				plan->scope == PLAN_OWN_IN_USER_MODE;
	return true;
}

int events_open(struct rings *rings, const struct plan *plan, struct event_stacks *stacks,
		struct event_threads *threads)
{
	struct perf_event_attr event;
	int rc = 0;

	for (unsigned source = 0; source < EVENT_SOURCES && rc == 0; source++)
		if (describe(&event, plan, source))
			rc = open_on_threads(rings, &event, plan, source, stacks,
					     threads);
	return rc;
}

int events_check(const struct plan *plan)
{
	struct perf_event_attr event;
	struct rings rings = { 0 };
	pid_t thread = plan->scope == PLAN_ALL_PROCESSES ? -1 : gettid();
	int rc = 0;

	for (unsigned source = 0; source < EVENT_SOURCES && rc == 0; source++)
		if (describe(&event, plan, source))
			rc = rings_add(&rings, &event, thread, RING_CHECKED);
	rings_close(&rings);
	return rc;
}

/* Waits are many: those of all processes would take more time than they show. */
int events_open_waits(struct rings *rings, pid_t process, struct event_stacks *stacks)
{
	struct perf_event_attr event = rings_event(1);

	event.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	event.inherit = 1;
	event.context_switch = 1;
	event.exclude_callchain_user = 1;
	event.sample_type |= RECORD_STACK_TYPE;
	event.sample_regs_user = RECORD_REGISTERS;
	event.sample_stack_user = LEAVING_MOST;
	leave_out_tasks(&event);
	stacks->bytes[EVENT_LEAVING] = LEAVING_MOST;
	rings->mark = EVENT_LEAVING;
	rings->keep_stacks = true;
	return rings_add(rings, &event, process, LEAVING_RING_SIZE);
}

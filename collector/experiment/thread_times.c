/* SPDX-License-Identifier: Apache-2.0 */
/* There is no way to ask the kernel about all threads at once, so those of a process that
 * has many take turns. */

#include "collector/experiment/thread_times.h"

#include <errno.h>
#include <limits.h>

#include "collector/files/access.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/threads/life.h"
#include "collector/threads/thread.h"
#include "collector/threads/wait_cpu.h"

/* A question about a thread takes so long; all may take a 256th of the time. */
#define QUESTION_NS	10000
#define NS_PER_QUESTION (QUESTION_NS * 256)
#define QUESTIONS_MIN	16
/* A child that begins within this time cannot have waited long for a processor. */
#define PROMPT_NS 1000000

static uint64_t created_ns;
static struct thread *next; /* to ask about; NULL: the first */
/* At the last sample */
static uint64_t sampled_ns, last_used_ns;
static struct thread_times last;

/* ---- real time ---- */

/* At least one thread lives, even if it has no record. */
static uint64_t real_ns(uint64_t now)
{
	uint64_t sum = 0;

	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		sum += life_until(atomic_load(&thread->life), now);
	return sum > now - created_ns ? sum : now - created_ns;
}

/* ---- time waiting for a processor ---- */

/* Ask about the threads from one to another, *questions at most. Returns where to go on,
 * or end. */
static struct thread *ask_from(struct thread *thread, const struct thread *end,
			       unsigned *questions, long *rc)
{
	for (; thread && thread != end && *questions > 0; thread = thread->next) {
		long answer = wait_cpu_read(thread);

		if (answer != 0)
			(*questions)--;
		if (answer == -EMFILE || answer == -ENFILE) {
			*rc = answer;
			break;
		}
	}
	return thread;
}

static long ask_in_turn(int founder, void *argument)
{
	unsigned questions = *(unsigned *)argument;
	struct thread *begin = next;
	long rc = 0;

	(void)founder;
	next = ask_from(begin, NULL, &questions, &rc);
	if (!next && rc == 0)
		next = ask_from(thread_first(), begin, &questions, &rc);
	return rc;
}

/* If the program has used up its descriptors, others are needed. */
static void ask(unsigned questions)
{
	long rc;

	if (collector_is_frozen())
		return;
	access_begin_open();
	rc = ask_in_turn(-1, &questions);
	access_end_open();
	if (rc == -EMFILE)
		access_run(ask_in_turn, &questions);
}

static uint64_t wait_cpu_ns(void)
{
	uint64_t sum = 0;

	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		sum += wait_cpu_of(thread);
	return sum;
}

static unsigned questions_after(uint64_t elapsed_ns)
{
	uint64_t questions = elapsed_ns / NS_PER_QUESTION;

	if (questions < QUESTIONS_MIN)
		return QUESTIONS_MIN;
	return questions < UINT_MAX ? (unsigned)questions : UINT_MAX;
}

static uint64_t growth(uint64_t value, uint64_t from)
{
	return value > from ? value - from : 0;
}

/* A wait that counts when it ends may have begun in an earlier sample, and the threads
 * are not all asked at once: what has no room in this sample is left for the next. */
static uint64_t grown_wait(uint64_t room)
{
	uint64_t grown = growth(wait_cpu_ns(), last.wait_cpu_ns);

	return last.wait_cpu_ns + (grown < room ? grown : room);
}

/* ---- both ---- */

static struct thread_times note(uint64_t now, uint64_t used_ns, struct thread_times times)
{
	sampled_ns = now;
	last_used_ns = used_ns;
	last = times;
	return times;
}

/* An image that was executed may have waited in the one before it. */
static bool may_have_waited(uint64_t now)
{
	return !process.began_unseen && now - process.forked_ns > PROMPT_NS;
}

struct thread_times thread_times_first(uint64_t now, uint64_t used_ns)
{
	struct thread_times times = { 0, 0 };

	created_ns = now;
	next = NULL;
	if (may_have_waited(now)) {
		ask(UINT_MAX);
		times.wait_cpu_ns = wait_cpu_ns();
	}
	times.real_ns = real_ns(now);
	return note(now, used_ns, times);
}

struct thread_times thread_times_at(uint64_t now, uint64_t used_ns, bool is_last)
{
	struct thread_times times = { .real_ns = real_ns(now) };
	uint64_t room = growth(growth(times.real_ns, last.real_ns),
			       growth(used_ns, last_used_ns));

	if (room >= QUESTION_NS)
		ask(is_last ? UINT_MAX : questions_after(now - sampled_ns));
	times.wait_cpu_ns = grown_wait(room);
	return note(now, used_ns, times);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of data races and deadlocks. */
#include <inttypes.h>
#include <string.h>

#include "er_print/events/private.h"
#include "er_print/rows/frames.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/escape.h"
#include "libexpt/base/number.h"

/* Select races or deadlocks by a command's "ID" or "all". They are numbered from 1, as
 * listed. false: the error has been reported. */
static bool select_items(struct session *session, const char *word, const char *what,
			 size_t count, size_t *first, size_t *end)
{
	uint64_t number;

	*first = 0;
	*end = count;
	if (strcmp(word, "all") == 0)
		return true;
	if (!number_u64(&number, word) || number < 1 || number > count) {
		session_error(session, "no %s '%s': see %ss", what, word, what);
		return false;
	}
	*first = (size_t)number - 1;
	*end = *first + 1;
	return true;
}

static bool has_data(const struct session *session, enum expt_data data)
{
	for (size_t i = 0; i < expt_view_count(session->view); i++)
		if (expt_has_data(expt_view_expt(session->view, i), data))
			return true;
	return false;
}

static void print_leaf(struct session *session, const struct expt_frames *frames)
{
	char buffer[4096];

	fputs(frames->count > 0 ? session_place_name(session, &frames->places[0], buffer,
						     sizeof(buffer))
				: "(unknown)",
	      session->out);
}

/* ---- races ---- */

static void close_races(struct expt_races **races)
{
	expt_races_free(*races);
}

/* Returns NULL if there are none or they cannot be found, which has been reported. */
static struct expt_races *find_races(struct session *session)
{
	struct expt_races *races = NULL;
	struct expt_error err;

	if (!has_data(session, EXPT_RACE))
		fputs("The experiments have no data on races\n\n", session->out);
	else if (expt_races_find(&races, session->view, &err) < 0)
		session_failed(session, &err);
	session_report_problems(session);
	return races;
}

static const char *access_name(int64_t kind)
{
	static const char *const names[] = {
		[EXPT_ACCESS_WRITE] = "Write",
		[EXPT_ACCESS_REDUNDANT_WRITE] = "Write (redundant)",
		[EXPT_ACCESS_READ] = "Read",
		[EXPT_ACCESS_REDUNDANT_READ] = "Read (redundant)",
	};

	return kind >= 0 && kind <= EXPT_ACCESS_REDUNDANT_READ ? names[kind]
							       : "(unknown)";
}

static void print_race_line(FILE *out, const struct expt_race *race, size_t number)
{
	if (race->has_several_addresses)
		fprintf(out, "Race #%zu, Vaddr: (Multiple Addresses)\n", number);
	else
		fprintf(out, "Race #%zu, Vaddr: 0x%" PRIx64 "\n", number, race->address);
}

static int print_accesses(struct session *session, struct expt_races *races,
			  const struct expt_race_trace *trace, bool has_stacks)
{
	struct expt_frames frames;
	struct expt_error err;

	for (size_t i = 0; i < trace->access_count; i++) {
		const struct expt_access *access = &trace->accesses[i];

		if (expt_races_frames(races, access->stack, &frames, &err) < 0)
			return session_failed(session, &err);
		fprintf(session->out, "      Access %zu: %s, ", i + 1,
			access_name(access->kind));
		if (has_stacks) {
			fprintf(session->out, "thread %" PRIu64 ", count %" PRId64 "\n",
				access->thread, access->count);
			frames_print_all(session, &frames, 10);
		} else {
			print_leaf(session, &frames);
			fputc('\n', session->out);
		}
	}
	return 0;
}

static int print_race(struct session *session, struct expt_races *races, size_t i)
{
	const struct expt_race *race = expt_race(races, i);

	print_race_line(session->out, race, i + 1);
	if (print_accesses(session, races, &race->traces[0], false) < 0)
		return -1;
	fprintf(session->out, "  Total Callstack Traces: %zu\n\n", race->trace_count);
	return 0;
}

/* Returns the number of races from i on of the same experiment. */
static size_t races_of_experiment(const struct expt_races *races, size_t i)
{
	size_t expt = expt_race(races, i)->expt, end = i;

	while (end < expt_races_count(races) && expt_race(races, end)->expt == expt)
		end++;
	return end - i;
}

int run_races(struct session *session, int count, char **words)
{
	cleanup(close_races) struct expt_races *races = find_races(session);
	size_t next = 0;

	for (size_t i = 0; races && i < expt_races_count(races); i++) {
		if (i == next) {
			size_t total = races_of_experiment(races, i);

			escape_printf(session->out, "Total Races:  %zu Experiment:  %s\n",
				      total,
				      expt_view_name(session->view,
						     expt_race(races, i)->expt));
			fputc('\n', session->out);
			next += total;
		}
		if (print_race(session, races, i) < 0)
			return -1;
	}
	if (races && expt_races_count(races) == 0)
		fputs("Total Races:  0\n\n", session->out);
	return 0;
}

static int print_race_detail(struct session *session, struct expt_races *races, size_t i)
{
	const struct expt_race *race = expt_race(races, i);

	print_race_line(session->out, race, i + 1);
	for (size_t j = 0; j < race->trace_count; j++) {
		fprintf(session->out, "  Callstack Trace #%zu\n", j + 1);
		if (print_accesses(session, races, &race->traces[j], true) < 0)
			return -1;
	}
	fprintf(session->out, "  Total Race Accesses: %" PRId64 "\n\n", race->count);
	return 0;
}

int run_rdetail(struct session *session, int count, char **words)
{
	cleanup(close_races) struct expt_races *races = find_races(session);
	size_t first, end;

	if (!races)
		return 0;
	if (!select_items(session, words[1], "race", expt_races_count(races), &first,
			  &end))
		return -1;
	for (size_t i = first; i < end; i++)
		if (print_race_detail(session, races, i) < 0)
			return -1;
	return 0;
}

/* ---- deadlocks ---- */

static void close_deadlocks(struct expt_deadlocks **deadlocks)
{
	expt_deadlocks_free(*deadlocks);
}

static struct expt_deadlocks *find_deadlocks(struct session *session)
{
	struct expt_deadlocks *deadlocks = NULL;
	struct expt_error err;

	if (!has_data(session, EXPT_DEADLOCK))
		fputs("The experiments have no data on deadlocks\n\n", session->out);
	else if (expt_deadlocks_find(&deadlocks, session->view, &err) < 0)
		session_failed(session, &err);
	session_report_problems(session);
	return deadlocks;
}

static int print_lock(struct session *session, struct expt_deadlocks *deadlocks,
		      const struct expt_lock *lock, bool has_stack)
{
	struct expt_frames frames;
	struct expt_error err;

	if (expt_deadlocks_frames(deadlocks, lock->stack, &frames, &err) < 0)
		return session_failed(session, &err);
	fprintf(session->out, "    Lock being %s 0x%" PRIx64,
		lock->is_held ? "held:     " : "requested:", lock->address);
	if (has_stack) {
		fputs(", at:\n", session->out);
		frames_print_all(session, &frames, 8);
		return 0;
	}
	fputs(", at: ", session->out);
	print_leaf(session, &frames);
	fputc('\n', session->out);
	return 0;
}

static int print_deadlock(struct session *session, struct expt_deadlocks *deadlocks,
			  size_t number, bool has_stacks)
{
	const struct expt_deadlock *deadlock = expt_deadlock(deadlocks, number);

	fprintf(session->out, "Deadlock #%zu, %s deadlock\n", number + 1,
		deadlock->is_potential ? "Potential" : "Actual");
	for (size_t i = 0; i < deadlock->lock_count; i++) {
		const struct expt_lock *lock = &deadlock->locks[i];

		if (i == 0 || lock->thread != deadlock->locks[i - 1].thread)
			fprintf(session->out, "  Thread #%" PRIu64 "\n", lock->thread);
		if (print_lock(session, deadlocks, lock, has_stacks) < 0)
			return -1;
	}
	fputc('\n', session->out);
	return 0;
}

static void print_deadlock_counts(struct session *session,
				  const struct expt_deadlocks *deadlocks)
{
	size_t total = 0;

	fputs("Deadlocks List Summary:\n", session->out);
	for (size_t i = 0; i < expt_deadlocks_count(deadlocks); i++) {
		size_t expt = expt_deadlock(deadlocks, i)->expt;

		total++;
		if (i + 1 < expt_deadlocks_count(deadlocks) &&
		    expt_deadlock(deadlocks, i + 1)->expt == expt)
			continue;
		escape_printf(session->out, "Experiment: %s Total Deadlocks: %zu\n",
			      expt_view_name(session->view, expt), total);
		total = 0;
	}
	if (expt_deadlocks_count(deadlocks) == 0)
		fputs("Total Deadlocks: 0\n", session->out);
	fputc('\n', session->out);
}

int run_deadlocks(struct session *session, int count, char **words)
{
	cleanup(close_deadlocks) struct expt_deadlocks *deadlocks =
		find_deadlocks(session);

	if (!deadlocks)
		return 0;
	for (size_t i = 0; i < expt_deadlocks_count(deadlocks); i++)
		if (print_deadlock(session, deadlocks, i, false) < 0)
			return -1;
	print_deadlock_counts(session, deadlocks);
	return 0;
}

int run_ddetail(struct session *session, int count, char **words)
{
	cleanup(close_deadlocks) struct expt_deadlocks *deadlocks =
		find_deadlocks(session);
	size_t first, end;

	if (!deadlocks)
		return 0;
	if (!select_items(session, words[1], "deadlock", expt_deadlocks_count(deadlocks),
			  &first, &end))
		return -1;
	for (size_t i = first; i < end; i++)
		if (print_deadlock(session, deadlocks, i, true) < 0)
			return -1;
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/threads/wait_cpu.h"

#include <errno.h>

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/files/access.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/threads/life.h"
#include "collector/threads/task_file.h"

/* To ask takes less than a hundredth of such a life: the kernel makes names for a
 * thread's files, and forgets them when it ends. */
#define WHOLE_LIFE_NS 2000000

/* The kernel's line: time on a processor, time waiting for one, number of turns. */
static long parse(const char *line, uint64_t *wait_ns)
{
	const char *at;

	text_parse_decimal(line, &at);
	if (*at != ' ')
		return -EINVAL;
	*wait_ns = text_parse_decimal(at + 1, NULL);
	return 0;
}

static long ask(pid_t tid, uint64_t *wait_ns)
{
	char buffer[128];
	ssize_t length = task_file_read(tid, "schedstat", buffer, sizeof(buffer));

	return length < 0 ? length : parse(buffer, wait_ns);
}

/* The life of a record is another one for each thread that uses it. */
long wait_cpu_read(struct thread *thread)
{
	uint64_t life = atomic_load(&thread->life), wait_ns = 0;
	long rc;

	if (!(life & LIFE_IS_LIVING) || thread->is_borrowed || thread->tid == 0)
		return 0;
	rc = ask(thread->tid, &wait_ns);
	if (rc < 0)
		return rc;
	if (atomic_load(&thread->life) == life) {
		thread->wait_cpu.last_ns = wait_ns;
		thread->wait_cpu.last_life = life;
	}
	return 1;
}

/* The time of those that have ended is loaded first: if the thread ends in between, its
 * time is missing for once, and not counted twice. */
uint64_t wait_cpu_of(const struct thread *thread)
{
	uint64_t ended_ns = atomic_load(&thread->wait_cpu.ended_ns);
	bool is_last = atomic_load(&thread->life) == thread->wait_cpu.last_life;

	return is_last ? ended_ns + thread->wait_cpu.last_ns : ended_ns;
}

/* Threads with shorter lives are asked as often as their lives are parts of that one, and
 * stand for the others: so the sum is right. The last digits of a time are random. */
static bool is_chosen(uint64_t life_ns, uint64_t now)
{
	uint32_t draw = (uint32_t)((now * UINT64_C(0x9e3779b97f4a7c15)) >> 32);

	return draw % WHOLE_LIFE_NS < life_ns;
}

static uint64_t with_others(uint64_t wait_ns, uint64_t life_ns)
{
	return life_ns < WHOLE_LIFE_NS ? wait_ns * WHOLE_LIFE_NS / (life_ns + 1)
				       : wait_ns;
}

struct end {
	struct thread *thread;
	uint64_t life_ns;
};

static long add_last(int founder, void *argument)
{
	const struct end *end = argument;
	uint64_t wait_ns = 0;
	long rc = ask(end->thread->tid, &wait_ns);

	(void)founder;
	atomic_fetch_add(&end->thread->wait_cpu.ended_ns,
			 with_others(wait_ns, end->life_ns));
	return rc;
}

void wait_cpu_end(struct thread *thread)
{
	uint64_t now = collector_now();
	struct end end = { thread, now - thread->created_ns };
	long rc;

	if (collector_is_frozen() || !collector_takes_samples() ||
	    !is_chosen(end.life_ns, now))
		return;
	access_begin_open();
	rc = add_last(-1, &end);
	access_end_open();
	if (rc == -EMFILE)
		access_run(add_last, &end);
}

void wait_cpu_after_fork(struct thread *thread)
{
	atomic_store(&thread->wait_cpu.ended_ns, 0);
	thread->wait_cpu.last_life = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/sources/adopt.h"

#include <dirent.h>
#include <string.h>

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/files/access.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/signals/signals.h"
#include "collector/sources/cpu_timer.h"
#include "collector/threads/existing.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

/* Its address marks the timers. */
static char cookie;

bool adopt_is_signal(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == &cookie;
}

/* ---- the threads of the process ---- */

static uint64_t parse_hex(const char *digits)
{
	uint64_t value = 0;

	for (; *digits != '\0'; digits++) {
		if (*digits >= '0' && *digits <= '9')
			value = value << 4 | (uint64_t)(*digits - '0');
		else if (*digits >= 'a' && *digits <= 'f')
			value = value << 4 | (uint64_t)(*digits - 'a' + 10);
		else
			break;
	}
	return value;
}

/* Returns the signals that a thread blocks, as the kernel knows them. */
static uint64_t blocked_by(pid_t tid)
{
	static const char word[] = "\nSigBlk:\t";
	char buffer[2048];
	struct text path = TEXT_ON(buffer);
	const char *at;
	ssize_t length;
	int fd;

	text_add(&path, "/proc/self/task/");
	text_add_decimal(&path, tid);
	text_add(&path, "/status");
	fd = sys_openat(AT_FDCWD, buffer, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return 0;
	length = sys_read(fd, buffer, sizeof(buffer) - 1);
	sys_close(fd);
	if (length <= 0)
		return 0;
	buffer[length] = '\0';
	at = strstr(buffer, word);
	return at ? parse_hex(at + sizeof(word) - 1) : 0;
}

/* Returns a signal that can interrupt the thread; 0: it blocks all of them. */
static int signal_for(pid_t tid)
{
	uint64_t blocked = blocked_by(tid);

	if ((blocked & SIGNAL_BIT(SIGPROF)) == 0)
		return SIGPROF;
	return (blocked & SIGNAL_BIT(SIGNAL_QUIET)) == 0 && signals_take_quiet()
		       ? SIGNAL_QUIET
		       : 0;
}

/* Returns false if the thread cannot be interrupted. Without a clock and counters it need
 * not be. */
static bool await(pid_t tid)
{
	struct thread *thread = existing_await(tid, cpu_clock_ns(tid, CPU_CLOCK_PRECISE));
	int signal;

	if (!thread)
		return false;
	if (!signals_is_shared(SIGPROF))
		return true;
	signal = signal_for(tid);
	if (signal != 0)
		cpu_timer_start_once(&thread->awaiting, tid, signal, &cookie);
	return thread->awaiting >= 0;
}

/* Returns the number of threads that cannot be interrupted. */
static unsigned await_all(int directory, pid_t self)
{
	char buffer[4096] __attribute__((aligned(16)));
	unsigned missing = 0;
	long length;

	while ((length = system_call(SYS_getdents64, directory, (long)buffer,
				     sizeof(buffer), 0, 0, 0)) > 0) {
		for (long at = 0; at < length;) {
			const struct dirent64 *entry =
				(const struct dirent64 *)(const void *)(buffer + at);
			pid_t tid = (pid_t)text_parse_decimal(entry->d_name, NULL);

			if (tid > 0 && tid != self && !await(tid))
				missing++;
			at += entry->d_reclen;
		}
	}
	return missing;
}

static void report(unsigned missing)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	text_add_decimal(&text, missing);
	text_add(&text, missing == 1 ? " thread is not sampled, because it blocks"
				     : " threads are not sampled, because they block");
	text_add(&text, " SIGPROF and SIGWINCH");
	log_message("cwarn", EXPT_WARNING_GENERAL, buffer, 0);
}

static long find_all(int founder, void *argument)
{
	int directory = sys_openat(AT_FDCWD, "/proc/self/task",
				   O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	unsigned missing;

	(void)founder;
	(void)argument;
	if (directory < 0)
		return directory;
	missing = await_all(directory, sys_gettid());
	sys_close(directory);
	if (missing > 0)
		report(missing);
	return 0;
}

void adopt_begin(void)
{
	access_run(find_all, NULL);
}

void adopt_end(void)
{
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		cpu_timer_delete(&thread->awaiting);
}

/* ---- in the thread itself ---- */

static bool is_to_be_adopted(void)
{
	return process.is_requested && collector_is_recording() &&
	       !collector_is_frozen() && !thread_is_over();
}

static struct thread *adopt(void)
{
	struct thread *thread = existing_take();

	if (!thread)
		return NULL;
	cpu_timer_delete(&thread->awaiting);
	sources_start(thread);
	return thread;
}

/* From now on the program blocks hidden signals in its own view only. */
static uint64_t hide(struct thread *thread, uint64_t mask)
{
	uint64_t hidden = mask & signals_hidden();

	thread->blocked |= hidden;
	return mask & ~hidden;
}

struct thread *adopt_in_handler(ucontext_t *context)
{
	struct thread *thread = is_to_be_adopted() ? adopt() : NULL;
	uint64_t mask;

	if (!thread)
		return NULL;
	memcpy(&mask, &context->uc_sigmask, sizeof(mask));
	mask = hide(thread, mask);
	memcpy(&context->uc_sigmask, &mask, sizeof(mask));
	return thread;
}

struct thread *adopt_in_call(void)
{
	struct thread *thread;
	uint64_t mask;

	if (!is_to_be_adopted())
		return NULL;
	mask = collector_enter();
	thread = adopt();
	collector_leave(thread ? hide(thread, mask) : mask);
	return thread;
}

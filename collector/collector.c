/* SPDX-License-Identifier: Apache-2.0 */
/* The collector's life in a process: init from the environment, first record, end. */

#include "collector/collector.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <time.h>

#include "collector/base/interpose.h"
#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/common/follow.h"
#include "collector/common/log_text.h"
#include "collector/descendants/descendants.h"
#include "collector/experiment/dynamic.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/map.h"
#include "collector/experiment/mapped_code.h"
#include "collector/experiment/samples.h"
#include "collector/files/access.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/helpers/archive_run.h"
#include "collector/helpers/sampling.h"
#include "collector/process/environment.h"
#include "collector/process/start_time.h"
#include "collector/process/tsc.h"
#include "collector/recording/control.h"
#include "collector/signals/restart.h"
#include "collector/signals/signals.h"
#include "collector/signals/waiting.h"
#include "collector/threads/stacks.h"
#include "collector/threads/thread.h"
#include "collector/unwind/unwind.h"
#include "libexpt/format.h"

#define COMMAND_TEXT_MAX 8192

struct process process = {
	.founder_fd = -1,
	.log.file = FILE_NONE,
	.map.file = FILE_NONE,
	.overview.file = FILE_NONE,
	.dyntext.file = FILE_NONE,
	.frames.file = FILE_NONE,
	.data = { [0 ... DATA_COUNT - 1].file = FILE_NONE },
};

static _Atomic bool is_suspended, is_full, is_closed;
static _Atomic int lost; /* why a store into a file of ours failed */
static _Atomic uint64_t bytes_handed_out;

/* ---- time ---- */

/* libc's own, past whatever a sanitizer puts before it. */
static uint64_t read_libc_clock(clockid_t clock)
{
	LIBC(clock_gettime, "GLIBC_2.17", int, (clockid_t, struct timespec *));
	struct timespec time;

	real(clock, &time);
	return timespec_ns(&time);
}

/* From the coarse clock to ours; not 0 when the processor's counter must not be read. */
static _Atomic uint64_t coarse_offset;

uint64_t collector_read_clock(void)
{
	uint64_t offset = atomic_load_explicit(&coarse_offset, memory_order_relaxed);

	if (offset != 0)
		return read_libc_clock(CLOCK_MONOTONIC_COARSE) + offset;
	return read_libc_clock(CLOCK_MONOTONIC_RAW);
}

uint64_t collector_now(void)
{
	return tsc_now(false);
}

void collector_use_coarse_clock(void)
{
	atomic_store(&coarse_offset, read_libc_clock(CLOCK_MONOTONIC_RAW) -
					     read_libc_clock(CLOCK_MONOTONIC_COARSE));
	tsc_forbid();
}

/* ---- small questions ---- */

bool collector_is_recording(void)
{
	return atomic_load(&process.state) == COLLECTOR_ON;
}

bool collector_is_paused(const struct thread *thread)
{
	return atomic_load(&process.is_paused) || atomic_load(&thread->is_paused);
}

bool collector_takes_events(const struct thread *thread)
{
	return collector_is_recording() && !collector_is_paused(thread);
}

bool collector_takes_event_at(const struct thread *thread, uint64_t time)
{
	return collector_takes_events(thread) &&
	       time >= atomic_load(&process.resumed_ns) &&
	       time >= atomic_load(&thread->resumed_ns);
}

bool collector_has_experiment(void)
{
	int state = atomic_load(&process.state);

	return state == COLLECTOR_ON || state == COLLECTOR_STOPPED;
}

bool collector_takes_samples(void)
{
	int state = atomic_load(&process.state);

	return state == COLLECTOR_ON ||
	       (state == COLLECTOR_STOPPED && !atomic_load(&is_closed));
}

bool collector_is_founder(void)
{
	return process.lineage[0] == '\0';
}

bool collector_is_suspended(void)
{
	return atomic_load(&is_suspended);
}

static void report_limit(void)
{
	char buffer[96];
	struct text message = TEXT_ON(buffer);

	log_header_limit(&message, collector_now() - process.start_ns);
	log_message("cwarn", EXPT_WARNING_SIZE_LIMIT, buffer, 0);
}

bool collector_is_full(size_t size)
{
	if (settings.limit_bytes == 0)
		return false;
	if (atomic_fetch_add(&bytes_handed_out, size) + size <= settings.limit_bytes)
		return false;
	if (!atomic_exchange(&is_full, true))
		report_limit();
	return true;
}

bool collector_has_room(size_t size)
{
	size_t limit = settings.limit_bytes, used = atomic_load(&bytes_handed_out);

	if (limit == 0)
		return true;
	do
		if (used > limit || size > limit - used)
			return false;
	while (!atomic_compare_exchange_weak(&bytes_handed_out, &used, used + size));
	return true;
}

void collector_stop(int message, int error)
{
	int expected = COLLECTOR_ON;

	if (atomic_compare_exchange_strong(&process.state, &expected, COLLECTOR_STOPPED))
		log_message("cerror", message, "recording stops", error);
}

bool collector_absorb_fault(uintptr_t address)
{
	int expected = COLLECTOR_ON, none = 0;
	int error = output_absorb_fault(&process.frames, address);

	if (error == 0)
		error = output_absorb_fault(&process.log, address);
	if (error == 0)
		error = output_absorb_fault(&process.map, address);
	for (size_t i = 0; i < DATA_COUNT && error == 0; i++)
		error = output_absorb_fault(&process.data[i], address);
	if (error == 0)
		return false;
	atomic_compare_exchange_strong(&process.state, &expected, COLLECTOR_STOPPED);
	atomic_compare_exchange_strong(&lost, &none, error);
	return true;
}

/* ---- around an exec that may fail ---- */

void collector_suspend(void)
{
	atomic_store(&is_suspended, true);
	experiment_suspend();
}

void collector_resume(void)
{
	if (!experiment_resume())
		collector_stop(EXPT_ERROR_FILE_RESIZE, 0);
	atomic_store(&is_suspended, false);
}

/* ---- the end ---- */

static void log_event(const char *kind, uint64_t now)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);

	log_begin(&record, kind, now);
	log_put(&record);
}

static void close_experiment(uint64_t now)
{
	if (atomic_exchange(&is_closed, true))
		return;
	if (atomic_load(&lost) == EBADF)
		log_message("cerror", EXPT_ERROR_FILE_MAP, "a file of ours was cut short",
			    0);
	else if (atomic_load(&lost) != 0)
		log_message("cerror", EXPT_ERROR_FILE_RESIZE, "recording stops",
			    atomic_load(&lost));
	restart_report();
	sample_take(SAMPLE_CLOSE, now);
	log_event("exit", now);
}

void collector_end_events(uint64_t now)
{
	int expected = COLLECTOR_ON;

	if (!atomic_compare_exchange_strong(&process.state, &expected, COLLECTOR_STOPPED))
		return;
	close_experiment(now);
}

void collector_end(void)
{
	int state = atomic_load(&process.state);
	uint64_t mask;

	if ((state != COLLECTOR_ON && state != COLLECTOR_STOPPED) ||
	    !atomic_compare_exchange_strong(&process.state, &state, COLLECTOR_ENDED))
		return;
	mask = collector_enter();
	if (!collector_is_frozen()) {
		sources_close();
		close_experiment(collector_now());
		sampling_await();
		archive_announce();
		experiment_close();
		archive_run();
	} else {
		log_event("exit", collector_now());
	}
	collector_leave(mask);
}

static void end_at_exit(void *unused)
{
	(void)unused;
	if (descendants_place() != PLACE_OWN)
		return;
	loadmap_catch_up();
	collector_end();
}

/* ---- the start, of a child of fork, too ---- */

static void start_recording(const char *label)
{
	const char *path = (const char *)getauxval(AT_EXECFN);

	atomic_store(&process.state, follow_matches(process.lineage, path)
					     ? COLLECTOR_ON
					     : COLLECTOR_CARRIED);
	if (!collector_is_recording())
		return;
	sample_first(label);
	control_start();
	if (collector_is_founder()) {
		if (!experiment_materialise())
			return;
		experiment_reserve();
	}
	if (thread_self)
		sources_start(thread_self);
}

static void forget_parent(void)
{
	access_after_fork();
	experiment_forget();
	log_forget();
	sample_forget();
	loadmap_forget();
	loadmap_unlock();
	dynamic_forget();
	control_forget();
	waiting_forget();
	restart_forget();
	tsc_after_fork();
	unwind_after_fork();
	thread_after_fork();
	atomic_store(&is_suspended, false);
	atomic_store(&is_full, false);
	atomic_store(&is_closed, false);
	atomic_store(&lost, 0);
	atomic_store(&bytes_handed_out, 0);
}

void collector_become_child(const char *lineage, bool began_unseen)
{
	int state = atomic_load(&process.state);
	struct text own;

	atomic_store(&process.state, COLLECTOR_OFF);
	process.pid = sys_getpid();
	process.began_unseen = began_unseen;
	process.start_ns = began_unseen ? start_time_after(process.start_ns)
					: collector_now();
	process.command = "(fork)";
	forget_parent();
	if (!lineage || settings.follow == 0 || state == COLLECTOR_ENDED) {
		access_end();
		dynamic_start(false);
		return;
	}
	own = TEXT_ON(process.lineage);
	text_add(&own, lineage);
	sources_after_fork();
	start_recording(SAMPLE_OPEN);
}

/* ---- the start of an image ---- */

static const char *join_arguments(int argc, char **argv)
{
	char *buffer = memory_get(COMMAND_TEXT_MAX);
	struct text text;

	if (!buffer)
		return "";
	text = text_on(buffer, COMMAND_TEXT_MAX);
	for (int i = 0; i < argc; i++) {
		if (i > 0)
			text_add(&text, " ");
		text_add(&text, argv[i]);
	}
	return buffer;
}

extern int __cxa_at_quick_exit(void (*function)(void *), void *library);

/* Registered before the loader's own function, which runs the destructors of all
 * libraries, so that this is the last one to be called. A thread sanitizer, asked to
 * register it, would count it among the program's objects. */
static void end_with_process(void)
{
	LIBC(__cxa_atexit, "GLIBC_2.2.5", int, (void (*)(void *), void *, void *));

	real(end_at_exit, NULL, NULL);
	__cxa_at_quick_exit(end_at_exit, NULL);
}

__attribute__((constructor)) static void init(int argc, char **argv, char **envp)
{
	uint64_t recorded;

	(void)envp;
	process.past_ns = sys_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	process.pid = sys_getpid();
	mapped_code_init();
	if (!environment_read()) {
		environment_hide();
		dynamic_start(false);
		return;
	}
	recorded = environment_recorded_ns();
	process.past_ns -= recorded < process.past_ns ? recorded : process.past_ns;
	environment_hide();
	if (settings.is_tracing)
		tsc_init();
	process.start_ns = collector_now();
	if (settings.founder_start_ns == 0) {
		settings.founder_start_ns = process.start_ns;
		settings.founder_pid = process.pid;
	}
	if (!access_start() || !thread_init())
		return;
	process.command = join_arguments(argc, argv);
	log_describe_system();
	unwind_init();
	stacks_init();
	loadmap_refresh();
	descendants_init();
	signals_take_faults();
	sources_open();
	control_open();
	start_recording(collector_is_founder() ? SAMPLE_OPEN : SAMPLE_RESUME_EXEC);
	end_with_process();
}

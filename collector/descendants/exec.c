/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The exec family. A successful exec ends this experiment, and the new image begins the
 * next; a failed one leaves everything unchanged. All forms end in four functions of libc
 * that take an environment. A child of vfork is handled apart, because it may write to
 * its own stack only.
 */

#include "collector/descendants/exec.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/common/log_text.h"
#include "collector/common/settings.h"
#include "collector/descendants/descendants.h"
#include "collector/descendants/target.h"
#include "collector/descendants/vfork.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/samples.h"
#include "collector/experiment/unmade.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/helpers/sampling.h"
#include "collector/process/environment.h"
#include "collector/process/guard.h"
#include "collector/process/own_time.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/recording/control.h"
#include "collector/recording/recording.h"
#include "collector/signals/signals.h"
#include "collector/sources/clock.h"
#include "collector/sources/events.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

struct exec_call {
	const char *variant;
	const char *path;
	char *const *argv;
	char *const *envp;
	int directory, flags; /* of execveat; directory is the file of fexecve */
	enum { BY_PATH, BY_SEARCH, BY_DIRECTORY, BY_FILE } form;
};

static int call_real(const struct exec_call *call, char *const envp[])
{
	REAL(execvpe, "GLIBC_2.11", int, (const char *, char *const[], char *const[]));

	switch (call->form) {
	case BY_SEARCH:
		return real(call->path, call->argv, envp);
	case BY_DIRECTORY: {
		REAL(execveat, "GLIBC_2.34", int,
		     (int, const char *, char *const[], char *const[], int));
		return real(call->directory, call->path, call->argv, envp, call->flags);
	}
	case BY_FILE: {
		REAL(fexecve, "GLIBC_2.2.5", int, (int, char *const[], char *const[]));
		return real(call->directory, call->argv, envp);
	}
	default: {
		REAL(execve, "GLIBC_2.2.5", int,
		     (const char *, char *const[], char *const[]));
		return real(call->path, call->argv, envp);
	}
	}
}

static enum target inspect(const struct exec_call *call,
			   char sanitizer[static SANITIZER_NAME_SIZE])
{
	switch (call->form) {
	case BY_SEARCH:
		return target_inspect_in_path(call->path, NULL, sanitizer);
	case BY_DIRECTORY:
		return target_inspect(call->directory, call->path, sanitizer);
	case BY_FILE:
		return target_inspect(call->directory, "", sanitizer);
	default:
		return target_inspect(AT_FDCWD, call->path, sanitizer);
	}
}

static pid_t start_sampling(const struct exec_call *call, const char *lineage)
{
	char buffer[LOG_RECORD_SIZE / 2];
	struct text command = TEXT_ON(buffer);

	descendants_describe(&command, call->path, call->argv);
	return sampling_start(lineage, call->path, command.start);
}

/* ---- in a process without a log: a child of vfork, or one that is only passed through
 * ---- */

static void warn_of_gap(const char *lineage, const char *reason, int error)
{
	char buffer[LINEAGE_MAX + 256], message[LINEAGE_MAX + 128];
	struct text line = TEXT_ON(buffer), text = TEXT_ON(message);

	text_add(&text, lineage);
	text_add(&text, ": ");
	text_add(&text, reason);
	log_header_message(&line, "cwarn", EXPT_WARNING_NOT_FOLLOWED, message, error);
	unmade_warn(&line);
}

static int exec_quietly_sampled(const struct exec_call *call, const char *lineage)
{
	pid_t sampler = sampling_is_wanted() ? start_sampling(call, lineage) : 0;
	int rc, saved;

	if (sampler <= 0)
		warn_of_gap(lineage,
			    sampler < 0 ? TARGET_STATIC_GAP
					: target_reason(TARGET_STATIC),
			    -sampler);
	rc = call_real(call, call->envp);
	saved = errno;
	if (sampler > 0)
		sampling_cancel(sampler);
	errno = saved;
	return rc;
}

static int exec_in_vfork_child(const struct exec_call *call)
{
	char buffer[LINEAGE_MAX + 1];
	struct text lineage = TEXT_ON(buffer);
	char *entries[environment_entries(call->envp)];
	char text[environment_text_size(call->envp)], sanitizer[SANITIZER_NAME_SIZE];
	enum target target = settings.follow != 0 ? inspect(call, sanitizer)
						  : TARGET_MISSING;

	if (!descendants_vfork_lineage(&lineage) || target == TARGET_MISSING)
		return call_real(call, call->envp);
	if (target == TARGET_STATIC)
		return exec_quietly_sampled(call, lineage.start);
	if (target != TARGET_FOLLOWED) {
		warn_of_gap(lineage.start, target_reason(target), 0);
		return call_real(call, call->envp);
	}
	return call_real(call,
			 environment_complete(entries, text, sizeof(text), call->envp,
					      lineage.start, sanitizer));
}

/* The parent logs the failure when it runs again. */
static int exec_and_note(const struct exec_call *call)
{
	int rc = exec_in_vfork_child(call), saved = errno;

	descendants_note_failure(call->variant, call->path, saved);
	errno = saved;
	return rc;
}

/* ---- in the process itself ---- */

static void log_exec(const struct exec_call *call, const char *lineage, bool is_followed)
{
	char buffer[LOG_RECORD_SIZE / 2];
	struct text message = TEXT_ON(buffer);

	descendants_describe(&message, call->path, call->argv);
	descendants_log_start("exec_start", call->variant, lineage, is_followed,
			      message.start);
}

static void log_failure(const struct exec_call *call, const char *lineage, int error)
{
	descendants_log_result("exec_error", call->variant, lineage, false, "err ",
			       error);
}

static uint64_t pass_time_on(void)
{
	struct thread *thread = thread_self;

	return thread && collector_is_recording() && !experiment_is_made()
		       ? clock_pass_on(thread)
		       : 0;
}

static int exec_and_log(const struct exec_call *call, char *const envp[],
			const char *lineage, bool is_followed)
{
	uint64_t mask = collector_enter();
	bool is_told = envp != call->envp; /* and not sampled from outside */
	uint64_t passed_on = is_told ? pass_time_on() : 0;
	int rc, saved;

	log_exec(call, lineage, is_followed);
	if (passed_on == 0)
		control_settle();
	sample_take_last(SAMPLE_EXEC, collector_now());
	collector_suspend();
	if (thread_self)
		sources_suspend(thread_self);
	events_drop_signals();
	if (is_told)
		environment_set_recorded(envp, passed_on);
	own_time_end();
	signals_give_back(mask);
	rc = call_real(call, envp);
	saved = errno;
	collector_enter_again();
	own_time_begin();
	signals_take_again();
	if (thread_self) {
		clock_defer(thread_self, passed_on);
		sources_resume(thread_self);
	}
	collector_resume();
	log_failure(call, lineage, saved);
	collector_leave(mask);
	errno = saved;
	return rc;
}

/* No file is closed for an exec that cannot succeed: shells try every directory of
 * PATH. */
static int exec_in_vain(const struct exec_call *call)
{
	char buffer[LINEAGE_MAX + 1];
	struct text lineage = TEXT_ON(buffer);
	uint64_t mask = collector_enter();
	int rc, saved;

	descendants_next_lineage(&lineage, LINEAGE_EXEC);
	log_exec(call, lineage.start, false);
	collector_leave(mask);
	rc = call_real(call, call->envp);
	saved = errno;
	mask = collector_enter();
	log_failure(call, lineage.start, saved);
	collector_leave(mask);
	errno = saved;
	return rc;
}

/* Execute a program that cannot be preloaded: it is sampled from outside, or logged as a
 * gap. */
static int exec_without_us(const struct exec_call *call, enum target target,
			   const char *lineage, bool has_name)
{
	pid_t sampler = 0;
	int rc, saved;

	if (target == TARGET_STATIC && sampling_is_wanted() &&
	    !environment_is_taken(call->envp))
		sampler = has_name ? start_sampling(call, lineage) : -ENAMETOOLONG;

	if (sampler <= 0)
		descendants_log_gap(target, -sampler);
	rc = exec_and_log(call, call->envp, lineage, sampler > 0);
	saved = errno;
	if (sampler > 0)
		sampling_cancel(sampler);
	errno = saved;
	return rc;
}

static int exec_followed(const struct exec_call *call, enum target target,
			 const char *sanitizer)
{
	char buffer[LINEAGE_MAX + 1];
	struct text lineage = TEXT_ON(buffer);
	char *entries[environment_entries(call->envp)];
	char text[environment_text_size(call->envp)];
	bool has_name = descendants_next_lineage(&lineage, LINEAGE_EXEC);
	bool is_followed = has_name && settings.follow != 0 &&
			   target == TARGET_FOLLOWED && !environment_is_taken(call->envp);
	char *const *envp;

	envp = is_followed ? environment_complete(entries, text, sizeof(text), call->envp,
						  lineage.start, sanitizer)
			   : call->envp;
	if (is_followed)
		environment_set_recorded(envp, 0);
	if (!collector_has_experiment())
		return has_name && target == TARGET_STATIC && settings.follow != 0
			       ? exec_quietly_sampled(call, lineage.start)
			       : call_real(call, envp);
	if (is_followed)
		return exec_and_log(call, envp, lineage.start, true);
	return exec_without_us(call, target, lineage.start, has_name);
}

static int exec_image(const struct exec_call *call)
{
	enum descendants_place place = collector_is_frozen() ? PLACE_NONE
							     : descendants_place();
	char sanitizer[SANITIZER_NAME_SIZE];
	enum target target;

	if (place == PLACE_VFORK && !environment_is_taken(call->envp))
		return exec_and_note(call);
	if (place != PLACE_OWN)
		return call_real(call, call->envp);
	target = inspect(call, sanitizer);
	return target == TARGET_MISSING ? exec_in_vain(call)
					: exec_followed(call, target, sanitizer);
}

/* ---- the family ---- */

INTERPOSE(int, execve_2_2_5, "execve@@GLIBC_2.2.5",
	  (const char *path, char *const argv[], char *const envp[]))
{
	return exec_image(
		&(struct exec_call){ "execve", path, argv, envp, 0, 0, BY_PATH });
}

INTERPOSE(int, execv_2_2_5, "execv@@GLIBC_2.2.5", (const char *path, char *const argv[]))
{
	return exec_image(
		&(struct exec_call){ "execve", path, argv, environ, 0, 0, BY_PATH });
}

INTERPOSE(int, execvp_2_2_5, "execvp@@GLIBC_2.2.5",
	  (const char *file, char *const argv[]))
{
	return exec_image(
		&(struct exec_call){ "execvp", file, argv, environ, 0, 0, BY_SEARCH });
}

INTERPOSE(int, execvpe_2_11, "execvpe@@GLIBC_2.11",
	  (const char *file, char *const argv[], char *const envp[]))
{
	return exec_image(
		&(struct exec_call){ "execvp", file, argv, envp, 0, 0, BY_SEARCH });
}

INTERPOSE(int, fexecve_2_2_5, "fexecve@@GLIBC_2.2.5",
	  (int fd, char *const argv[], char *const envp[]))
{
	const char *name = argv && argv[0] ? argv[0] : "";

	return exec_image(
		&(struct exec_call){ "execve", name, argv, envp, fd, 0, BY_FILE });
}

INTERPOSE(int, execveat_2_34, "execveat@@GLIBC_2.34",
	  (int directory, const char *path, char *const argv[], char *const envp[],
	   int flags))
{
	return exec_image(&(struct exec_call){ "execve", path, argv, envp, directory,
					       flags, BY_DIRECTORY });
}

/* ---- by number: the functions for syscall(), whose first argument it is ---- */

static long execve_by_number(long number, const char *path, char *const argv[],
			     char *const envp[])
{
	(void)number;
	return exec_image(
		&(struct exec_call){ "execve", path, argv, envp, 0, 0, BY_PATH });
}

static long execveat_by_number(long number, int directory, const char *path,
			       char *const argv[], char *const envp[], int flags)
{
	(void)number;
	return exec_image(&(struct exec_call){ "execve", path, argv, envp, directory,
					       flags, BY_DIRECTORY });
}

void *exec_system_call(long number)
{
	if (number == SYS_execve)
		return (void *)execve_by_number;
	return number == SYS_execveat ? (void *)execveat_by_number : NULL;
}

/* ---- with a list of arguments ---- */

static size_t count_arguments(va_list list)
{
	size_t count = 1;

	while (va_arg(list, const char *))
		count++;
	return count;
}

/* The arguments of a list after the first, with the NULL that ends them. */
#define COLLECT_ARGUMENTS(first, list)              \
	size_t count_;                              \
	va_start(list, first);                      \
	count_ = first ? count_arguments(list) : 0; \
	va_end(list);                               \
	char *argv[count_ + 1];                     \
	va_start(list, first);                      \
	argv[0] = (char *)first;                    \
	for (size_t i = 1; i <= count_; i++)        \
	argv[i] = va_arg(list, char *)

INTERPOSE(int, execl_2_2_5, "execl@@GLIBC_2.2.5",
	  (const char *path, const char *first, ...))
{
	va_list list;

	COLLECT_ARGUMENTS(first, list);
	va_end(list);
	return exec_image(
		&(struct exec_call){ "execve", path, argv, environ, 0, 0, BY_PATH });
}

INTERPOSE(int, execlp_2_2_5, "execlp@@GLIBC_2.2.5",
	  (const char *file, const char *first, ...))
{
	va_list list;

	COLLECT_ARGUMENTS(first, list);
	va_end(list);
	return exec_image(
		&(struct exec_call){ "execvp", file, argv, environ, 0, 0, BY_SEARCH });
}

INTERPOSE(int, execle_2_2_5, "execle@@GLIBC_2.2.5",
	  (const char *path, const char *first, ...))
{
	char *const *envp;
	va_list list;

	COLLECT_ARGUMENTS(first, list);
	envp = va_arg(list, char *const *);
	va_end(list);
	return exec_image(
		&(struct exec_call){ "execve", path, argv, envp, 0, 0, BY_PATH });
}

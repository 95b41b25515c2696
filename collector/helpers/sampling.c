/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/helpers/sampling.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>

#include "collector/base/helper.h"
#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/process/environment.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "libexpt/format.h"

#define STACK_SIZE (16 * 1024)
#define TIME_LIMIT_MS \
	10000 /* for each step; after it the program runs without a sampler */

/* Memory shared by the caller, its helper and, until its exec, the sampler. */
struct sampling {
	struct launch launch; /* first: the caller's handle */
	size_t size;
	/* The process to sample, the caller's unless it is a launcher; and its thread
	 * that calls exec. */
	_Atomic pid_t target;
	pid_t thread;
	_Atomic int ready; /* the helper has its pipes */
	int to_helper, from_helper;
	pid_t helper, sampler;
	int error;	/* reason if there is no sampler */
	int exec_error; /* of the launcher */
	int up[2], down[2], status[2];
	const char *path, *command;
	char *entries[16], *argv[6];
	char pid_text[16], thread_text[16], helper_text[16], to_text[16], from_text[16],
		count_text[16];
	char name[PATH_MAX]; /* of the sampler */
	char stack[STACK_SIZE] __attribute__((aligned(16)));
	char exec_stack[STACK_SIZE] __attribute__((aligned(16)));
	char text[];
};

bool sampling_is_wanted(void)
{
	return settings.follow != 0 && settings.period_us > 0 && !collector_is_frozen() &&
	       !atomic_load(&process.is_paused);
}

/* ---- making ---- */

/* The sampler is in the directory of the library. */
static void name_sampler(struct sampling *sampling)
{
	struct text name = TEXT_ON(sampling->name);
	size_t length = 0, slash = 0;

	for (; settings.preload[length] != '\0' && settings.preload[length] != ' ';
	     length++)
		if (settings.preload[length] == '/')
			slash = length + 1;
	text_add_bytes(&name, settings.preload, slash);
	text_add(&name, COLLECTOR_SAMPLER);
}

static const char *decimal(char *buffer, size_t size, int64_t value)
{
	struct text text = text_on(buffer, size);

	text_add_decimal(&text, value);
	return buffer;
}

static struct sampling *make(const char *lineage, const char *path, const char *command,
			     size_t words)
{
	size_t text_size = environment_text_size(NULL);
	size_t at = sizeof(struct sampling) + text_size;
	size_t size = (at + 15) / 16 * 16 + words * sizeof(char *);
	struct sampling *sampling = memory_get_pages(size);

	if (!sampling)
		return NULL;
	sampling->size = size;
	sampling->path = path;
	sampling->command = command;
	name_sampler(sampling);
	environment_own(sampling->entries, sampling->text, text_size, lineage);
	return sampling;
}

static void drop(struct sampling *sampling)
{
	memory_return_pages(sampling, sampling->size);
}

/* ---- the helper, and the sampler before its exec: system calls only ---- */

static int execute(void *data)
{
	struct sampling *sampling = data;
	int32_t error;

	helper_reset_signals();
	/* The sampler answers on descriptor 3, which may be the pipe already. */
	if (sampling->status[1] != 3)
		system_call(SYS_dup2, sampling->status[1], 3, 0, 0, 0, 0);
	helper_close_from(4);
	error = -(int32_t)system_call(SYS_execve, (long)sampling->name,
				      (long)sampling->argv, (long)sampling->entries, 0, 0,
				      0);
	system_call(SYS_write, 3, (long)&error, sizeof(error), 0, 0, 0);
	system_call(SYS_exit_group, 127, 0, 0, 0, 0, 0);
	return 127;
}

static int make_pipe(int ends[2])
{
	return (int)system_call(SYS_pipe2, (long)ends, 0, 0, 0, 0, 0);
}

/* Read a word from the pipe. Returns 1, 0 at its end, or a negative errno: -ESRCH if the
 * process of pidfd, unless -1, ends first. */
static int read_word(int fd, int pidfd, int32_t *word)
{
	struct pollfd ready[2] = { { fd, POLLIN, 0 }, { pidfd, POLLIN, 0 } };
	long rc = system_call(SYS_poll, (long)ready, 2, TIME_LIMIT_MS, 0, 0, 0);

	if (rc <= 0)
		return rc < 0 ? (int)rc : -ETIMEDOUT;
	if (ready[0].revents == 0)
		return -ESRCH;
	rc = sys_read(fd, word, sizeof(*word));
	return rc < 0 ? (int)rc : rc == sizeof(*word);
}

static void start_sampler(struct sampling *sampling)
{
	int32_t error = 0;
	int rc = make_pipe(sampling->status);

	if (rc < 0) {
		sampling->error = -rc;
		return;
	}
	sampling->argv[0] = sampling->name;
	sampling->argv[1] = (char *)decimal(sampling->pid_text,
					    sizeof(sampling->pid_text),
					    atomic_load(&sampling->target));
	sampling->argv[2] =
		(char *)decimal(sampling->thread_text, sizeof(sampling->thread_text),
				sampling->thread != 0 ? sampling->thread
						      : atomic_load(&sampling->target));
	sampling->argv[3] = (char *)sampling->path;
	sampling->argv[4] = (char *)sampling->command;
	sampling->sampler = helper_clone(sampling->exec_stack, STACK_SIZE, execute,
					 sampling, CLONE_VM | CLONE_VFORK, NULL);
	sys_close(sampling->status[1]);
	if (sampling->sampler < 0) {
		sampling->error = -sampling->sampler;
		return;
	}
	rc = read_word(sampling->status[0], -1, &error);
	sampling->error = rc < 0 ? -rc : rc == 0 ? ECHILD : error;
	if (rc < 0)
		system_call(SYS_kill, sampling->sampler, SIGKILL, 0, 0, 0, 0);
}

static int help(void *data)
{
	helper_use_null_device();
	helper_close_from(3);
	start_sampler(data);
	system_call(SYS_exit_group, 0, 0, 0, 0, 0, 0);
	return 0;
}

static void wait_for_word(_Atomic int *word)
{
	struct timespec limit = { TIME_LIMIT_MS / 1000, 0 };

	while (atomic_load(word) == 0)
		if (system_call(SYS_futex, (long)word, FUTEX_WAIT, 0, (long)&limit, 0,
				0) == -ETIMEDOUT)
			return;
}

static void give_word(_Atomic int *word, int value)
{
	atomic_store(word, value);
	system_call(SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
}

/* With its first word the launcher reports that it has opened its ends of the pipes. */
static void follow_launch(struct sampling *sampling)
{
	int pidfd, rc;
	int32_t word;

	wait_for_word(&sampling->target);
	pidfd = (int)system_call(SYS_pidfd_open, atomic_load(&sampling->target), 0, 0, 0,
				 0, 0);
	if (pidfd < 0 || read_word(sampling->up[0], pidfd, &word) <= 0) {
		sampling->error = ECHILD;
		return;
	}
	sys_close(sampling->up[1]);
	start_sampler(sampling);
	system_call(SYS_write, sampling->down[1], (long)&word, sizeof(word), 0, 0, 0);
	rc = read_word(sampling->up[0], pidfd, &word);
	if (rc <= 0)
		return;
	sampling->exec_error = word;
	if (sampling->error == 0)
		sampling_cancel(sampling->sampler);
}

static int help_launch(void *data)
{
	struct sampling *sampling = data;

	helper_use_null_device();
	helper_close_from(3);
	if (make_pipe(sampling->up) == 0 && make_pipe(sampling->down) == 0) {
		sampling->to_helper = sampling->up[1];
		sampling->from_helper = sampling->down[0];
		give_word(&sampling->ready, 1);
		follow_launch(sampling);
	} else {
		give_word(&sampling->ready, -1);
	}
	system_call(SYS_exit_group, 0, 0, 0, 0, 0, 0);
	return 0;
}

/* ---- the caller ---- */

static int start_helper(struct sampling *sampling, int (*function)(void *))
{
	uint64_t mask = collector_enter();

	sampling->helper = helper_clone(sampling->stack, STACK_SIZE, function, sampling,
					CLONE_VM, NULL);
	collector_leave(mask);
	return sampling->helper < 0 ? sampling->helper : 0;
}

static void wait_for_helper(const struct sampling *sampling)
{
	while (system_call(SYS_wait4, sampling->helper, 0, (long)__WCLONE, 0, 0, 0) ==
	       -EINTR)
		;
}

/* Without an error and a sampler, the helper was killed. */
static int error_of(const struct sampling *sampling)
{
	return sampling->error == 0 && sampling->sampler <= 0 ? ECHILD : sampling->error;
}

pid_t sampling_start(const char *lineage, const char *path, const char *command)
{
	struct sampling *sampling = make(lineage, path, command, 0);
	pid_t sampler;
	int error;

	if (!sampling)
		return -ENOMEM;
	atomic_store(&sampling->target, sys_getpid());
	sampling->thread = sys_gettid();
	error = -start_helper(sampling, help);
	if (error == 0) {
		wait_for_helper(sampling);
		error = error_of(sampling);
	}
	sampler = sampling->sampler;
	drop(sampling);
	return error != 0 ? -error : sampler;
}

void sampling_cancel(pid_t sampler)
{
	system_call(SYS_kill, sampler, SIGKILL, 0, 0, 0, 0);
}

static size_t count_words(char *const words[])
{
	size_t count = 0;

	while (words && words[count])
		count++;
	return count;
}

#define LAUNCHER_WORDS 7

/* Fill the arguments that launch.c of the sampler parses. */
static void fill_launch(struct sampling *sampling, char *const argv[], char *const envp[])
{
	size_t arguments = count_words(argv), variables = count_words(envp);
	size_t used = sizeof(*sampling) + environment_text_size(NULL);
	char **words = (char **)((char *)sampling + (used + 15) / 16 * 16), **to = words;

	*to++ = sampling->name;
	*to++ = (char *)"-l";
	*to++ = (char *)decimal(sampling->helper_text, sizeof(sampling->helper_text),
				sampling->helper);
	*to++ = (char *)decimal(sampling->to_text, sizeof(sampling->to_text),
				sampling->to_helper);
	*to++ = (char *)decimal(sampling->from_text, sizeof(sampling->from_text),
				sampling->from_helper);
	*to++ = (char *)sampling->path;
	*to++ = (char *)decimal(sampling->count_text, sizeof(sampling->count_text),
				(int64_t)arguments);
	for (size_t i = 0; i < arguments; i++)
		*to++ = argv[i];
	*to++ = (char *)"-";
	for (size_t i = 0; i < variables; i++)
		*to++ = envp[i];
	*to = NULL;
	sampling->launch = (struct launch){ sampling->name, words, sampling->entries };
}

struct launch *sampling_prepare(const char *lineage, const char *path,
				const char *command, char *const argv[],
				char *const envp[])
{
	size_t words = count_words(argv) + count_words(envp) + LAUNCHER_WORDS + 2;
	struct sampling *sampling = make(lineage, path, command, words);

	if (!sampling)
		return NULL;
	if (sys_access("/proc/self/fd", F_OK) < 0 ||
	    start_helper(sampling, help_launch) < 0) {
		drop(sampling);
		return NULL;
	}
	wait_for_word(&sampling->ready);
	if (atomic_load(&sampling->ready) != 1) {
		sampling_cancel(sampling->helper);
		wait_for_helper(sampling);
		drop(sampling);
		return NULL;
	}
	fill_launch(sampling, argv, envp);
	return &sampling->launch;
}

int sampling_finish(struct launch *launch, int rc, pid_t pid, int *error)
{
	struct sampling *sampling = (struct sampling *)launch;
	int exec_error;

	if (rc == 0)
		give_word(&sampling->target, pid);
	else
		sampling_cancel(sampling->helper);
	wait_for_helper(sampling);
	exec_error = sampling->exec_error;
	*error = rc != 0 ? rc : error_of(sampling);
	drop(sampling);
	/* The launcher has ended. posix_spawn() reports no child whose exec failed, so
	 * remove it here. */
	if (exec_error != 0)
		while (system_call(SYS_wait4, pid, 0, 0, 0, 0, 0) == -EINTR)
			;
	return exec_error;
}

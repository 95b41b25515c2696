/* SPDX-License-Identifier: Apache-2.0 */
/*
 * posix_spawn, system and popen: a child and an exec in one. glibc makes these without
 * calling the functions that we wrap, so the child's environment is completed here.
 */

#include <errno.h>
#include <paths.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/descendants/descendants.h"
#include "collector/descendants/interrupts.h"
#include "collector/descendants/target.h"
#include "collector/files/log.h"
#include "collector/helpers/sampling.h"
#include "collector/process/environment.h"
#include "collector/process/guard.h"
#include "libexpt/format.h"

static bool is_recordable(void)
{
	return !collector_is_frozen() && descendants_place() == PLACE_OWN;
}

struct spawned {
	const char *variant;
	char lineage[LINEAGE_MAX + 1];
	char sanitizer[SANITIZER_NAME_SIZE];
	bool has_name; /* the lineage is not cut off */
	bool is_followed;
};

/* Name the child, and log it, or why it will not be recorded. */
static void begin_spawn(struct spawned *spawned, const char *variant, enum target target,
			const char *message)
{
	struct text lineage = TEXT_ON(spawned->lineage);
	uint64_t mask = collector_enter();

	spawned->variant = variant;
	spawned->has_name = descendants_next_lineage(&lineage, LINEAGE_COMBO);
	spawned->is_followed = spawned->has_name && settings.follow != 0 &&
			       target == TARGET_FOLLOWED;
	descendants_log_gap(target, 0);
	descendants_log_start("desc_start", variant, spawned->lineage,
			      spawned->is_followed, message);
	collector_leave(mask);
}

static void end_spawn(const struct spawned *spawned, const char *what, long number)
{
	int saved = errno;
	uint64_t mask = collector_enter();

	descendants_log_result("desc_started", spawned->variant, spawned->lineage,
			       spawned->is_followed, what, number);
	collector_leave(mask);
	errno = saved;
}

/* ---- posix_spawn ---- */

typedef int (*spawn_function)(pid_t *, const char *, const posix_spawn_file_actions_t *,
			      const posix_spawnattr_t *, char *const[], char *const[]);

struct spawn_call {
	const char *variant;
	enum target (*inspect)(const char *path, struct text *found,
			       char sanitizer[static SANITIZER_NAME_SIZE]);
	pid_t *pid;
	const char *path;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attributes;
	char *const *argv;
	char *const *envp;
};

static enum target inspect_path(const char *path, struct text *found,
				char sanitizer[static SANITIZER_NAME_SIZE])
{
	text_add(found, path ? path : "");
	return target_inspect(AT_FDCWD, path, sanitizer);
}

static int call_real(spawn_function real, const struct spawn_call *call, pid_t *pid,
		     char *const envp[])
{
	return real(pid, call->path, call->actions, call->attributes, call->argv, envp);
}

/* Spawn the launcher, which waits for the sampler and then becomes the program. *error:
 * the reason if there is no sampler. */
static int spawn_sampled(spawn_function real, const struct spawn_call *call, pid_t *pid,
			 const struct spawned *spawned, const char *path,
			 const char *command, int *error)
{
	struct launch *launch =
		sampling_prepare(spawned->lineage, path, command, call->argv, call->envp);
	struct spawn_call launcher = *call;
	int rc;

	*error = EAGAIN;
	if (!launch)
		return call_real(real, call, pid, call->envp);
	launcher.path = launch->path;
	launcher.argv = launch->argv;
	rc = call_real(real, &launcher, pid, launch->envp);
	if (rc == 0)
		return sampling_finish(launch, 0, *pid, error);
	sampling_finish(launch, rc, 0, error);
	return call_real(real, call, pid, call->envp);
}

static int spawn_static(spawn_function real, const struct spawn_call *call, pid_t *pid,
			struct spawned *spawned, const char *path, const char *command)
{
	int error = 0, rc;
	uint64_t mask;

	if (!sampling_is_wanted() || !spawned->has_name) {
		rc = call_real(real, call, pid, call->envp);
		error = spawned->has_name ? 0 : ENAMETOOLONG;
	} else {
		rc = spawn_sampled(real, call, pid, spawned, path, command, &error);
		spawned->is_followed = rc == 0 && error == 0;
	}
	mask = collector_enter();
	if (rc == 0 && !spawned->is_followed)
		descendants_log_gap(TARGET_STATIC, error);
	collector_leave(mask);
	return rc;
}

static int spawn_recorded(spawn_function real, const struct spawn_call *call)
{
	char message_buffer[LOG_RECORD_SIZE / 2], path_buffer[PATH_MAX];
	struct text message = TEXT_ON(message_buffer), path = TEXT_ON(path_buffer);
	char *entries[environment_entries(call->envp)];
	char text[environment_text_size(call->envp)];
	struct spawned spawned;
	enum target target = call->inspect(call->path, &path, spawned.sanitizer);
	pid_t pid = 0;
	int rc;

	/* The file may exist after all: file actions may change the directory first. */
	if (target == TARGET_MISSING)
		target = TARGET_FOLLOWED;
	descendants_describe(&message, call->path, call->argv);
	/* A static program is judged when it is spawned: only then is it clear whether it
	 * can be sampled. */
	begin_spawn(&spawned, call->variant,
		    target == TARGET_STATIC ? TARGET_MISSING : target, message.start);
	if (target == TARGET_STATIC)
		rc = spawn_static(real, call, &pid, &spawned, path.start, message.start);
	else
		rc = call_real(real, call, &pid,
			       spawned.is_followed
				       ? environment_complete(entries, text, sizeof(text),
							      call->envp, spawned.lineage,
							      spawned.sanitizer)
				       : call->envp);
	if (rc == 0 && call->pid)
		*call->pid = pid;
	end_spawn(&spawned, rc == 0 ? "pid=" : "err ", rc == 0 ? pid : rc);
	return rc;
}

static int spawn(struct real *function, const struct spawn_call *call)
{
	spawn_function real = real_function(function);

	if (!is_recordable() || environment_is_taken(call->envp))
		return call_real(real, call, call->pid, call->envp);
	return spawn_recorded(real, call);
}

#define POSIX_SPAWN(local, symbol, at, version, inspect)                            \
	INTERPOSE(int, local, #symbol at version,                                   \
		  (pid_t * pid, const char *path,                                   \
		   const posix_spawn_file_actions_t *actions,                       \
		   const posix_spawnattr_t *attributes, char *const argv[],         \
		   char *const envp[]))                                             \
	{                                                                           \
		static struct real real = { #symbol, version, NULL };               \
		const struct spawn_call call = { #symbol, inspect,    pid,  path,   \
						 actions, attributes, argv, envp }; \
                                                                                    \
		return spawn(&real, &call);                                         \
	}

POSIX_SPAWN(posix_spawn_2_2_5, posix_spawn, "@", "GLIBC_2.2.5", inspect_path)
POSIX_SPAWN(posix_spawn_2_15, posix_spawn, "@@", "GLIBC_2.15", inspect_path)
POSIX_SPAWN(posix_spawnp_2_2_5, posix_spawnp, "@", "GLIBC_2.2.5", target_inspect_in_path)
POSIX_SPAWN(posix_spawnp_2_15, posix_spawnp, "@@", "GLIBC_2.15", target_inspect_in_path)

/* ---- system, as glibc makes it, but with an environment ---- */

struct running_command {
	sigset_t mask;
	pid_t pid;
};

static void on_cancel(void *data)
{
	const struct running_command *command = data;

	kill(command->pid, SIGKILL);
	while (system_call(SYS_wait4, command->pid, 0, 0, 0, 0, 0) == -EINTR)
		;
	interrupts_heed(&command->mask);
}

static int wait_for(struct running_command *command)
{
	int status = -1;

	pthread_cleanup_push(on_cancel, command);
	while (waitpid(command->pid, &status, 0) < 0)
		if (errno != EINTR) {
			status = -1;
			break;
		}
	pthread_cleanup_pop(0);
	return status;
}

static int run_shell(const char *line, char *const envp[])
{
	static struct real function = { "posix_spawn", "GLIBC_2.15", NULL };
	spawn_function real = real_function(&function);
	char *const argv[] = { (char *)"sh", (char *)"-c", (char *)line, NULL };
	struct running_command command;
	posix_spawnattr_t attributes;
	int status, rc;

	interrupts_ignore(&command.mask, &attributes);
	rc = real(&command.pid, _PATH_BSHELL, NULL, &attributes, argv, envp);
	posix_spawnattr_destroy(&attributes);
	/* Without a shell, the status is that of a shell that exits with 127. */
	status = rc == 0 ? wait_for(&command) : W_EXITCODE(127, 0);
	interrupts_heed(&command.mask);
	if (rc != 0)
		errno = rc;
	return status;
}

INTERPOSE(int, system_2_2_5, "system@@GLIBC_2.2.5", (const char *line))
{
	REAL(system, "GLIBC_2.2.5", int, (const char *));
	char *entries[environment_entries(environ)];
	struct spawned spawned;
	int status;

	if (!line || !is_recordable() || environment_is_taken(environ))
		return real(line);
	char text[environment_text_size(environ)];

	begin_spawn(&spawned, "system",
		    target_inspect(AT_FDCWD, _PATH_BSHELL, spawned.sanitizer), line);
	status = run_shell(
		line, spawned.is_followed
			      ? environment_complete(entries, text, sizeof(text), environ,
						     spawned.lineage, spawned.sanitizer)
			      : environ);
	end_spawn(&spawned, "rc=", status);
	return status;
}

/* ---- popen: for the moment of the call the program's environment is the child's ---- */

static FILE *popen_completed(FILE *(*real)(const char *, const char *), const char *line,
			     const char *mode, const struct spawned *spawned)
{
	char **program = environ;
	size_t room = environment_entries(program);
	char *entries[room], *before[room];
	char text[environment_text_size(program)];
	FILE *file;

	environment_complete(entries, text, sizeof(text), program, spawned->lineage,
			     spawned->sanitizer);
	memcpy(before, entries, sizeof(before));
	environ = entries;
	file = real(line, mode);
	if (environ == entries) {
		environ = program;
		/* Keep variables that another thread has changed during the call. */
		for (size_t i = 0; program && program[i]; i++)
			if (entries[i] != before[i])
				program[i] = entries[i];
	} else {
		environment_hide();
	}
	return file;
}

static FILE *popen_recorded(struct real *function, const char *line, const char *mode)
{
	FILE *(*real)(const char *, const char *) = real_function(function);
	struct spawned spawned;
	FILE *file;

	if (!is_recordable() || environment_is_taken(environ))
		return real(line, mode);
	begin_spawn(&spawned, "popen",
		    target_inspect(AT_FDCWD, _PATH_BSHELL, spawned.sanitizer), line);
	file = spawned.is_followed ? popen_completed(real, line, mode, &spawned)
				   : real(line, mode);
	end_spawn(&spawned, "rc=", file ? 0 : errno);
	return file;
}

#define POPEN(local, symbol)                                                \
	INTERPOSE(FILE *, local, #symbol "@@GLIBC_2.2.5",                   \
		  (const char *line, const char *mode))                     \
	{                                                                   \
		static struct real real = { #symbol, "GLIBC_2.2.5", NULL }; \
		return popen_recorded(&real, line, mode);                   \
	}

POPEN(popen_2_2_5, popen)
POPEN(popen_internal_2_2_5, _IO_popen)

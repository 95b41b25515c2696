/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/collect/threads.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

static const char *const actions[] = {
	[DEADLOCK_TERMINATE] = "terminate",
	[DEADLOCK_ABORT] = "abort",
	[DEADLOCK_CONTINUE] = "continue",
};
#define ACTIONS (sizeof(actions) / sizeof(*actions))

const char *deadlock_action_name(enum deadlock_action action)
{
	return actions[action];
}

/* What may be recorded, by word */
static const struct {
	const char *name;
	bool has_races, has_deadlocks;
} kinds[] = {
	{ "race", true, false },
	{ "on", true, false },
	{ "deadlock", false, true },
	{ "all", true, true },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static bool take_word(struct settings *settings, const char *word)
{
	for (size_t i = 0; i < ACTIONS; i++)
		if (strcmp(word, actions[i]) == 0) {
			settings->on_deadlock = (enum deadlock_action)i;
			return true;
		}
	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(word, kinds[i].name) == 0) {
			settings->has_races |= kinds[i].has_races;
			settings->has_deadlocks |= kinds[i].has_deadlocks;
			return true;
		}
	return false;
}

int threads_set(struct settings *settings, const char *value)
{
	cleanup_free char *words = strdup(value);
	char *next = words, *word;

	if (!words)
		return cli_error("out of memory");
	settings->on_deadlock = DEADLOCK_TERMINATE;
	if (strcmp(value, "off") == 0)
		return CLI_OK;
	while ((word = strsep(&next, ",")))
		if (!take_word(settings, word))
			return cli_error(
				"-r: invalid argument '%s': use race, deadlock "
				"or all, and terminate, abort or continue, or off",
				value);
	if (settings->on_deadlock != DEADLOCK_TERMINATE && !settings->has_deadlocks)
		return cli_error("-r: invalid argument '%s': %s is for deadlocks", value,
				 actions[settings->on_deadlock]);
	settings->has_threads = true;
	return CLI_OK;
}

/* ---- programs built with the thread sanitizer ---- */

/* The name of a function that the program calls first, and text of the messages of the
 * run-time, in stripped programs that contain it */
static const char *const marks[] = { "__tsan_init", "ThreadSanitizer: data race" };

static bool is_instrumented(const char *path)
{
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	bool is_found = false;
	void *bytes;

	if (fd < 0 || fstat(fd, &status) < 0 || status.st_size == 0)
		return false;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks) && !is_found; i++)
		is_found =
			memmem(bytes, (size_t)status.st_size, marks[i], strlen(marks[i]));
	munmap(bytes, (size_t)status.st_size);
	return is_found;
}

int threads_check(const struct settings *settings, const struct target *target)
{
	if (!settings->has_races || settings->rank.experiment || !target->path ||
	    is_instrumented(target->path))
		return CLI_OK;
	if (getenv(SKIP_CHECK)) {
		cli_warn("'%s' is not built with -fsanitize=thread", target->path);
		return CLI_OK;
	}
	return cli_error(
		"-r race: '%s' is not built with -fsanitize=thread, or is stripped",
		target->path);
}

/* The run-time keeps to the addresses that programs have without much randomness. */
#define RANDOM_BITS_MAX 28

static bool has_far_addresses(void)
{
	cleanup_fd int fd = open("/proc/sys/vm/mmap_rnd_bits", O_RDONLY | O_CLOEXEC);
	char text[16] = "";

	return fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 &&
	       atoi(text) > RANDOM_BITS_MAX;
}

/* Both stacks of each lock are known only with this option. Those of the user follow, and
 * win. */
#define OPTIONS_VARIABLE "TSAN_OPTIONS"
#define BOTH_STACKS	 "second_deadlock_stack=1"

int threads_prepare(const struct settings *settings)
{
	const char *former = getenv(OPTIONS_VARIABLE);
	cleanup_free char *options = NULL;

	if (!settings->has_races)
		return CLI_OK;
	if (has_far_addresses())
		personality(ADDR_NO_RANDOMIZE);
	if (!settings->has_deadlocks)
		return CLI_OK;
	if (asprintf(&options, BOTH_STACKS "%s%s", former ? ":" : "",
		     former ? former : "") < 0 ||
	    setenv(OPTIONS_VARIABLE, options, 1) < 0)
		return cli_error("out of memory");
	return CLI_OK;
}

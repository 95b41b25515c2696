/* SPDX-License-Identifier: Apache-2.0 */
/* The environment as set up by collect, or by the exec wrapper in the parent. */

#include "collector/process/environment.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/common/sanitizer.h"
#include "collector/common/settings.h"
#include "collector/process/process.h"
#include "libexpt/format.h"

#define LD_PRELOAD "LD_PRELOAD="

/* Finds our path when the program was started by hand, with LD_PRELOAD alone. */
static const char *own_path(void)
{
	Dl_info info;

	return dladdr(&settings, &info) != 0 && info.dli_fname
		       ? settings_keep(info.dli_fname)
		       : "";
}

/* A program that gained privileges when it started has the environment of an unprivileged
 * user. Such an environment must not decide which files are written, or which program is
 * run at the end. */
static bool is_trusted(void)
{
	return settings_are_from_list() || getauxval(AT_SECURE) == 0;
}

bool environment_read(void)
{
	const char *lineage = settings_variable(ENV_LINEAGE);
	const char *founder = settings_variable(ENV_FOUNDER);
	bool is_complete = is_trusted() && settings_read();

	if (!settings.preload)
		settings.preload = own_path();
	if (!is_complete)
		return false;
	if (lineage && strlen(lineage) <= LINEAGE_MAX) {
		strcpy(process.lineage, lineage);
		settings_read_run();
		return true;
	}
	/* The founder, or a process that collect did not start */
	return !lineage &&
	       (!founder || (pid_t)text_parse_decimal(founder, NULL) == process.pid);
}

uint64_t environment_recorded_ns(void)
{
	const char *value = settings_variable(ENV_CPU_TIME);

	return value ? text_parse_decimal(value, NULL) : 0;
}

/* ---- hiding ---- */

static bool is_ours(const char *entry)
{
	return strncmp(entry, ENV_PREFIX, sizeof(ENV_PREFIX) - 1) == 0;
}

static bool is_preload(const char *entry)
{
	return strncmp(entry, LD_PRELOAD, sizeof(LD_PRELOAD) - 1) == 0;
}

static bool is_separator(char c)
{
	return c == ' ' || c == ':';
}

/* Is the word one of our libraries? */
static bool is_our_library(const char *word, size_t length)
{
	const char *at = settings.preload ? settings.preload : "";

	while (*at != '\0') {
		size_t n = strcspn(at, " :");

		if (n == length && memcmp(at, word, n) == 0)
			return true;
		at += n;
		at += *at != '\0';
	}
	return false;
}

/* Returns the rest of a list that begins with our libraries, perhaps after the sanitizer
 * run-time that we put before them; NULL if it does not. */
static const char *skip_ours(const char *list)
{
	size_t ours = strlen(settings.preload), sanitizer = sanitizer_length(list);

	if (list[sanitizer] != '\0' && sanitizer > 0)
		list += sanitizer + 1;
	if (strncmp(list, settings.preload, ours) != 0)
		return NULL;
	list += ours;
	return *list == '\0' || is_separator(*list) ? list : NULL;
}

/* Removes our libraries from the list, in place. Returns false if nothing else is left.
 * The rest of the list is kept byte for byte. */
static bool trim_preload(char *list)
{
	const char *rest = settings.preload ? skip_ours(list) : NULL;
	char *from = list, *to = list;

	if (rest) {
		bool has_rest = *rest != '\0';

		memmove(list, rest + has_rest, strlen(rest + has_rest) + 1);
		return has_rest;
	}
	while (*from != '\0') {
		size_t n = strcspn(from, " :");

		if (n > 0 && !is_our_library(from, n)) {
			if (to != list)
				*to++ = ':';
			memmove(to, from, n);
			to += n;
		}
		from += n;
		while (is_separator(*from))
			from++;
	}
	*to = '\0';
	return to != list;
}

/* Fill the slots after the end of the environment with AT_IGNORE entries, because Go's
 * run-time expects the auxiliary vector there. With an odd number of slots the vector is
 * made to look empty, so that it is read from /proc. */
static void fill_gap(uintptr_t *slots, size_t count)
{
	for (size_t i = 0; i < count; i++)
		slots[i] = count % 2 == 0 && i % 2 == 0 ? AT_IGNORE : AT_NULL;
}

void environment_hide(void)
{
	char **from = environ, **to = environ;

	for (; from && *from; from++) {
		if (is_ours(*from))
			continue;
		if (is_preload(*from) && !trim_preload(*from + sizeof(LD_PRELOAD) - 1))
			continue;
		*to++ = *from;
	}
	if (to == from)
		return;
	*to = NULL;
	fill_gap((uintptr_t *)(to + 1), (size_t)(from - to));
}

/* ---- completing ---- */

#define OWN_ENTRIES 8
#define CPU_TIME_ROOM                                                        \
	"00000000000000000000" /* placeholder; the number is written over it \
				*/

bool environment_is_taken(char *const envp[])
{
	for (; envp && *envp; envp++)
		if (strncmp(*envp, ENV_EXPERIMENT "=", sizeof(ENV_EXPERIMENT)) == 0)
			return true;
	return false;
}

size_t environment_entries(char *const envp[])
{
	size_t count = OWN_ENTRIES + 1;

	for (; envp && *envp; envp++)
		count++;
	return count;
}

size_t environment_text_size(char *const envp[])
{
	size_t size = 512 + strlen(settings.experiment) + strlen(settings.parameters) +
		      2 * strlen(settings.preload) + SANITIZER_NAME_SIZE + LINEAGE_MAX;

	if (settings.follow_pattern)
		size += strlen(settings.follow_pattern);
	for (; envp && *envp; envp++)
		if (is_preload(*envp))
			size += 2 * strlen(*envp);
	return size;
}

static char *add_entry(struct text *text, const char *name, const char *value)
{
	char *entry = text->start + text->length;

	text_add(text, name);
	text_add(text, "=");
	text_add(text, value);
	text_add_bytes(text, "", 1);
	return entry;
}

static char *add_preload(struct text *text, const char *former, const char *sanitizer)
{
	char *entry = text->start + text->length;
	const char *list = former ? former + sizeof(LD_PRELOAD) - 1 : "";

	text_add(text, LD_PRELOAD);
	text_add(text, sanitizer);
	if (sanitizer[0] == '\0')
		text_add_bytes(text, list, sanitizer_length(list));
	if (entry[sizeof(LD_PRELOAD) - 1] != '\0')
		text_add(text, " ");
	text_add(text, settings.preload);
	text_add(text, former ? ":" : "");
	text_add(text, list);
	text_add_bytes(text, "", 1);
	return entry;
}

static char *add_run(struct text *text)
{
	char *entry = text->start + text->length;

	text_add(text, ENV_RUN "=");
	text_add_decimal(text, (int64_t)settings.founder_start_ns);
	text_add(text, ":");
	text_add_decimal(text, settings.founder_pid);
	text_add(text, ":");
	text_add_decimal(text, settings.clock_mhz);
	if (settings.pause_signal != 0)
		text_add(text, atomic_load(&process.is_paused) ? ":1" : ":0");
	text_add_bytes(text, "", 1);
	return entry;
}

void environment_set_recorded(char *const envp[], uint64_t passed_on_ns)
{
	static const char name[] = ENV_CPU_TIME "=";
	struct text text;

	while (*envp && strncmp(*envp, name, sizeof(name) - 1) != 0)
		envp++;
	if (!*envp)
		return;
	text = text_on(*envp + sizeof(name) - 1, sizeof(CPU_TIME_ROOM));
	text_add_decimal(
		&text, (int64_t)(sys_clock_ns(CLOCK_PROCESS_CPUTIME_ID) - passed_on_ns));
}

static char **add_own(char **to, struct text *text, const char *lineage)
{
	*to++ = add_entry(text, ENV_EXPERIMENT, settings.experiment);
	*to++ = add_entry(text, ENV_PARAMETERS, settings.parameters);
	*to++ = add_entry(text, ENV_PRELOAD, settings.preload);
	*to++ = add_entry(text, ENV_LINEAGE, lineage);
	*to++ = add_run(text);
	*to++ = add_entry(text, ENV_CPU_TIME, CPU_TIME_ROOM);
	if (settings.follow_pattern)
		*to++ = add_entry(text, ENV_FOLLOW, settings.follow_pattern);
	return to;
}

char **environment_complete(char **entries, char *buffer, size_t size, char *const envp[],
			    const char *lineage, const char *sanitizer)
{
	struct text text = text_on(buffer, size);
	char **to = entries;
	bool has_preload = false;

	for (; envp && *envp; envp++) {
		if (is_ours(*envp))
			continue;
		if (is_preload(*envp) && !has_preload) {
			has_preload = true;
			*to++ = add_preload(&text, *envp, sanitizer);
		} else {
			*to++ = *envp;
		}
	}
	if (!has_preload)
		*to++ = add_preload(&text, NULL, sanitizer);
	*add_own(to, &text, lineage) = NULL;
	return entries;
}

void environment_own(char **entries, char *buffer, size_t size, const char *lineage)
{
	const char *depth = settings_variable(ENV_STACK_DEPTH);
	struct text text = text_on(buffer, size);
	char **to = add_own(entries, &text, lineage);

	if (depth)
		*to++ = add_entry(&text, ENV_STACK_DEPTH, depth);
	*to = NULL;
}

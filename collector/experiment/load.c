/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wrappers of dlopen and dlclose: the load map and the unwinder learn of objects before
 * the program can call them. libc searches the search path of dlopen's caller, which is
 * the collector here. So the path of the true caller is searched here.
 */

#include "collector/experiment/load.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

#include "collector/base/interpose.h"
#include "collector/base/lock.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/experiment/map.h"
#include "collector/files/log.h"
#include "collector/patch/patch.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/unwind/unwind.h"
#include "collector/watch/globals.h"
#include "libexpt/format.h"

static pthread_mutex_t refresh_lock = PTHREAD_MUTEX_INITIALIZER;

/* Get libc's count of loads and unloads. */
static int count_changes(struct dl_phdr_info *info, size_t size, void *data)
{
	*(unsigned long long *)data = info->dlpi_adds + info->dlpi_subs;
	return 1;
}

static void refresh(void)
{
	static unsigned long long last;
	unsigned long long changes = 0;
	uint64_t mask;

	if (!collector_is_recording() || collector_is_frozen())
		return;
	mask = collector_enter();
	dl_iterate_phdr(count_changes, &changes);
	lock_mutex(&refresh_lock);
	if (changes != last) {
		unwind_refresh();
		loadmap_refresh();
		watch_globals_refresh();
	}
	last = changes;
	patch_refresh();
	unlock_mutex(&refresh_lock);
	collector_leave(mask);
}

void loadmap_catch_up(void)
{
	if (unwind_is_behind())
		refresh();
}

void loadmap_unlock(void)
{
	refresh_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
}

/* ---- calls of a program that ran already ---- */

static void log_led(unsigned patched)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	text_add(&text, "calls are seen through ");
	text_add_decimal(&text, patched);
	text_add(&text,
		 " slots of the program and its libraries; unseen are calls inside "
		 "libc, in static code, and by pointers taken before");
	log_message("comment", EXPT_COMMENT, text.start, 0);
}

static void log_left(const struct patch_counts *counts)
{
	const struct {
		unsigned count;
		const char *why;
	} reasons[] = {
		{ counts->elsewhere, "other functions" },
		{ counts->kept, "functions of the program, or of a sanitizer" },
		{ counts->unsure, "not bound yet" },
		{ counts->refused, "on read-only pages" },
		{ counts->lost, "no memory" },
	};
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].count == 0)
			continue;
		text_add(&text, text.length == 0 ? "slots left alone: " : ", ");
		text_add_decimal(&text, reasons[i].count);
		text_add(&text, " (");
		text_add(&text, reasons[i].why);
		text_add(&text, ")");
	}
	if (text.length > 0)
		log_message("comment", EXPT_COMMENT, text.start, 0);
}

void loadmap_lead_calls(void)
{
	struct patch_counts counts;
	uint64_t mask;

	if (collector_is_frozen())
		return;
	mask = collector_enter();
	lock_mutex(&refresh_lock);
	counts = patch_apply();
	unlock_mutex(&refresh_lock);
	if (counts.patched > 0)
		log_led(counts.patched);
	log_left(&counts);
	collector_leave(mask);
}

static void log_not_put_back(unsigned slots)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text text = TEXT_ON(buffer);

	text_add_decimal(&text, slots);
	text_add(&text, " slots still lead to the collector, because their pages "
			"cannot be made writable any more");
	log_message("cwarn", EXPT_WARNING_GENERAL, text.start, 0);
}

void loadmap_leave_calls(void)
{
	unsigned left;
	uint64_t mask;

	if (collector_is_frozen())
		return;
	mask = collector_enter();
	lock_mutex(&refresh_lock);
	left = patch_undo();
	unlock_mutex(&refresh_lock);
	if (left > 0)
		log_not_put_back(left);
	collector_leave(mask);
}

/* ---- the caller's search path ---- */

/* Returns true if the object has a search path of its own, which libc would not use for
 * the collector. */
static bool has_own_path(const struct link_map *object)
{
	for (const ElfW(Dyn) *entry = object->l_ld; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_RPATH || entry->d_tag == DT_RUNPATH)
			return true;
	return false;
}

static bool is_file(const char *path)
{
	struct stat status;

	return sys_stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Returns the file found by the object's own search path, or NULL. */
static const char *search_for(struct link_map *object, const char *name, char *buffer,
			      size_t size)
{
	Dl_serinfo count;

	if (dlinfo(object, RTLD_DI_SERINFOSIZE, &count) != 0)
		return NULL;
	char room[count.dls_size] __attribute__((aligned(16)));
	Dl_serinfo *paths = (Dl_serinfo *)(void *)room;

	if (dlinfo(object, RTLD_DI_SERINFOSIZE, paths) != 0 ||
	    dlinfo(object, RTLD_DI_SERINFO, paths) != 0)
		return NULL;
	for (unsigned i = 0; i < paths->dls_cnt; i++) {
		struct text path = text_on(buffer, size);

		text_add(&path, paths->dls_serpath[i].dls_name);
		text_add(&path, "/");
		text_add(&path, name);
		if (!path.is_cut && is_file(path.start))
			return path.start;
	}
	return NULL;
}

/* "$ORIGIN/..." means the caller's directory. */
static const char *expand_origin(struct link_map *object, const char *name, char *buffer,
				 size_t size)
{
	static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
	struct text path = text_on(buffer, size);

	for (int i = 0; i < 2; i++) {
		char origin[PATH_MAX];

		if (strncmp(name, words[i], strlen(words[i])) != 0 ||
		    dlinfo(object, RTLD_DI_ORIGIN, origin) != 0)
			continue;
		text_add(&path, origin);
		text_add(&path, name + strlen(words[i]));
		return path.is_cut ? name : path.start;
	}
	return name;
}

/* ---- dlopen ---- */

typedef void *(*open_function)(const char *, int);

static void *open_for(open_function open, const char *name, int flags, const void *caller)
{
	char buffer[PATH_MAX];
	struct link_map *object = NULL;
	const char *found;
	Dl_info info;
	void *handle;

	if (!name || dladdr1(caller, &info, (void **)&object, RTLD_DL_LINKMAP) == 0 ||
	    !object)
		return open(name, flags);
	if (strchr(name, '/'))
		return open(expand_origin(object, name, buffer, sizeof(buffer)), flags);
	if (name[0] == '\0' || !has_own_path(object))
		return open(name, flags);
	handle = open(name, flags | RTLD_NOLOAD);
	if (handle)
		return handle;
	dlerror();
	found = search_for(object, name, buffer, sizeof(buffer));
	return open(found ? found : name, flags);
}

static void (*opened_machine)(const void *code);

void loadmap_tell_of_machines(void (*opened)(const void *code))
{
	opened_machine = opened;
}

static bool is_machine(const char *name)
{
	const char *slash = strrchr(name, '/');

	return strcmp(slash ? slash + 1 : name, JAVA_MACHINE) == 0;
}

static void *open_and_note(struct real *function, const char *name, int flags,
			   const void *caller)
{
	open_function open = (open_function)real_function(function);
	void *handle;

	if (!collector_is_recording())
		return open_for(open, name, flags, caller);
	handle = open_for(open, name, flags, caller);
	if (handle && name && (flags & RTLD_NOLOAD) == 0)
		refresh();
	if (handle && name && opened_machine)
		opened_machine(is_machine(name) ? caller : NULL);
	return handle;
}

#define DLOPEN(local, at, version)                                                     \
	INTERPOSE(void *, local, "dlopen" at version, (const char *name, int flags))   \
	{                                                                              \
		static struct real real = { "dlopen", version, NULL };                 \
		return open_and_note(&real, name, flags, __builtin_return_address(0)); \
	}

DLOPEN(dlopen_2_2_5, "@", "GLIBC_2.2.5")
DLOPEN(dlopen_2_34, "@@", "GLIBC_2.34")

#define DLMOPEN(local, at, version)                                              \
	INTERPOSE(void *, local, "dlmopen" at version,                           \
		  (Lmid_t space, const char *name, int flags))                   \
	{                                                                        \
		static struct real real = { "dlmopen", version, NULL };          \
		void *(*open)(Lmid_t, const char *, int) = real_function(&real); \
		void *handle = open(space, name, flags);                         \
                                                                                 \
		if (handle && (flags & RTLD_NOLOAD) == 0)                        \
			refresh();                                               \
		return handle;                                                   \
	}

DLMOPEN(dlmopen_2_3_4, "@", "GLIBC_2.3.4")
DLMOPEN(dlmopen_2_34, "@@", "GLIBC_2.34")

#define DLCLOSE(local, at, version)                                     \
	INTERPOSE(int, local, "dlclose" at version, (void *handle))     \
	{                                                               \
		static struct real real = { "dlclose", version, NULL }; \
		int (*close)(void *) = real_function(&real);            \
		int rc = close(handle);                                 \
                                                                        \
		refresh();                                              \
		return rc;                                              \
	}

DLCLOSE(dlclose_2_2_5, "@", "GLIBC_2.2.5")
DLCLOSE(dlclose_2_34, "@@", "GLIBC_2.34")

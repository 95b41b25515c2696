/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/injection.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/inject/linked.h"
#include "collector/inject/maps.h"
#include "collector/inject/refuse.h"
#include "collector/inject/symbols.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define BEGIN_TRIES   1000
#define INTERNAL_OPEN 0x80000000U /* __RTLD_DLOPEN, for the function inside libc */

/* The first member of __collector_process; see collector/attach.h. */
enum { STATE_ON = 2, STATE_STOPPED = 3 };

int injection_fail(const struct injection *injection, const char *why)
{
	return cli_error("cannot record process %d: %s", (int)injection->process, why);
}

int injection_fail_with(const struct injection *injection, int rc)
{
	if (rc == -EPERM || rc == -EACCES)
		return refuse_untraceable(injection->process);
	if (rc == -ETIMEDOUT)
		return injection_fail(injection,
				      "none of its threads came to a place where it "
				      "could open the library");
	if (rc == -EBUSY)
		return injection_fail(injection,
				      "it is stopped: send it the signal CONT first");
	if (rc == -ESRCH && kill(injection->process, 0) == 0)
		return injection_fail(injection, "it executes another program by now");
	if (rc == -EINTR)
		return injection_fail(injection, "interrupted");
	if (rc == -EFAULT)
		return injection_fail(injection, "it failed in the recording library");
	return injection_fail(injection, strerrordesc_np(-rc));
}

/* Find a library that the program uses itself: others of the name may be mapped lower. */
static const struct mapping *find_linked(const struct maps *maps,
					 const struct linked *linked,
					 const char *beginning, const char *end)
{
	const struct mapping *first = maps_find_file(maps, beginning, end);
	const struct mapping *library = first;

	while (library && !linked_has(linked, library->start))
		library = maps_find_next_file(maps, library, beginning, end);
	return library ? library : first;
}

static void read_linked(struct linked *linked, const struct injection *injection,
			const struct maps *maps)
{
	const struct mapping *linker = maps_find_file(maps, "ld-", "");

	linked->count = 0;
	if (linker)
		linked_read(linked, injection->memory, linker->start);
}

/* Find dlopen(3), which was in a library of its own before glibc 2.34. Without that
 * library, libc has a function for itself. */
static void find_open(struct injection *injection, const struct maps *maps)
{
	static const char *const places[][2] = { { "libc.so.", "" },
						 { "libdl", "" },
						 { "libc-2.", ".so" } };
	const struct mapping *library;
	struct linked linked;

	read_linked(&linked, injection, maps);
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		library = find_linked(maps, &linked, places[i][0], places[i][1]);
		if (!library || injection->open)
			continue;
		injection->libc = library->start;
		injection->open =
			symbols_find(injection->memory, library->start, "dlopen");
		injection->error =
			symbols_find(injection->memory, library->start, "dlerror");
		injection->open_flags = RTLD_NOW | RTLD_GLOBAL;
	}
	if (injection->open || !library)
		return;
	injection->open =
		symbols_find(injection->memory, library->start, "__libc_dlopen_mode");
	injection->open_flags |= INTERNAL_OPEN;
}

/* Whether this is the file that the first path leads to: the kernel knows it by its real
 * name. */
static bool is_first(const char *name, const char *libraries)
{
	cleanup_free char *path = strndup(libraries, strcspn(libraries, " "));
	cleanup_free char *real = path ? realpath(path, NULL) : NULL;

	return real && strcmp(name, real) == 0;
}

/* Find our library: -EEXIST if it is another version of it. */
static int find_library(struct injection *injection, const struct maps *maps,
			const char *libraries)
{
	const struct mapping *library =
		maps_find_file(maps, COLLECTOR_LIBRARY, COLLECTOR_LIBRARY);
	const struct mapping *deleted =
		maps_find_file(maps, COLLECTOR_LIBRARY " ", "(deleted)");

	if (library)
		injection->library = library->start;
	return deleted || (library && !is_first(library->name, libraries)) ? -EEXIST : 0;
}

bool injection_is_recording(const struct injection *injection)
{
	uint64_t address = symbols_find(injection->memory, injection->library,
					"__collector_process");
	int state = 0;

	return address &&
	       memory_read(injection->memory, address, &state, sizeof(state)) &&
	       (state == STATE_ON || state == STATE_STOPPED);
}

/* The kernel maps its own library last, and then the dynamic linker finds libc. */
static bool has_only_begun(const struct maps *maps)
{
	return !maps_has(maps, "[vdso]") || maps_find_file(maps, "ld-linux", "");
}

void injection_close(struct injection *injection)
{
	cleanup_fd int directory = injection->directory, memory = injection->memory;

	injection->directory = injection->memory = -1;
}

static int open_memory(struct injection *injection, pid_t thread)
{
	cleanup_fd int before = injection->memory;

	injection->memory = memory_open(thread);
	return injection->memory < 0 ? injection->memory : 0;
}

static int open_program(struct injection *injection, struct maps *maps)
{
	int rc = open_memory(injection, injection->process);

	maps_release(maps);
	return rc < 0 ? rc : maps_read(maps, injection->process);
}

static int open_process(struct injection *injection, pid_t process)
{
	char path[32];
	int rc;

	*injection = (struct injection){ .process = process, .memory = -1 };
	snprintf(path, sizeof(path), "/proc/%d", (int)process);
	injection->directory = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (injection->directory < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	rc = process_status_read(&injection->status, process);
	return rc;
}

static int await_begin(struct injection *injection, struct maps *maps)
{
	const struct timespec moment = { 0, 1000000 };

	for (int tries = 0;; tries++) {
		int rc = open_program(injection, maps);

		if (rc < 0)
			return rc;
		find_open(injection, maps);
		if (injection->open || !has_only_begun(maps) || tries == BEGIN_TRIES)
			return 0;
		nanosleep(&moment, NULL);
	}
}

static int look(struct injection *injection, const char *libraries)
{
	cleanup_maps struct maps maps = MAPS_INIT;
	int rc = await_begin(injection, &maps);

	if (rc < 0)
		return injection_fail_with(injection, rc);
	if (!injection->open)
		return injection_fail(injection,
				      "it is statically linked, or uses another C "
				      "library than glibc");
	if (find_library(injection, &maps, libraries) < 0)
		return injection_fail(injection,
				      "it has another version of the recording library");
	if (injection->library && injection_is_recording(injection))
		return injection_fail(injection, "it is recorded already");
	return CLI_OK;
}

int injection_open(struct injection *injection, pid_t process, const char *libraries)
{
	int rc = open_process(injection, process);

	if (rc < 0)
		return injection_fail_with(injection, rc);
	rc = refuse_process(process, &injection->status, libraries);
	return rc == CLI_OK ? look(injection, libraries) : rc;
}

bool injection_find(struct injection *injection, pid_t process)
{
	cleanup_maps struct maps maps = MAPS_INIT;
	const struct mapping *library = NULL;

	if (open_process(injection, process) == 0 && open_program(injection, &maps) == 0)
		library = maps_find_file(&maps, COLLECTOR_LIBRARY, COLLECTOR_LIBRARY);
	injection->library = library ? library->start : 0;
	return library && injection_is_recording(injection);
}

/* Whether this is a thread of the process: its number may be that of another one by now.
 */
static bool has_thread(const struct injection *injection, pid_t thread)
{
	char path[32];

	snprintf(path, sizeof(path), "task/%d", (int)thread);
	return faccessat(injection->directory, path, F_OK, 0) == 0;
}

/* Whether the library is still where it was. */
static bool has_library(const struct injection *injection, uint64_t library,
			const char *function, uint64_t address)
{
	return !library || !address ||
	       symbols_find(injection->memory, library, function) == address;
}

int injection_take(struct injection *injection, pid_t thread)
{
	uint64_t process = symbols_find(injection->memory, injection->library,
					"__collector_process");
	int rc = has_thread(injection, thread) ? open_memory(injection, thread) : -ESRCH;

	if (rc < 0)
		return rc;
	return has_library(injection, injection->libc, "dlopen", injection->open) &&
			       has_library(injection, injection->library,
					   "__collector_process", process)
		       ? 0
		       : -ESRCH;
}

bool injection_has_same_user(const struct injection *injection)
{
	struct process_status now;

	return process_status_read(&now, injection->process) == 0 &&
	       now.user == injection->status.user &&
	       now.user_group == injection->status.user_group;
}

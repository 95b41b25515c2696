/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/inject/call.h"
#include "collector/inject/maps.h"
#include "collector/inject/refuse.h"
#include "collector/inject/safe.h"
#include "collector/inject/status.h"
#include "collector/inject/symbols.h"
#include "collector/inject/thread.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define MASK_SIZE     64    /* for that variable */
#define BUFFER_SIZE   65536 /* of __collector_buffer */
#define SETTLE_TRIES  3
#define BEGIN_TRIES   1000
#define TEXT_SIZE     512
#define INTERNAL_OPEN 0x80000000U /* __RTLD_DLOPEN, for the function inside libc */

/* The first member of __collector_process; see collector/attach.h. */
enum { STATE_ON = 2, STATE_STOPPED = 3 };

static int fail(const struct injection *injection, const char *why)
{
	return cli_error("cannot record process %d: %s", (int)injection->process, why);
}

static int fail_with(const struct injection *injection, int rc)
{
	if (rc == -EPERM || rc == -EACCES)
		return refuse_untraceable(injection->process);
	if (rc == -ETIMEDOUT)
		return fail(injection, "none of its threads came to a place where it "
				       "could open the library");
	if (rc == -EBUSY)
		return fail(injection, "it is stopped: send it the signal CONT first");
	if (rc == -EFAULT)
		return fail(injection, "it failed in the recording library");
	return fail(injection, strerrordesc_np(-rc));
}

/* ---- what is there ---- */

/* Find dlopen(3), which was in a library of its own before glibc 2.34. Without that
 * library, libc has a function for itself. */
static void find_open(struct injection *injection, const struct maps *maps)
{
	static const char *const places[][2] = { { "libc.so.", "" },
						 { "libdl", "" },
						 { "libc-2.", ".so" } };
	const struct mapping *library;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		library = maps_find_file(maps, places[i][0], places[i][1]);
		if (!library || injection->open)
			continue;
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
	return deleted || (library &&
			   strncmp(library->name, libraries, strlen(library->name)) != 0)
		       ? -EEXIST
		       : 0;
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
	if (injection->memory >= 0)
		close(injection->memory);
	injection->memory = -1;
}

static int open_program(struct injection *injection, struct maps *maps)
{
	maps_release(maps);
	*maps = (struct maps)MAPS_INIT;
	injection_close(injection);
	injection->memory = memory_open(injection->process);
	return injection->memory < 0 ? injection->memory
				     : maps_read(maps, injection->process);
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
		return fail_with(injection, rc);
	if (!injection->open)
		return fail(injection, "it is statically linked, or uses another C "
				       "library than glibc");
	if (find_library(injection, &maps, libraries) < 0)
		return fail(injection, "it has another version of the recording library");
	if (injection->library && injection_is_recording(injection))
		return fail(injection, "it is recorded already");
	return CLI_OK;
}

int injection_open(struct injection *injection, pid_t process, const char *libraries)
{
	struct process_status status;
	int rc = process_status_read(&status, process);

	*injection = (struct injection){ .process = process, .memory = -1 };
	if (rc < 0)
		return fail_with(injection, rc);
	rc = refuse_process(process, &status, libraries);
	return rc == CLI_OK ? look(injection, libraries) : rc;
}

bool injection_find(struct injection *injection, pid_t process)
{
	cleanup_maps struct maps maps = MAPS_INIT;
	const struct mapping *library = NULL;

	*injection = (struct injection){ .process = process, .memory = -1 };
	if (open_program(injection, &maps) == 0)
		library = maps_find_file(&maps, COLLECTOR_LIBRARY, COLLECTOR_LIBRARY);
	injection->library = library ? library->start : 0;
	return library && injection_is_recording(injection);
}

/* ---- calls ---- */

/* Begin calls in a thread of the process, which is stopped from then on. */
static int begin(struct injection *injection, struct safe *safe, struct call *call)
{
	pid_t thread;
	int rc = safe_open(safe, injection->process);

	if (rc < 0)
		return fail_with(injection, rc);
	thread = safe_stop(safe);
	if (thread > 0)
		rc = call_begin(call, thread, injection->memory, safe->asleep_since);
	if (thread > 0 && rc == 0)
		return CLI_OK;
	if (thread > 0) {
		thread_detach(thread, 0);
		safe_is_over(safe, thread);
	}
	safe_close(safe);
	return fail_with(injection, thread < 0 ? thread : rc);
}

static int end(struct injection *injection, struct safe *safe, struct call *call,
	       int status)
{
	int rc = call_end(call);

	safe_is_over(safe, call->thread);
	injection->stopped_ns = safe->stopped_ns;
	safe_close(safe);
	return status == CLI_OK && rc < 0 ? fail_with(injection, rc) : status;
}

static int fail_to_open(struct injection *injection, struct call *call, const char *path)
{
	char text[TEXT_SIZE] = "";
	uint64_t address = 0;

	if (injection->error &&
	    call_function(call, injection->error, 0, 0, &address) == 0 && address)
		memory_read_text(injection->memory, address, text, sizeof(text));
	return cli_error("cannot record process %d: it cannot open '%s'%s%s",
			 (int)injection->process, path, text[0] ? ": " : "", text);
}

static int open_library(struct injection *injection, struct call *call, const char *path)
{
	uint64_t address = call_push(call, path, strlen(path) + 1), handle = 0;
	int rc = address ? call_function(call, injection->open, address,
					 injection->open_flags, &handle)
			 : -EFAULT;

	if (rc < 0)
		return fail_with(injection, rc);
	if (!handle)
		return fail_to_open(injection, call, path);
	/* The handle is a struct link_map: it begins with the address. */
	if (!injection->library &&
	    !memory_read(injection->memory, handle, &injection->library,
			 sizeof(injection->library)))
		return fail_with(injection, -EFAULT);
	return CLI_OK;
}

static int open_libraries(struct injection *injection, struct call *call,
			  const char *libraries)
{
	int status = CLI_OK;

	while (*libraries && status == CLI_OK) {
		size_t length = strcspn(libraries, " ");
		cleanup_free char *path = strndup(libraries, length);

		if (!path)
			return cli_error("out of memory");
		status = open_library(injection, call, path);
		libraries += length + (libraries[length] != '\0');
	}
	return status;
}

/* A program's own signal stays, and other ones of events have hardly the time to come. */
static int settle_signals(struct injection *injection, struct call *call,
			  uint64_t function)
{
	uint64_t result;
	int rc = 0;

	for (int tries = 0; tries < SETTLE_TRIES && rc == 0 && call_has_new_signal(call);
	     tries++)
		rc = call_function(call, function, 0, 0, &result);
	return rc < 0 ? fail_with(injection, rc) : CLI_OK;
}

static int call_start(struct injection *injection, struct call *call, const char *list,
		      size_t length)
{
	uint64_t buffer =
		symbols_find(injection->memory, injection->library, "__collector_buffer");
	uint64_t start =
		symbols_find(injection->memory, injection->library, "__collector_start");
	uint64_t settle =
		symbols_find(injection->memory, injection->library, "__collector_settle");
	char text[TEXT_SIZE] = "", mask[MASK_SIZE];
	size_t mask_length =
		(size_t)snprintf(mask, sizeof(mask), ENV_MASK "=%" PRIu64, call->mask) +
		1;
	uint64_t result;
	int rc;

	if (!buffer || !start || !settle)
		return fail(injection, "its recording library is another version");
	if (!memory_write(injection->memory, buffer, mask, mask_length) ||
	    !memory_write(injection->memory, buffer + mask_length, list, length))
		return fail_with(injection, -EFAULT);
	rc = call_function(call, start, 0, 0, &result);
	if (rc < 0)
		return fail_with(injection, rc);
	if ((int)result == 0)
		return settle_signals(injection, call, settle);
	memory_read_text(injection->memory, buffer, text, sizeof(text));
	return fail(injection, text);
}

int injection_start(struct injection *injection, const char *libraries, const char *list,
		    size_t length)
{
	struct safe safe;
	struct call call;
	int status;

	if (length + MASK_SIZE > BUFFER_SIZE)
		return fail(injection, "there are too many settings");
	status = begin(injection, &safe, &call);
	if (status != CLI_OK)
		return status;
	status = open_libraries(injection, &call, libraries);
	if (status == CLI_OK)
		status = call_start(injection, &call, list, length);
	return end(injection, &safe, &call, status);
}

int injection_end(struct injection *injection)
{
	uint64_t function =
		symbols_find(injection->memory, injection->library, "__collector_end");
	struct safe safe;
	struct call call;
	uint64_t result;
	int status, rc;

	if (!function)
		return fail(injection, "its recording library is another version");
	status = begin(injection, &safe, &call);
	if (status != CLI_OK)
		return status;
	rc = call_function(&call, function, 0, 0, &result);
	return end(injection, &safe, &call, rc < 0 ? fail_with(injection, rc) : CLI_OK);
}

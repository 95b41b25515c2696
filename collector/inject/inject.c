/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/inject.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "collector/inject/call.h"
#include "collector/inject/holder.h"
#include "collector/inject/injection.h"
#include "collector/inject/interrupts.h"
#include "collector/inject/libraries.h"
#include "collector/inject/maps.h"
#include "collector/inject/safe.h"
#include "collector/inject/stack.h"
#include "collector/inject/symbols.h"
#include "collector/tracee/status.h"
#include "collector/tracee/thread.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/time.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define CALLER_SIZE  160   /* for the variables about the thread */
#define BUFFER_SIZE  65536 /* of __collector_buffer */
#define SPARE_SIZE   64	   /* of it, at its end */
#define SETTLE_TRIES 3
#define TRIES_MAX    10 /* of an end that is not permitted, as while it is debugged */
#define TEXT_SIZE    512

static int begin_in_thread(struct injection *injection, const struct safe *safe,
			   struct call *call, pid_t thread)
{
	int rc = injection_take(injection, thread);

	return rc < 0 ? rc
		      : call_begin(call, thread, injection->memory, safe->asleep_since);
}

/* Begin calls in a thread of the process, which is stopped from then on: 0 or a negative
 * errno. */
static int begin(struct injection *injection, struct safe *safe, struct call *call)
{
	int rc = safe_open(safe, injection->process);
	pid_t thread;

	if (rc < 0)
		return rc;
	thread = safe_stop(safe);
	rc = thread < 0 ? thread : begin_in_thread(injection, safe, call, thread);
	if (rc == 0)
		return 0;
	if (thread > 0) {
		thread_detach(thread, 0);
		safe_is_over(safe, thread);
	}
	safe_close(safe);
	return rc;
}

/* The thread's time limit is put at the end of the buffer, which settings do not fill. */
static void find_spare(const struct injection *injection, struct call *call)
{
	uint64_t buffer =
		symbols_find(injection->memory, injection->library, "__collector_buffer");

	if (buffer)
		call->spare = buffer + BUFFER_SIZE - SPARE_SIZE;
}

static int end(struct injection *injection, struct safe *safe, struct call *call,
	       int status)
{
	int rc;

	find_spare(injection, call);
	rc = call_end(call);

	safe_is_over(safe, call->thread);
	injection->stopped_ns = safe->stopped_ns;
	safe_close(safe);
	return status == CLI_OK && rc < 0 ? injection_fail_with(injection, rc) : status;
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

/* A call in progress, for libraries_visit(). */
struct opening {
	struct injection *injection;
	struct call *call;
};

static int open_library(void *with, const char *path)
{
	const struct opening *opening = with;
	struct injection *injection = opening->injection;
	struct call *call = opening->call;
	uint64_t address = call_push(call, path, strlen(path) + 1), handle = 0;
	int rc = address ? call_function(call, injection->open, address,
					 injection->open_flags, &handle)
			 : -EFAULT;

	if (rc < 0)
		return injection_fail_with(injection, rc);
	if (!handle)
		return fail_to_open(injection, call, path);
	/* The handle is a struct link_map: it begins with the address. */
	if (!injection->library &&
	    !memory_read(injection->memory, handle, &injection->library,
			 sizeof(injection->library)))
		return injection_fail_with(injection, -EFAULT);
	return CLI_OK;
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
	return rc < 0 ? injection_fail_with(injection, rc) : CLI_OK;
}

/* Let the thread have the mask that the library asks for: the collector's signals are
 * open in a thread that is recorded. */
static int take_mask(struct injection *injection, struct call *call)
{
	uint64_t function =
		symbols_find(injection->memory, injection->library, "__collector_mask");

	return function ? call_function(call, function, call->mask, 0, &call->mask)
			: -ESRCH;
}

/* Make variables that say how the thread was before the calls. Returns their length. */
static size_t describe_thread(const struct call *call, char variables[CALLER_SIZE])
{
	const struct user_regs_struct *registers = &call->registers;

	return (size_t)snprintf(variables, CALLER_SIZE,
				ENV_MASK "=%" PRIu64 "%c" ENV_FRAME "=%llu:%llu:%llu",
				call->mask, '\0', registers->rip, registers->rsp,
				registers->rbp) +
	       1;
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
	char text[TEXT_SIZE] = "", caller[CALLER_SIZE];
	size_t caller_length = describe_thread(call, caller);
	uint64_t result;
	int rc;

	if (!buffer || !start || !settle)
		return injection_fail(injection,
				      "its recording library is another version");
	if (!memory_write(injection->memory, buffer, caller, caller_length) ||
	    !memory_write(injection->memory, buffer + caller_length, list, length))
		return injection_fail_with(injection, -EFAULT);
	rc = call_function(call, start, 0, 0, &result);
	if (rc == 0) {
		memory_read_text(injection->memory, buffer, text, sizeof(text));
		rc = take_mask(injection, call);
	}
	if (rc < 0)
		return injection_fail_with(injection, rc);
	if ((int)result == 0)
		return settle_signals(injection, call, settle);
	return injection_fail(injection, text);
}

/* What the process is recorded with. */
struct request {
	const char *libraries, *list;
	size_t length;
};

static int load_and_start(struct injection *injection, struct call *call,
			  const struct request *request)
{
	int status = injection_has_same_user(injection)
			     ? CLI_OK
			     : injection_fail(injection,
					      "it has another user since a moment ago");

	if (status == CLI_OK)
		status = libraries_visit(request->libraries, open_library,
					 &(struct opening){ injection, call });
	if (status == CLI_OK)
		status = call_start(injection, call, request->list, request->length);
	return status;
}

static int call_collector_end(struct injection *injection)
{
	uint64_t function =
		symbols_find(injection->memory, injection->library, "__collector_end");
	struct safe safe;
	struct call call;
	uint64_t result;
	int rc = function ? begin(injection, &safe, &call) : -ESRCH;

	if (rc < 0)
		return rc;
	rc = call_function(&call, function, 0, 0, &result);
	if (rc == 0)
		rc = take_mask(injection, &call);
	end(injection, &safe, &call, CLI_OK);
	return rc;
}

static int start(struct injection *injection, void *with)
{
	const struct request *request = with;
	struct safe safe;
	struct call call;
	int status = stack_load(), rc;

	if (status != CLI_OK)
		return status;
	if (request->length + CALLER_SIZE + SPARE_SIZE > BUFFER_SIZE)
		return injection_fail(injection, "there are too many settings");
	rc = begin(injection, &safe, &call);
	if (rc < 0)
		return injection_fail_with(injection, rc);
	status = load_and_start(injection, &call, request);
	status = end(injection, &safe, &call, status);
	if (status != CLI_OK && injection_is_recording(injection))
		call_collector_end(injection);
	return status;
}

int inject_start(struct injection *injection, const char *libraries, const char *list,
		 size_t length)
{
	struct request request = { libraries, list, length };

	return holder_run(injection, start, &request);
}

/* ---- the end ---- */

static int fail_to_end(const struct injection *injection, int rc)
{
	return cli_error("cannot end the recording of process %d: %s",
			 (int)injection->process,
			 rc == -EINTR ? "interrupted: it goes on" : strerrordesc_np(-rc));
}

/* What keeps the process from ending its recording. */
struct holding {
	bool is_stopped;
	pid_t tracer; /* that debugs it, or 0 */
};

static bool is_held(struct holding *holding, const struct injection *injection)
{
	struct process_status status;

	*holding = (struct holding){ 0 };
	if (process_status_read(&status, injection->process) < 0)
		return false;
	holding->is_stopped = status.state == 'T' || status.state == 't';
	holding->tracer = status.tracer;
	return holding->is_stopped || holding->tracer;
}

static void tell(const struct injection *injection, const struct holding *holding)
{
	if (holding->tracer)
		cli_note("process %d debugs process %d: its recording ends when that "
			 "lets it go",
			 (int)holding->tracer, (int)injection->process);
	else
		cli_note("process %d is stopped: its recording ends when it goes on",
			 (int)injection->process);
}

/* A process that is stopped, or debugged, cannot end its recording: wait until that is
 * over, but at least for a moment, or until an interrupt comes. */
static int await_release(const struct injection *injection, bool *is_told)
{
	static const struct timespec moment = { .tv_nsec = 50 * MS };
	struct holding holding;

	for (;;) {
		if (interrupts_are_there())
			return -EINTR;
		nanosleep(&moment, NULL);
		if (!is_held(&holding, injection))
			return 0;
		if (!*is_told)
			tell(injection, &holding);
		*is_told = true;
	}
}

static int end_recording(struct injection *injection, void *with)
{
	int status = stack_load(), rc, tries = 0;
	bool is_told = false;

	(void)with;
	if (status != CLI_OK)
		return status;
	/* It may have been let go since it was tried. */
	while ((rc = call_collector_end(injection)) == -EBUSY ||
	       (rc == -EPERM && tries++ < TRIES_MAX)) {
		rc = await_release(injection, &is_told);
		if (rc < 0)
			break;
	}
	/* The same interrupt may have ended the process. */
	return rc < 0 && injection_is_recording(injection) ? fail_to_end(injection, rc)
							   : CLI_OK;
}

int inject_end(struct injection *injection)
{
	return holder_run(injection, end_recording, NULL);
}

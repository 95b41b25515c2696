/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/attach.h"

#include <errno.h>
#include <string.h>

#include "collector/api.h"
#include "collector/base/debugger.h"
#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/settings.h"
#include "collector/experiment/dynamic.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/load.h"
#include "collector/experiment/samples.h"
#include "collector/process/environment.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/recording/control.h"
#include "collector/recording/recording.h"
#include "collector/signals/signals.h"
#include "collector/signals/waiting.h"
#include "collector/sources/adopt.h"
#include "collector/sources/events.h"
#include "collector/start.h"
#include "collector/threads/thread.h"
#include "collector/unwind/unwind.h"
#include "libexpt/format.h"

MEMORY_APART char __collector_buffer[COLLECTOR_BUFFER_SIZE];
/* The settings of this recording: the buffer has other texts later. */
MEMORY_APART static char variables[COLLECTOR_BUFFER_SIZE];

static int refuse(int error, const char *sentence)
{
	struct text text = TEXT_ON(__collector_buffer);

	text_add(&text, sentence);
	return -error;
}

static void take_variables(void)
{
	__collector_buffer[COLLECTOR_BUFFER_SIZE - 1] = '\0';
	__collector_buffer[COLLECTOR_BUFFER_SIZE - 2] = '\0';
	memcpy(variables, __collector_buffer, sizeof(variables));
	settings_use_list(variables);
}

/* The CPU time up to now is not part of the recording. */
static void begin_again(void)
{
	recording_forget();
	process.is_requested = true;
	process.pid = sys_getpid();
	process.past_ns = 0;
	process.forked_ns = 0;
	process.began_unseen = false;
	process.lineage[0] = '\0';
	start_read_command();
	debugger_forget();
	if (settings_variable(ENV_FROM_COLLECT))
		debugger_is_leaving();
	dynamic_start(true);
}

static uint64_t read_number(const char **at)
{
	const char *end = *at;
	uint64_t number = text_parse_decimal(*at, &end);

	*at = *end == ':' ? end + 1 : end;
	return number;
}

/* The thread of this call, before it: its mask, and its frame if the debugger tells that.
 */
static void note_caller(uint64_t mask)
{
	const char *own = settings_variable(ENV_MASK);
	const char *place = settings_variable(ENV_FRAME);
	struct unwind_frame frame = { 0 };

	if (place) {
		frame.pc = read_number(&place);
		frame.sp = read_number(&place);
		frame.bp = read_number(&place);
	}
	adopt_note_caller(own ? text_parse_decimal(own, NULL) : mask, &frame);
}

/* collect -P has blocked all signals for the time of the call, and sets a mask itself. */
static void release_signals(uint64_t mask)
{
	const char *own = settings_variable(ENV_MASK);

	if (own)
		signals_release(mask, text_parse_decimal(own, NULL));
	else
		signals_release(recording_mask(mask), mask);
}

void __collector_settle(void)
{
	waiting_drop(SIGNALS_EVENTS, events_is_ours);
	adopt_wait_for_caller();
}

int __collector_start(void)
{
	bool is_reached;
	uint64_t mask;

	if (collector_has_experiment())
		return refuse(EBUSY, "the process is already recorded");
	take_variables();
	if (!environment_read())
		return refuse(EINVAL, "the settings are not complete");
	mask = signals_hold();
	note_caller(mask);
	begin_again();
	is_reached = start_recording(SAMPLE_OPEN);
	if (collector_is_recording()) {
		loadmap_lead_calls();
		adopt_begin_new();
	} else if (is_reached) {
		recording_abandon();
	}
	__collector_settle();
	release_signals(mask);
	if (!is_reached)
		return refuse(ESTALE, "the process cannot reach the experiment");
	if (!collector_is_recording())
		return refuse(EIO, "the process cannot write the experiment");
	return 0;
}

uint64_t __collector_mask(uint64_t mask)
{
	return recording_mask(mask);
}

__attribute__((noinline)) void __collector_ready(void)
{
	__asm__ volatile("" : : : "memory");
}

void attach_wait(void)
{
	dynamic_start(false);
	__collector_ready();
	if (__collector_buffer[0] != '\0' && __collector_start() < 0)
		__collector_ready();
}

void __collector_end(void)
{
	process.leaves_archives = true;
	__collector_terminate_expt();
	process.leaves_archives = false;
}

void __collector_debugger_pause(void)
{
	control_pause(PAUSE_BY_DEBUGGER);
	sample_hold();
}

/* ---- status ---- */

static const char *state_name(void)
{
	switch (atomic_load(&process.state)) {
	case COLLECTOR_ON:
		return "on";
	case COLLECTOR_STOPPED:
		return "stopped";
	case COLLECTOR_ENDED:
		return "ended";
	default:
		return "off";
	}
}

static void add_number(struct text *text, const char *name, uint64_t value)
{
	text_add(text, name);
	text_add(text, " ");
	text_add_decimal(text, (int64_t)value);
	text_add(text, "\n");
}

void __collector_status(void)
{
	struct text text = TEXT_ON(__collector_buffer);

	text_add(&text, "state ");
	text_add(&text, state_name());
	text_add(&text, "\n");
	if (!collector_has_experiment())
		return;
	add_number(&text, "paused", atomic_load(&process.is_paused));
	text_add(&text, "experiment ");
	text_add(&text, settings.experiment);
	text_add(&text, "\n");
	if (collector_is_founder() && settings_ask_for_archives()) {
		text_add(&text, "archive ");
		text_add(&text, settings.archive_mode);
		text_add(&text, "\n");
	}
	add_number(&text, "elapsed", collector_now() - process.start_ns);
	add_number(&text, "bytes", experiment_bytes());
	add_number(&text, "samples", sample_count());
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/experiment/window.h"

#include "collector/common/settings.h"
#include "collector/experiment/samples.h"
#include "collector/files/limits.h"
#include "collector/files/log.h"
#include "collector/files/source.h"
#include "collector/process/process.h"
#include "collector/signals/restart.h"
#include "libexpt/format.h"

struct time_window time_window;

void window_forget(void)
{
	atomic_store(&time_window.lock.is_held, 0);
	atomic_store(&time_window.is_ahead, false);
	atomic_store(&process.resumed_ns, 0);
}

bool collector_has_window(void)
{
	return settings.window_start_ns != 0 || settings.window_end_ns != 0;
}

/* Returns false if it must wait because another thread is changing what is recorded. */
static bool begin(uint64_t now)
{
	if (!atomic_load(&time_window.is_ahead))
		return true;
	if (!spin_lock(&time_window.lock))
		return false;
	if (atomic_exchange(&time_window.is_ahead, false) &&
	    !atomic_load(&process.is_paused)) {
		sources_settle(NULL, now, false);
		log_event("resume", now, NULL, 0);
		atomic_store(&process.resumed_ns, now);
	}
	spin_unlock(&time_window.lock);
	return true;
}

bool collector_is_in_window(uint64_t now)
{
	uint64_t since;

	if (!collector_has_window())
		return true;
	since = now - settings.founder_start_ns;
	if (settings.window_end_ns > 0 && since >= settings.window_end_ns) {
		collector_end_events(now);
		return false;
	}
	return since >= settings.window_start_ns && begin(now);
}

void window_close(uint64_t now)
{
	if (atomic_exchange(&process.is_closed, true))
		return;
	limits_report();
	restart_report();
	sample_take_last(SAMPLE_CLOSE, now);
	log_event("exit", now, NULL, 0);
}

void collector_end_events(uint64_t now)
{
	int expected = COLLECTOR_ON;

	if (!atomic_compare_exchange_strong(&process.state, &expected, COLLECTOR_STOPPED))
		return;
	window_close(now);
}

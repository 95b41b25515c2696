/* SPDX-License-Identifier: Apache-2.0 */
/* Connects the run-time of the thread sanitizer, if the program has one, to the recording
 * of its reports. */

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "collector/race/hook.h"
#include "collector/race/report.h"
#include "collector/race/symbols.h"
#include "collector/sources/conflicts.h"
#include "collector/trace/trace.h"

enum {
	GET_DATA,
	GET_STACK,
	GET_ACCESS,
	GET_MUTEX,
	GET_THREAD,
	GET_UNIQUE_THREAD,
	ON_REPORT,
	SYMBOLS
};

static void find_runtime(void *function)
{
	struct dl_find_object found;

	if (_dl_find_object(function, &found) != 0 ||
	    found.dlfo_link_map->l_name[0] == '\0')
		return;
	report_low = (uintptr_t)found.dlfo_map_start;
	report_high = (uintptr_t)found.dlfo_map_end;
}

extern void __tsan_init(void) __attribute__((weak));

__attribute__((constructor)) static void start(void)
{
	struct symbol symbols[SYMBOLS] = {
		[GET_DATA] = { "__tsan_get_report_data", NULL },
		[GET_STACK] = { "__tsan_get_report_stack", NULL },
		[GET_ACCESS] = { "__tsan_get_report_mop", NULL },
		[GET_MUTEX] = { "__tsan_get_report_mutex", NULL },
		[GET_THREAD] = { "__tsan_get_report_thread", NULL },
		[GET_UNIQUE_THREAD] = { "__tsan_get_report_unique_tid", NULL },
		[ON_REPORT] = { "__tsan_on_report", NULL },
	};

	if (!races_are_wanted())
		return;
	if (!symbols_find(symbols, SYMBOLS)) {
		if (__tsan_init)
			deadlocks_note(EXPT_WARNING_GENERAL,
				       "races are not recorded: the program is stripped");
		return;
	}
	report_tsan = (struct tsan){
		.get_data = symbols[GET_DATA].address,
		.get_stack = symbols[GET_STACK].address,
		.get_access = symbols[GET_ACCESS].address,
		.get_mutex = symbols[GET_MUTEX].address,
		.get_thread = symbols[GET_THREAD].address,
		.get_unique_thread = symbols[GET_UNIQUE_THREAD].address,
	};
	find_runtime(symbols[GET_DATA].address);
	trace_prepare(DATA_RACE);
	if (races_want_deadlocks())
		trace_prepare(DATA_DEADLOCK);
	if (hook_replace(symbols[ON_REPORT].address, report_take))
		deadlocks_leave_possible();
	else
		deadlocks_note(EXPT_WARNING_GENERAL,
			       "races are not recorded: the program has a function "
			       "__tsan_on_report of its own");
}

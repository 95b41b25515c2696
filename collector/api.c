/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions that programs call: libcollectorAPI and libcollector.h look these names
 * up. gprofng's API has the same names, so a program built for either works with both.
 * errno is preserved.
 */

#include "collector/api.h"

#include <errno.h>

#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/descendants/descendants.h"
#include "collector/experiment/dynamic.h"
#include "collector/experiment/load.h"
#include "collector/files/access.h"
#include "collector/process/process.h"
#include "collector/recording/control.h"
#include "collector/recording/recording.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

/* A child of vfork shares our memory. A process that is not ours to record is not ours to
 * control either. */
static bool is_ours(void)
{
	return descendants_place() == PLACE_OWN;
}

void __collector_sample(const char *name)
{
	if (is_ours())
		control_sample(name ? name : "");
}

void __collector_pause(void)
{
	if (is_ours())
		control_pause(PAUSE_BY_API);
}

void __collector_resume(void)
{
	if (is_ours())
		control_resume();
}

static struct thread *find_thread(pthread_t id)
{
	if (!is_ours())
		return NULL;
	for (struct thread *thread = thread_first(); thread; thread = thread->next)
		if (atomic_load(&thread->is_live) && pthread_equal(thread->id, id))
			return thread;
	return NULL;
}

void __collector_thread_pause(pthread_t id)
{
	struct thread *thread = find_thread(id);

	if (thread)
		control_pause_thread(thread);
}

void __collector_thread_resume(pthread_t id)
{
	struct thread *thread = find_thread(id);

	if (thread)
		control_resume_thread(thread);
}

void __collector_terminate_expt(void)
{
	int saved = errno;

	if (is_ours() && collector_has_experiment()) {
		loadmap_catch_up();
		loadmap_leave_calls();
		/* For good: processes started from now on are not recorded either. */
		settings.follow = 0;
		collector_end();
		access_end();
		if (process.is_requested)
			recording_withdraw();
	}
	errno = saved;
}

void __collector_func_load(const char *name, const char *alias, const char *sourcename,
			   void *vaddr, int size, int lntsize, struct Lineno *lntable)
{
	int saved = errno;

	dynamic_load(name, alias, sourcename, (uintptr_t)vaddr, size, lntsize,
		     (const struct dynamic_line *)lntable);
	errno = saved;
}

void __collector_func_unload(void *vaddr)
{
	int saved = errno;

	dynamic_unload((uintptr_t)vaddr);
	errno = saved;
}

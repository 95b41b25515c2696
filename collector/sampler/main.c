/* SPDX-License-Identifier: Apache-2.0 */
/*
 * erkit-sampler - record a statically linked program from outside
 *
 * The wrappers of exec and posix_spawn start it, and collect itself, because nothing can
 * be preloaded into such a program:
 *
 *   erkit-sampler PID THREAD PATH COMMAND
 *	sample the process from that thread's next exec on; writes 0 to descriptor 3
 *	once that can begin, or an errno
 *   erkit-sampler -l ...
 *	see launch.c
 */

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collector/common/settings.h"
#include "collector/outside/code.h"
#include "collector/outside/rings.h"
#include "collector/outside/status.h"
#include "collector/sampler/founder.h"
#include "collector/sampler/launch.h"
#include "collector/sampler/tree.h"

#define RING_SIZE      65536 /* users may lock half a megabyte per processor */
#define ROUND_MS       200
#define SHORT_ROUND_MS 10 /* after a process has ended: others may wait */

/* Leave the process group, session and directory that were inherited. */
static void leave_program(void)
{
	setsid();
	if (chdir("/") < 0)
		return; /* a directory that cannot be unmounted for a while */
}

/* The limits were inherited from the program. */
static void ease_limits(void)
{
	struct rlimit files;

	signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

/* Without the kernel's own part, which users may not be permitted to see. */
static int open_without_kernel(struct rings *rings, struct perf_event_attr *event,
			       pid_t thread)
{
	event->exclude_kernel = 1;
	return rings_add(rings, event, thread, RING_SIZE);
}

static int open_rings(struct rings *rings, pid_t thread, bool *sees_no_kernel)
{
	struct perf_event_attr event = rings_event((uint64_t)settings.period_us * 1000);
	int rc;

	event.enable_on_exec = 1;
	event.inherit = 1;
	event.inherit_stat = 1;
	event.exclude_callchain_kernel = 1;
	rc = rings_add(rings, &event, thread, RING_SIZE);
	*sees_no_kernel = rc == -EACCES;
	return rc == -EACCES ? open_without_kernel(rings, &event, thread) : rc;
}

static int begin(struct rings *rings, char *words[])
{
	bool sees_no_kernel = false;
	int rc;

	if (!settings_read() || settings.period_us == 0)
		return -EINVAL;
	settings_read_run();
	rc = founder_open();
	if (rc == 0)
		rc = open_rings(rings, (pid_t)atoi(words[1]), &sees_no_kernel);
	if (rc == 0)
		tree_start((pid_t)atoi(words[0]), words[2], words[3], sees_no_kernel);
	return rc;
}

static void sample(struct rings *rings)
{
	struct batch batch = { 0 };
	uint64_t before = 0, now;
	bool is_alive = true, is_ending = false;

	while (is_alive) {
		struct perf_record record;

		is_alive = rings_wait(rings, is_ending ? SHORT_ROUND_MS : ROUND_MS);
		now = status_now();
		rings_drain(rings, &batch);
		batch_order(&batch);
		/* All processors have reported the records older than the last round. */
		while (batch_next(&batch, is_alive ? before : UINT64_MAX, &record))
			tree_take(&record);
		is_ending = tree_round(now);
		before = now;
	}
	tree_end(status_now(), rings_total(rings));
	batch_release(&batch);
}

int main(int argc, char *argv[])
{
	struct rings rings = { 0 };
	int32_t error;

	/* A privileged sampler would record processes that the caller may not see. */
	if (getauxval(AT_SECURE) != 0)
		return 2;
	if (argc > 1 && strcmp(argv[1], "-l") == 0)
		return launch(argc - 2, argv + 2);
	if (argc != 5)
		return 2;
	leave_program();
	ease_limits();
	code_init();
	error = -begin(&rings, argv + 1);
	if (write(3, &error, sizeof(error)) != sizeof(error) || error != 0)
		return 1;
	close(3);
	sample(&rings);
	rings_close(&rings);
	return 0;
}

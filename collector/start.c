/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/start.h"

#include <fcntl.h>

#include "collector/base/interpose.h"
#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/descendants/descendants.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/load.h"
#include "collector/experiment/map.h"
#include "collector/files/access.h"
#include "collector/files/log.h"
#include "collector/machine/create.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/recording/control.h"
#include "collector/recording/handler.h"
#include "collector/recording/recording.h"
#include "collector/signals/signals.h"
#include "collector/sources/adopt.h"
#include "collector/sources/clock.h"
#include "collector/sources/conflicts.h"
#include "collector/sources/counters.h"
#include "collector/sources/heap.h"
#include "collector/sources/io.h"
#include "collector/sources/mpi.h"
#include "collector/sources/openmp.h"
#include "collector/sources/sync.h"
#include "collector/threads/stacks.h"
#include "collector/threads/thread.h"

#define COMMAND_TEXT_MAX 8192

/* The kinds of data, in the order of their elements in log.xml. */
static const struct data_source *const kinds[] = {
	&clock_source, &counters_source, &heap_source,	   &sync_source, &io_source,
	&mpi_source,   &openmp_source,	 &deadlock_source, &race_source,
};

static void end_at_exit(void *unused)
{
	uint64_t mask;

	(void)unused;
	if (descendants_place() != PLACE_OWN)
		return;
	/* A tick that comes in between is not for what the program does last. */
	mask = collector_enter();
	loadmap_catch_up();
	collector_end();
	collector_leave(mask);
}

static const char *join_arguments(int argc, char **argv)
{
	char *buffer = argc > 0 ? memory_get(COMMAND_TEXT_MAX) : NULL;
	struct text text;

	if (!buffer)
		return "";
	text = text_on(buffer, COMMAND_TEXT_MAX);
	for (int i = 0; i < argc && argv[i]; i++) {
		if (i > 0)
			text_add(&text, " ");
		text_add(&text, argv[i]);
	}
	return buffer;
}

void start_read_command(void)
{
	static char *buffer;
	int file = sys_openat(AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC, 0);
	ssize_t length = 0;

	if (!buffer)
		buffer = memory_get(COMMAND_TEXT_MAX);
	if (buffer && file >= 0)
		length = sys_read(file, buffer, COMMAND_TEXT_MAX - 1);
	if (file >= 0)
		sys_close(file);
	while (length > 0 && buffer[length - 1] == '\0')
		length--;
	if (length <= 0)
		return;
	for (ssize_t i = 0; i < length; i++)
		if (buffer[i] == '\0')
			buffer[i] = ' ';
	buffer[length] = '\0';
	process.command = buffer;
}

extern int __cxa_at_quick_exit(void (*function)(void *), void *library);

/* Register before the loader registers its own function, which runs the destructors of
 * all libraries, so that this one is called last. Call libc directly: a thread
 * sanitizer's wrapper would count it among the program's objects. */
static void end_with_process(void)
{
	LIBC(__cxa_atexit, "GLIBC_2.2.5", int, (void (*)(void *), void *, void *));

	real(end_at_exit, NULL, NULL);
	__cxa_at_quick_exit(end_at_exit, NULL);
}

bool start_prepare(int argc, char **argv)
{
	process.command = join_arguments(argc, argv);
	descendants_init();
	end_with_process();
	return thread_prepare();
}

bool start_recording(const char *label)
{
	if (settings.is_tracing)
		tsc_init();
	process.start_ns = collector_now();
	if (settings.founder_start_ns == 0) {
		settings.founder_start_ns = process.start_ns;
		settings.founder_pid = process.pid;
	}
	if (!access_start() || !thread_init())
		return false;
	log_open(experiment_materialise);
	unwind_init();
	stacks_init();
	loadmap_tell_of_machines(create_expect);
	loadmap_refresh();
	signals_open(handle_signal);
	sources_open(kinds, sizeof(kinds) / sizeof(kinds[0]));
	control_open();
	if (process.is_requested)
		adopt_find();
	recording_start(label);
	if (!process.is_requested)
		create_expect(NULL);
	else if (collector_is_recording())
		adopt_begin();
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs that collect calls: er_rm, er_archive and gdb. Each has a session of its own,
 * so that an interrupt from the terminal reaches collect alone, which decides what it
 * ends; it has no terminal, nothing to read, no blocked signal and none of our
 * descriptors.
 */
#ifndef COLLECTOR_LAUNCH_TOOL_H
#define COLLECTOR_LAUNCH_TOOL_H

#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>

struct tool {
	const char *const *words; /* NULL ends them; the first is looked for in PATH */
	int output;		  /* for all that it says; -1: where we say it */
	const struct stat *owner; /* NULL, or whose rights it has if we are root */
	int directory;		  /* in it, ... */
	const char *file;	  /* if not NULL, the owner's file for all that it says */
	unsigned seconds;	  /* that it may take, if not 0 */
	pid_t process;
	int status; /* at its end, as of waitpid(2) */
	struct sigaction former;
};

/* Start it, wait for its end. All return 0 or a negative errno. */
int tool_start(struct tool *tool);
int tool_wait(struct tool *tool);
/* Wait as well while interrupts are held, and count them: -EINTR as soon as there are as
 * many as the limit, and -ETIMEDOUT after its time. It may still be waited for. */
int tool_wait_within(struct tool *tool, unsigned *interrupts, unsigned limit);

#endif

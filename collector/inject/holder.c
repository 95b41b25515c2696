/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/holder.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collector/inject/injection.h"
#include "collector/inject/interrupts.h"
#include "collector/tracee/thread.h"
#include "libexpt/cli/cli.h"

#define NAME "erkit-holder" /* killall(1) knows processes by it */

/* What the holder tells, in memory that is shared with it. */
struct found {
	uint64_t library, stopped_ns;
};

static void __attribute__((noreturn))
hold(struct found *found, struct injection *injection,
     int (*work)(struct injection *injection, void *with), void *with)
{
	int status;

	setpgid(0, 0);
	prctl(PR_SET_NAME, NAME);
	status = work(injection, with);
	found->library = injection->library;
	found->stopped_ns = injection->stopped_ns;
	thread_let_go();
	_exit(status);
}

/* Wait until the holder has ended. Interrupts reach it from here. */
static int await(const struct injection *injection, pid_t holder)
{
	static const struct timespec moment = { .tv_nsec = 100 * MS };
	sigset_t changes;
	pid_t ended;
	int status;

	sigemptyset(&changes);
	sigaddset(&changes, SIGCHLD);
	while ((ended = waitpid(holder, &status, WNOHANG)) == 0) {
		interrupts_pass_on(holder);
		sigtimedwait(&changes, NULL, &moment);
	}
	if (ended == holder && WIFEXITED(status))
		return WEXITSTATUS(status);
	return cli_error("process %d: the " NAME " of its recording was killed",
			 (int)injection->process);
}

int holder_run(struct injection *injection,
	       int (*work)(struct injection *injection, void *with), void *with)
{
	struct found *found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	sigset_t before;
	pid_t holder;
	int status;

	if (found == MAP_FAILED)
		return injection_fail_with(injection, -errno);
	found->library = injection->library;
	found->stopped_ns = injection->stopped_ns;
	interrupts_hold_all(&before);
	holder = fork();
	if (holder == 0)
		hold(found, injection, work, with);
	status = holder < 0 ? injection_fail_with(injection, -errno)
			    : await(injection, holder);
	sigprocmask(SIG_SETMASK, &before, NULL);
	injection->library = found->library;
	injection->stopped_ns = found->stopped_ns;
	munmap(found, sizeof(*found));
	return status;
}

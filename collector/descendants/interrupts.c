/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/descendants/interrupts.h"

#include <pthread.h>

#include "collector/base/lock.h"

static pthread_mutex_t system_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned systems_running;
static struct sigaction former_interrupt, former_quit;

void interrupts_reset(void)
{
	system_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
	systems_running = 0;
}

void interrupts_ignore(sigset_t *mask, posix_spawnattr_t *attributes)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t block, defaults;

	sigemptyset(&ignore.sa_mask);
	lock_mutex(&system_lock);
	if (systems_running++ == 0) {
		sigaction(SIGINT, &ignore, &former_interrupt);
		sigaction(SIGQUIT, &ignore, &former_quit);
	}
	sigemptyset(&defaults);
	if (former_interrupt.sa_handler != SIG_IGN)
		sigaddset(&defaults, SIGINT);
	if (former_quit.sa_handler != SIG_IGN)
		sigaddset(&defaults, SIGQUIT);
	unlock_mutex(&system_lock);
	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	pthread_sigmask(SIG_BLOCK, &block, mask);
	posix_spawnattr_init(attributes);
	posix_spawnattr_setsigmask(attributes, mask);
	posix_spawnattr_setsigdefault(attributes, &defaults);
	posix_spawnattr_setflags(attributes,
				 POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
}

void interrupts_heed(const sigset_t *mask)
{
	lock_mutex(&system_lock);
	if (--systems_running == 0) {
		sigaction(SIGINT, &former_interrupt, NULL);
		sigaction(SIGQUIT, &former_quit, NULL);
	}
	unlock_mutex(&system_lock);
	pthread_sigmask(SIG_SETMASK, mask, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/files/access.h"

#include <errno.h>
#include <sched.h>

#include "collector/base/descriptor.h"
#include "collector/base/helper.h"
#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"

#define STACK_SIZE (64 * 1024)
#define YIELDS	   100
#define PATIENCE   10000 /* a second and more */
#define OWN_USER   ((uid_t)-1)

static bool is_given;

/* State of this thread. in_work: while work runs, a descriptor of the founder's directory
 * plus one; else 0. is_apart: work runs with a descriptor table of its own. is_forking:
 * the thread is making a child. */
static __thread int in_work;
static __thread bool is_apart, is_forking;

/* The number of threads inside work, and of threads that are forking */
static _Atomic int at_work, forking;

static int open_founder(void)
{
	int fd = sys_openat(AT_FDCWD, settings.experiment,
			    O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
	struct stat status;

	if (fd >= 0 && (sys_fstat(fd, &status) < 0 || !settings_mean(&status))) {
		sys_close(fd);
		return -ESTALE;
	}
	return fd;
}

bool access_start(void)
{
	int fd = open_founder();

	is_given = fd >= 0;
	if (is_given)
		sys_close(fd);
	return is_given;
}

void access_end(void)
{
	int fd = atomic_exchange(&process.founder_fd, -1);

	is_given = false;
	if (fd >= 0 && !collector_is_frozen())
		sys_close(fd);
}

bool access_is_given(void)
{
	return is_given;
}

bool access_is_apart(void)
{
	return is_apart;
}

bool access_hold(void)
{
	int fd;

	if (!is_given || atomic_load(&process.founder_fd) >= 0)
		return is_given;
	fd = descriptor_move_high(open_founder());
	if (fd >= 0)
		atomic_store(&process.founder_fd, fd);
	return fd >= 0;
}

/* ---- with the program's table ---- */

static long work_with(int fd, access_work *work, void *argument)
{
	long rc;

	in_work = fd + 1;
	rc = work(fd, argument);
	in_work = 0;
	return rc;
}

static long run_here(access_work *work, void *argument)
{
	int fd = open_founder();
	long rc;

	if (fd < 0)
		return fd;
	rc = work_with(fd, work, argument);
	sys_close(fd);
	return rc;
}

/* ---- fork, which would copy open descriptors ---- */

/* The other thread may be waiting for a processor, or for a disk. */
static bool wait_until(const _Atomic int *number, int value)
{
	for (int tries = 0; tries < PATIENCE && atomic_load(number) != value; tries++) {
		if (tries < YIELDS)
			sys_yield();
		else
			sys_sleep(100000);
	}
	return atomic_load(number) == value;
}

/* A forking thread runs the program's pthread_atfork handlers, and cannot wait for
 * itself. If a fork takes too long, work proceeds in spite of it. */
void access_begin_open(void)
{
	atomic_fetch_add(&at_work, 1);
	while (atomic_load(&forking) != 0 && !is_forking) {
		atomic_fetch_sub(&at_work, 1);
		if (!wait_until(&forking, 0))
			atomic_store(&forking, 0);
		atomic_fetch_add(&at_work, 1);
	}
}

void access_end_open(void)
{
	atomic_fetch_sub(&at_work, 1);
}

void access_before_fork(void)
{
	if (collector_is_frozen())
		return;
	is_forking = true;
	atomic_fetch_add(&forking, 1);
	wait_until(&at_work, 0);
}

void access_after_fork_in_parent(void)
{
	is_forking = false;
	if (atomic_fetch_sub(&forking, 1) <= 0)
		atomic_store(&forking, 0);
}

void access_after_fork(void)
{
	is_forking = false;
	atomic_store(&forking, 0);
	atomic_store(&at_work, 0);
}

/* ---- with a table of its own ---- */

struct errand {
	uid_t user; /* whose rights to use, or OWN_USER */
	access_work *work;
	void *argument;
	long rc;
};

/* The thread shares our memory, thread-local storage included, but neither the descriptor
 * table nor the credentials. */
static int run_errand(void *data)
{
	struct errand *errand = data;
	int fd;

	helper_close_from(0);
	if (errand->user != OWN_USER)
		system_call(SYS_setfsuid, errand->user, 0, 0, 0, 0, 0);
	is_apart = true;
	fd = open_founder();
	errand->rc = fd < 0 ? fd : work_with(fd, errand->work, errand->argument);
	is_apart = false;
	helper_close_from(0);
	system_call(SYS_exit, 0, 0, 0, 0, 0, 0);
	return 0;
}

static long run_apart(uid_t user, access_work *work, void *argument)
{
	struct errand errand = { user, work, argument, -EMFILE };
	char *stack = sys_mmap(STACK_SIZE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!stack)
		return -ENOMEM;
	helper_clone(stack, STACK_SIZE, run_errand, &errand,
		     CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK, NULL);
	sys_munmap(stack, STACK_SIZE);
	return errand.rc;
}

/* ---- work ---- */

static long run(access_work *work, void *argument)
{
	int held = atomic_load(&process.founder_fd);
	long rc;

	if (held >= 0)
		return work(held, argument);
	rc = run_here(work, argument);
	return rc == -EMFILE ? run_apart(OWN_USER, work, argument) : rc;
}

/* Signals stay blocked: no handler of the program may jump out of work. */
long access_run(access_work *work, void *argument)
{
	uint64_t mask;
	long rc;

	if (!is_given || collector_is_frozen())
		return -EPERM;
	if (in_work != 0)
		return work(in_work - 1, argument);
	mask = collector_enter();
	access_begin_open();
	rc = run(work, argument);
	access_end_open();
	collector_leave(mask);
	return rc;
}

long access_run_as(uid_t user, access_work *work, void *argument)
{
	uint64_t mask;
	long rc;

	if (!is_given || collector_is_frozen())
		return -EPERM;
	mask = collector_enter();
	rc = run_apart(user, work, argument);
	collector_leave(mask);
	return rc;
}

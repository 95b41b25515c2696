/* SPDX-License-Identifier: Apache-2.0 */

#include <collector/access.h>
#include <collector/collector.h>
#include <collector/descriptors.h>
#include <collector/helper.h>
#include <collector/system.h>
#include <errno.h>
#include <sched.h>

#define STACK_SIZE    (64 * 1024)
#define PLACES_IN_USE 8

static bool is_given;

/* In this thread, while work runs: a descriptor of the founder's directory, plus one; else 0. */
static __thread int in_work;

/* The same of all threads, for a child of fork. */
static _Atomic int in_use[PLACES_IN_USE];

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

static _Atomic int *note_use(int fd)
{
	for (int i = 0; i < PLACES_IN_USE; i++) {
		int none = 0;

		if (atomic_compare_exchange_strong(&in_use[i], &none, fd + 1))
			return &in_use[i];
	}
	return NULL;
}

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
	_Atomic int *use;
	long rc;

	if (fd < 0)
		return fd;
	use = note_use(fd);
	rc = work_with(fd, work, argument);
	if (use != NULL)
		atomic_store(use, 0);
	sys_close(fd);
	return rc;
}

void access_after_fork(void)
{
	for (int i = 0; i < PLACES_IN_USE; i++) {
		int fd = atomic_exchange(&in_use[i], 0) - 1;

		if (fd >= 0)
			sys_close(fd);
	}
}

/* ---- with a table of its own ---- */

struct errand {
	access_work *work;
	void *argument;
	long rc;
};

/* The thread shares our memory, thread-local storage included, but not the table. */
static int run_errand(void *data)
{
	struct errand *errand = data;
	int fd;

	helper_close_from(0);
	fd = open_founder();
	errand->rc = fd < 0 ? fd : work_with(fd, errand->work, errand->argument);
	helper_close_from(0);
	system_call(SYS_exit, 0, 0, 0, 0, 0, 0);
	return 0;
}

static long run_apart(access_work *work, void *argument)
{
	struct errand errand = { work, argument, -EMFILE };
	char *stack = sys_mmap(STACK_SIZE, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == NULL)
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
	return rc == -EMFILE ? run_apart(work, argument) : rc;
}

/* No handler of the program's may jump out of work. */
long access_run(access_work *work, void *argument)
{
	uint64_t mask;
	long rc;

	if (!is_given || collector_is_frozen())
		return -EPERM;
	if (in_work != 0)
		return work(in_work - 1, argument);
	mask = collector_enter();
	rc = run(work, argument);
	collector_leave(mask);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls after which the names of the collector's files lead nowhere, or may no longer be
 * opened: files that are still needed are opened before, and kept open.
 */

#include <errno.h>
#include <limits.h>
#include <sched.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/common/log_text.h"
#include "collector/common/settings.h"
#include "collector/descendants/descendants.h"
#include "collector/experiment/experiment.h"
#include "collector/experiment/unmade.h"
#include "collector/files/access.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"

/* A child of vfork has its own descriptor table: opening a file there does not help its
 * parent. */
static bool is_concerned(void)
{
	return descendants_place() == PLACE_OWN && collector_has_experiment() &&
	       !collector_is_frozen();
}

static void hold_files(void)
{
	uint64_t mask;

	if (!is_concerned())
		return;
	mask = collector_enter();
	experiment_hold();
	collector_leave(mask);
}

static void hold_directory(void)
{
	if (is_concerned())
		access_hold();
}

/* ---- the user ---- */

static long may_write(int founder, void *argument)
{
	(void)argument;
	return sys_may_write(founder);
}

/* Directories of later descendants are made with the rights of the new user. If these do
 * not suffice, warn in the founder's experiment while the old user still can. */
static void foresee_refusal(uid_t user)
{
	static uid_t last = (uid_t)-1;
	char buffer[LINEAGE_MAX + 2 * PATH_MAX];
	struct text line = TEXT_ON(buffer);

	if (user == (uid_t)-1 || user == last || !is_concerned() || settings.follow == 0)
		return;
	last = user;
	if (access_run_as(user, may_write, NULL) != -EACCES)
		return;
	log_header_barred(&line, process.lineage, user);
	unmade_warn(&line);
}

#define NEW_USER(symbol, parameters, arguments, effective)                  \
	INTERPOSE(int, symbol##_2_2_5, #symbol "@@GLIBC_2.2.5", parameters) \
	{                                                                   \
		REAL(symbol, "GLIBC_2.2.5", int, parameters);               \
                                                                            \
		foresee_refusal(effective);                                 \
		hold_files();                                               \
		return real arguments;                                      \
	}

NEW_USER(setuid, (uid_t user), (user), user)
NEW_USER(seteuid, (uid_t user), (user), user)
NEW_USER(setreuid, (uid_t user, uid_t effective), (user, effective), effective)
NEW_USER(setresuid, (uid_t user, uid_t effective, uid_t saved), (user, effective, saved),
	 effective)

/* ---- the names ---- */

INTERPOSE(int, chroot_2_2_5, "chroot@@GLIBC_2.2.5", (const char *path))
{
	REAL(chroot, "GLIBC_2.2.5", int, (const char *));

	hold_directory();
	return real(path);
}

INTERPOSE(int, pivot_root_2_2_5, "pivot_root@@GLIBC_2.2.5",
	  (const char *root, const char *old))
{
	REAL(pivot_root, "GLIBC_2.2.5", int, (const char *, const char *));

	hold_directory();
	return real(root, old);
}

INTERPOSE(int, unshare_2_4, "unshare@@GLIBC_2.4", (int flags))
{
	REAL(unshare, "GLIBC_2.4", int, (int));

	if ((flags & CLONE_NEWNS) != 0)
		hold_directory();
	return real(flags);
}

INTERPOSE(int, setns_2_14, "setns@@GLIBC_2.14", (int fd, int kinds))
{
	REAL(setns, "GLIBC_2.14", int, (int, int));

	if (kinds == 0 || (kinds & CLONE_NEWNS) != 0)
		hold_directory();
	return real(fd, kinds);
}

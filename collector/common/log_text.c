/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of log.xml as text: machine, process, settings and events. */

#include "collector/common/log_text.h"

#include <gnu/libc-version.h>
#include <sys/utsname.h>

#include "collector/base/number_in_file.h"
#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

#define CPUS_DESCRIBED 256

/* ---- the machine ---- */

static void add_cpu(struct text *text, uint64_t number)
{
	text_add(text, "  <cpu");
	text_add_number(text, "id", (int64_t)number);
	text_add_number(text, "clk", settings.clock_mhz);
	text_add(text, "/>\n");
}

/* Add a <cpu> for each number in the list of online processors, like "0-3,8-11". */
static void add_cpus(struct text *text)
{
	char buffer[512];
	int fd = sys_openat(AT_FDCWD, "/sys/devices/system/cpu/online",
			    O_RDONLY | O_CLOEXEC, 0);
	ssize_t length = fd < 0 ? -1 : sys_read(fd, buffer, sizeof(buffer) - 1);
	const char *at = buffer;
	unsigned count = 0;

	if (fd >= 0)
		sys_close(fd);
	if (length <= 0)
		return;
	buffer[length] = '\0';
	while (*at >= '0' && *at <= '9') {
		uint64_t first = text_parse_decimal(at, &at), last = first;

		if (*at == '-')
			last = text_parse_decimal(at + 1, &at);
		for (; first <= last && count < CPUS_DESCRIBED; first++, count++)
			add_cpu(text, first);
		if (*at == ',')
			at++;
	}
}

static void begin_system(struct text *text, const struct log_machine *machine)
{
	text_add(text, "<experiment version=\"" FORMAT_VERSION
		       "\">\n<collector>erkit " ERKIT_VERSION ", glibc ");
	text_add(text, gnu_get_libc_version());
	if (settings.version) {
		text_add(text, ", collect ");
		text_add(text, settings.version);
	}
	text_add(text, "</collector>\n</experiment>\n<system");
	text_add_attribute(text, "hostname", machine->host);
	text_add_attribute(text, "arch", machine->architecture);
	text_add_attribute(text, "os", machine->os);
	text_add_number(text, "pagesz", 4096);
	text_add_number(text, "npages", (int64_t)machine->pages);
	text_add(text, ">\n");
}

void log_header_system(struct text *text)
{
	char os[sizeof(struct utsname)];
	struct text release = TEXT_ON(os);
	struct utsname name = { 0 };
	struct log_machine machine = { name.nodename, name.machine, os, 0 };

	if (settings.clock_mhz == 0)
		settings.clock_mhz = (unsigned)number_in_file("/proc/cpuinfo", "cpu MHz");
	system_call(SYS_uname, (long)&name, 0, 0, 0, 0, 0);
	text_add(&release, name.sysname);
	text_add(&release, " ");
	text_add(&release, name.release);
	machine.pages = number_in_file("/proc/meminfo", "MemTotal") / 4;
	begin_system(text, &machine);
	add_cpus(text);
	text_add(text, "</system>\n");
}

void log_header_machine(struct text *text, const struct log_machine *machine,
			unsigned cpus)
{
	begin_system(text, machine);
	for (unsigned i = 0; i < cpus && i < CPUS_DESCRIBED; i++)
		add_cpu(text, i);
	text_add(text, "</system>\n");
}

/* ---- the process and its settings ---- */

static void add_process(struct text *text, const char *name, int64_t value)
{
	text_add(text, "<process");
	text_add_number(text, name, value);
	text_add(text, "></process>\n");
}

void log_header_process(struct text *text, const struct log_process *process)
{
	add_process(text, "pid", process->pid);
	add_process(text, "ppid", process->parent);
	add_process(text, "pgrp", process->group);
	add_process(text, "sid", process->session);
	text_add(text, "<process");
	text_add_attribute(text, "cwd", process->directory);
	text_add(text, "></process>\n<process wsize=\"64\"></process>\n"
		       "<process stackbase=\"0x0\"></process>\n<process>");
	text_add_escaped(text, process->command);
	text_add(text, "</process>\n");
}

static void add_setting(struct text *text, const char *name, uint64_t value)
{
	text_add(text, "<setting");
	text_add_number(text, name, (int64_t)value);
	text_add(text, "/>\n");
}

/* Whole seconds stay whole: other readers show the text as it is. */
static void add_seconds(struct text *text, const char *name, uint64_t ns)
{
	char buffer[32];
	struct text seconds = TEXT_ON(buffer);

	if (ns == 0)
		return;
	if (ns % NS_PER_SECOND == 0) {
		add_setting(text, name, ns / NS_PER_SECOND);
		return;
	}
	text_add_time(&seconds, ns);
	buffer[seconds.length - 6] = '\0'; /* collect passes milliseconds */
	text_add(text, "<setting");
	text_add_attribute(text, name, buffer);
	text_add(text, "/>\n");
}

static void add_settings(struct text *text)
{
	if (settings.sample_period_ns > 0)
		add_setting(text, "sample_period",
			    settings.sample_period_ns / NS_PER_SECOND);
	if (settings.limit_bytes > 0)
		add_setting(text, "limit", settings.limit_bytes >> 20);
	if (settings.sample_signal != 0)
		add_setting(text, "sample_signal", (uint64_t)settings.sample_signal);
	if (settings.pause_signal != 0)
		add_setting(text, "pause_signal", (uint64_t)settings.pause_signal);
	if (settings.is_rank)
		add_setting(text, MPI_RANK_SETTING, settings.rank);
	add_seconds(text, "delay_start", settings.window_start_ns);
	add_seconds(text, "terminate", settings.window_end_ns);
	text_add(text, "<setting linetrace=\"");
	text_add(text, settings.follow != 0 ? "fork|exec|combo" : "none");
	text_add(text, "\"/>\n");
}

static void describe_heap_range(struct text *text)
{
	char buffer[128];
	struct text comment = TEXT_ON(buffer);

	if (settings.smallest_block == 0 && settings.largest_block == 0)
		return;
	text_add(&comment, "Heap tracing: only blocks of ");
	text_add_decimal(&comment, (int64_t)settings.smallest_block);
	if (settings.largest_block > 0) {
		text_add(&comment, " to ");
		text_add_decimal(&comment, (int64_t)settings.largest_block);
	}
	text_add(&comment, settings.largest_block > 0 ? " bytes" : " bytes and more");
	log_header_message(text, "comment", EXPT_COMMENT, buffer, 0);
}

void log_header_run_at(struct text *text, uint64_t start_ns, int64_t start_seconds)
{
	text_add(text, "<dataptr name=\"frameinfo\" format=\"binary\"/>\n");
	add_settings(text);
	text_add(text, "<event kind=\"run\" tstamp=\"");
	text_add_time(text, start_ns);
	text_add(text, "\"");
	text_add_number(text, "time", start_seconds);
	text_add_number(text, "tm_zone", 0);
	text_add(text, "/>\n");
	/* Written now, because a killed process writes nothing at its end. */
	if (!settings_ask_for_archives())
		log_header_message(text, "comment", EXPT_COMMENT, NO_ARCHIVE_COMMENT, 0);
	describe_heap_range(text);
}

/* The experiment may be written long after its start. */
void log_header_run(struct text *text, uint64_t start_ns, uint64_t now_ns)
{
	struct timespec wall = { 0 };

	clock_gettime(CLOCK_REALTIME, &wall);
	log_header_run_at(text, start_ns,
			  wall.tv_sec - (int64_t)((now_ns - start_ns) / NS_PER_SECOND));
}

void log_header_length(struct text *text, const char *file, uint64_t bytes)
{
	text_add(text, "<dataptr");
	text_add_attribute(text, "name", file);
	text_add_number(text, "size", (int64_t)bytes);
	text_add(text, "/>\n");
}

/* ---- events ---- */

void log_header_event(struct text *text, const char *kind, uint64_t relative_ns)
{
	text_add(text, "<event");
	text_add_attribute(text, "kind", kind);
	text_add(text, " tstamp=\"");
	text_add_time(text, relative_ns);
	text_add(text, "\"");
}

void log_header_message(struct text *text, const char *kind, int number,
			const char *message, int error)
{
	text_add(text, "<event");
	text_add_attribute(text, "kind", kind);
	text_add_number(text, "id", number);
	if (error != 0)
		text_add_number(text, "ec", error);
	text_add(text, ">");
	text_add_escaped(text, message);
	text_add(text, "</event>\n");
}

void log_header_limit(struct text *message, uint64_t relative_ns)
{
	text_add(message, "size limit reached after ");
	text_add_time(message, relative_ns);
	text_add(message, " seconds: no more profile data");
}

void log_header_unmade(struct text *text, const char *lineage, int error)
{
	text_add(text, "<event kind=\"cwarn\"");
	text_add_number(text, "id", EXPT_ERROR_MKDIR);
	text_add_number(text, "ec", error);
	text_add(text, ">");
	text_add_escaped(text, lineage);
	text_add(text, EXPERIMENT_SUFFIX "</event>\n");
}

void log_header_barred(struct text *text, const char *lineage, uid_t user)
{
	text_add(text, "<event kind=\"cwarn\"");
	text_add_number(text, "id", EXPT_WARNING_USER_CHANGE);
	text_add(text, ">");
	text_add(text, lineage[0] ? lineage : "the founder");
	text_add(text, " becomes user ");
	text_add_decimal(text, user);
	text_add(text, ", who may not write to this experiment of user ");
	text_add_decimal(text, (int64_t)settings.owner);
	text_add(text, ": to record its later descendants, use setfacl -m u:");
	text_add_decimal(text, user);
	text_add(text, ":rwx ");
	text_add_escaped(text, settings.experiment);
	text_add(text, "</event>\n");
}

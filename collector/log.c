/* SPDX-License-Identifier: Apache-2.0 */
/* log.xml: the header that describes machine, process and data, and the events of the run. */

#include <collector/collector.h>
#include <collector/experiment.h>
#include <collector/log.h>
#include <collector/number_in_file.h>
#include <collector/source.h>
#include <collector/system.h>
#include <libexpt/format.h>
#include <string.h>
#include <sys/time.h>
#include <sys/utsname.h>

#define CPUS_DESCRIBED 256

static char system_text[16384];
static char pending[32768];
static size_t pending_length;
static struct spin lock;

/* ---- the machine ---- */

/* The list of a file like "0-3,8-11"; calls for each number are made by the caller. */
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
		for (; first <= last && count < CPUS_DESCRIBED; first++, count++) {
			text_add(text, "  <cpu");
			text_add_number(text, "id", (int64_t)first);
			text_add_number(text, "clk", settings.clock_mhz);
			text_add(text, "/>\n");
		}
		if (*at == ',')
			at++;
	}
}

void log_describe_system(void)
{
	struct text text = TEXT_ON(system_text);
	char os[sizeof(struct utsname)];
	struct text release = TEXT_ON(os);
	struct utsname name = { 0 };

	if (settings.clock_mhz == 0)
		settings.clock_mhz = (unsigned)number_in_file("/proc/cpuinfo", "cpu MHz");
	system_call(SYS_uname, (long)&name, 0, 0, 0, 0, 0);
	text_add(&release, name.sysname);
	text_add(&release, " ");
	text_add(&release, name.release);
	text_add(&text, "<experiment version=\"" FORMAT_VERSION
			"\">\n<collector>erkit " ERKIT_VERSION
			"</collector>\n</experiment>\n<system");
	text_add_attribute(&text, "hostname", name.nodename);
	text_add_attribute(&text, "arch", name.machine);
	text_add_attribute(&text, "os", os);
	text_add_number(&text, "pagesz", 4096);
	text_add_number(&text, "npages",
			(int64_t)number_in_file("/proc/meminfo", "MemTotal") / 4);
	text_add(&text, ">\n");
	add_cpus(&text);
	text_add(&text, "</system>\n");
}

/* ---- the process and its settings ---- */

static void add_process(struct text *text, const char *name, int64_t value)
{
	text_add(text, "<process");
	text_add_number(text, name, value);
	text_add(text, "></process>\n");
}

static void add_process_elements(struct text *text)
{
	static char directory[PATH_MAX]; /* a handler's stack may be small */

	if (system_call(SYS_getcwd, (long)directory, sizeof(directory), 0, 0, 0, 0) < 0)
		directory[0] = '\0';
	add_process(text, "pid", process.pid);
	add_process(text, "ppid", system_call(SYS_getppid, 0, 0, 0, 0, 0, 0));
	add_process(text, "pgrp", system_call(SYS_getpgid, 0, 0, 0, 0, 0, 0));
	add_process(text, "sid", system_call(SYS_getsid, 0, 0, 0, 0, 0, 0));
	text_add(text, "<process");
	text_add_attribute(text, "cwd", directory);
	text_add(text, "></process>\n<process wsize=\"64\"></process>\n"
		       "<process stackbase=\"0x0\"></process>\n<process>");
	text_add_escaped(text, process.command);
	text_add(text, "</process>\n");
}

static void add_setting(struct text *text, const char *name, uint64_t value)
{
	text_add(text, "<setting");
	text_add_number(text, name, (int64_t)value);
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
	if (settings.window_start_ns > 0)
		add_setting(text, "delay_start", settings.window_start_ns / NS_PER_SECOND);
	if (settings.window_end_ns > 0)
		add_setting(text, "terminate", settings.window_end_ns / NS_PER_SECOND);
	text_add(text, "<setting linetrace=\"");
	text_add(text, settings.follow != 0 ? "fork|exec|combo" : "none");
	text_add(text, "\"/>\n");
}

static void add_run(struct text *text)
{
	struct timespec wall = { 0 };

	clock_gettime(CLOCK_REALTIME, &wall);
	text_add(text, "<event kind=\"run\" tstamp=\"");
	text_add_time(text, process.start_ns);
	text_add(text, "\"");
	/* The experiment may be written long after its start. */
	text_add_number(text, "time",
			wall.tv_sec - (int64_t)((collector_now() - process.start_ns) /
						NS_PER_SECOND));
	text_add_number(text, "tm_zone", 0);
	text_add(text, "/>\n");
}

void log_compose(struct text *text)
{
	bool is_locked;

	text_add(text, system_text);
	add_process_elements(text);
	sources_describe(text);
	text_add(text, "<dataptr name=\"frameinfo\" format=\"binary\"/>\n");
	add_settings(text);
	add_run(text);
	is_locked = spin_lock(&lock);
	text_add_bytes(text, pending, pending_length);
	pending_length = 0;
	if (is_locked)
		spin_unlock(&lock);
}

void log_forget(void)
{
	pending_length = 0;
	atomic_store(&lock.is_held, 0);
}

/* ---- events ---- */

static void write_record(const char *record, size_t length)
{
	if (process.log.fd >= 0) {
		if (pending_length > 0) /* it came while the file was made */
			output_put_text(&process.log, pending, pending_length);
		pending_length = 0;
		output_put_text(&process.log, record, length);
	} else if (pending_length + length <= sizeof(pending)) {
		copy_bytes(pending + pending_length, record, length);
		pending_length += length;
	}
}

void log_begin(struct text *record, const char *kind, uint64_t now)
{
	text_add(record, "<event");
	text_add_attribute(record, "kind", kind);
	text_add(record, " tstamp=\"");
	text_add_time(record, now > process.start_ns ? now - process.start_ns : 0);
	text_add(record, "\"");
}

void log_put(struct text *record)
{
	text_add(record, "/>\n");
	if (pending_length > sizeof(pending) / 2)
		experiment_materialise();
	if (!spin_lock(&lock))
		return;
	write_record(record->start, record->length);
	spin_unlock(&lock);
}

void log_sample(uint64_t now, unsigned id, const char *label)
{
	static char buffer[LOG_RECORD_SIZE]; /* a program's labels may be long */
	struct text record = TEXT_ON(buffer);

	log_begin(&record, "sample", now);
	text_add_number(&record, "id", id);
	text_add_attribute(&record, "label", label);
	log_put(&record);
}

void log_message(const char *kind, int number, const char *text, int error)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);

	text_add(&record, "<event");
	text_add_attribute(&record, "kind", kind);
	text_add_number(&record, "id", number);
	if (error != 0)
		text_add_number(&record, "ec", error);
	text_add(&record, ">");
	text_add_escaped(&record, text);
	text_add(&record, "</event>\n");
	if (!spin_lock(&lock))
		return;
	write_record(record.start, record.length);
	spin_unlock(&lock);
}

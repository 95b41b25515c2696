/* SPDX-License-Identifier: Apache-2.0 */
/* log.xml of this process: its header, and the events of the run. */

#include "collector/files/log.h"

#include "collector/base/memory.h"
#include "collector/base/system.h"
#include "collector/common/log_text.h"
#include "collector/files/files.h"
#include "collector/files/output.h"
#include "collector/files/source.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "libexpt/format.h"

MEMORY_APART static char system_text[16384];
MEMORY_APART static char pending[32768];
static size_t pending_length;
static struct spin lock;
static bool (*make_file)(void);

void log_open(bool (*make)(void))
{
	struct text text = TEXT_ON(system_text);

	log_header_system(&text);
	make_file = make;
}

/* directory is static: the stack of a handler may be small. */
static void add_process(struct text *text)
{
	MEMORY_APART static char directory[PATH_MAX];
	const struct log_process header = {
		.pid = process.pid,
		.parent = (pid_t)system_call(SYS_getppid, 0, 0, 0, 0, 0, 0),
		.group = (pid_t)system_call(SYS_getpgid, 0, 0, 0, 0, 0, 0),
		.session = (pid_t)system_call(SYS_getsid, 0, 0, 0, 0, 0, 0),
		.directory = directory,
		.command = process.command,
	};

	if (system_call(SYS_getcwd, (long)directory, sizeof(directory), 0, 0, 0, 0) < 0)
		directory[0] = '\0';
	log_header_process(text, &header);
}

void log_compose(struct text *text)
{
	bool is_locked;

	text_add(text, system_text);
	add_process(text);
	sources_describe(text);
	log_header_run(text, process.start_ns, collector_now());
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
	if (output_is_open(&files.log)) {
		if (pending_length > 0) /* it came while the file was being made */
			output_put_text(&files.log, pending, pending_length);
		pending_length = 0;
		output_put_text(&files.log, record, length);
	} else if (pending_length + length <= sizeof(pending)) {
		copy_bytes(pending + pending_length, record, length);
		pending_length += length;
	}
}

void log_begin(struct text *record, const char *kind, uint64_t now)
{
	log_header_event(record, kind,
			 now > process.start_ns ? now - process.start_ns : 0);
}

static void put(const struct text *record)
{
	if (!spin_lock(&lock))
		return;
	write_record(record->start, record->length);
	spin_unlock(&lock);
}

void log_put(struct text *record)
{
	text_add(record, "/>\n");
	if (pending_length > sizeof(pending) / 2 && make_file)
		make_file();
	put(record);
}

void log_element(const struct text *record)
{
	put(record);
}

void log_event(const char *kind, uint64_t now, const char *name, pid_t tid)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);

	log_begin(&record, kind, now);
	if (tid != 0)
		text_add_number(&record, "tid", tid);
	if (name)
		text_add_attribute(&record, "name", name);
	log_put(&record);
}

void log_sample(uint64_t now, unsigned id, const char *label)
{
	MEMORY_APART static char
		buffer[LOG_RECORD_SIZE]; /* a program's labels may be long */
	struct text record = TEXT_ON(buffer);

	log_begin(&record, "sample", now);
	text_add_number(&record, "id", id);
	text_add_attribute(&record, "label", label);
	log_put(&record);
}

void log_length(const char *file, size_t bytes)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);

	log_header_length(&record, file, bytes);
	put(&record);
}

void log_message(const char *kind, int number, const char *text, int error)
{
	char buffer[LOG_SHORT_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);

	log_header_message(&record, kind, number, text, error);
	put(&record);
}

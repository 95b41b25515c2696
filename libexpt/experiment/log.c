/* SPDX-License-Identifier: Apache-2.0 */
/*
 * log.xml: the recorder, the program, the host, and the events of the run. warnings.xml,
 * which tools write after the run, has the same grammar and adds messages. Each element
 * has functions, listed in a table.
 */
#include "libexpt/experiment/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/number.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/damage.h"
#include "libexpt/experiment/private.h"
#include "libexpt/format.h"

#define NOTES_SIZE_MAX (1u << 20)

/* ---- header elements --------------------------------------------------------------- */

/* Keep an attribute if the element has it; -ENOMEM is the only failure. */
static int take_text(struct log_reader *reader, const struct xml_element *element,
		     const char *name, const char **value)
{
	const char *text = xml_attribute(element, name);

	if (!text)
		return 0;
	text = log_text(reader, text);
	if (!text)
		return -ENOMEM;
	*value = text;
	return 0;
}

/* Accept a log without a version, but not one whose version is malformed or below 12. */
static int start_experiment(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;
	char major[8] = "";
	uint64_t number = 0;
	size_t length;
	int rc;

	rc = take_text(reader, element, "version", &info->version);
	if (rc < 0 || !*info->version)
		return rc;
	length = strcspn(info->version, ".");
	if (length < sizeof(major))
		memcpy(major, info->version, length);
	if (!number_u64(&number, major) || number < FORMAT_VERSION_MAJOR)
		return -ENOTSUP;
	return 0;
}

static int end_collector(struct log_reader *reader, const char *text)
{
	reader->log->info.collector = log_text(reader, text);
	return reader->log->info.collector ? 0 : -ENOMEM;
}

static int start_system(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;

	log_number(reader, element, "pagesz", &info->page_size);
	log_number(reader, element, "npages", &info->pages);
	if (take_text(reader, element, "hostname", &info->host) < 0 ||
	    take_text(reader, element, "arch", &info->arch) < 0)
		return -ENOMEM;
	return take_text(reader, element, "os", &info->os);
}

static int start_frequency(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;
	const char *text = xml_attribute(element, "clk");
	char whole[16] = "";
	uint64_t mhz;

	if (!text)
		return 0;
	snprintf(whole, sizeof(whole), "%.*s", (int)strcspn(text, "."), text);
	if (!number_u64(&mhz, whole) || mhz > UINT32_MAX) {
		log_damage(reader, "'clk' is not a frequency: '%.40s'", text);
		return 0;
	}
	if (!info->clock_min_mhz || mhz < info->clock_min_mhz)
		info->clock_min_mhz = (uint32_t)mhz;
	if (mhz > info->clock_max_mhz)
		info->clock_max_mhz = (uint32_t)mhz;
	return 0;
}

static int start_cpu(struct log_reader *reader, const struct xml_element *element)
{
	reader->log->info.cpu_count++;
	return start_frequency(reader, element);
}

static int start_process(struct log_reader *reader, const struct xml_element *element)
{
	struct expt_info *info = &reader->log->info;
	uint64_t bits;

	log_ids(reader, element);
	log_number(reader, element, "pagesz", &info->page_size);
	if (log_number(reader, element, "wsize", &bits)) {
		if (bits == 32 || bits == 64)
			info->word_bits = (uint32_t)bits;
		else
			log_damage(reader, "unknown word size: %.40s",
				   xml_attribute(element, "wsize"));
	}
	return take_text(reader, element, "cwd", &info->directory);
}

static int end_process(struct log_reader *reader, const char *text)
{
	if (!*text)
		return 0;
	reader->log->info.command = log_text(reader, text);
	return reader->log->info.command ? 0 : -ENOMEM;
}

static int start_setting(struct log_reader *reader, const struct xml_element *element)
{
	for (size_t i = 0; i < element->attribute_count; i++) {
		struct expt_attribute *setting = array_add(&reader->log->settings);

		if (!setting)
			return -ENOMEM;
		setting->name = log_text(reader, element->attributes[i].name);
		setting->value = log_text(reader, element->attributes[i].value);
		if (!setting->name || !setting->value)
			return -ENOMEM;
	}
	return 0;
}

static int start_dataptr(struct log_reader *reader, const struct xml_element *element)
{
	const char *file = xml_attribute(element, "name");
	struct log_length *length;
	uint64_t bytes;

	if (!file || !log_number(reader, element, "size", &bytes))
		return 0;
	length = array_add(&reader->log->lengths);
	if (!length)
		return -ENOMEM;
	*length = (struct log_length){ log_text(reader, file), bytes };
	return length->file ? 0 : -ENOMEM;
}

/* ---- the table of elements --------------------------------------------------------- */

static const struct {
	const char *name;
	int (*start)(struct log_reader *reader, const struct xml_element *element);
	int (*end)(struct log_reader *reader, const char *text);
	bool declares; /* data, as in files that declare one kind */
} elements[] = {
	{ "event", log_start_event, log_end_event, false },
	{ "field", log_start_field, NULL, true },
	{ "state", NULL, NULL, true },
	{ "profile", log_start_profile, log_end_profile, true },
	{ "profdata", log_start_profdata, NULL, true },
	{ "profpckt", log_start_profpckt, log_end_profpckt, true },
	{ "setting", start_setting, NULL, false },
	{ "process", start_process, end_process, false },
	{ "cpu", start_cpu, NULL, false },
	{ "system", start_system, NULL, false },
	{ "experiment", start_experiment, NULL, false },
	{ "collector", NULL, end_collector, false },
	{ "frequency", start_frequency, NULL, false },
	{ "dataptr", start_dataptr, NULL, false },
	{ "powerm", NULL, NULL, false },
	{ "dtracefatal", NULL, NULL, false },
};
#define ELEMENT_COUNT (sizeof(elements) / sizeof(*elements))

static int on_start(void *context, const struct xml_element *element)
{
	struct log_reader *reader = context;

	reader->line = element->line;
	for (size_t i = 0; i < ELEMENT_COUNT; i++)
		if (xml_is_same(elements[i].name, element->name) &&
		    (elements[i].declares || !reader->declarations_only))
			return elements[i].start ? elements[i].start(reader, element) : 0;
	log_damage(reader, "unknown element '%s'", element->name);
	return 0;
}

static int on_end(void *context, const char *name, const char *text)
{
	struct log_reader *reader = context;

	for (size_t i = 0; i < ELEMENT_COUNT; i++)
		if (xml_is_same(elements[i].name, name) &&
		    (elements[i].declares || !reader->declarations_only))
			return elements[i].end ? elements[i].end(reader, text) : 0;
	return 0;
}

static void on_damage(void *context, unsigned line, const char *what)
{
	const struct log_reader *reader = context;

	expt_add_damage(reader->expt, "%s:%u: %s", reader->file, line, what);
}

int log_parse(struct expt_log *log, struct expt *expt, const char *file,
	      const void *bytes, size_t size, struct expt_error *err)
{
	static const struct xml_handler handler = { on_start, on_end, on_damage };
	struct log_reader reader = {
		.expt = expt,
		.log = log,
		.file = file,
		.messages_only = strcmp(file, WARNINGS_FILE) == 0,
		.declarations_only =
			strncmp(file, METADATA_PREFIX, strlen(METADATA_PREFIX)) == 0,
		.data = EXPT_DATA_COUNT,
	};
	int rc = xml_read(bytes, size, &handler, &reader, err);

	array_release(&reader.fields);
	log_note_data(log);
	if (reader.is_exec_pending)
		log->info.is_closed = true;
	if (rc == -ENOTSUP)
		return expt_refuse(err, rc, "format version '%.40s' is not supported",
				   log->info.version);
	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read '%s'", file);
	return rc;
}

/* ---- the files --------------------------------------------------------------------- */

static int read_file(struct expt_log *log, struct expt *expt, const char *name,
		     struct expt_error *err)
{
	cleanup(io_file_close) struct io_file file = { 0 };
	int rc = folder_read(&file, &expt->folder, name, err);

	if (rc < 0)
		return rc;
	return log_parse(log, expt, name, file.bytes, file.size, err);
}

/* Messages of later tools and users' notes are optional, so a failure to read them is
 * only damage. */
static int read_warnings(struct expt_log *log, struct expt *expt, struct expt_error *err)
{
	struct expt_error inner;
	int rc = read_file(log, expt, WARNINGS_FILE, &inner);

	if (rc == -ENOMEM)
		return expt_fail(err, rc, "cannot read '%s'", WARNINGS_FILE);
	if (rc < 0 && rc != -ENOENT)
		expt_add_damage(expt, "%s", inner.message);
	return 0;
}

/* Kinds of data that gprofng refuses to read are not declared in the log. */
static int read_declarations(struct expt_log *log, struct expt *expt,
			     struct expt_error *err)
{
	static const char *const names[] = {
		METADATA_PREFIX RACE_FILE ".xml",
		METADATA_PREFIX DEADLOCK_FILE ".xml",
		METADATA_PREFIX MPI_FILE ".xml",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct expt_error inner;
		int rc = read_file(log, expt, names[i], &inner);

		if (rc == -ENOMEM)
			return expt_fail(err, rc, "cannot read '%s'", names[i]);
		if (rc < 0 && rc != -ENOENT)
			expt_add_damage(expt, "%s: %s", names[i], strerrordesc_np(-rc));
	}
	return 0;
}

static int read_notes(struct expt_log *log, struct expt *expt, struct expt_error *err)
{
	struct expt_error inner;
	cleanup_fd int fd = folder_file(&expt->folder, NOTES_FILE, &inner);
	char *text;
	ssize_t size;

	if (fd < 0) {
		if (fd == -EIO)
			expt_add_damage(expt, "%s", inner.message);
		else if (fd != -ENOENT)
			expt_add_damage(expt, "%s: %s", NOTES_FILE, strerrordesc_np(-fd));
		return 0;
	}
	text = malloc(NOTES_SIZE_MAX);
	if (!text)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", NOTES_FILE);
	size = io_read_full(fd, text, NOTES_SIZE_MAX);
	if (size < 0)
		expt_add_damage(expt, "%s: %s", NOTES_FILE, strerrordesc_np((int)-size));
	else
		log->notes = arena_text(&log->strings, text, (size_t)size);
	free(text);
	return log->notes ? 0 : expt_fail(err, -ENOMEM, "cannot read '%s'", NOTES_FILE);
}

struct expt_log *log_new(void)
{
	struct expt_log *log = calloc(1, sizeof(*log));

	if (!log)
		return NULL;
	log->notes = "";
	log->info = (struct expt_info){
		.version = "",
		.collector = "",
		.host = "",
		.arch = "",
		.os = "",
		.directory = "",
		.command = "",
		.word_bits = 64,
	};
	return log;
}

static void log_closep(struct expt_log **log)
{
	log_close(*log);
}

int log_read(struct expt_log **out, struct expt *expt, struct expt_error *err)
{
	cleanup(log_closep) struct expt_log *log = log_new();
	int rc;

	if (!log)
		return expt_fail(err, -ENOMEM, "cannot read '%s'", LOG_FILE);
	rc = read_warnings(log, expt, err);
	if (rc < 0)
		return rc;
	rc = read_file(log, expt, LOG_FILE, err);
	if (rc < 0)
		return rc;
	rc = read_declarations(log, expt, err);
	if (rc < 0)
		return rc;
	if (!log->info.has_run)
		expt_add_damage(expt, "%s: no entry for the start of the program",
				LOG_FILE);
	rc = read_notes(log, expt, err);
	if (rc < 0)
		return rc;
	*out = steal(&log);
	return 0;
}

void log_close(struct expt_log *log)
{
	if (!log)
		return;
	array_release(&log->settings);
	array_release(&log->events);
	array_release(&log->profiles);
	array_release(&log->declarations);
	array_release(&log->lengths);
	arena_release(&log->strings);
	free(log);
}

/* ---- lookup ------------------------------------------------------------------------ */

uint64_t log_recorded_length(const struct expt_log *log, const char *file)
{
	for (size_t i = log->lengths.count; i > 0; i--)
		if (strcmp(log->lengths.items[i - 1].file, file) == 0)
			return log->lengths.items[i - 1].bytes;
	return 0;
}

const struct expt_info *expt_info(const struct expt *expt)
{
	return &expt->log->info;
}

size_t expt_setting_count(const struct expt *expt)
{
	return expt->log->settings.count;
}

const struct expt_attribute *expt_setting(const struct expt *expt, size_t i)
{
	return &expt->log->settings.items[i];
}

const char *expt_notes(const struct expt *expt)
{
	return expt->log->notes;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The value of -h is CTR { "," CTR }, where CTR is
 *
 *   ["+" | "-"] NAME { "~" ATTRIBUTE "=" VALUE } ["/" REGISTER] ["," INTERVAL]
 *
 * A comma separates counters as well as intervals, so the word after a name is its
 * interval if it can be one.
 */
#include "collector/counters/counters.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/counters/debug_registers.h"
#include "collector/counters/devices.h"
#include "collector/counters/names.h"
#include "collector/counters/table.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

static int refuse(const char *words, const char *why)
{
	return cli_error("-h %s: %s", words, why) + (CLI_USAGE - CLI_FAILED);
}

#define NO_ADDRESSES "this counter has no data addresses"

bool counter_is_watch(const struct counter *counter)
{
	return counter->type == PERF_TYPE_BREAKPOINT;
}

/* ---- words ---- */

enum rate { RATE_ON, RATE_HIGH, RATE_LOW, RATE_NUMBER };

struct interval {
	enum rate rate;
	uint64_t events; /* RATE_NUMBER */
};

static bool parse_number(uint64_t *number, const char *word)
{
	char *end;

	if (strncmp(word, "0x", 2) != 0)
		return number_u64(number, word);
	errno = 0;
	*number = strtoull(word, &end, 16);
	return errno == 0 && end > word + 2 && *end == '\0';
}

static bool parse_interval(struct interval *interval, const char *word)
{
	static const struct {
		const char *word;
		enum rate rate;
	} rates[] = {
		{ "", RATE_ON },       { "on", RATE_ON },  { "hi", RATE_HIGH },
		{ "high", RATE_HIGH }, { "h", RATE_HIGH }, { "lo", RATE_LOW },
		{ "low", RATE_LOW },
	};

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		if (strcmp(word, rates[i].word) == 0) {
			interval->rate = rates[i].rate;
			return true;
		}
	interval->rate = RATE_NUMBER;
	return parse_number(&interval->events, word);
}

static uint64_t events_of(const struct interval *interval, uint64_t usual)
{
	switch (interval->rate) {
	case RATE_HIGH:
		return usual > 10 ? usual / 10 : 1;
	case RATE_LOW:
		return usual * 10;
	case RATE_NUMBER:
		return interval->events;
	default:
		return usual;
	}
}

/* ---- one counter ---- */

/* Cut off "/REGISTER" after the name. */
static int take_register(struct counter *counter, char *name, const char *words)
{
	char *slash = strchr(name, '/');
	uint64_t reg;

	counter->reg = -1;
	if (!slash)
		return CLI_OK;
	if (!number_u64(&reg, slash + 1) || reg > INT16_MAX)
		return refuse(words, "the part after '/' must be a register number");
	counter->reg = (int)reg;
	*slash = '\0';
	return CLI_OK;
}

static void use_known(struct counter *counter, const struct known_counter *known,
		      const struct interval *interval)
{
	counter->type = known->type;
	counter->config = known->config;
	counter->period = events_of(interval, known->period);
	counter->is_user_only = known->type != PERF_TYPE_SOFTWARE;
	counter->cpu = known_counter_is_hardware(known) ? counter_cpu() : 0;
}

/* Returns NULL, or why the name cannot be encoded. */
static const char *encode(struct counter_code *code, const char *name)
{
	const char *why = counter_names_encode(code, name);
	int rc = why ? counter_devices_encode(code, name) : 0;

	if (rc == -ENOENT)
		return why;
	return rc < 0 ? "it has no such attribute, or not with this value" : NULL;
}

/* A name that is not well known is a code, or a name of libpfm4 or of the kernel. */
static int use_raw(struct counter *counter, const char *name,
		   const struct interval *interval, const char *words)
{
	struct counter_code code = { .type = PERF_TYPE_RAW };
	const char *why = NULL;

	if (!parse_number(&code.config, name))
		why = encode(&code, name);
	if (why)
		return refuse(words, why);
	counter->type = code.type;
	counter->config = code.config;
	counter->config1 = code.config1;
	counter->config2 = code.config2;
	counter->is_user_only = !code.counts_kernel;
	counter->cpu = counter_cpu();
	counter->period = events_of(interval, COUNTER_PERIOD_USUAL);
	free(counter->internal);
	counter->internal = strdup(name);
	return counter->internal ? CLI_OK : cli_error("out of memory");
}

/* Libpfm4 has names for well-known counters, too, and for events without addresses. */
static int want_address(struct counter *counter, const char *words)
{
	const struct known_counter *known =
		known_counter_of(counter->type, counter->config);
	bool is_of_kernel = counter->type == PERF_TYPE_SOFTWARE ||
			    counter->type == PERF_TYPE_TRACEPOINT;

	if (known ? !known->has_address : is_of_kernel)
		return refuse(words, NO_ADDRESSES);
	counter->has_address = true;
	/* Ask for precise samples; the kernel knows which counters of memory accesses
	 * have them. */
	counter->precision = known ? 0 : 2;
	return CLI_OK;
}

/* A counter of time can overflow as often as the kernel's timer fires: the program would
 * hardly make progress. Moving watchpoints takes some 0.1 ms in a virtual machine. */
#define WATCH_PERIOD_MIN_NS 1000000

static uint64_t minimum_of(const struct counter *counter)
{
	bool is_clock = counter->type == PERF_TYPE_SOFTWARE &&
			(counter->config == PERF_COUNT_SW_TASK_CLOCK ||
			 counter->config == PERF_COUNT_SW_CPU_CLOCK);

	if (is_clock)
		return CLOCK_PERIOD_MIN_US * UINT64_C(1000);
	return counter_is_watch(counter) ? WATCH_PERIOD_MIN_NS : 0;
}

static void raise_interval(struct counter *counter, const char *words)
{
	uint64_t minimum = minimum_of(counter);

	if (counter->period >= minimum)
		return;
	cli_warn("-h %s: raised to the minimum of %lu nanoseconds", words,
		 (unsigned long)minimum);
	counter->period = minimum;
}

static int set_up(struct counter *counter, const char *word,
		  const struct interval *interval, const char *words)
{
	bool wants_address = *word == '+';
	cleanup_free char *name = strdup(word + (*word == '+' || *word == '-'));
	const struct known_counter *known;
	int status;

	*counter = (struct counter){ .internal = strdup(""), .reg = -1 };
	if (!name || !counter->internal)
		return cli_error("out of memory");
	if (*word == '-' && *name && name[strspn(name, "0123456789")] == '\0')
		return refuse(words, "the interval must be at least one event");
	if (strpbrk(name, "|;"))
		return refuse(words, "a name cannot contain '|' or ';'");
	counter->name = strdup(name);
	if (!counter->name)
		return cli_error("out of memory");
	status = take_register(counter, name, words);
	if (status != CLI_OK)
		return status;
	if (*name == '\0')
		return refuse(words, "the name of a counter is missing");
	known = known_counter_find(name);
	if (known)
		use_known(counter, known, interval);
	else
		status = use_raw(counter, name, interval, words);
	if (status == CLI_OK && counter->period == 0)
		return refuse(words, "the interval must be at least one event");
	if (status == CLI_OK)
		raise_interval(counter, words);
	if (status == CLI_OK && wants_address)
		status = want_address(counter, words);
	if (status == CLI_OK && !wants_address && counter_is_watch(counter))
		return refuse(words, "this counter needs a '+' before its name");
	return status;
}

/* ---- all of them ---- */

static int check_register(const struct counter_list *list, const char *words)
{
	const struct counter *last = &list->items[list->count - 1];

	for (size_t i = 0; i + 1 < list->count; i++) {
		if (last->reg >= 0 && list->items[i].reg == last->reg)
			return refuse(words, "two counters use the same register");
		if (counter_is_watch(last) && counter_is_watch(&list->items[i]))
			return refuse(words, "memory is already watched");
	}
	return CLI_OK;
}

static int add_counter(struct counter_list *list, const char *word,
		       const struct interval *interval, const char *words)
{
	int status;

	if (list->count == COUNTERS_MAX)
		return refuse(words, "too many counters");
	status = set_up(&list->items[list->count++], word, interval, words);
	return status == CLI_OK ? check_register(list, words) : status;
}

/* Add the default set of counters, at that rate. */
static int add_default(struct counter_list *list, const struct interval *interval,
		       const char *words)
{
	int status = add_counter(list, "cycles", interval, words);

	return status == CLI_OK ? add_counter(list, "insts", interval, words) : status;
}

#define WORDS_MAX (2 * COUNTERS_MAX + 1)

/* Split at commas and blanks. */
static size_t split(char *words[WORDS_MAX], char *list)
{
	size_t count = 0;

	while (list && count < WORDS_MAX)
		words[count++] = strsep(&list, ", ");
	return count;
}

static int add_all(struct counter_list *list, char *copy, const char *words)
{
	char *each[WORDS_MAX];
	size_t count = split(each, copy);
	int status = CLI_OK;

	for (size_t i = 0; i < count && status == CLI_OK; i++) {
		struct interval interval = { .rate = RATE_ON };
		const char *word = each[i];

		if (i + 1 < count && parse_interval(&interval, each[i + 1]))
			i++;
		else
			interval.rate = RATE_ON;
		status = add_counter(list, word, &interval, words);
	}
	return status;
}

int counters_add(struct counter_list *list, const char *words)
{
	cleanup_free char *copy = strdup(words);
	struct interval interval = { .rate = RATE_ON };
	bool is_off = strcmp(words, "off") == 0;

	if (!copy)
		return cli_error("out of memory");
	if (list->is_off || (is_off && list->count > 0))
		return refuse(words, "'off' cannot be combined with counters");
	list->is_off = is_off;
	if (is_off)
		return CLI_OK;
	if (strcmp(words, "auto") == 0 ||
	    (*words && parse_interval(&interval, words) && interval.rate != RATE_NUMBER))
		return add_default(list, &interval, words);
	return add_all(list, copy, words);
}

void counters_release(struct counter_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->items[i].name);
		free(list->items[i].internal);
	}
	*list = (struct counter_list){};
}

/* ---- the kernel's answer ---- */

static int open_counter(const struct counter *counter, int group)
{
	static const char byte;
	struct perf_event_attr event = {
		.size = sizeof(event),
		.type = counter->type,
		.config = counter->config,
		.config1 = counter->config1,
		.config2 = counter->config2,
		.sample_period = counter->period,
		.precise_ip = counter->precision & 3,
		.exclude_kernel = counter->is_user_only,
		.exclude_hv = 1,
		.disabled = group < 0,
	};

	if (counter_is_watch(counter)) {
		event.bp_type = HW_BREAKPOINT_RW;
		event.bp_addr = (uintptr_t)&byte;
		event.bp_len = HW_BREAKPOINT_LEN_1;
		event.sample_period = 1;
	}
	return (int)syscall(SYS_perf_event_open, &event, 0, -1, group,
			    PERF_FLAG_FD_CLOEXEC);
}

int counter_open(struct counter *counter, int group)
{
	int fd = open_counter(counter, group);

	if (fd < 0 && (errno == EACCES || errno == EPERM) && !counter->is_user_only) {
		counter->is_user_only = true;
		fd = open_counter(counter, group);
	}
	return fd;
}

static const char *explain(int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return "this machine has no such counter";
	case EACCES:
	case EPERM:
		return "permission denied: see /proc/sys/kernel/perf_event_paranoid";
	case EBUSY:
	case ENOSPC:
		return "no free register";
	case EOPNOTSUPP:
		return "it can count but not interrupt";
	case EINVAL:
		return "the kernel does not accept these attributes or this interval";
	case ENOSYS:
		return "this kernel does not support counters";
	default:
		return strerrordesc_np(error);
	}
}

/* Returns true if the counter can be opened, but not with precise samples. */
static bool has_no_addresses(const struct counter *counter, int group)
{
	struct counter plain = *counter;
	int fd;

	plain.precision = 0;
	fd = counter->precision > 0 ? counter_open(&plain, group) : -1;
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static const char *explain_open(const struct counter *counter, int group, int error)
{
	if (has_no_addresses(counter, group))
		return NO_ADDRESSES;
	return group >= 0 && error == EINVAL
		       ? "it cannot be combined with the other counters"
		       : explain(error);
}

/* Open hardware counters as one group, which the kernel refuses if they do not fit the
 * processor together. */
int counters_check(struct counter_list *list)
{
	int fds[COUNTERS_MAX], leader = -1, status = CLI_OK;
	size_t opened = 0;

	for (; opened < list->count && status == CLI_OK; opened++) {
		struct counter *counter = &list->items[opened];
		bool is_software = counter->type == PERF_TYPE_SOFTWARE ||
				   counter_is_watch(counter);
		int group = is_software ? -1 : leader;
		int fd = counter_open(counter, group);

		fds[opened] = fd;
		if (fd < 0)
			status = cli_error("-h %s: %s", counter->name,
					   explain_open(counter, group, errno));
		else if (counter_is_watch(counter) && debug_registers_are_dead())
			status = cli_error("-h %s: the debug registers of this machine "
					   "stop no program",
					   counter->name);
		else if (!is_software && leader < 0)
			leader = fd;
	}
	while (opened-- > 0)
		if (fds[opened] >= 0)
			close(fds[opened]);
	return status;
}

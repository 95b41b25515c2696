/* SPDX-License-Identifier: Apache-2.0 */
/* The list of -h: the counters that the kernel grants on this machine now. */
#include "collector/counters/list.h"

#include <linux/perf_event.h>
#include <unistd.h>

#include "collector/counters/counters.h"
#include "collector/counters/devices.h"
#include "collector/counters/names.h"
#include "collector/counters/table.h"

static struct counter counter_of(const struct known_counter *known)
{
	return (struct counter){
		.type = known->type,
		.config = known->config,
		.period = known->period,
		.is_user_only = known->type != PERF_TYPE_SOFTWARE,
	};
}

static bool is_available(const struct known_counter *known)
{
	struct counter counter = counter_of(known);
	int fd = counter_open(&counter, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Returns how many events the processor counts at a time: a group grows until the kernel
 * refuses it. Branches have no dedicated register, as cycles and instructions may. */
static size_t count_registers(void)
{
	struct counter counter = counter_of(known_counter_find("branches"));
	int fds[COUNTERS_MAX];
	size_t count = 0, registers;

	while (count < COUNTERS_MAX &&
	       (fds[count] = counter_open(&counter, count > 0 ? fds[0] : -1)) >= 0)
		count++;
	registers = count;
	while (count > 0)
		close(fds[--count]);
	return registers;
}

static void list_limits(FILE *to, size_t registers)
{
	fprintf(to, "At most %d counters can be recorded at a time", COUNTERS_MAX);
	if (registers > 0)
		fprintf(to,
			", %zu of them in registers of the processor.\n"
			"The kernel chooses the registers. Counters with the same "
			"/REGISTER are "
			"refused.\n",
			registers);
	else
		fputs(".\n", to);
	fputs("The number is the interval of 'on': events from one record to the next. "
	      "That of "
	      "'hi'\nis a tenth of it, that of 'lo' ten times as long. [+]: with data "
	      "addresses.\n",
	      to);
}

static void list_known(FILE *to, const struct known_counter *known, size_t registers)
{
	fprintf(to, "    %s%s", known->has_address ? "[+]" : "", known->name);
	if (known_counter_is_hardware(known) && registers > 1)
		fprintf(to, "[/0-%zu]", registers - 1);
	fprintf(to, ",%lu ('%s', ", (unsigned long)known->period, known->title);
	if (known->event)
		fprintf(to, "alias for %s", known->event);
	else if (known->type == PERF_TYPE_BREAKPOINT)
		fputs("estimated with watchpoints, which move after each interval", to);
	else
		fputs("counted by the kernel", to);
	fprintf(to, "; %s)\n", known->unit);
}

void counters_list(FILE *to)
{
	size_t registers = count_registers(), shown = 0;

	list_limits(to, registers);
	fputs("\nWell-known counters:\n", to);
	for (const struct known_counter *known = known_counters; known->name; known++) {
		if (!is_available(known))
			continue;
		list_known(to, known, registers);
		shown++;
	}
	if (shown == 0)
		fputs("    none available on this machine\n", to);
	fputc('\n', to);
	counter_names_list(to);
	counter_devices_list(to);
}

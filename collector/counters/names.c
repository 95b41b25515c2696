/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/counters/names.h"

#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/late.h"
#include "libexpt/base/strbuf.h"

/* clang-format off */
#define FUNCTIONS(F) \
	F(pfm_initialize) F(pfm_get_os_event_encoding) F(pfm_strerror) \
	F(pfm_get_pmu_info) F(pfm_get_event_info) F(pfm_get_event_next)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library libpfm = LATE_LIBRARY(LATE_LIBPFM, functions);

/* Attributes by Sun's names and by libpfm4's; others are passed on unchanged. */
static const struct {
	const char *ours, *theirs;
} attributes[] = {
	{ "user", "u" }, { "system", "k" }, { "edge", "e" },
	{ "inv", "i" },	 { "cmask", "c" },
};

static void add_attribute(struct strbuf *text, const char *attribute, size_t length)
{
	size_t name = strcspn(attribute, "=~");

	/* libpfm4 takes the number of a unit mask without a name. */
	if (name == 5 && strncmp(attribute, "umask", 5) == 0 && name < length) {
		strbuf_printf(text, ":%.*s", (int)(length - 6), attribute + 6);
		return;
	}
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (strlen(attributes[i].ours) == name &&
		    strncmp(attributes[i].ours, attribute, name) == 0) {
			strbuf_printf(text, ":%s%.*s", attributes[i].theirs,
				      (int)(length - name), attribute + name);
			return;
		}
	strbuf_printf(text, ":%.*s", (int)length, attribute);
}

/* Turn "name~umask=0x1~user=1" into "name:0x1:u=1". */
static void translate(struct strbuf *text, const char *name)
{
	size_t length = strcspn(name, "~");

	strbuf_printf(text, "%.*s", (int)length, name);
	for (name += length; *name; name += length) {
		name++;
		length = strcspn(name, "~");
		add_attribute(text, name, length);
	}
}

const char *counter_names_encode(struct counter_code *code, const char *name)
{
	struct perf_event_attr event = { .size = sizeof(event) };
	pfm_perf_encode_arg_t argument = { .attr = &event, .size = sizeof(argument) };
	cleanup_strbuf struct strbuf text = STRBUF_INIT;
	const char *why = late_load(&libpfm);
	int rc;

	if (why)
		return why;
	translate(&text, name);
	if (late_pfm_initialize() != PFM_SUCCESS)
		return "libpfm4 does not know this processor";
	rc = late_pfm_get_os_event_encoding(strbuf_text(&text), PFM_PLM3,
					    PFM_OS_PERF_EVENT, &argument);
	if (rc == PFM_ERR_NOTFOUND || rc == PFM_ERR_NOTSUPP)
		return "this processor has no such counter";
	if (rc != PFM_SUCCESS)
		return late_pfm_strerror(rc);
	*code = (struct counter_code){
		.type = event.type,
		.config = event.config,
		.config1 = event.config1,
		.config2 = event.config2,
		.counts_kernel = !event.exclude_kernel,
	};
	return NULL;
}

/* ---- the list ---- */

static bool has_hardware(void)
{
	struct perf_event_attr event = {
		.size = sizeof(event),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Precise samples of events that count something else have no address. */
static bool has_addresses(const pfm_event_info_t *event)
{
	return event->is_precise && strncmp(event->name, "MEM_", 4) == 0;
}

static void list_unit(FILE *to, pfm_pmu_t unit)
{
	pfm_pmu_info_t about = { .size = sizeof(about) };

	if (late_pfm_get_pmu_info(unit, &about) != PFM_SUCCESS || !about.is_present ||
	    about.type != PFM_PMU_TYPE_CORE)
		return;
	fprintf(to, "Counters of the processor (%s):\n", about.desc);
	for (int i = about.first_event; i != -1; i = late_pfm_get_event_next(i)) {
		pfm_event_info_t event = { .size = sizeof(event) };

		if (late_pfm_get_event_info(i, PFM_OS_PERF_EVENT, &event) == PFM_SUCCESS)
			fprintf(to, "    %s%s,%d ('%s')\n",
				has_addresses(&event) ? "[+]" : "", event.name,
				COUNTER_PERIOD_USUAL, event.desc);
	}
}

void counter_names_list(FILE *to)
{
	if (!has_hardware()) {
		fputs("The kernel supports no counters of this processor.\n", to);
		return;
	}
	if (late_load(&libpfm) || late_pfm_initialize() != PFM_SUCCESS)
		return;
	fputs("Attributes of the following, each after a '~': umask=N or a mask's name, "
	      "user=0|1,\n"
	      "system=0|1, edge=0|1, inv=0|1, cmask=N, and those of libpfm4.\n",
	      to);
	for (pfm_pmu_t unit = PFM_PMU_NONE; unit < PFM_PMU_MAX; unit++)
		list_unit(to, unit);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's own counters that are useful in profiling. Periods are primes, so that
 * sampling does not fall in step with loops, except where every event matters.
 */
#include "collector/counters/table.h"

#include <cpuid.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <string.h>

#define EVENTS "events"

/* clang-format off */
#define HARDWARE(name, title, event, unit, code, period) \
	{ name, title, event, unit,				 \
	  PERF_TYPE_HARDWARE, PERF_COUNT_HW_##code, period, false }
#define CACHE(name, title, event, cache, result, period)		\
	{ name, title, event, EVENTS, PERF_TYPE_HW_CACHE,		\
	  PERF_COUNT_HW_CACHE_##cache |					\
	  PERF_COUNT_HW_CACHE_OP_READ << 8 |				\
	  PERF_COUNT_HW_CACHE_RESULT_##result << 16, period, false }
#define SOFTWARE(name, title, unit, code, period, has_address) \
	{ name, title, NULL, unit,			       \
	  PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##code, period, has_address }
/* clang-format on */

const struct known_counter known_counters[] = {
	HARDWARE("cycles", "CPU Cycles", "cpu-cycles", "CPU cycles", CPU_CYCLES,
		 19999999),
	HARDWARE("insts", "Instructions Executed", "instructions", EVENTS, INSTRUCTIONS,
		 19999999),
	HARDWARE("branches", "Branches", "branch-instructions", EVENTS,
		 BRANCH_INSTRUCTIONS, 2000003),
	HARDWARE("brmispred", "Branch Mispredicts", "branch-misses", EVENTS,
		 BRANCH_MISSES, 200003),
	HARDWARE("llr", "Last-Level Cache References", "cache-references", EVENTS,
		 CACHE_REFERENCES, 1000003),
	HARDWARE("llm", "Last-Level Cache Misses", "cache-misses", EVENTS, CACHE_MISSES,
		 100003),
	CACHE("dcr", "L1 D-cache Refs", "L1-dcache-loads", L1D, ACCESS, 10000019),
	CACHE("dcm", "L1 D-cache Misses", "L1-dcache-load-misses", L1D, MISS, 500009),
	CACHE("dtlbm", "DTLB Misses", "dTLB-load-misses", DTLB, MISS, 100003),
	CACHE("itlbm", "ITLB Misses", "iTLB-load-misses", ITLB, MISS, 100003),
	SOFTWARE("task-clock", "CPU Time in ns", "nanoseconds", TASK_CLOCK, 10007000,
		 false),
	SOFTWARE("cpu-clock", "CPU Time in ns", "nanoseconds", CPU_CLOCK, 10007000,
		 false),
	SOFTWARE("page-faults", "Page Faults", EVENTS, PAGE_FAULTS, 101, true),
	SOFTWARE("minor-faults", "Page Faults without I/O", EVENTS, PAGE_FAULTS_MIN, 101,
		 true),
	SOFTWARE("major-faults", "Page Faults with I/O", EVENTS, PAGE_FAULTS_MAJ, 1,
		 true),
	{ "watch", "Bytes Read or Written", NULL, "nanoseconds", PERF_TYPE_BREAKPOINT, 0,
	  10007000, true },
	SOFTWARE("context-switches", "Context Switches", EVENTS, CONTEXT_SWITCHES, 11,
		 false),
	SOFTWARE("cpu-migrations", "Moves to Another CPU", EVENTS, CPU_MIGRATIONS, 1,
		 false),
	{},
};

const struct known_counter *known_counter_find(const char *name)
{
	for (const struct known_counter *counter = known_counters; counter->name;
	     counter++)
		if (strcmp(counter->name, name) == 0)
			return counter;
	return NULL;
}

const struct known_counter *known_counter_of(uint32_t type, uint64_t config)
{
	for (const struct known_counter *counter = known_counters; counter->name;
	     counter++)
		if (counter->type == type && counter->config == config)
			return counter;
	return NULL;
}

bool known_counter_is_hardware(const struct known_counter *counter)
{
	return counter->type != PERF_TYPE_SOFTWARE &&
	       counter->type != PERF_TYPE_BREAKPOINT;
}

/* ---- the processor ---- */

static int intel(unsigned model)
{
	switch (model) {
	case 0x0f:
	case 0x17:
	case 0x1d:
		return 2028;
	case 0x1a:
	case 0x1e:
	case 0x1f:
	case 0x2e:
		return 2040;
	case 0x25:
	case 0x2c:
	case 0x2f:
		return 2042;
	case 0x2a:
	case 0x2d:
		return 2045;
	case 0x3a:
	case 0x3e:
		return 2047;
	case 0x3c:
	case 0x3f:
	case 0x45:
	case 0x46:
		return 2060;
	case 0x3d:
	case 0x47:
	case 0x4f:
	case 0x56:
		return 2070;
	case 0x4e:
	case 0x5e:
	case 0x55:
	case 0x8e:
	case 0x9e:
		return 2080;
	case 0x6a:
	case 0x6c:
	case 0x7d:
	case 0x7e:
		return 2081;
	default:
		return 2499;
	}
}

static int amd(unsigned family, unsigned model)
{
	switch (family) {
	case 0x0f:
		return 2500;
	case 0x10:
		return 2501;
	case 0x11:
		return 2502;
	case 0x15:
		return 2503;
	case 0x19:
		return (model >= 0x10 && model <= 0x1f) ||
				       (model >= 0x60 && model <= 0xaf)
			       ? 2506
			       : 2505;
	default:
		return 2504;
	}
}

int counter_cpu(void)
{
	unsigned eax, ebx, ecx, edx, family, model;

	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return 0;
	if (ebx != signature_INTEL_ebx && ebx != signature_AMD_ebx)
		return 0;
	bool is_intel = ebx == signature_INTEL_ebx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return 0;
	family = eax >> 8 & 15;
	model = (eax >> 4 & 15) | (eax >> 12 & 0xf0);
	if (family == 15)
		family += eax >> 20 & 255;
	if (is_intel)
		return family == 6 ? intel(model) : 2499;
	return amd(family, model);
}

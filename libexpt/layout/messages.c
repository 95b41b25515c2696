/* SPDX-License-Identifier: Apache-2.0 */
/* Meanings of the numbers of errors, warnings and comments in a log. */
#include <stddef.h>

#include "libexpt/expt.h"

/* clang-format off */
static const char *const errors[] = {
	[0]  = "no error",
	[1]  = "parameter string too long",
	[2]  = "bad experiment directory",
	[3]  = "parameter string malformed",
	[6]  = "bad counter argument",
	[7]  = "experiment directory not writable",
	[8]  = "microstate accounting unavailable",
	[9]  = "clock profiling could not be started",
	[10] = "synchronization tracing could not be started",
	[11] = "counter profiling could not be started",
	[12] = "counters lost to another user",
	[13] = "experiment could not be opened",
	[14] = "size limit reached",
	[15] = "name of the system unknown",
	[16] = "overview file could not be opened",
	[17] = "overview file could not be written",
	[18] = "overview file could not be read",
	[19] = "zero device could not be opened",
	[20] = "zero device could not be mapped",
	[21] = "no free data handle",
	[22] = "file could not be opened",
	[23] = "file could not be resized",
	[24] = "file could not be mapped",
	[25] = "heap tracing could not be started",
	[26] = "SIGPROF dispatcher could not be installed",
	[27] = "interval timer could not be started",
	[28] = "periodic sampling could not be started",
	[29] = "MPI tracing could not be started",
	[30] = "Java profiling could not be started",
	[31] = "following of descendants could not be started",
	[32] = "disk full",
	[33] = "timer could not be reset",
	[34] = "directory could not be created",
	[35] = "Java version too new",
	[36] = "Java version not supported",
	[37] = "no Java call stacks",
	[38] = "file of dynamic code could not be opened",
	[39] = "file of dynamic code could not be written",
	[40] = "map file could not be opened",
	[41] = "address map could not be read",
	[42] = "map file could not be written",
	[43] = "name of a mapping could not be found",
	[44] = "OpenMP tracing could not be started",
	[45] = "duration could not be set",
	[46] = "race detection could not be started",
	[47] = "collector error",
	[48] = "exec failed",
	[49] = "too many threads",
	[50] = "I/O tracing could not be started",
	[51] = "no data recorded",
	[52] = "DTrace failed",
	[53] = "address map could not be positioned",
	[54] = "unexpected value of the founder",
	[55] = "log file could not be opened",
	[56] = "data of threads could not be set up",
	[57] = "utilities could not be set up",
	[58] = "cache of the address map full",
};

static const char *const warnings[] = {
	[0]  = "no warning",
	[1]  = "file system unsuitable for experiments",
	[2]  = "profiling interval rounded",
	[3]  = "size limit",
	[4]  = "SIGPROF handler of the program replaced",
	[5]  = "sample rate adjusted",
	[6]  = "change of the profiling timer by the program ignored",
	[7]  = "period of the profiling timer was changed",
	[8]  = "SIGEMT handler of the program replaced",
	[9]  = "counter library blocked",
	[10] = "vfork replaced by fork",
	[11] = "environment of an exec completed, variables",
	[12] = "sample signal taken by the program",
	[13] = "pause signal taken by the program",
	[14] = "counters not reserved",
	[15] = "old thread library",
	[16] = "attempt to block a collection signal ignored",
	[17] = "program cannot be recorded and is not followed",
	[18] = "following is risky",
	[19] = "user or group id about to change",
	[20] = "Java version too old",
	[21] = "profiling timer of the program overridden",
	[22] = "no Java heap data",
	[23] = "race detection paused",
	[24] = "race detection resumed",
	[25] = "too many threads for race detection",
	[26] = "deprecated call to pause a thread",
	[27] = "warning of collect",
	[28] = "deadlock: program terminated",
	[29] = "deadlock: program terminated with a core file",
	[30] = "deadlock: program continued",
	[31] = "no profile data",
	[32] = "slow file status call",
	[33] = "slow read call",
	[34] = "APIC ids used as CPU ids",
};

static const char *const comments[] = {
	[0]  = "comment",
	[1]  = "initial directory",
	[2]  = "arguments",
	[3]  = "snapshot file",
	[4]  = "fork",
	[5]  = "exec",
	[6]  = "combination of fork and exec",
	[7]  = "snapshot file",
	[8]  = "snapshot file",
	[9]  = "snapshot file",
	[10] = "snapshot file",
	[11] = "snapshot file",
	[12] = "overflow interval of a counter adjusted",
};

static const struct {
	int64_t first;
	const char *const *texts;
	size_t count;
} ranges[] = {
	{ 0, errors, sizeof(errors) / sizeof(*errors) },
	{ 200, warnings, sizeof(warnings) / sizeof(*warnings) },
	{ 400, comments, sizeof(comments) / sizeof(*comments) },
};
/* clang-format on */

const char *expt_message_text(int64_t id)
{
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		if (id >= ranges[i].first &&
		    (uint64_t)(id - ranges[i].first) < ranges[i].count)
			return ranges[i].texts[id - ranges[i].first];
	return NULL;
}

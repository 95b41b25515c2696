/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/files/limits.h"

#include <errno.h>

#include "collector/common/log_text.h"
#include "collector/files/files.h"
#include "collector/files/log.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "libexpt/format.h"

static _Atomic bool is_full;
static _Atomic int lost; /* why a store into a file of the experiment failed */
static _Atomic uint64_t bytes_handed_out;

static void report_limit(void)
{
	char buffer[96];
	struct text message = TEXT_ON(buffer);

	log_header_limit(&message, collector_now() - process.start_ns);
	log_message("cwarn", EXPT_WARNING_SIZE_LIMIT, buffer, 0);
}

bool collector_is_full(size_t size)
{
	if (settings.limit_bytes == 0)
		return false;
	if (atomic_fetch_add(&bytes_handed_out, size) + size <= settings.limit_bytes)
		return false;
	if (!atomic_exchange(&is_full, true))
		report_limit();
	return true;
}

bool collector_has_room(size_t size)
{
	size_t limit = settings.limit_bytes, used = atomic_load(&bytes_handed_out);

	if (limit == 0)
		return true;
	do
		if (used > limit || size > limit - used)
			return false;
	while (!atomic_compare_exchange_weak(&bytes_handed_out, &used, used + size));
	return true;
}

void collector_stop(int message, int error)
{
	int expected = COLLECTOR_ON;

	if (atomic_compare_exchange_strong(&process.state, &expected, COLLECTOR_STOPPED))
		log_message("cerror", message, "recording stops", error);
}

bool collector_absorb_fault(uintptr_t address)
{
	int expected = COLLECTOR_ON, none = 0;
	int error = output_absorb_fault(&files.frames, address);

	if (error == 0)
		error = output_absorb_fault(&files.log, address);
	if (error == 0)
		error = output_absorb_fault(&files.map, address);
	for (size_t i = 0; i < DATA_COUNT && error == 0; i++)
		error = output_absorb_fault(&files.data[i], address);
	if (error == 0)
		return false;
	atomic_compare_exchange_strong(&process.state, &expected, COLLECTOR_STOPPED);
	atomic_compare_exchange_strong(&lost, &none, error);
	return true;
}

void limits_report(void)
{
	if (atomic_load(&lost) == EBADF)
		log_message("cerror", EXPT_ERROR_FILE_MAP, "a file was truncated", 0);
	else if (atomic_load(&lost) != 0)
		log_message("cerror", EXPT_ERROR_FILE_RESIZE, "recording stops",
			    atomic_load(&lost));
}

void limits_forget(void)
{
	atomic_store(&is_full, false);
	atomic_store(&lost, 0);
	atomic_store(&bytes_handed_out, 0);
}

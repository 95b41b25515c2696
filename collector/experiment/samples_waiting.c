/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/experiment/samples_waiting.h"

#include "collector/base/memory.h"

MEMORY_APART static struct overview_record records[SAMPLES_WAITING_MAX];
static unsigned count;

void samples_waiting_put(unsigned number, const struct overview_record *record)
{
	records[number] = *record;
	count = number + 1;
}

const char *samples_waiting(size_t *length)
{
	*length = count * sizeof(records[0]);
	return (const char *)records;
}

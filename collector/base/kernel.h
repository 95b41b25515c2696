/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_KERNEL_H
#define COLLECTOR_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/* Is the running kernel older than Linux MAJOR.MINOR? */
bool kernel_is_before(uint64_t major, uint64_t minor);

#endif

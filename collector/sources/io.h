/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: calls on descriptors and streams. */
#ifndef COLLECTOR_SOURCES_IO_H
#define COLLECTOR_SOURCES_IO_H

#include <stdint.h>

#include "collector/files/source.h"

extern const struct data_source io_source;

/* Descriptors whose files this recording knows: it has seen them opened, or has asked for
 * their names. A bit each, for those below IO_KNOWN_MAX. */
#define IO_KNOWN_MAX 65536
extern _Atomic uint64_t io_known[IO_KNOWN_MAX / 64]
	__attribute__((visibility("default")));

#endif

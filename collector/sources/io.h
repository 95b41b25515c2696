/* SPDX-License-Identifier: Apache-2.0 */
/* I/O tracing: calls on descriptors and streams. */
#ifndef COLLECTOR_SOURCES_IO_H
#define COLLECTOR_SOURCES_IO_H

#include "collector/files/source.h"

extern const struct data_source io_source;

#endif

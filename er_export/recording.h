/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of perf record, which a program of the installation imports. */
#ifndef ER_EXPORT_RECORDING_H
#define ER_EXPORT_RECORDING_H

#include "er_export/options.h"

/* Returns whether the file is a recording. */
bool is_recording(const char *path);
/* Returns a status, after a message. */
int import_recording(const struct options *options, const char *path);

#endif

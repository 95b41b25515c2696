/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, checks and imports single bundles; the functions return the status for exit. */
#ifndef ER_EXPORT_BUNDLE_H
#define ER_EXPORT_BUNDLE_H

#include "er_export/options.h"

int list_bundle(const struct options *options, const char *path);
int check_bundle(const struct options *options, const char *path);
int import_bundle(const struct options *options, const char *path);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What is done with one bundle; the status for exit. */
#ifndef ER_EXPORT_BUNDLE_H
#define ER_EXPORT_BUNDLE_H

#include "er_export/options.h"

int list_bundle(const struct options *options, const char *path);
int check_bundle(const struct options *options, const char *path);
int import_bundle(const struct options *options, const char *path);

#endif

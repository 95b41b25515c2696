/* SPDX-License-Identifier: Apache-2.0 */
/* Where Java machines found their classes, as they tell it. */
#ifndef LIBEXPT_ARCHIVES_CLASS_LOCATION_H
#define LIBEXPT_ARCHIVES_CLASS_LOCATION_H

#include <stddef.h>

#include "libexpt/base/strbuf.h"

/* Add the path of the jar or class file. A location is
 * "jar:file:/x/y.jar!/pkg/Name.class", "file:/x/y.jar", "/x/y.jar", or the directory of
 * class files; the class is "Lpkg/Name;". Those of the Java machine itself are in
 * "jrt:/", which is added as it is. */
void class_location_path(struct strbuf *path, const char *location, size_t length,
			 const char *class_name, size_t class_length);

#endif

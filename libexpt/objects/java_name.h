/* SPDX-License-Identifier: Apache-2.0 */
/* Names of classes and types in Java, from those of the machine. */
#ifndef LIBEXPT_OBJECTS_JAVA_NAME_H
#define LIBEXPT_OBJECTS_JAVA_NAME_H

#include <stddef.h>

#include "libexpt/base/strbuf.h"

/* Add "pkg.Cell" for "pkg/Cell". */
void java_name_add_class(struct strbuf *name, const char *path, size_t length);
/* Add "(int, java.lang.String[])" for "(I[Ljava/lang/String;)V"; nothing if that is
 * malformed. */
void java_name_add_arguments(struct strbuf *name, const char *signature);

#endif

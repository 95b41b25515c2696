/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of the parts that a compiler moved out of a function, and of its specialised
 * copies: f.cold, f.part.0, f.constprop.0.isra.0. Other suffixes only tell functions of
 * one name apart: f.lto_priv.0, f.llvm.123.
 */
#ifndef LIBEXPT_NAMES_OUTLINED_H
#define LIBEXPT_NAMES_OUTLINED_H

#include <stddef.h>

/* Returns the length of the function's name in the name of its part; 0: it is not a
 * part. */
size_t outlined_function_length(const char *name);
/* Returns the length without suffixes of any kind. */
size_t outlined_plain_length(const char *name, size_t length);

#endif

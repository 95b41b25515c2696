/* SPDX-License-Identifier: Apache-2.0 */
/* How the library says what went wrong; see struct expt_error in expt.h. */
#ifndef LIBEXPT_COMMON_ERROR_H
#define LIBEXPT_COMMON_ERROR_H

#include "libexpt/expt.h"

/* Describe a failure once, where most is known. All return code, a negative errno value.
 */

/* The system has failed: ": " and strerror's text for the code follow the words. */
int expt_fail(struct expt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* We do not go on: the words say why, and the code is for callers only. */
int expt_refuse(struct expt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Put what only the caller knows in front of what err says already: "'x' is not ...:
 * <message>". */
int expt_fail_in(struct expt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The name rule, which expt_name_is_experiment() knows, is broken: return code. */
int expt_fail_name(struct expt_error *err, int code, const char *path);

/* late_load() with its reason: -ELIBACC. */
struct late_library;
int expt_load(struct late_library *library, struct expt_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of failures: see struct expt_error in expt.h. */
#ifndef LIBEXPT_COMMON_ERROR_H
#define LIBEXPT_COMMON_ERROR_H

#include "libexpt/expt.h"

/* Describe a failure once, where most is known about it. All return code, a negative
 * errno. */

/* Describe a failure of the system: ": " and strerror's text for the code are
 * appended. */
int expt_fail(struct expt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Describe a refusal: the message gives the reason, and the code is for callers only. */
int expt_refuse(struct expt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Put what only the caller knows in front of the message in err: "'x' is not ...:
 * <message>". */
int expt_fail_in(struct expt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Describe a violation of the naming rule of expt_name_is_experiment(), and return
 * code. */
int expt_fail_name(struct expt_error *err, int code, const char *path);

/* Call late_load(), and describe its failure: -ELIBACC. */
struct late_library;
int expt_load(struct late_library *library, struct expt_error *err);

#endif

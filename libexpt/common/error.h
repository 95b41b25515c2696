/* SPDX-License-Identifier: Apache-2.0 */
/* How the library says what went wrong; see struct expt_error in expt.h. */
#ifndef LIBEXPT_ERROR_H
#define LIBEXPT_ERROR_H

#include "libexpt/expt.h"

/* Describe the failure once, where most is known, and return code. A code other than -EBADMSG,
 * -EINVAL, -EPERM, -ENOTSUP and -EBUSY, whose words are in the format, adds ": " and strerror's text; so does
 * a format that begins with "cannot ", where those come from the system. */
int expt_fail(struct expt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Put what only the caller knows in front of what err says already: "'x' is not ...: <message>". */
int expt_fail_in(struct expt_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The name rule, which expt_name_is_experiment() knows, is broken: return code. */
int expt_fail_name(struct expt_error *err, int code, const char *path);

/* late_load() with its reason: -ELIBACC. */
struct late_library;
int expt_load(struct late_library *library, struct expt_error *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/common/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/late.h"
#include "libexpt/format.h"

static void describe(struct expt_error *err, int code, const char *format,
		     va_list arguments)
{
	err->code = code;
	vsnprintf(err->message, sizeof(err->message), format, arguments);
}

static void append(struct expt_error *err, const char *text)
{
	size_t length = strlen(err->message);

	snprintf(err->message + length, sizeof(err->message) - length, ": %s", text);
}

int expt_fail(struct expt_error *err, int code, const char *format, ...)
{
	/* strerrordesc_np needs no buffer and no lock, unlike strerror. */
	const char *reason = strerrordesc_np(-code);
	va_list arguments;

	if (!err)
		return code;
	va_start(arguments, format);
	describe(err, code, format, arguments);
	va_end(arguments);
	append(err, reason ? reason : "unknown error");
	return code;
}

int expt_refuse(struct expt_error *err, int code, const char *format, ...)
{
	va_list arguments;

	if (!err)
		return code;
	va_start(arguments, format);
	describe(err, code, format, arguments);
	va_end(arguments);
	return code;
}

int expt_fail_in(struct expt_error *err, int code, const char *format, ...)
{
	char inner[sizeof(err->message)];
	va_list arguments;

	if (!err)
		return code;
	memcpy(inner, err->message, sizeof(inner));
	va_start(arguments, format);
	describe(err, code, format, arguments);
	va_end(arguments);
	append(err, inner);
	return code;
}

int expt_fail_name(struct expt_error *err, int code, const char *path)
{
	return expt_refuse(err, code,
			   "'%s' is not an experiment: its name does not end in '%s'",
			   path, EXPERIMENT_SUFFIX);
}

int expt_load(struct late_library *library, struct expt_error *err)
{
	const char *why = late_load(library);

	return why ? expt_refuse(err, -ELIBACC, "%s", why) : 0;
}

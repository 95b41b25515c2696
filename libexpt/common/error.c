/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/common/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "libexpt/base/late.h"
#include "libexpt/format.h"

/* The same codes come from the system, too, for what could not be done. */
static bool says_it_all(int code, const char *format)
{
	return (code == -EBADMSG || code == -EINVAL || code == -EPERM || code == -ENOTSUP ||
		code == -EBUSY || code == -ELIBACC || code == -ETIMEDOUT) &&
	       strncmp(format, "cannot ", strlen("cannot ")) != 0;
}

int expt_fail(struct expt_error *err, int code, const char *format, ...)
{
	va_list arguments;
	size_t length;

	if (!err)
		return code;
	err->code = code;
	va_start(arguments, format);
	vsnprintf(err->message, sizeof(err->message), format, arguments);
	va_end(arguments);
	if (says_it_all(code, format))
		return code;
	length = strlen(err->message);
	/* strerrordesc_np needs no buffer and no lock, unlike strerror. */
	snprintf(err->message + length, sizeof(err->message) - length, ": %s",
		 strerrordesc_np(-code) ? strerrordesc_np(-code) : "unknown error");
	return code;
}

int expt_fail_in(struct expt_error *err, int code, const char *format, ...)
{
	char inner[sizeof(err->message)];
	va_list arguments;
	size_t length;

	if (!err)
		return code;
	memcpy(inner, err->message, sizeof(inner));
	err->code = code;
	va_start(arguments, format);
	vsnprintf(err->message, sizeof(err->message), format, arguments);
	va_end(arguments);
	length = strlen(err->message);
	snprintf(err->message + length, sizeof(err->message) - length, ": %.*s",
		 (int)sizeof(inner) - 1, inner);
	return code;
}

int expt_fail_name(struct expt_error *err, int code, const char *path)
{
	return expt_fail(err, code,
			 "'%s' is not an experiment: its name does not end in '%s'", path,
			 EXPERIMENT_SUFFIX);
}

int expt_load(struct late_library *library, struct expt_error *err)
{
	const char *why = late_load(library);

	return why ? expt_fail(err, -ELIBACC, "%s", why) : 0;
}

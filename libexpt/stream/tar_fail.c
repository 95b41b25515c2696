/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/stream/tar_fail.h"

#include <ctype.h>
#include <errno.h>

#include "libexpt/common/error.h"

int tar_fail(const char *text, const struct expt_error *inner, int code,
	     struct expt_error *err)
{
	if (inner->code < 0) {
		if (err)
			*err = *inner;
		return inner->code;
	}
	if (!text || !*text)
		text = "the archive is damaged or truncated";
	if (code == -EBADMSG)
		return expt_refuse(err, code, "%c%s", tolower((unsigned char)*text),
				   text + 1);
	return expt_fail(err, code, "%c%s", tolower((unsigned char)*text), text + 1);
}

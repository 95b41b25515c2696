/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/base/kernel.h"

#include <sys/utsname.h>

#include "collector/base/system.h"
#include "collector/base/text.h"

bool kernel_is_before(uint64_t major, uint64_t minor)
{
	struct utsname name = { 0 };
	const char *at = name.release;
	uint64_t own_major, own_minor = 0;

	system_call(SYS_uname, (long)&name, 0, 0, 0, 0, 0);
	own_major = text_parse_decimal(at, &at);
	if (*at == '.')
		own_minor = text_parse_decimal(at + 1, &at);
	return own_major < major || (own_major == major && own_minor < minor);
}

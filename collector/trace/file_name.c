/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/trace/file_name.h"

#include "collector/base/system.h"
#include "collector/base/text.h"
#include "collector/process/guard.h"

size_t trace_file_name(int fd, char *name, size_t size)
{
	char link[sizeof("/proc/self/fd/") + 20];
	struct text text = TEXT_ON(link);
	long length;

	if (collector_is_frozen())
		return 0;
	text_add(&text, "/proc/self/fd/");
	text_add_decimal(&text, fd);
	length = system_call(SYS_readlinkat, AT_FDCWD, (long)link, (long)name, (long)size,
			     0, 0);
	return length > 0 && *name == '/' ? (size_t)length : 0;
}

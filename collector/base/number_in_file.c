/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/base/number_in_file.h"

#include <fcntl.h>
#include <string.h>

#include "collector/base/system.h"
#include "collector/base/text.h"

uint64_t number_in_file(const char *path, const char *word)
{
	char buffer[2048];
	int fd = sys_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t length = fd < 0 ? -1 : sys_read(fd, buffer, sizeof(buffer) - 1);
	const char *at;

	if (fd >= 0)
		sys_close(fd);
	if (length <= 0)
		return 0;
	buffer[length] = '\0';
	at = strstr(buffer, word);
	if (!at)
		return 0;
	at += strlen(word);
	while (*at == ' ' || *at == '\t' || *at == ':')
		at++;
	return text_parse_decimal(at, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inject/libraries.h"

#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"

int libraries_visit(const char *libraries, int (*visit)(void *with, const char *path),
		    void *with)
{
	int status = CLI_OK;

	while (*libraries && status == CLI_OK) {
		size_t length = strcspn(libraries, " ");
		cleanup_free char *path = strndup(libraries, length);

		status = path ? visit(with, path) : cli_error("out of memory");
		libraries += length + (libraries[length] != '\0');
	}
	return status;
}

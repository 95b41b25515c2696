/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the new names of moved experiments into the groups that name them. */
#include "libexpt/cli/transfer/private.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"

int cli_check_groups(const struct cli_transfer *transfer)
{
	for (size_t i = 0; i < transfer->groups.count; i++) {
		const char *path = transfer->groups.items[i];
		struct expt_group *group;
		struct expt_error err;

		if (expt_group_open(&group, path, &err) < 0)
			return cli_failed(&err);
		expt_group_close(group);
		if (access(path, W_OK) < 0)
			return cli_error("cannot change '%s': %s", path, strerror(errno));
	}
	return CLI_OK;
}

int cli_rename_in_groups(const struct cli_transfer *transfer, const char *from,
			 const char *to)
{
	int lines = 0;

	for (size_t i = 0; i < transfer->groups.count; i++) {
		const char *group = transfer->groups.items[i];
		struct expt_error err;
		int rc = expt_group_rename(group, from, to, &err);

		if (rc > 0 && transfer->is_verbose)
			cli_say("updated '%s': it now names '%s'", group, to);
		if (rc < 0) {
			cli_error("moved '%s' to '%s', but: %s", from, to, err.message);
			return -1;
		}
		lines += rc;
	}
	return lines;
}

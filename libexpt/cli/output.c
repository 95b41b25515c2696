/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "libexpt/cli/cli.h"
#include "libexpt/expt.h"

static int cannot_write(const char *name, int number)
{
	return cli_error("cannot write '%s': %s", name, strerrordesc_np(number));
}

/* Fill the open output. Returns 0 if all of it was written. */
static int fill_output(int *status, const struct expt_output *output, output_fill *fill,
		       void *context)
{
	int fd = fcntl(expt_output_fd(output), F_DUPFD_CLOEXEC, 0), rc = 0;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file)
		return -errno;
	*status = fill(context, file);
	if (ferror(file))
		rc = errno ? -errno : -EIO;
	if (fclose(file) != 0 && rc == 0)
		rc = -errno;
	return rc;
}

/* Damaged experiments do not keep the output from appearing, with the rest. */
static int write_file(const char *name, bool replace, output_fill *fill, void *context)
{
	struct expt_output *output;
	int status = CLI_OK, rc;
	struct expt_error err;

	if (expt_output_open(&output, name, replace, &err) < 0)
		return cli_failed(&err);
	rc = fill_output(&status, output, fill, context);
	if (rc < 0)
		status = cannot_write(name, -rc);
	else if (status == OUTPUT_REFUSED)
		status = CLI_FAILED;
	else if (expt_output_commit(output, &err) < 0)
		status = cli_failed(&err);
	expt_output_close(output);
	return status;
}

int output_write(const char *name, bool replace, output_fill *fill, void *context)
{
	int status;

	if (name)
		return write_file(name, replace, fill, context);
	status = fill(context, stdout);
	return cli_finish(status == OUTPUT_REFUSED ? CLI_FAILED : status);
}

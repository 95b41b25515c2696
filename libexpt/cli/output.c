/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/io.h"
#include "libexpt/cli/cli.h"
#include "libexpt/expt.h"

#define BUFFER_SIZE (64 << 10)

static int cannot_write(const char *name, int number)
{
	return cli_error("cannot write '%s': %s", name, strerrordesc_np(number));
}

/* A stream keeps no reason of an error, and errno is another one's when it is noticed. */
struct sink {
	int fd, error;
};

static ssize_t put(void *cookie, const char *bytes, size_t length)
{
	struct sink *sink = cookie;

	if (sink->error == 0 && io_write_all(sink->fd, bytes, length) < 0)
		sink->error = errno;
	return sink->error == 0 ? (ssize_t)length : 0;
}

/* Fill the file at a descriptor. Returns 0 if all of it was written. */
static int fill_file(int *status, int fd, output_fill *fill, void *context)
{
	struct sink sink = { .fd = fd };
	FILE *file = fopencookie(&sink, "w", (cookie_io_functions_t){ .write = put });

	if (!file)
		return -ENOMEM;
	setvbuf(file, NULL, _IOFBF, BUFFER_SIZE);
	*status = fill(context, file);
	fclose(file);
	return -sink.error;
}

/* Damaged experiments do not keep the output from appearing, with the rest. */
static int write_file(const char *name, bool replace, output_fill *fill, void *context)
{
	struct expt_output *output;
	int status = CLI_OK, rc;
	struct expt_error err;

	if (expt_output_open(&output, name, replace, &err) < 0)
		return cli_failed(&err);
	rc = fill_file(&status, expt_output_fd(output), fill, context);
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
	int status = CLI_OK, rc;

	if (name)
		return write_file(name, replace, fill, context);
	rc = fill_file(&status, STDOUT_FILENO, fill, context);
	if (rc < 0)
		return cli_write_error(-rc);
	return status == OUTPUT_REFUSED ? CLI_FAILED : status;
}

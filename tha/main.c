/* SPDX-License-Identifier: Apache-2.0 */
/* tha - show what threads do to each other: er_print with the right commands */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/options.h"

static const char synopsis[] = "usage: tha [-d] [--races] [--deadlocks] EXPERIMENT...\n"
			       "       tha -V\n";

struct options {
	bool has_details, races_only, deadlocks_only;
};

static const struct cli_option table[] = {
	{ 'd', "detail", NULL, "show the call stacks as well",
	  CLI_FLAG(struct options, has_details) },
	{ 0, "races", NULL, "show races only", CLI_FLAG(struct options, races_only) },
	{ 0, "deadlocks", NULL, "show deadlocks only",
	  CLI_FLAG(struct options, deadlocks_only) },
	{},
};
static const struct cli_option *const tables[] = { table, NULL };

/* Returns the path of the program beside this one. */
static bool find_reader(char path[PATH_MAX])
{
	static const char name[] = "er_print";
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *slash;

	if (length < 0)
		return false;
	path[length] = '\0';
	slash = strrchr(path, '/');
	if (!slash || (size_t)(slash + 1 - path) + sizeof(name) > PATH_MAX)
		return false;
	memcpy(slash + 1, name, sizeof(name));
	return true;
}

/* Add a command of er_print: the list, or the details of all that is in it. */
static char **add_command(char **word, bool has_details, const char *list,
			  const char *detail)
{
	*word++ = (char *)(has_details ? detail : list);
	if (has_details)
		*word++ = (char *)"all";
	return word;
}

/* Returns only if that is not possible. */
static int run_reader(const struct options *options, int count, char *operands[])
{
	bool has_both = options->races_only == options->deadlocks_only;
	cleanup_free char **words = calloc((size_t)count + 6, sizeof(*words));
	char path[PATH_MAX], **word = words;

	if (!words)
		return cli_error("out of memory");
	if (!find_reader(path))
		return cli_error("cannot locate er_print: %s", strerrordesc_np(errno));
	*word++ = path;
	if (has_both || options->races_only)
		word = add_command(word, options->has_details, "-races", "-rdetail");
	if (has_both || options->deadlocks_only)
		word = add_command(word, options->has_details, "-deadlocks", "-ddetail");
	memcpy(word, operands, (size_t)count * sizeof(*words));
	execv(path, words);
	return cli_error("cannot run '%s': %s", path, strerrordesc_np(errno));
}

int main(int argc, char *argv[])
{
	struct options options = {};
	const struct cli_command command = {
		.synopsis = synopsis,
		.tables = tables,
		.options = &options,
	};
	int status;

	cli_start(argv, NULL);
	status = cli_options(&command, argc, argv);
	if (status >= 0)
		return status;
	if (optind == argc)
		return cli_options_usage(&command);
	return run_reader(&options, argc - optind, argv + optind);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * erkit-perf - make an experiment of a recording of perf record
 *
 * er_import starts it, under its own name, with its options and one file.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/base/system.h"
#include "collector/kernel/objects.h"
#include "collector/outside/walk.h"
#include "collector/perf/command.h"
#include "collector/perf/replay.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/options.h"
#include "libexpt/cli/stop.h"
#include "libexpt/format.h"

#define DATA_SUFFIX   ".data"
#define BYTES_MAX     (UINT64_C(256) << 30) /* as of bundles */
#define BYTES_ANY     (UINT64_C(2) << 30)
#define EXPANSION_MAX 1000
#define ENTRIES_MAX   1000000

/* ---- options ---- */

struct options {
	const char *output, *directory;
	bool replace, rename, is_dry_run, is_verbose, is_quiet;
	uint64_t max_bytes, max_expansion, max_entries;
};

static int take_max_bytes(void *options, const char *value)
{
	return number_size(&((struct options *)options)->max_bytes, value) ? CLI_OK
									   : CLI_USAGE;
}

static const struct cli_option rows[] = {
	{ 'o', "output", " NAME.er", "", CLI_TEXT(struct options, output) },
	{ 'C', "directory", " DIR", "", CLI_TEXT(struct options, directory) },
	{ 'f', "force", NULL, "", CLI_FLAG(struct options, replace) },
	{ 0, "rename", NULL, "", CLI_FLAG(struct options, rename) },
	{ 'n', "dry-run", NULL, "", CLI_FLAG(struct options, is_dry_run) },
	{ 'v', "verbose", NULL, "", CLI_FLAG(struct options, is_verbose) },
	{ 'q', "quiet", NULL, "", CLI_FLAG(struct options, is_quiet) },
	{ 0, "max-bytes", "=SIZE", "", .take = take_max_bytes },
	{ 0, "max-expansion", "=N", "",
	  CLI_NUMBER(struct options, max_expansion, UINT32_MAX) },
	{ 0, "max-entries", "=N", "",
	  CLI_NUMBER(struct options, max_entries, UINT32_MAX) },
	{},
};
static const struct cli_option *const tables[] = { rows, NULL };

/* ---- the name ---- */

static char *default_name(const char *path)
{
	const char *base = path_base(path);
	size_t length = strlen(base);
	char *name;

	if (length > strlen(DATA_SUFFIX) && text_ends_with(base, DATA_SUFFIX))
		length -= strlen(DATA_SUFFIX);
	return asprintf(&name, "%.*s.1" EXPERIMENT_SUFFIX, (int)length, base) < 0 ? NULL
										  : name;
}

/* Returns the path below the directory of -C. */
static char *place(const struct options *options, const char *name)
{
	char *path;

	if (!options->directory || name[0] == '/')
		return strdup(name);
	return asprintf(&path, "%s/%s", options->directory, name) < 0 ? NULL : path;
}

/* Move on to the next free number. */
static int next_name(char **path)
{
	cleanup_free char *former = *path, *directory = NULL;
	const char *base = path_base(former);
	char next[NAME_MAX + 1];
	cleanup_fd int fd = -1;
	struct expt_error err;

	*path = NULL;
	directory = base == former ? strdup(".")
				   : strndup(former, (size_t)(base - former));
	fd = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd < 0)
		return cli_error("cannot open '%s': %s", former, strerrordesc_np(errno));
	if (expt_name_next(next, sizeof(next), fd, base, &err) < 0)
		return cli_failed(&err);
	if (asprintf(path, "%.*s%s", (int)(base - former), former, next) < 0) {
		*path = NULL;
		return cli_error("out of memory");
	}
	return CLI_OK;
}

static int choose_name(char **path, const struct options *options, const char *operand)
{
	cleanup_free char *name = options->output ? strdup(options->output)
						  : default_name(operand);
	struct stat status;

	*path = name ? place(options, name) : NULL;
	if (!*path)
		return cli_error("out of memory");
	(*path)[path_length(*path)] = '\0';
	if (options->replace || lstat(*path, &status) < 0 ||
	    (options->output && !options->rename))
		return CLI_OK;
	return next_name(path);
}

/* ---- the import ---- */

struct import {
	const struct options *options;
	struct recording recording;
	struct features features;
	struct records records;
	struct images images;
	struct kernel_code kernel;
	struct files files;
	struct plan plan;
	struct experiments experiments;
	char *source, *command, *lost;
	int archives;
};

static int find_records(struct import *import, const char *path, int directory)
{
	if (recording_open(&import->recording, path) != CLI_OK ||
	    features_read(&import->features, &import->recording) != CLI_OK ||
	    records_read(&import->records, &import->recording, directory,
			 cli_stop_flag()) != CLI_OK ||
	    images_find(&import->images, &import->records) != CLI_OK)
		return CLI_FAILED;
	return plan_make(&import->plan, &import->recording);
}

/* The wall's time at the start, in seconds: by a moment that perf noted by both clocks,
 * or else the file was written last at the end. */
static int64_t start_seconds(const struct import *import)
{
	const struct features *features = &import->features;
	int64_t start = (int64_t)import->images.start_ns;
	int64_t wall = (int64_t)import->recording.modified_ns;

	if (features->has_clock)
		wall = (int64_t)(features->wall_ns - features->clock_ns) + start;
	else
		wall -= (int64_t)import->images.end_ns - start;
	return wall / (int64_t)NS_PER_SECOND;
}

static void add_warning(struct experiments *experiments, const char *text)
{
	size_t i = 0;

	while (experiments->warnings[i])
		i++;
	experiments->warnings[i] = text;
}

static void prepare(struct import *import)
{
	struct experiments *experiments = &import->experiments;
	const struct features *features = &import->features;
	const struct options *options = import->options;
	uint64_t most = UINT64_MAX;

	if (import->recording.size < UINT64_MAX / options->max_expansion)
		most = import->recording.size * options->max_expansion;
	most = most < BYTES_ANY ? BYTES_ANY : most;
	*experiments = (struct experiments){
		.directory = -1,
		.images = &import->images,
		.features = features,
		.plan = &import->plan,
		.kernel = &import->kernel,
		.command = import->command,
		.source = import->source,
		.start_seconds = start_seconds(import),
		.most = most < options->max_bytes ? most : options->max_bytes,
		.most_made = options->max_entries,
	};
	snprintf(experiments->os, sizeof(experiments->os), "Linux %s",
		 features->release ? features->release : "");
	if (import->records.lost > 0)
		add_warning(experiments, import->lost);
	if (import->recording.is_unfinished)
		add_warning(experiments, "perf record did not end: records are missing");
}

static int describe(struct import *import, const char *path)
{
	const struct features *features = &import->features;

	import->command = command_of(features, import->images.founder);
	import->source = command_source(features, path);
	if (!import->command || !import->source ||
	    asprintf(&import->lost, "the kernel lost %llu records",
		     (unsigned long long)import->records.lost) < 0) {
		import->lost = NULL;
		return cli_error("out of memory");
	}
	return CLI_OK;
}

static void warn(const struct import *import)
{
	if (import->options->is_quiet)
		return;
	for (size_t i = 0; import->experiments.warnings[i]; i++)
		cli_warn("'%s': %s", import->recording.path,
			 import->experiments.warnings[i]);
	if (import->images.unknown > 0)
		cli_warn("'%s': %llu samples belong to no event", import->recording.path,
			 (unsigned long long)import->images.unknown);
	if (import->kernel.is_used && !import->kernel.is_running)
		cli_warn("'%s': the functions of the kernel are unknown: it is not the "
			 "one that runs here",
			 import->recording.path);
	else if (import->kernel.is_used && import->kernel.symbols.are_hidden)
		cli_warn("'%s': the functions of the kernel are unknown: "
			 "/proc/kallsyms shows them to root only",
			 import->recording.path);
}

static int write_kernel(struct import *import)
{
	cleanup_fd int archives = -1;
	int rc;

	if (mkdirat(import->experiments.directory, ARCHIVES_DIR, DIRECTORY_MODE) < 0)
		return cli_error("cannot make an archive: %s", strerrordesc_np(errno));
	archives = openat(import->experiments.directory, ARCHIVES_DIR,
			  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	rc = archives < 0 ? -errno : objects_write(&import->kernel.symbols, archives);
	return rc == 0 ? CLI_OK
		       : cli_error("cannot write the functions of the kernel: %s",
				   strerrordesc_np(-rc));
}

static int write_all(struct import *import)
{
	int rc = kernel_code_open(&import->kernel, &import->images, &import->features);
	int status;

	if (rc < 0)
		return cli_error("cannot read the functions of the kernel: %s",
				 strerrordesc_np(-rc));
	import->files = (struct files){ .recording = &import->recording,
					.features = &import->features,
					.has_vdso = import->kernel.is_running };
	status = replay(&import->experiments, &import->records, &import->files);
	return status == CLI_OK ? write_kernel(import) : status;
}

static int make(struct import *import, const char *operand, const char *path)
{
	struct expt_creation *creation = NULL;
	struct expt_error err;
	int status;

	if (!import->options->is_dry_run &&
	    expt_creation_open(&creation, path, import->options->replace, &err) < 0)
		return cli_failed(&err);
	status = find_records(import, operand,
			      creation ? expt_creation_dir(creation) : -1);
	if (status == CLI_OK)
		status = describe(import, operand);
	if (status == CLI_OK)
		prepare(import);
	if (status == CLI_OK && creation) {
		import->experiments.directory = expt_creation_dir(creation);
		status = write_all(import);
	}
	if (status == CLI_OK)
		warn(import);
	if (status == CLI_OK && creation && expt_creation_commit(creation, &err) < 0)
		status = cli_failed(&err);
	expt_creation_close(creation);
	return status;
}

static void release(struct import *import)
{
	kernel_code_release(&import->kernel);
	files_release(&import->files);
	images_release(&import->images);
	records_release(&import->records);
	plan_release(&import->plan);
	features_release(&import->features);
	recording_close(&import->recording);
	free(import->source);
	free(import->command);
	free(import->lost);
}

static int act(const struct options *options, const char *operand)
{
	struct import import = { .options = options,
				 .recording.fd = -1,
				 .recording.spool = -1 };
	cleanup_free char *path = NULL;
	int status = choose_name(&path, options, operand);

	if (status == CLI_OK)
		status = make(&import, operand, path);
	if (status == CLI_OK && (options->is_verbose || options->is_dry_run))
		cli_say("unpacked '%s'", path);
	release(&import);
	return status;
}

int main(int argc, char *argv[])
{
	struct options options = { .max_bytes = BYTES_MAX,
				   .max_expansion = EXPANSION_MAX,
				   .max_entries = ENTRIES_MAX };
	const struct cli_command command = {
		.synopsis = "usage: erkit-perf [options of er_import] FILE\n",
		.tables = tables,
		.options = &options,
	};
	int status;

	/* er_import ends, and so do we. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	cli_start(argv, NULL);
	status = cli_options(&command, argc, argv);
	if (status >= 0)
		return status;
	if (argc - optind != 1)
		return cli_options_usage(&command);
	cli_stop_flag();
	signal(SIGXFSZ, SIG_IGN);
	walk_init();
	status = act(&options, argv[optind]);
	cli_stop_if_asked();
	return cli_finish(status);
}

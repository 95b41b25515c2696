/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/bundle.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "er_export/recording.h"
#include "libexpt/cli/stop.h"

static void print_member(const struct expt_bundle_member *member)
{
	static const char bits[] = "rwxrwxrwx";
	time_t seconds = (time_t)member->mtime;
	char mode[sizeof(bits)], date[64] = "?";
	struct tm local;

	for (int i = 0; i < 9; i++)
		mode[i] = member->mode & (0400u >> i) ? bits[i] : '-';
	mode[9] = '\0';
	if (localtime_r(&seconds, &local))
		strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &local);
	printf("%c%s %12llu %s ", member->type == 'f' ? '-' : member->type, mode,
	       (unsigned long long)member->size, date);
	cli_put_escaped(stdout, member->name);
	if (member->target) {
		printf(" -> ");
		cli_put_escaped(stdout, member->target);
	}
	putchar('\n');
}

/* Members are lines of stdout, which may be the terminal that shows progress. */
static int print_members(struct expt_bundle *bundle, struct expt_error *err)
{
	struct expt_bundle_member member;
	int rc;

	while ((rc = expt_bundle_next(bundle, &member, err)) > 0) {
		cli_progress_hide();
		print_member(&member);
	}
	return rc;
}

int list_bundle(const struct options *options, const char *path)
{
	struct expt_import_options reading = options->from;
	struct expt_bundle *bundle;
	struct expt_error err;
	int rc;

	reading.operation.progress =
		cli_progress_begin(when_to_show_progress(options), path);
	rc = expt_bundle_open(&bundle, path, &reading, &err);
	if (rc == 0) {
		rc = print_members(bundle, &err);
		expt_bundle_close(bundle);
	}
	cli_progress_end(rc >= 0);
	return rc < 0 ? cli_failed(&err) : CLI_OK;
}

int check_bundle(const struct options *options, const char *path)
{
	struct expt_import_options reading = options->from;
	struct expt_error err;
	int rc;

	reading.operation.report = expt_report_new();
	if (!reading.operation.report)
		return cli_error("out of memory");
	reading.operation.progress =
		cli_progress_begin(when_to_show_progress(options), path);
	rc = expt_bundle_differs(path, &reading, &err);
	cli_progress_end(rc >= 0);
	if (rc < 0)
		cli_failed(&err);
	else
		rc = cli_report(reading.operation.report, options->is_verbose,
				options->is_quiet);
	expt_report_free(reading.operation.report);
	return rc ? CLI_FAILED : CLI_OK;
}

int import_bundle(const struct options *options, const char *path)
{
	struct expt_import_options from = options->from;
	struct expt_error err;
	struct stat file;
	int rc, status;

	if (strcmp(path, "-") != 0 && is_recording(path)) {
		status = import_recording(options, path);
		cli_stop_if_asked();
		return status;
	}
	if (options->output)
		return cli_error("'%s' is not a recording of perf: -o has no meaning, "
				 "use -C or --rename",
				 path);
	from.operation.report = expt_report_new();
	if (!from.operation.report)
		return cli_error("out of memory");
	/* While the program waits for a pipe, signals must end it directly; the next
	 * import cleans up. */
	if (strcmp(path, "-") != 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode))
		from.operation.stop = cli_stop_flag();
	from.operation.progress =
		cli_progress_begin(when_to_show_progress(options), path);
	rc = expt_import(strcmp(path, "-") == 0 ? NULL : path, STDIN_FILENO, &from, &err);
	cli_progress_end(rc >= 0);
	status = cli_report(from.operation.report,
			    options->is_verbose || from.operation.dry_run,
			    options->is_quiet);
	expt_report_free(from.operation.report);
	if (rc < 0)
		status = cli_failed(&err);
	cli_stop_if_asked();
	return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* er_export - put experiments into one file; er_import, the same program by another name, takes them
 * out again */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "er_export/text.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"
#include "libexpt/expt.h"

static const char export_usage[] =
	"usage: er_export [options] [-o FILE] EXPERIMENT-OR-GROUP...\n"
	"       er_export --text [-f] [-o FILE] EXPERIMENT-OR-GROUP...\n"
	"       er_export -l FILE... | --check FILE...\n"
	"       er_export --import [options] FILE...\n"
	"  -o, --output FILE   one bundle of all operands; '-' is the standard output\n"
	"                      (default: NAME.er.tar.zst here, one for each)\n"
	"      --text          write the recorded data as text, not as a bundle\n"
	"  -l, --list          list what is in bundles\n"
	"      --check         compare bundles with their manifests\n"
	"      --import        unpack bundles, as er_import does\n"
	"  -a MODE             load objects to take along that are not archived yet:\n"
	"                      off, on (descriptions), copy (default), usedcopy\n"
	"      --no-archives   leave the archives out\n"
	"  -z zstd|none        compression (default: by the name of FILE, else zstd)\n"
	"      --level N       of compression, 1 to 19 (default: 3)\n"
	"      --threads N     threads to compress with (default: as many as useful)\n"
	"  -f, --force         replace an existing FILE\n"
	"  -n, --dry-run       show what would be exported, write nothing\n"
	"  -v, --verbose       one line for each experiment\n"
	"  -q, --quiet         no warnings\n"
	"  -V, --version       print the version\n"
	"      --help          print this text\n";

static const char import_usage[] =
	"usage: er_import [options] FILE...\n"
	"  FILE is a bundle made by er_export or a tarball of an experiment; '-' is\n"
	"  the standard input\n"
	"  -C, --directory DIR   unpack there instead of here\n"
	"  -f, --force           replace experiments that have the names\n"
	"      --rename          take the next number where a name is taken\n"
	"      --max-bytes SIZE  refuse what unpacks to more (default: 256G, and 1000\n"
	"                        times the size of FILE beyond the first 256M)\n"
	"      --max-entries N   refuse what has more members (default: 1000000)\n"
	"      --threads N       threads to decompress with\n"
	"  -n, --dry-run         check everything, write nothing\n"
	"  -v, --verbose         one line for each experiment\n"
	"  -q, --quiet           no warnings\n"
	"  -V, --version         print the version\n"
	"      --help            print this text\n";

enum action { EXPORT, TEXT, LIST, CHECK, IMPORT };

struct options {
	enum action action;
	const char *output, *compression;
	bool is_verbose, is_quiet;
	struct expt_export_options to;
	struct expt_import_options from;
};

enum long_only {
	OPTION_CHECK = 256,
	OPTION_IMPORT,
	OPTION_TEXT,
	OPTION_NO_ARCHIVES,
	OPTION_LEVEL,
	OPTION_THREADS,
	OPTION_RENAME,
	OPTION_MAX_BYTES,
	OPTION_MAX_ENTRIES,
	OPTION_HELP,
};

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "list", no_argument, NULL, 'l' },
	{ "check", no_argument, NULL, OPTION_CHECK },
	{ "import", no_argument, NULL, OPTION_IMPORT },
	{ "text", no_argument, NULL, OPTION_TEXT },
	{ "no-archives", no_argument, NULL, OPTION_NO_ARCHIVES },
	{ "level", required_argument, NULL, OPTION_LEVEL },
	{ "threads", required_argument, NULL, OPTION_THREADS },
	{ "directory", required_argument, NULL, 'C' },
	{ "rename", no_argument, NULL, OPTION_RENAME },
	{ "max-bytes", required_argument, NULL, OPTION_MAX_BYTES },
	{ "max-entries", required_argument, NULL, OPTION_MAX_ENTRIES },
	{ "force", no_argument, NULL, 'f' },
	{ "dry-run", no_argument, NULL, 'n' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, OPTION_HELP },
	{},
};

static const char *usage_of(enum action action)
{
	return action == IMPORT ? import_usage : export_usage;
}

/* ---- options ---- */

static int bad_value(const char *option, const char *value)
{
	cli_error("'%s' is not a value for %s", value, option);
	return CLI_USAGE;
}

static int parse_number(uint64_t *number, const char *option, const char *value,
			uint64_t max)
{
	return number_u64(number, value) && *number > 0 && *number <= max
		       ? CLI_OK
		       : bad_value(option, value);
}

static int parse_mode(struct options *options, const char *word)
{
	struct expt_error err;

	if (expt_archive_mode(&options->to.mode, word, &err) == 0)
		return CLI_OK;
	cli_failed(&err);
	return CLI_USAGE;
}

/* The options that have values which may be wrong. */
static int parse_value(struct options *options, int option, const char *value)
{
	uint64_t number = 0;
	int rc = CLI_OK;

	switch (option) {
	case 'a':
		return parse_mode(options, value);
	case OPTION_LEVEL:
		rc = parse_number(&number, "--level", value, 19);
		options->to.level = (int)number;
		break;
	case OPTION_THREADS:
		rc = parse_number(&number, "--threads", value, 64);
		options->to.threads = options->from.threads = (unsigned)number;
		break;
	case OPTION_MAX_ENTRIES:
		rc = parse_number(&options->from.max_entries, "--max-entries", value,
				  UINT32_MAX - 1);
		break;
	case OPTION_MAX_BYTES:
		if (!number_size(&options->from.max_bytes, value) ||
		    options->from.max_bytes == 0)
			rc = bad_value("--max-bytes", value);
		break;
	}
	return rc;
}

static int parse_option(struct options *options, int option, const char *value)
{
	switch (option) {
	case 'o':
		options->output = value;
		return CLI_OK;
	case 'l':
		options->action = LIST;
		return CLI_OK;
	case OPTION_CHECK:
		options->action = CHECK;
		return CLI_OK;
	case OPTION_IMPORT:
		options->action = IMPORT;
		return CLI_OK;
	case OPTION_TEXT:
		options->action = TEXT;
		return CLI_OK;
	case OPTION_NO_ARCHIVES:
		options->to.without_archives = true;
		return CLI_OK;
	case OPTION_RENAME:
		options->from.rename = true;
		return CLI_OK;
	case 'z':
		options->compression = value;
		return CLI_OK;
	case 'C':
		options->from.directory = value;
		return CLI_OK;
	case 'f':
		options->to.force = options->from.force = true;
		return CLI_OK;
	case 'n':
		options->to.dry_run = options->from.dry_run = true;
		return CLI_OK;
	case 'v':
		options->is_verbose = true;
		return CLI_OK;
	case 'q':
		options->is_quiet = true;
		return CLI_OK;
	case '?':
		return cli_usage(usage_of(options->action));
	default:
		return parse_value(options, option, value);
	}
}

/* What -z says, else what the output is called. */
static int choose_compression(struct options *options)
{
	static const char *const later[] = { ".gz", ".tgz", ".xz", ".txz" };
	const char *name = options->output ? options->output : "";

	if (options->compression) {
		if (strcmp(options->compression, "none") == 0)
			options->to.level = -1;
		else if (strcmp(options->compression, "zstd") != 0)
			return bad_value("-z", options->compression);
		return CLI_OK;
	}
	for (size_t i = 0; i < sizeof later / sizeof *later; i++)
		if (text_ends_with(name, later[i])) {
			cli_error("cannot write '%s': only zstd and none are available, "
				  "say which with -z",
				  name);
			return CLI_USAGE;
		}
	if (text_ends_with(name, ".tar"))
		options->to.level = -1;
	return CLI_OK;
}

static int parse_options(struct options *options, int argc, char *argv[])
{
	int option, rc;

	*options = (struct options){ .to.mode = EXPT_ARCHIVE_COPY };
	if (strcmp(cli_program(), "er_import") == 0)
		options->action = IMPORT;
	while ((option = getopt_long(argc, argv, "o:lC:a:z:fnvqV", long_options, NULL)) !=
	       -1) {
		if (option == 'V')
			exit(cli_version());
		if (option == OPTION_HELP)
			exit(cli_help(usage_of(options->action)));
		rc = parse_option(options, option, optarg);
		if (rc != CLI_OK)
			return rc;
	}
	if (optind == argc)
		return cli_usage(usage_of(options->action));
	return options->action == EXPORT ? choose_compression(options) : CLI_OK;
}

/* ---- export ---- */

static int export_all(const struct options *options, char *operands[], int count,
		      const char *path)
{
	struct expt_export_options to = options->to;
	struct expt_error err;
	int rc, status;

	to.report = expt_report_new();
	if (!to.report)
		return cli_error("out of memory");
	rc = expt_export((const char *const *)operands, (size_t)count, path,
			 STDOUT_FILENO, &to, &err);
	status = path || to.dry_run
			 ? cli_report(to.report, options->is_verbose || to.dry_run,
				      options->is_quiet)
			 : cli_report(to.report, false, options->is_quiet);
	expt_report_free(to.report);
	return rc < 0 ? cli_failed(&err) : status;
}

/* "dir/test.1.er/" to "test.1.er.tar.zst". */
static char *default_output(const struct options *options, const char *operand)
{
	const char *suffix = options->to.level < 0 ? ".tar" : ".tar.zst";
	size_t length;
	const char *last = path_last(operand, &length);
	char *name;

	return asprintf(&name, "%.*s%s", (int)length, last, suffix) < 0 ? NULL : name;
}

static int export_each(const struct options *options, char *operands[], int count)
{
	int status = CLI_OK;

	for (int i = 0; i < count; i++) {
		char *name = default_output(options, operands[i]);

		if (!name)
			return cli_error("out of memory");
		if (export_all(options, &operands[i], 1, name) != CLI_OK)
			status = CLI_FAILED;
		free(name);
	}
	return status;
}

static int export(const struct options *options, char *operands[], int count)
{
	bool is_stdout = options->output && strcmp(options->output, "-") == 0;

	if (!options->output)
		return export_each(options, operands, count);
	if (is_stdout && isatty(STDOUT_FILENO) && !options->to.dry_run) {
		cli_error("the standard output is a terminal");
		return CLI_USAGE;
	}
	return export_all(options, operands, count, is_stdout ? NULL : options->output);
}

static int text(const struct options *options, char *operands[], int count)
{
	bool is_file = options->output && strcmp(options->output, "-") != 0;

	return export_text(operands, count, is_file ? options->output : NULL,
			   options->to.force);
}

/* ---- bundles ---- */

/* Names come from somebody: nothing in them may act on the terminal. */
static void print_name(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < 0x20 || *name == 0x7f)
			printf("\\%03o", (unsigned char)*name);
		else
			putchar(*name);
}

static void print_member(const struct expt_bundle_member *member)
{
	static const char bits[] = "rwxrwxrwx";
	time_t seconds = (time_t)member->mtime;
	char mode[sizeof bits], date[64] = "?";
	struct tm local;

	for (int i = 0; i < 9; i++)
		mode[i] = member->mode & (0400u >> i) ? bits[i] : '-';
	mode[9] = '\0';
	if (localtime_r(&seconds, &local))
		strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
	printf("%c%s %12llu %s ", member->type == 'f' ? '-' : member->type, mode,
	       (unsigned long long)member->size, date);
	print_name(member->name);
	if (member->target) {
		printf(" -> ");
		print_name(member->target);
	}
	putchar('\n');
}

static int list(const struct options *options, const char *path)
{
	struct expt_bundle_member member;
	struct expt_bundle *bundle;
	struct expt_error err;
	int rc = expt_bundle_open(&bundle, path, &err);

	if (rc < 0)
		return cli_failed(&err);
	while ((rc = expt_bundle_next(bundle, &member, &err)) > 0)
		print_member(&member);
	expt_bundle_close(bundle);
	if (rc < 0)
		return cli_failed(&err);
	return CLI_OK;
}

static int check(const struct options *options, const char *path)
{
	struct expt_report *report = expt_report_new();
	struct expt_error err;
	int rc;

	if (!report)
		return cli_error("out of memory");
	rc = expt_bundle_check(path, report, &err);
	if (rc < 0)
		cli_failed(&err);
	else
		rc = cli_report(report, options->is_verbose, options->is_quiet);
	expt_report_free(report);
	return rc ? CLI_FAILED : CLI_OK;
}

static int import(const struct options *options, const char *path)
{
	struct expt_import_options from = options->from;
	struct expt_error err;
	struct stat file;
	int rc, status;

	from.report = expt_report_new();
	if (!from.report)
		return cli_error("out of memory");
	/* Who waits for a pipe must be free to die; the next import clears up behind him. */
	if (strcmp(path, "-") != 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode))
		from.stop = cli_stop_flag();
	rc = expt_import(strcmp(path, "-") == 0 ? NULL : path, STDIN_FILENO, &from, &err);
	status = cli_report(from.report, options->is_verbose || from.dry_run,
			    options->is_quiet);
	expt_report_free(from.report);
	if (rc < 0)
		status = cli_failed(&err);
	cli_stop_if_asked();
	return status;
}

int main(int argc, char *argv[])
{
	static int (*const actions[])(const struct options *, const char *) = {
		[LIST] = list,
		[CHECK] = check,
		[IMPORT] = import,
	};
	struct options options;
	int status;

	cli_start(argv, strstr(argv[0] ? argv[0] : "", "er_import") ? import_usage
								    : export_usage);
	status = parse_options(&options, argc, argv);
	if (status != CLI_OK)
		return status;
	if (options.action == EXPORT)
		return cli_finish(export(&options, argv + optind, argc - optind));
	if (options.action == TEXT)
		return text(&options, argv + optind, argc - optind); /* checks its output */
	for (int i = optind; i < argc; i++)
		if (actions[options.action](&options, argv[i]) != CLI_OK)
			status = CLI_FAILED;
	return cli_finish(status);
}

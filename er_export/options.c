/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/options.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "er_export/formats/formats.h"
#include "libexpt/base/number.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/options.h"

#define THREADS_MAX 64

static const char export_synopsis[] =
	"usage: er_export [options] [-o FILE] EXPERIMENT-OR-GROUP...\n"
	"       er_export --text [options] [-f] [-o FILE] EXPERIMENT-GROUP-OR-BUNDLE...\n"
	"       er_export --format=FORMAT [--metric=METRIC,...] [-f] [-o FILE]\n"
	"                 EXPERIMENT-GROUP-OR-BUNDLE...\n"
	"       er_export -l FILE... | --check FILE...\n"
	"       er_export --import [options of er_import] FILE...\n"
	"       er_export -V\n";
static const char import_synopsis[] = "usage: er_import [options] FILE...\n"
				      "       er_import -V\n"
				      "FILE is a bundle made by er_export, a tarball "
				      "of experiments, or a recording of\n"
				      "perf record; '-' is the standard input.\n";

/* ---- compression ---- */

static const struct method {
	const char *name;
	enum expt_compression compression;
	int level_max;
	const char *suffix;
	const char *also[3]; /* other suffixes of such files */
} methods[] = {
	{ "zstd", EXPT_COMPRESSION_ZSTD, 19, ".tar.zst", { ".tzst", ".zst" } },
	{ "gzip", EXPT_COMPRESSION_GZIP, 9, ".tar.gz", { ".tgz", ".gz" } },
	{ "xz", EXPT_COMPRESSION_XZ, 9, ".tar.xz", { ".txz", ".xz" } },
	{ "none", EXPT_COMPRESSION_NONE, 0, ".tar", { ".tar" } },
};
enum { METHODS = sizeof(methods) / sizeof(*methods) };

static bool names_method(const struct method *method, const char *file)
{
	for (size_t i = 0; i < sizeof(method->also) / sizeof(*method->also); i++)
		if (method->also[i] && text_ends_with(file, method->also[i]))
			return true;
	return text_ends_with(file, method->suffix);
}

/* Choose by -z, else by the name of the output, else zstd. */
static const struct method *choose_method(const struct options *options)
{
	for (size_t i = 0; i < METHODS; i++)
		if (options->has_compression
			    ? methods[i].compression == options->to.compression
			    : options->output &&
				      names_method(&methods[i], options->output))
			return &methods[i];
	return &methods[0];
}

static int choose_compression(struct options *options)
{
	const struct method *method = choose_method(options);

	options->to.compression = method->compression;
	options->suffix = method->suffix;
	if (options->to.level > method->level_max) {
		cli_error("invalid compression level for %s: %d", method->name,
			  options->to.level);
		return CLI_USAGE;
	}
	return -1;
}

/* ---- values ---- */

static int bad_value(const char *option, const char *value)
{
	cli_error("invalid argument '%s' for %s", value, option);
	return CLI_USAGE;
}

static int take_mode(void *options, const char *value)
{
	struct expt_error err;

	if (expt_archive_mode(&((struct options *)options)->to.mode, value, &err) == 0)
		return CLI_OK;
	cli_failed(&err);
	return CLI_USAGE;
}

static int take_method(void *context, const char *value)
{
	struct options *options = context;

	for (size_t i = 0; i < METHODS; i++)
		if (strcmp(methods[i].name, value) == 0) {
			options->to.compression = methods[i].compression;
			options->has_compression = true;
			return CLI_OK;
		}
	return bad_value("-z", value);
}

static int take_max_bytes(void *options, const char *value)
{
	uint64_t *bytes = &((struct options *)options)->from.max_bytes;

	return number_size(bytes, value) && *bytes > 0 ? CLI_OK
						       : bad_value("--max-bytes", value);
}

/* ---- text ---- */

static const struct {
	const char *word;
	unsigned kind;
} kinds[] = {
	{ "notes", TEXT_NOTES },   { "log", TEXT_LOG },
	{ "map", TEXT_MAP },	   { "samples", TEXT_SAMPLES },
	{ "profile", EXPT_CLOCK }, { "hwc", EXPT_HWC },
	{ "heap", EXPT_HEAP },	   { "sync", EXPT_SYNC },
	{ "io", EXPT_IO },	   { "omp", EXPT_OMP },
	{ "races", EXPT_RACE },	   { "deadlocks", EXPT_DEADLOCK },
	{ "mpi", EXPT_MPI },	   { "jclasses", TEXT_CLASSES },
};

static bool add_kind(unsigned *wanted, const char *word, size_t length)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strlen(kinds[i].word) == length &&
		    memcmp(kinds[i].word, word, length) == 0) {
			*wanted |= 1u << kinds[i].kind;
			return true;
		}
	return false;
}

static int take_kinds(void *context, const char *value)
{
	struct options *options = context;

	for (const char *word = value;;) {
		size_t length = strcspn(word, ",");

		if (!add_kind(&options->text.kinds, word, length))
			return bad_value("--only", value);
		if (!word[length])
			return CLI_OK;
		word += length + 1;
	}
}

/* What --format means depends on --text, which may follow it. */
static int check_format(struct options *options)
{
	const char *format = options->format;

	if (!format)
		return -1;
	options->text.is_json = strcmp(format, "json") == 0;
	if (options->is_text ? options->text.is_json || strcmp(format, "text") == 0
			     : format_find(format) != NULL)
		return -1;
	return bad_value("--format", format);
}

/* ---- tables ---- */

enum { EXPORT = 1, TEXT = 2, LIST = 4, CHECK = 8, IMPORT = 16, VIEWER = 32 };
enum { READING = TEXT | LIST | CHECK | IMPORT | VIEWER };

static const char *const modes[] = { "making bundles", "--text",   "--list", "--check",
				     "--import",       "--format", NULL };

static const struct cli_option actions[] = {
	{ 'o', "output", " FILE",
	  "write one bundle with all operands; '-' is standard output\n(default: one "
	  "NAME.er.tar.zst for each, here)",
	  CLI_TEXT(struct options, output), .modes = EXPORT | TEXT | VIEWER | IMPORT },
	{ 0, "text", NULL, "write the recorded data as text instead of a bundle",
	  CLI_FLAG(struct options, is_text), .modes = TEXT, .selects_mode = true },
	{ 0, "only", "=KIND,...",
	  "write only these parts: notes, log, map, samples, profile,\nhwc, heap, sync, "
	  "io, omp, races, deadlocks, mpi, jclasses",
	  .take = take_kinds, .modes = TEXT },
	{ 0, "format", "=FORMAT",
	  "write for other programs: pprof, collapsed,\nspeedscope, firefox, chrome, "
	  "callgrind, csv or json;\nwith --text, text or json (one object for each "
	  "record)",
	  CLI_TEXT(struct options, format), .modes = TEXT | VIEWER,
	  .selects_mode = true },
	{ 0, "metric", "=METRIC,...",
	  "write these metrics, as er_print names them (default:\nwhat the format can "
	  "show)",
	  CLI_TEXT(struct options, viewer.metrics), .modes = VIEWER },
	{ 'l', "list", NULL, "list the contents of bundles",
	  CLI_FLAG(struct options, is_list), .modes = LIST, .selects_mode = true },
	{ 0, "check", NULL, "compare bundles with their manifests",
	  CLI_FLAG(struct options, is_check), .modes = CHECK, .selects_mode = true },
	{ 0, "import", NULL, "unpack bundles, like er_import",
	  CLI_FLAG(struct options, is_import), .modes = IMPORT, .selects_mode = true },
	{},
};
static const struct cli_option contents[] = {
	{ 'a', NULL, " MODE",
	  "archive load objects in the bundle with this mode of\ner_archive (default: "
	  "copy)",
	  .take = take_mode, .modes = EXPORT },
	{ 0, "no-archives", NULL, "leave out the archives",
	  CLI_FLAG(struct options, to.without_archives), .modes = EXPORT },
	{ 0, "no-sources", NULL, "leave out archived sources",
	  CLI_FLAG(struct options, to.without_sources), .modes = EXPORT },
	{ 0, "no-descendants", NULL, "leave out descendants",
	  CLI_FLAG(struct options, to.without_descendants), .modes = EXPORT },
	{ 0, "anonymize", NULL,
	  "replace host, user and working directory in logs and\nnotes, but not the "
	  "names of load objects",
	  CLI_FLAG(struct options, to.anonymize), .modes = EXPORT },
	{ 'z', NULL, " METHOD",
	  "compress with zstd, gzip, xz or none (default: by the\nname of FILE, else "
	  "zstd)",
	  .take = take_method, .modes = EXPORT },
	{ 0, "level", "=N", "compression level: 1 to 19 for zstd, 1 to 9 for gzip and xz",
	  CLI_NUMBER(struct options, to.level, 19), .modes = EXPORT },
	{ 'f', "force", NULL, "replace an existing FILE, or experiments (--import)",
	  CLI_FLAG(struct options, force), .modes = EXPORT | TEXT | IMPORT | VIEWER },
	{},
};
static const struct cli_option naming[] = {
	{ 'o', "output", " NAME.er",
	  "name of the experiment of a recording of perf\n(default: perf.1.er for "
	  "perf.data, or the next free number)",
	  CLI_TEXT(struct options, output) },
	{},
};
static const struct cli_option replacing[] = {
	{ 'f', "force", NULL, "replace existing experiments",
	  CLI_FLAG(struct options, force) },
	{},
};
static const struct cli_option importing[] = {
	{ 'C', "directory", " DIR", "unpack into DIR",
	  CLI_TEXT(struct options, from.directory), .modes = IMPORT },
	{ 0, "rename", NULL, "use the next free number if a name exists",
	  CLI_FLAG(struct options, from.rename), .modes = IMPORT },
	{ 0, "into", "=FOUNDER",
	  "make ranks of an MPI job descendants of this experiment",
	  CLI_TEXT(struct options, from.into), .modes = IMPORT },
	{ 0, "verify", NULL,
	  "read everything back before it appears, and refuse bundles\nwithout a "
	  "manifest",
	  CLI_FLAG(struct options, from.verify), .modes = IMPORT },
	{ 0, "max-bytes", "=SIZE", "refuse more unpacked data (default: 256G)",
	  .take = take_max_bytes, .modes = READING },
	{ 0, "max-entries", "=N", "refuse more members (default: 1000000)",
	  CLI_NUMBER(struct options, from.max_entries, UINT32_MAX - 1),
	  .modes = READING },
	{ 0, "max-depth", "=N", "refuse deeper directories (default: 64)",
	  CLI_NUMBER(struct options, from.max_depth, 1000),
	  .modes = READING & ~(unsigned)LIST },
	{ 0, "max-expansion", "=N",
	  "refuse data above 2G that expand to more than N times\nthe size of FILE "
	  "(default: 1000)",
	  CLI_NUMBER(struct options, from.max_expansion, UINT32_MAX), .modes = READING },
	{},
};
static const struct cli_option running[] = {
	{ 0, "threads", "=N",
	  "work with N threads (default: one per processor, at\nmost 8)",
	  CLI_NUMBER(struct options, operation.threads, THREADS_MAX),
	  .modes = EXPORT | IMPORT },
	{ 'n', "dry-run", NULL, "show what would be done, write nothing",
	  CLI_FLAG(struct options, operation.dry_run), .modes = EXPORT | IMPORT },
	{ 'v', "verbose", NULL, "print a line for each experiment",
	  CLI_FLAG(struct options, is_verbose) },
	CLI_QUIET(struct options, is_quiet),
	CLI_PROGRESS(struct options, shows_progress),
	{},
};
static const struct cli_option *const export_tables[] = { actions, contents, importing,
							  running, NULL };
static const struct cli_option *const import_tables[] = { naming, importing, replacing,
							  running, NULL };

/* Copy what several actions share to the options of each. */
static void hand_out(struct options *options)
{
	options->to.replace = options->from.replace = options->force;
	options->to.operation = options->from.operation = options->operation;
	options->text.reading = options->from;
	options->text.progress = when_to_show_progress(options);
	options->viewer.format = options->format;
	options->viewer.replace = options->force;
	options->viewer.is_quiet = options->is_quiet;
	options->viewer.reading = options->from;
	options->viewer.progress = when_to_show_progress(options);
}

int parse_options(struct options *options, int argc, char *argv[])
{
	bool is_import = strcmp(cli_program(), "er_import") == 0;
	struct cli_command command = {
		.synopsis = is_import ? import_synopsis : export_synopsis,
		.tables = is_import ? import_tables : export_tables,
		.options = options,
		.modes = modes,
		.mode = is_import ? IMPORT : EXPORT,
	};
	int status;

	*options =
		(struct options){ .is_import = is_import, .to.mode = EXPT_ARCHIVE_COPY };
	status = cli_options(&command, argc, argv);
	if (status >= 0)
		return status;
	if (optind == argc)
		return cli_options_usage(&command);
	if (options->from.into && (options->from.directory || options->from.rename)) {
		cli_error("--into excludes -C and --rename");
		return CLI_USAGE;
	}
	status = check_format(options);
	if (status >= 0)
		return status;
	hand_out(options);
	return choose_compression(options);
}

enum cli_progress when_to_show_progress(const struct options *options)
{
	return cli_progress_mode(options->is_quiet || options->operation.dry_run,
				 options->shows_progress);
}

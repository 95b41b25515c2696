/* SPDX-License-Identifier: Apache-2.0 */
/* Parses options by tables. Rows are numbered through all tables. For a long name,
 * getopt_long() returns LONG plus the row's number, so that a row needs no letter. */
#include "libexpt/cli/options.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"

#define LONG	    256 /* above all letters */
#define HELP_COLUMN 26

/* Rows that follow those of the program. */
static const struct cli_option common_rows[] = {
	{ .letter = 'V', .name = "version", .help = "print the version and exit" },
	{ .name = "help", .help = "print this help and exit" },
};

/* Arguments of getopt_long(), made from the tables. */
struct parser {
	const struct cli_command *command;
	const struct cli_option **rows;
	struct option *long_options;
	struct strbuf letters;
	bool *given; /* for each row */
};

/* ---- rows -------------------------------------------------------------------------- */

/* Returns row number n, or NULL after the last. */
static const struct cli_option *find_row(const struct cli_command *command, size_t n)
{
	for (const struct cli_option *const *table = command->tables; *table; table++)
		for (const struct cli_option *row = *table; row->help; row++)
			if (n-- == 0)
				return row;
	return n < sizeof(common_rows) / sizeof(*common_rows) ? &common_rows[n] : NULL;
}

static size_t count_rows(const struct cli_command *command)
{
	size_t count = 0;

	while (find_row(command, count))
		count++;
	return count;
}

/* Returns the number of the row for a result of getopt_long(). */
static size_t row_of(const struct parser *parser, int option)
{
	size_t n = 0;

	if (option >= LONG)
		return (size_t)(option - LONG);
	while (parser->rows[n]->letter != option)
		n++;
	return n;
}

static bool has_value(const struct cli_option *row)
{
	return row->value || row->words;
}

/* ---- help -------------------------------------------------------------------------- */

static void add_names(struct strbuf *text, const struct cli_option *row)
{
	if (row->letter)
		strbuf_printf(text, "  -%c%s", row->letter, row->name ? ", " : "");
	else
		strbuf_add_text(text, "      ");
	if (row->name)
		strbuf_printf(text, "--%s", row->name);
	if (row->value)
		strbuf_add_text(text, row->value);
	for (const char *const *word = row->words; word && *word; word++)
		strbuf_printf(text, "%s%s", word == row->words ? "=" : "|", *word);
}

static void add_row(struct strbuf *text, const struct cli_option *row)
{
	size_t start = text->length, width;
	const char *line = row->help;

	add_names(text, row);
	width = text->length - start;
	for (int indent = HELP_COLUMN - (int)width; *line; indent = HELP_COLUMN) {
		size_t length = strcspn(line, "\n");

		if (indent < 2 && line == row->help) { /* the names are too long */
			strbuf_add_char(text, '\n');
			indent = HELP_COLUMN;
		}
		strbuf_printf(text, "%*s%.*s\n", indent, "", (int)length, line);
		line += length + (line[length] == '\n');
	}
}

static char *make_help(const struct cli_command *command)
{
	struct strbuf text = STRBUF_INIT;
	const struct cli_option *row;

	strbuf_add_text(&text, command->synopsis);
	for (size_t n = 0; (row = find_row(command, n)); n++)
		add_row(&text, row);
	return strbuf_steal(&text);
}

int cli_options_usage(const struct cli_command *command)
{
	cleanup_free char *help = make_help(command);

	return cli_usage(help ? help : command->synopsis);
}

static int show_help(const struct cli_command *command)
{
	cleanup_free char *help = make_help(command);

	return cli_help(help ? help : command->synopsis);
}

/* ---- parsing ----------------------------------------------------------------------- */

static bool set_up(struct parser *parser, const struct cli_command *command)
{
	size_t count = count_rows(command);

	parser->command = command;
	parser->rows = calloc(count, sizeof(*parser->rows));
	parser->long_options = calloc(count + 1, sizeof(*parser->long_options));
	parser->given = calloc(count, sizeof(*parser->given));
	strbuf_add_char(&parser->letters, ':'); /* distinguish missing values */
	if (!parser->rows || !parser->long_options || !parser->given)
		return false;
	for (size_t n = 0, named = 0; n < count; n++) {
		const struct cli_option *row = find_row(command, n);
		int argument = has_value(row) ? required_argument : no_argument;

		parser->rows[n] = row;
		if (row->letter)
			strbuf_printf(&parser->letters, "%c%s", row->letter,
				      has_value(row) ? ":" : "");
		if (row->name)
			parser->long_options[named++] = (struct option){ row->name,
									 argument, NULL,
									 LONG + (int)n };
	}
	return !parser->letters.failed;
}

static void release_parser(struct parser *parser)
{
	free(parser->rows);
	free(parser->long_options);
	free(parser->given);
	strbuf_release(&parser->letters);
}

/* getopt accepts unambiguous abbreviations. */
static bool is_beginning(const struct parser *parser, const char *word)
{
	size_t length = strcspn(word, "=");

	for (const struct option *option = parser->long_options; option->name; option++)
		if (length > 2 && strncmp(option->name, word + 2, length - 2) == 0)
			return true;
	return false;
}

/* Describe what getopt refused. optopt is the option, or 0 for an unknown long name. */
static int refuse(const struct parser *parser, int answer, const char *word)
{
	bool is_long = optopt == 0 || optopt >= LONG;
	char letter[3] = { '-', (char)optopt };

	if (is_long && answer == '?' && optopt)
		cli_error("option '%.*s' doesn't allow an argument",
			  (int)strcspn(word, "="), word);
	else if (is_long && answer == '?' && is_beginning(parser, word))
		cli_error("option '%s' is ambiguous", word);
	else if (answer == '?')
		cli_error("unrecognized option '%s'", is_long ? word : letter);
	else
		cli_error("option '%s' requires an argument", is_long ? word : letter);
	return cli_options_usage(parser->command);
}

static void *place_of(const struct parser *parser, const struct cli_option *row)
{
	return (char *)parser->command->options + row->place;
}

static int refuse_word(const char *const *words, const char *value)
{
	cleanup_strbuf struct strbuf known = STRBUF_INIT;

	strbuf_add_text(&known, words[0]);
	while (*++words)
		strbuf_printf(&known, "%s%s", words[1] ? ", " : " or ", *words);
	cli_error("invalid argument '%s': use %s", value, strbuf_text(&known));
	return CLI_USAGE;
}

static int take_word(const struct parser *parser, const struct cli_option *row)
{
	for (int i = 0; row->words[i]; i++) {
		if (strcmp(optarg, row->words[i]) == 0) {
			*(int *)place_of(parser, row) = i;
			return CLI_OK;
		}
	}
	return refuse_word(row->words, optarg);
}

static int take_number(const struct parser *parser, const struct cli_option *row)
{
	void *place = place_of(parser, row);
	uint64_t number;

	if (!number_u64(&number, optarg) || number == 0 || number > row->max) {
		cli_error("'%s' is not a number from 1 to %" PRIu64 " for --%s", optarg,
			  row->max, row->name);
		return CLI_USAGE;
	}
	if (row->size == sizeof(number))
		*(uint64_t *)place = number;
	else
		*(unsigned *)place = (unsigned)number;
	return CLI_OK;
}

static int take_values(const struct parser *parser, const struct cli_option *row,
		       int argc, char *argv[])
{
	bool is_attached = row->value && optarg != argv[optind - 1];
	int rc = row->take(parser->command->options, optarg);

	while (rc == CLI_OK && row->takes_also && !is_attached && optind < argc &&
	       row->takes_also(argv[optind]))
		rc = row->take(parser->command->options, argv[optind++]);
	return rc;
}

static void add_option(struct strbuf *text, const struct cli_option *row)
{
	if (row->name)
		strbuf_printf(text, "--%s", row->name);
	else
		strbuf_printf(text, "-%c", row->letter);
}

static int refuse_empty(const struct cli_option *row)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	add_option(&text, row);
	return cli_empty_value(strbuf_text(&text));
}

static int take_option(const struct parser *parser, size_t n, int argc, char *argv[])
{
	const struct cli_option *row = parser->rows[n];
	int status = CLI_OK;

	parser->given[n] = true;
	if (row == &common_rows[0])
		return cli_version();
	if (row == &common_rows[1])
		return show_help(parser->command);
	if (has_value(row) && !*optarg)
		status = refuse_empty(row);
	else if (row->take)
		status = take_values(parser, row, argc, argv);
	else if (row->words)
		status = take_word(parser, row);
	else if (row->max)
		status = take_number(parser, row);
	else if (row->is_text)
		*(const char **)place_of(parser, row) = optarg;
	else
		*(bool *)place_of(parser, row) = !row->is_negative;
	return status == CLI_OK ? -1 : cli_options_usage(parser->command);
}

static int parse(const struct parser *parser, int argc, char *argv[])
{
	int option, status = -1;

	opterr = 0;
	while (status < 0) {
		optopt = 0;
		option = getopt_long(argc, argv, strbuf_text(&parser->letters),
				     parser->long_options, NULL);
		if (option == -1)
			return -1;
		status =
			option == '?' || option == ':'
				? refuse(parser, option, argv[optind - 1])
				: take_option(parser, row_of(parser, option), argc, argv);
	}
	return status;
}

/* ---- modes ------------------------------------------------------------------------- */

/* Write the modes like "--text or --import". */
static void add_modes(struct strbuf *text, const char *const *names, unsigned modes)
{
	for (size_t i = 0; names[i]; i++) {
		unsigned above = modes >> i >> 1;

		if (modes >> i & 1)
			strbuf_printf(text, "%s%s", names[i],
				      !above		    ? ""
				      : above & (above - 1) ? ", "
							    : " or ");
	}
}

static int refuse_mode(const struct parser *parser, const struct cli_option *row,
		       unsigned mode)
{
	cleanup_strbuf struct strbuf text = STRBUF_INIT;

	strbuf_add_text(&text, "option '");
	add_option(&text, row);
	strbuf_add_text(&text,
			row->selects_mode ? "' cannot be combined with " : "' is for ");
	if (!row->selects_mode) {
		add_modes(&text, parser->command->modes, row->modes);
		strbuf_add_text(&text, ", not for ");
	}
	add_modes(&text, parser->command->modes, mode);
	cli_error("%s", strbuf_text(&text));
	return cli_options_usage(parser->command);
}

/* Returns the last of some modes. */
static unsigned last_mode(unsigned modes)
{
	while (modes & (modes - 1))
		modes &= modes - 1;
	return modes;
}

/* Returns the first mode that was selected; check_modes() refuses options of other modes.
 */
static unsigned mode_of(const struct parser *parser, size_t count)
{
	for (size_t n = 0; n < count; n++)
		if (parser->given[n] && parser->rows[n]->selects_mode)
			return last_mode(parser->rows[n]->modes);
	return parser->command->mode;
}

static int check_modes(const struct parser *parser)
{
	size_t count = parser->command->modes ? count_rows(parser->command) : 0;
	unsigned mode = mode_of(parser, count);

	for (size_t n = 0; n < count; n++) {
		const struct cli_option *row = parser->rows[n];

		if (parser->given[n] && row->modes && !(row->modes & mode))
			return refuse_mode(parser, row, mode);
	}
	return -1;
}

int cli_options(const struct cli_command *command, int argc, char *argv[])
{
	struct parser parser = { 0 };
	int status = set_up(&parser, command) ? parse(&parser, argc, argv)
					      : cli_error("out of memory");

	if (status < 0)
		status = check_modes(&parser);
	if (status < 0 && cli_check_operands(argv + optind, argc - optind) != CLI_OK)
		status = cli_options_usage(command);
	release_parser(&parser);
	return status;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "libexpt/base/escape.h"
#include "libexpt/cli/stop.h"

#ifndef ERKIT_VERSION
#define ERKIT_VERSION "unversioned"
#endif

#define MANY_FILES 16384

static const char *program = "erkit";

/* If a standard stream is closed, the next opened file would take its place and receive
 * the messages. /dev/null, opened in the wrong direction, keeps the stream unusable;
 * close-on-exec leaves it closed in programs started from here. */
static void occupy_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null",
			 (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC) < 0)
			return;
}

static void ignore(int signal)
{
}

/* A file that grows too large is an error like a full disk, and must not kill the program
 * in the middle of its work. A handler, unlike SIG_IGN, is not inherited by programs
 * started from here. */
static void survive_file_size_limit(void)
{
	const struct sigaction survive = { .sa_handler = ignore, .sa_flags = SA_RESTART };
	struct sigaction before;

	if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &survive, NULL);
}

void cli_allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= MANY_FILES)
		return;
	limit.rlim_cur = limit.rlim_max < MANY_FILES ? limit.rlim_max : MANY_FILES;
	setrlimit(RLIMIT_NOFILE, &limit);
}

void cli_start(char *argv[], const char *usage)
{
	const char *slash = strrchr(argv[0] ? argv[0] : "", '/');

	occupy_standard_streams();
	/* Write each message in one piece: other processes may print as well. */
	setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
	survive_file_size_limit();
	if (argv[0])
		program = slash ? slash + 1 : argv[0];
	if (!argv[0] || !argv[1])
		return;
	if (strcmp(argv[1], "-V") == 0 || strcmp(argv[1], "--version") == 0)
		exit(cli_version());
	if (usage && strcmp(argv[1], "--help") == 0)
		exit(cli_help(usage));
}

const char *cli_program(void)
{
	return program;
}

int cli_write_error(int number)
{
	return number ? cli_error("write error: %s", strerrordesc_np(number))
		      : cli_error("write error");
}

/* A flush that fails (disk full, closed pipe) must not look like success. */
static int finish_stdout(void)
{
	errno = 0; /* it may be left over from before */
	if (fflush(stdout) == 0 && !ferror(stdout))
		return CLI_OK;
	return cli_write_error(errno);
}

int cli_finish(int status)
{
	return finish_stdout() == CLI_OK ? status : CLI_FAILED;
}

int cli_help(const char *usage)
{
	fputs(usage, stdout);
	return finish_stdout();
}

int cli_usage(const char *usage)
{
	fputs(usage, stderr);
	return CLI_USAGE;
}

int cli_version(void)
{
	printf("%s (erkit) %s\n", program, ERKIT_VERSION);
	return finish_stdout();
}

void cli_put_escaped(FILE *to, const char *text)
{
	escape_put(to, text, strlen(text), 0);
}

void cli_say(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	cli_put_escaped(stdout, text ? text : "...");
	putchar('\n');
	free(text);
}

static void put_message(const char *prefix, const char *text)
{
	fflush(stdout);
	flockfile(stderr); /* other threads may print as well */
	fprintf(stderr, "%s: %s", program, prefix);
	cli_put_escaped(stderr, text);
	putc('\n', stderr);
	funlockfile(stderr);
}

int cli_check_operands(char *const operands[], int count)
{
	for (int i = 0; i < count; i++)
		if (!*operands[i]) {
			cli_error("invalid empty operand");
			return CLI_USAGE;
		}
	return CLI_OK;
}

int cli_empty_value(const char *option)
{
	cli_error("invalid empty argument for option '%s'", option);
	return CLI_USAGE;
}

int cli_failed(const struct expt_error *err)
{
	put_message("", err->message);
	return CLI_FAILED;
}

static void put_formatted(const char *prefix, const char *format, va_list arguments)
{
	char text[2048];

	vsnprintf(text, sizeof(text), format, arguments);
	put_message(prefix, text);
}

int cli_error(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put_formatted("", format, arguments);
	va_end(arguments);
	return CLI_FAILED;
}

void cli_note(const char *format, ...)
{
	char text[2048];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	put_message("", text);
}

void cli_warn(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put_formatted("warning: ", format, arguments);
	va_end(arguments);
}

/* Signals do not interrupt reading (SA_RESTART), but they interrupt poll(). */
static void wait_for_answer(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	setvbuf(stdin, NULL, _IONBF, 0); /* poll() cannot see buffered input */
	while (poll(&in, 1, -1) < 0 && errno == EINTR)
		cli_stop_if_asked();
}

bool cli_confirm(const char *format, ...)
{
	char answer[64], question[1024];
	va_list arguments;
	size_t length;

	va_start(arguments, format);
	vsnprintf(question, sizeof(question), format, arguments);
	va_end(arguments);
	fflush(stdout);
	fprintf(stderr, "%s: ", program);
	cli_put_escaped(stderr, question);
	fflush(stderr);
	wait_for_answer();
	if (!fgets(answer, sizeof(answer), stdin))
		return false;
	length = strlen(answer);
	/* The rest of a long line must not answer the next question. */
	while (length > 0 && answer[length - 1] != '\n' && fgets(answer + 1, 2, stdin))
		length = strlen(answer);
	return answer[0] == 'y' || answer[0] == 'Y';
}

const char *cli_outcome(enum expt_outcome outcome)
{
	static const char *const words[] = {
		[EXPT_COPIED] = "copied",	[EXPT_PRESENT] = "present",
		[EXPT_DESCRIBED] = "described", [EXPT_LINKED] = "linked",
		[EXPT_REMOVED] = "removed",	[EXPT_ABSENT] = "missing",
		[EXPT_NOTE] = "note",		[EXPT_MISSING] = "missing",
		[EXPT_REFUSED] = "refused",	[EXPT_CHANGED] = "changed",
		[EXPT_FAILED] = "failed",
	};

	return words[outcome];
}

int cli_report(const struct expt_report *report, bool is_verbose, bool is_quiet)
{
	for (size_t i = 0; i < expt_report_count(report); i++) {
		const struct expt_report_line *line = expt_report_line(report, i);
		const char *separator = *line->reason ? ": " : "";

		if (line->outcome >= EXPT_MISSING)
			cli_error("%s '%s'%s%s", cli_outcome(line->outcome), line->name,
				  separator, line->reason);
		else if (line->outcome == EXPT_NOTE && !is_quiet)
			cli_warn("'%s'%s%s", line->name, separator, line->reason);
		else if (line->outcome < EXPT_NOTE && is_verbose)
			cli_say("%s %s%s%s", cli_outcome(line->outcome), line->name,
				separator, line->reason);
	}
	return expt_report_is_complete(report) ? CLI_OK : CLI_FAILED;
}

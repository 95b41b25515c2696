/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of debuginfod. It caches what it gets, and remembers for a while what there is
 * not, so files are asked for as often as convenient. DEBUGINFOD_TIMEOUT limits how long
 * a server may be silent: 90 seconds at first.
 */
#include "libexpt/cli/debuginfod.h"

#include <elfutils/debuginfod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/escape.h"
#include "libexpt/base/late.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/stop.h"

/* clang-format off */
#define FUNCTIONS(F) \
	F(debuginfod_begin) F(debuginfod_end) F(debuginfod_find_debuginfo) \
	F(debuginfod_find_source) F(debuginfod_get_user_data) \
	F(debuginfod_set_progressfn) F(debuginfod_set_user_data)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library library = LATE_LIBRARY(DEBUGINFOD_SONAME, functions);

static debuginfod_client *client;

/* ---- progress ---- */

/* A line for the current file is on the terminal. */
static bool has_line;

/* Called while a file comes, also before the first byte. Another value than 0 ends it. */
static int show_progress(debuginfod_client *asked, long done, long total)
{
	const char *what = late_debuginfod_get_user_data(asked);

	if (*cli_stop_flag())
		return 1;
	if (!isatty(STDERR_FILENO) || done <= 0)
		return 0;
	has_line = true;
	fputs("\r\033[Kdebuginfod: ", stderr);
	escape_put(stderr, what, strlen(what), '\0');
	fprintf(stderr, ": %ld", done >> 10);
	if (total > 0)
		fprintf(stderr, " of %ld", total >> 10);
	fputs(" KiB", stderr);
	return 0;
}

static void end_progress(void)
{
	if (has_line)
		fputs("\r\033[K", stderr);
	has_line = false;
}

/* ---- asking ---- */

static int fetch(void *context, enum expt_fetched what, const char *build_id,
		 const char *source)
{
	const unsigned char *id = (const unsigned char *)build_id;
	const char *name = source ? path_base(source) : build_id;
	int fd;

	late_debuginfod_set_user_data(client, (void *)name);
	fd = what == EXPT_FETCH_SOURCE
		     ? late_debuginfod_find_source(client, id, 0, source, NULL)
		     : late_debuginfod_find_debuginfo(client, id, 0, NULL);
	end_progress();
	return fd;
}

const struct expt_fetcher *cli_debuginfod_open(const char **problem)
{
	static const struct expt_fetcher fetcher = { .fetch = fetch };
	const char *urls = getenv(DEBUGINFOD_URLS_ENV_VAR);

	if (client)
		return &fetcher;
	*problem = "DEBUGINFOD_URLS does not name a server";
	if (!urls || !*urls)
		return NULL;
	*problem = late_load(&library);
	if (*problem)
		return NULL;
	*problem = "out of memory";
	client = late_debuginfod_begin();
	if (!client)
		return NULL;
	late_debuginfod_set_progressfn(client, show_progress);
	return &fetcher;
}

void cli_debuginfod_close(void)
{
	if (client)
		late_debuginfod_end(client);
	client = NULL;
}

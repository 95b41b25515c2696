/* SPDX-License-Identifier: Apache-2.0 */
/* A thread reads the counters while the operation runs. It does nothing else, and does
 * not run if nothing can be shown. One operation at a time. */
#include "libexpt/cli/progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "libexpt/cli/cli.h"

#define LOOK_NS	      200000000 /* between two updates */
#define PATIENCE_NS   INT64_C(1000000000)
#define PATIENCE_SIZE (UINT64_C(64) << 20)
#define DONE	      -1 /* after all phases */
#define WIDTH	      80 /* if the terminal does not tell */

static struct {
	struct expt_progress counters;
	enum cli_progress when;
	const char *what;
	bool is_terminal, is_running, is_ended;
	bool is_beside_output; /* stdout is a terminal, too */
	pthread_t thread;
	pthread_mutex_t lock; /* of is_ended, and of the line on the screen */
	pthread_cond_t ended;
	int64_t began_ns; /* monotonic */
	int phase;	  /* as last seen, and since when */
	int64_t phase_ns;
	size_t shown; /* length of the line on the screen */
} progress = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* In the background the user does not wait, and may be typing something else. */
static bool is_in_background(void)
{
	pid_t foreground = tcgetpgrp(STDERR_FILENO);

	return foreground > 0 && foreground != getpgrp();
}

/* ---- the line ---------------------------------------------------------------------- */

struct unit {
	const char *name;
	uint64_t size;
};

/* Choose a unit with two digits before the point: with fewer, the number hardly moves. */
static struct unit unit_for(uint64_t bytes)
{
	static const struct unit units[] = {
		{ "GiB", UINT64_C(1) << 30 },
		{ "MiB", UINT64_C(1) << 20 },
		{ "KiB", UINT64_C(1) << 10 },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (bytes >= 10 * units[i].size)
			return units[i];
	return (struct unit){ "bytes", 1 };
}

static void put_size(FILE *line, uint64_t bytes, const struct unit *unit)
{
	if (unit->size == 1)
		fprintf(line, "%" PRIu64, bytes);
	else
		fprintf(line, "%.1f", (double)bytes / (double)unit->size);
}

/* Print speed and remaining time, once they are known. */
static void put_pace(FILE *line, uint64_t bytes, uint64_t total)
{
	double seconds = (double)(now_ns() - progress.phase_ns) / 1e9;
	double pace = seconds > 0 ? (double)bytes / seconds : 0;
	struct unit unit = unit_for((uint64_t)pace);

	if (seconds < 0.5 || pace < 1)
		return;
	fputs(", ", line);
	put_size(line, (uint64_t)pace, &unit);
	fprintf(line, " %s/s", unit.name);
	if (bytes < total && (double)(total - bytes) / pace < 360000)
		fprintf(line, ", %.0f s left", (double)(total - bytes) / pace);
}

static void put_bytes(FILE *line, uint64_t bytes, uint64_t total)
{
	struct unit unit = unit_for(total > bytes ? total : bytes);

	put_size(line, bytes, &unit);
	if (total > 0) {
		fputs(" of ", line);
		put_size(line, total, &unit);
	}
	fprintf(line, " %s", unit.name);
	if (total > 0) /* bytes may exceed the total if files grew */
		fprintf(line, ", %.0f%%",
			bytes < total ? 100.0 * (double)bytes / (double)total : 100.0);
	put_pace(line, bytes, total);
}

static void put_total(FILE *line, uint64_t bytes)
{
	struct unit unit = unit_for(bytes);

	fputs("done", line);
	if (bytes == 0)
		return;
	fputs(", ", line);
	put_size(line, bytes, &unit);
	fprintf(line, " %s", unit.name);
	put_pace(line, bytes, bytes);
}

static void put_state(FILE *line)
{
	const struct expt_progress *counters = &progress.counters;
	uint64_t files = counters->files, total_files = counters->total_files;
	uint64_t bytes = counters->bytes, total_bytes = counters->total_bytes;

	switch (progress.phase) {
	case DONE:
		put_total(line, total_bytes);
		return;
	case EXPT_PHASE_LISTING:
		fputs("looking", line);
		return;
	case EXPT_PHASE_SYNCING:
		fputs("syncing", line);
		return;
	case EXPT_PHASE_REMOVING:
		fputs("removing", line);
		return;
	case EXPT_PHASE_VERIFYING:
		fputs("verified ", line);
		break;
	default:
		break;
	}
	if (total_bytes > 0 || bytes > 0)
		put_bytes(line, bytes, total_bytes);
	else
		fprintf(line, "%" PRIu64 " of %" PRIu64 " files", files, total_files);
}

static char *make_line(size_t *length)
{
	char *text = NULL;
	FILE *line = open_memstream(&text, length);

	if (!line)
		return NULL;
	fprintf(line, "%s: ", cli_program());
	put_state(line);
	fputs(": ", line);
	cli_put_escaped(line, progress.what);
	return fclose(line) == 0 ? text : NULL;
}

/* A line longer than the screen would scroll each time. Characters stay whole. */
static size_t fit_screen(const char *text, size_t length)
{
	struct winsize window;
	size_t width = WIDTH;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
		width = window.ws_col;
	if (length < width)
		return length;
	length = width - 1;
	while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80)
		length--;
	return length;
}

static void look_at_phase(void)
{
	if (progress.counters.phase == progress.phase)
		return;
	progress.phase = progress.counters.phase;
	progress.phase_ns = progress.phase == DONE ? progress.began_ns : now_ns();
}

/* Print in one piece, with blanks over the rest of the line before. The lock is held. */
static void show(void)
{
	size_t length, blanks;
	char *text;

	look_at_phase();
	text = make_line(&length);
	if (!text)
		return;
	if (progress.is_terminal)
		length = fit_screen(text, length);
	blanks = progress.shown > length ? progress.shown - length : 0;
	fprintf(stderr, "\r%.*s%*s", (int)length, text, (int)blanks, "");
	fflush(stderr);
	progress.shown = length;
	free(text);
}

static void erase(void)
{
	if (progress.shown) {
		fprintf(stderr, "\r%*s\r", (int)progress.shown, "");
		fflush(stderr);
	}
	progress.shown = 0;
}

/* ---- the thread -------------------------------------------------------------------- */

/* Once shown, the line is kept up to date. */
static bool is_worth_showing(void)
{
	if (progress.when == CLI_PROGRESS_ALWAYS)
		return true;
	if (is_in_background())
		return false;
	return progress.shown > 0 || now_ns() - progress.began_ns >= PATIENCE_NS ||
	       progress.counters.total_bytes > PATIENCE_SIZE;
}

/* Returns false if the operation has ended. */
static bool wait_for_next_look(void)
{
	int64_t at = now_ns() + LOOK_NS;
	const struct timespec until = { at / 1000000000, at % 1000000000 };
	bool is_ended;

	pthread_mutex_lock(&progress.lock);
	if (!progress.is_ended)
		pthread_cond_timedwait(&progress.ended, &progress.lock, &until);
	is_ended = progress.is_ended;
	pthread_mutex_unlock(&progress.lock);
	return !is_ended;
}

static void *look_again_and_again(void *unused)
{
	while (wait_for_next_look()) {
		pthread_mutex_lock(&progress.lock);
		if (!progress.is_ended && is_worth_showing())
			show();
		pthread_mutex_unlock(&progress.lock);
	}
	return NULL;
}

/* Signals are blocked: the operation's thread handles them. */
static bool start_thread(void)
{
	pthread_condattr_t clock;
	sigset_t all, before;
	int rc;

	pthread_condattr_init(&clock);
	pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
	pthread_cond_init(&progress.ended, &clock);
	pthread_condattr_destroy(&clock);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&progress.thread, NULL, look_again_and_again, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return rc == 0;
}

/* ---- for programs ------------------------------------------------------------------ */

enum cli_progress cli_progress_mode(bool is_unwanted, bool is_wanted)
{
	if (is_unwanted)
		return CLI_PROGRESS_NEVER;
	return is_wanted ? CLI_PROGRESS_ALWAYS : CLI_PROGRESS_AUTO;
}

struct expt_progress *cli_progress_begin(enum cli_progress when, const char *what)
{
	progress.is_beside_output = isatty(STDOUT_FILENO);
	progress.is_terminal = when != CLI_PROGRESS_NEVER && isatty(STDERR_FILENO);
	if (when == CLI_PROGRESS_NEVER ||
	    (when == CLI_PROGRESS_AUTO && !progress.is_terminal))
		return NULL;
	progress.counters = (struct expt_progress){ 0 };
	progress.when = when;
	progress.what = what;
	progress.is_ended = false;
	progress.shown = 0;
	progress.phase = EXPT_PHASE_LISTING;
	progress.began_ns = progress.phase_ns = now_ns();
	fflush(stdout);
	progress.is_running = start_thread();
	return progress.is_running ? &progress.counters : NULL;
}

void cli_progress_hide(void)
{
	if (!progress.is_running || !progress.is_beside_output)
		return;
	pthread_mutex_lock(&progress.lock);
	erase();
	pthread_mutex_unlock(&progress.lock);
}

void cli_progress_end(bool is_done)
{
	if (!progress.is_running)
		return;
	pthread_mutex_lock(&progress.lock);
	progress.is_ended = true;
	pthread_cond_signal(&progress.ended);
	pthread_mutex_unlock(&progress.lock);
	pthread_join(progress.thread, NULL);
	pthread_cond_destroy(&progress.ended);
	progress.is_running = false;
	if (progress.when == CLI_PROGRESS_ALWAYS && is_done) {
		progress.counters.phase = DONE;
		show();
	}
	if (progress.when == CLI_PROGRESS_AUTO)
		erase();
	else if (progress.shown)
		fputc('\n', stderr);
}

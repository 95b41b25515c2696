/* SPDX-License-Identifier: Apache-2.0 */
/* Commands typed at a prompt, with libedit's line editing, history and completion. */
#include "er_print/prompt/input.h"

#include <errno.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "er_print/prompt/complete.h"
#include "er_print/prompt/saved_lines.h"
#include "er_print/prompt/script.h"
#include "er_print/session/pager.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/strbuf.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"

struct prompt {
	struct session *session;
	EditLine *editor;
	History *history;
	int saved; /* descriptor of the saved lines, or -1 */
	bool is_continued;
};

static volatile sig_atomic_t screen_has_changed;

static void note_change(int signal)
{
	screen_has_changed = signal;
}

static struct prompt *prompt_of(EditLine *editor)
{
	struct prompt *prompt;

	el_get(editor, EL_CLIENTDATA, &prompt);
	return prompt;
}

static char *prompt_text(EditLine *editor)
{
	static char first[] = "(er_print) ", next[] = "> ";

	return prompt_of(editor)->is_continued ? next : first;
}

/* ---- keys ---- */

/* Wait for input. Signals are let in only while waiting, so that none can arrive just
 * before it. -1: interrupted. */
static int wait_for_input(struct prompt *prompt)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	sigset_t none, all;
	int rc = -1;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &none);
	while (rc < 0 && !*prompt->session->stop) {
		rc = ppoll(&input, 1, NULL, &none);
		if (rc < 0 && errno != EINTR)
			break;
		if (screen_has_changed) {
			screen_has_changed = 0;
			el_resize(prompt->editor);
			el_set(prompt->editor, EL_REFRESH);
		}
	}
	sigprocmask(SIG_SETMASK, &none, NULL);
	return rc;
}

/* Read a character for libedit: 1, 0 at the end of the input, or -1. */
static int read_key(EditLine *editor, wchar_t *key)
{
	struct prompt *prompt = prompt_of(editor);
	mbstate_t state = { 0 };
	size_t length = (size_t)-2;
	char byte;

	while (length == (size_t)-2) {
		if (wait_for_input(prompt) < 0)
			return -1;
		if (read(STDIN_FILENO, &byte, 1) != 1)
			return 0;
		length = mbrtowc(key, &byte, 1, &state);
	}
	if (length == (size_t)-1)
		*key = (unsigned char)byte;
	return 1;
}

static unsigned char complete_word(EditLine *editor, int key)
{
	const LineInfo *line = el_line(editor);
	cleanup_strbuf struct strbuf insertion = STRBUF_INIT;
	struct completion_edit edit = { .insertion = &insertion };

	complete_at(prompt_of(editor)->session, &edit, line->buffer,
		    (size_t)(line->cursor - line->buffer));
	/* Names need not be valid in the locale: then they cannot be inserted. */
	if (insertion.failed ||
	    mbstowcs(NULL, strbuf_text(&insertion), 0) == (size_t)-1 ||
	    (insertion.length == 0 && !edit.has_listed))
		return CC_ERROR;
	if (insertion.length > 0) {
		el_deletestr(editor, (int)edit.removed);
		el_insertstr(editor, insertion.text);
	}
	return edit.has_listed ? CC_REDISPLAY : CC_REFRESH;
}

/* ---- setting up ---- */

static void remember(void *context, const char *line)
{
	struct prompt *prompt = context;
	HistEvent event;

	history(prompt->history, &event, H_ENTER, line);
}

static bool open_history(struct prompt *prompt)
{
	HistEvent event;

	prompt->history = history_init();
	if (!prompt->history)
		return false;
	history(prompt->history, &event, H_SETSIZE, SAVED_LINES_MAX);
	history(prompt->history, &event, H_SETUNIQUE, 1);
	prompt->saved = saved_lines_open();
	if (prompt->saved >= 0)
		saved_lines_read(prompt->saved, remember, prompt);
	return true;
}

static bool open_editor(struct prompt *prompt)
{
	struct sigaction action = { .sa_handler = note_change };
	EditLine *editor = el_init("er_print", stdin, stdout, stderr);

	prompt->editor = editor;
	if (!editor)
		return false;
	el_set(editor, EL_CLIENTDATA, prompt);
	el_set(editor, EL_PROMPT, prompt_text);
	el_set(editor, EL_EDITOR, "emacs");
	el_set(editor, EL_HIST, history, prompt->history);
	el_set(editor, EL_GETCFN, read_key);
	/* el_set() would leak copies of these texts. */
	el_wset(editor, EL_ADDFN, L"complete-word", L"Complete the word", complete_word);
	el_set(editor, EL_BIND, "^I", "complete-word", NULL);
	el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
	/* Root may have the home of another user, whose settings are not for root. */
	if (home_is_own())
		el_source(editor, NULL);
	sigaction(SIGWINCH, &action, NULL);
	sigaction(SIGCONT, &action, NULL);
	return true;
}

static void use_pager(struct session *session)
{
	struct pager *pager = pager_open(session->stop);

	if (!pager)
		return;
	session->pager = pager;
	session->standard = pager_stream(pager);
	if (session->file == stdout)
		session_print_to(session, session->standard);
}

static void leave_pager(struct session *session)
{
	struct pager *pager = session->pager;

	if (!pager)
		return;
	if (session->file == session->standard) {
		pager_finish(pager, session->out);
		session_print_to(session, stdout);
	}
	session->standard = stdout;
	session->pager = NULL;
	pager_close(pager);
}

/* ---- lines ---- */

/* Add what was typed to the command; false: more follows. */
static bool add_line(struct prompt *prompt, struct strbuf *command, const char *typed)
{
	size_t length = strcspn(typed, "\n");

	prompt->is_continued = length > 0 && typed[length - 1] == '\\';
	strbuf_add(command, typed, length - prompt->is_continued);
	if (prompt->is_continued)
		strbuf_add_char(command, ' ');
	return !prompt->is_continued;
}

static void run_command(struct prompt *prompt, struct strbuf *command)
{
	const char *text = strbuf_text(command);

	if (text[strspn(text, " \t")]) {
		remember(prompt, text);
		if (prompt->saved >= 0)
			saved_lines_append(prompt->saved, text);
		run_line(prompt->session, command->text);
	}
	strbuf_clear(command);
}

/* Clear what was typed, or say that the command ended early; the program ends only by the
 * other signals. */
static void take_interrupt(struct prompt *prompt, struct strbuf *command, bool was_typing)
{
	if (was_typing)
		fputs("^C\n", stdout);
	else
		cli_note("interrupted");
	if (*prompt->session->stop != SIGINT)
		prompt->session->is_done = true;
	else
		cli_stop_clear();
	strbuf_clear(command);
	prompt->is_continued = false;
	el_reset(prompt->editor);
}

static void run_lines(struct prompt *prompt)
{
	cleanup_strbuf struct strbuf command = STRBUF_INIT;
	struct session *session = prompt->session;

	while (!session->is_done) {
		const char *typed;
		int count;

		fflush(session->out);
		/* Else the terminal echoes what is typed just after the prompt. */
		el_set(prompt->editor, EL_PREP_TERM, 1);
		typed = el_gets(prompt->editor, &count);
		if (*session->stop) {
			take_interrupt(prompt, &command, true);
			continue;
		}
		if (!typed || count <= 0) {
			fputc('\n', stdout);
			break;
		}
		if (add_line(prompt, &command, typed))
			run_command(prompt, &command);
		if (*session->stop)
			take_interrupt(prompt, &command, false);
	}
}

static void close_prompt(struct prompt *prompt)
{
	if (prompt->editor)
		el_end(prompt->editor);
	if (prompt->history)
		history_end(prompt->history);
	if (prompt->saved >= 0)
		close(prompt->saved);
}

void run_prompt(struct session *session)
{
	struct prompt prompt = { .session = session, .saved = -1 };
	int status = session->status;

	setlocale(LC_CTYPE, "");
	session->stop = cli_stop_flag();
	expt_view_set_stop(session->view, session->stop);
	if (!open_history(&prompt) || !open_editor(&prompt)) {
		session->status = cli_error("out of memory");
	} else {
		use_pager(session);
		run_lines(&prompt);
		leave_pager(session);
		/* The user has already seen the errors. */
		session->status = status;
	}
	close_prompt(&prompt);
	cli_stop_if_asked();
}

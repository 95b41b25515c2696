/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/settings/private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>

#include "er_print/session/metric_print.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/debuginfod.h"

int run_metrics(struct session *session, int count, char **words)
{
	if (count > 1 && !metrics_choose(session, words[1]))
		return -1;
	metrics_print(session);
	metrics_print_sort(session);
	return 0;
}

int run_metric_list(struct session *session, int count, char **words)
{
	metrics_print(session);
	metrics_print_sort(session);
	metrics_print_available(session);
	return 0;
}

int run_cmetric_list(struct session *session, int count, char **words)
{
	metrics_print_table(session, METRICS_OF_CALLERS);
	return 0;
}

int run_indx_metric_list(struct session *session, int count, char **words)
{
	metrics_print_table(session, METRICS_OF_INDEX_OBJECTS);
	return 0;
}

int run_sort(struct session *session, int count, char **words)
{
	bool is_good = count < 2 || metrics_sort(session, words[1]);

	metrics_print_sort(session);
	return is_good ? 0 : -1;
}

int run_limit(struct session *session, int count, char **words)
{
	int64_t limit;

	if (count > 1) {
		if (!number_i64(&limit, words[1]))
			return session_error(session, "invalid number '%s'", words[1]);
		session->limit = limit > 0 ? (size_t)limit : 0;
	}
	/* This is an answer, not part of the tables. */
	fprintf(stderr, "Print limit set to %zu\n", session->limit);
	return 0;
}

int run_name(struct session *session, int count, char **words)
{
	static const char *const forms[] = {
		[EXPT_NAME_LONG] = "long",
		[EXPT_NAME_SHORT] = "short",
		[EXPT_NAME_MANGLED] = "mangled",
	};
	const char *object = count > 1 ? strchr(words[1], ':') : NULL;
	size_t length = count > 1 ? strcspn(words[1], ":") : 0;

	if (count < 2) {
		fprintf(session->out, "Current name format: %s:%s\n",
			forms[session->name_form],
			session->has_object_names ? "soname" : "nosoname");
		return 0;
	}
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (strlen(forms[i]) != length ||
		    strncasecmp(forms[i], words[1], length) != 0)
			continue;
		if (object && strcasecmp(object, ":soname") != 0 &&
		    strcasecmp(object, ":nosoname") != 0)
			break;
		session->name_form = (enum expt_name_form)i;
		session->has_object_names = object && strcasecmp(object, ":soname") == 0;
		return 0;
	}
	return session_error(session, "unknown name format '%s'", words[1]);
}

int run_compare(struct session *session, int count, char **words)
{
	static const char *const forms[] = {
		[COMPARISON_OFF] = "off",
		[COMPARISON_ON] = "on",
		[COMPARISON_DELTA] = "delta",
		[COMPARISON_RATIO] = "ratio",
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		if (strcasecmp(words[1], forms[i]) != 0)
			continue;
		session->comparison = (enum comparison)i;
		session_group(session);
		return 0;
	}
	return session_error(session, "'%s' is none of on, off, delta and ratio",
			     words[1]);
}

static int read_switch(struct session *session, const char *word, bool *is_on)
{
	*is_on = strcasecmp(word, "on") == 0;
	if (!*is_on && strcasecmp(word, "off") != 0)
		return session_error(session, "'%s' is neither on nor off", word);
	return 0;
}

int run_outline(struct session *session, int count, char **words)
{
	bool is_on;

	if (read_switch(session, words[1], &is_on) < 0)
		return -1;
	expt_view_set_outlined(session->view, is_on);
	return 0;
}

int run_inline(struct session *session, int count, char **words)
{
	bool is_on;

	if (read_switch(session, words[1], &is_on) < 0)
		return -1;
	expt_view_set_inlined(session->view, is_on);
	return 0;
}

int run_viewmode(struct session *session, int count, char **words)
{
	static const char *const modes[] = {
		[EXPT_MODE_USER] = "user",
		[EXPT_MODE_EXPERT] = "expert",
		[EXPT_MODE_MACHINE] = "machine",
	};
	int rc = -1;

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (strcasecmp(words[1], modes[i]) == 0) {
			expt_view_set_mode(session->view, (enum expt_mode)i);
			rc = 0;
		}
	if (rc < 0)
		session_error(session, "unknown view mode '%s'", words[1]);
	/* This is an answer, not part of the tables. */
	if (!session->where)
		fprintf(stderr, "Viewmode set to %s\n",
			modes[expt_view_mode(session->view)]);
	return rc;
}

int run_errors(struct session *session, int count, char **words)
{
	bool is_on;

	if (read_switch(session, words[1], &is_on) < 0)
		return -1;
	session->has_errors = is_on;
	return 0;
}

/* Returns "text", "html", or the delimiter. */
static const char *name_of_form(const struct output *output, char delimiter[2])
{
	if (output->form != OUTPUT_DELIMITED)
		return output->form == OUTPUT_HTML ? "html" : "text";
	delimiter[0] = output->delimiter;
	delimiter[1] = '\0';
	return delimiter;
}

/* A quote encloses fields, and other control characters than a tab would be escaped. */
static bool is_delimiter(const char *word)
{
	unsigned char c = (unsigned char)word[0];

	return c && !word[1] && c != '"' && ((c >= ' ' && c < 0x7f) || c == '\t');
}

static int choose_form(struct session *session, const char *word)
{
	if (strcasecmp(word, "text") == 0)
		return session_print_as(session, OUTPUT_TEXT, 0);
	if (strcasecmp(word, "html") == 0)
		return session_print_as(session, OUTPUT_HTML, 0);
	if (is_delimiter(word))
		return session_print_as(session, OUTPUT_DELIMITED, word[0]);
	return session_error(session,
			     "unknown print mode '%s': use 'text', 'html' or a single "
			     "ASCII character other than '\"'",
			     word);
}

int run_printmode(struct session *session, int count, char **words)
{
	char delimiter[2];

	if (count > 1)
		return choose_form(session, words[1]);
	fprintf(session->out, "Current print mode: %s\n",
		name_of_form(&session->output, delimiter));
	return 0;
}

/* Output into an experiment could overwrite its data, or make the directory invalid. */
static bool is_in_experiment(const char *path)
{
	const char *slash = strrchr(path, '/');
	cleanup_free char *directory = slash ? strndup(path, (size_t)(slash - path) + 1)
					     : strdup(".");
	cleanup_fd int dir =
		directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	return dir >= 0 && expt_directory_is_inside(dir);
}

static int redirect(struct session *session, const char *path, const char *mode)
{
	FILE *out = session->standard;

	if (strcmp(path, "-") != 0 && strcmp(path, "--") != 0) {
		if (is_in_experiment(path))
			return session_error(session,
					     "'%s' would be inside an experiment", path);
		out = fopen(path, mode);
		if (!out)
			return session_error(session, "cannot open '%s': %s", path,
					     strerror(errno));
	}
	if (session_print_to(session, out) == 0)
		return 0;
	if (out != session->standard)
		fclose(out);
	return session_error(session, "out of memory");
}

int run_outfile(struct session *session, int count, char **words)
{
	return redirect(session, words[1], "we");
}

int run_appendfile(struct session *session, int count, char **words)
{
	return redirect(session, words[1], "ae");
}

/* ---- defaults ---- */

static int add_default(struct session *session, struct metric_defaults *defaults,
		       const char *keys)
{
	struct strbuf text = STRBUF_INIT;
	const char *old = strbuf_text(&defaults->text);

	strbuf_printf(&text, "%.*s%s:%s", (int)defaults->end, old, keys,
		      old + defaults->end);
	if (text.failed) {
		strbuf_release(&text);
		return session_error(session, "out of memory");
	}
	strbuf_release(&defaults->text);
	defaults->text = text;
	defaults->end += strlen(keys) + 1;
	return 0;
}

int run_dmetrics(struct session *session, int count, char **words)
{
	return add_default(session, &session->default_metrics, words[1]);
}

int run_dsort(struct session *session, int count, char **words)
{
	return add_default(session, &session->default_sort, words[1]);
}

static void choose_descendants(struct session *session, enum descendants choice)
{
	expt_pattern_close(session->descendant_pattern);
	session->descendant_pattern = NULL;
	session->descendants = choice;
}

int run_en_desc(struct session *session, int count, char **words)
{
	struct expt_error err;
	struct expt_pattern *pattern;

	if (strcasecmp(words[1], "on") == 0) {
		choose_descendants(session, DESCENDANTS_ALL);
		return 0;
	}
	if (strcasecmp(words[1], "off") == 0) {
		choose_descendants(session, DESCENDANTS_NONE);
		return 0;
	}
	if (*words[1] != '=')
		return session_error(session, "en_desc is on, off or =REGEX, not '%s'",
				     words[1]);
	if (expt_pattern_open(&pattern, words[1] + 1, &err) < 0)
		return session_error(session, "%s", err.message);
	choose_descendants(session, DESCENDANTS_MATCHING);
	session->descendant_pattern = pattern;
	return 0;
}

/* Objects whose symbols have been read keep them. */
int run_debuginfod(struct session *session, int count, char **words)
{
	const char *problem;
	bool is_on;

	if (read_switch(session, words[1], &is_on) < 0)
		return -1;
	session->fetcher = is_on ? cli_debuginfod_open(&problem) : NULL;
	if (is_on && !session->fetcher)
		return session_error(session, "%s", problem);
	return session_places_changed(session);
}

int run_setpath(struct session *session, int count, char **words)
{
	cli_rc_set_path(&session->places, words[1]);
	return session_places_changed(session);
}

int run_addpath(struct session *session, int count, char **words)
{
	cli_rc_add_path(&session->places, words[1]);
	return session_places_changed(session);
}

int run_pathmap(struct session *session, int count, char **words)
{
	cli_rc_map_path(&session->places, words[1], words[2]);
	return session_places_changed(session);
}

static int choose_threshold(struct session *session, unsigned *threshold,
			    const char *word)
{
	int64_t percent;

	if (!number_i64(&percent, word) || percent < 1 || percent > 100)
		return session_error(session,
				     "invalid share '%s': it is from 1 to 100 %%", word);
	*threshold = (unsigned)percent;
	return 0;
}

int run_sthresh(struct session *session, int count, char **words)
{
	return choose_threshold(session, &session->source_threshold, words[1]);
}

int run_dthresh(struct session *session, int count, char **words)
{
	return choose_threshold(session, &session->disasm_threshold, words[1]);
}

/* ---- words that have no meaning here ---- */

static int ignore(struct session *session, const char *word, const char *why)
{
	cli_warn("%s%signoring '%s': %s", session->where ? session->where : "",
		 session->where ? ": " : "", word, why);
	return 0;
}

int run_ignored(struct session *session, int count, char **words)
{
	return ignore(session, words[0], "it is for the graphical analyzer");
}

int run_commentary(struct session *session, int count, char **words)
{
	return ignore(session, words[0], "compilers leave no commentary in ELF files");
}

int run_ifreq(struct session *session, int count, char **words)
{
	return ignore(session, words[0], "no recorder counts instructions");
}

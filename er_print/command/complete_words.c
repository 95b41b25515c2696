/* SPDX-License-Identifier: Apache-2.0 */
#include "er_print/command/complete_words.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "er_print/command/command.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"

static void add_words(struct completions *found, const char *prefix, size_t head,
		      const char *const words[])
{
	for (; *words; words++)
		completions_add(found, prefix, head, *words);
}

/* Case is ignored: a prefix in capitals is replaced. */
static void add_name(struct completions *found, const char *prefix, const char *name)
{
	if (name && !strchr(name, '*') && strncasecmp(name, prefix, strlen(prefix)) == 0)
		completions_add(found, "", 0, name);
}

void complete_command(struct session *session, struct completions *found,
		      const char *prefix)
{
	struct each_command each = { 0 };

	while (command_next(session, &each)) {
		if (!each.topic->title)
			continue;
		add_name(found, prefix, each.command->name);
		add_name(found, prefix, each.command->other_name);
	}
}

void complete_name_form(struct session *session, struct completions *found,
			const char *prefix)
{
	static const char *const forms[] = { "long", "short", "mangled", NULL };
	static const char *const objects[] = { "soname", "nosoname", NULL };
	const char *colon = strchr(prefix, ':');

	if (colon)
		add_words(found, prefix, (size_t)(colon + 1 - prefix), objects);
	else
		add_words(found, prefix, 0, forms);
	found->is_open = !colon;
}

void complete_view_mode(struct session *session, struct completions *found,
			const char *prefix)
{
	static const char *const modes[] = { "user", "expert", "machine", NULL };

	add_words(found, prefix, 0, modes);
}

void complete_print_mode(struct session *session, struct completions *found,
			 const char *prefix)
{
	static const char *const modes[] = { "text", "html", NULL };

	add_words(found, prefix, 0, modes);
}

void complete_switch(struct session *session, struct completions *found,
		     const char *prefix)
{
	static const char *const words[] = { "on", "off", NULL };

	add_words(found, prefix, 0, words);
}

void complete_comparison(struct session *session, struct completions *found,
			 const char *prefix)
{
	static const char *const words[] = { "on", "off", "delta", "ratio", NULL };

	add_words(found, prefix, 0, words);
}

void complete_matrix(struct session *session, struct completions *found,
		     const char *prefix)
{
	static const char *const words[] = { "bytes", "messages", NULL };

	add_words(found, prefix, 0, words);
}

void complete_id(struct session *session, struct completions *found, const char *prefix)
{
	completions_add(found, prefix, 0, "all");
	for (size_t i = 1; i <= expt_view_count(session->view); i++) {
		char number[24];

		snprintf(number, sizeof(number), "%zu", i);
		completions_add(found, prefix, 0, number);
	}
}

/* ---- metrics ---- */

static void add_metrics(struct session *session, struct completions *found,
			const char *prefix, size_t head)
{
	static const char *const patterns[] = { "any", "all", "hwc", "bit", NULL };

	for (size_t i = 0; i < expt_metric_count(session->view); i++)
		if (expt_metric(session->view, i)->is_offered)
			completions_add(found, prefix, head,
					expt_metric(session->view, i)->name);
	add_words(found, prefix, head, patterns);
}

/* The name of a metric follows its flavors and its visibility. Where they are missing,
 * both defaults are offered with it. */
static void add_keys(struct session *session, struct completions *found,
		     const char *prefix, size_t head)
{
	static const char *const statics[] = { "size", "address", "name", "default",
					       NULL };
	size_t flavors = strspn(prefix + head, "eia");
	size_t visibility = strspn(prefix + head + flavors, ".%+!");

	if (visibility > 0) {
		add_metrics(session, found, prefix, head + flavors + visibility);
		return;
	}
	add_words(found, prefix, head, statics);
	add_metrics(session, found, prefix, head);
	for (size_t i = 0; flavors > 0 && i < expt_metric_count(session->view); i++) {
		const struct expt_metric *metric = expt_metric(session->view, i);
		char key[METRIC_TEXT_SIZE];

		if (!metric->is_offered)
			continue;
		snprintf(key, sizeof(key), ".%s", metric->name);
		completions_add(found, prefix, head + flavors, key);
	}
}

void complete_metrics(struct session *session, struct completions *found,
		      const char *prefix)
{
	const char *colon = strrchr(prefix, ':');

	add_keys(session, found, prefix, colon ? (size_t)(colon + 1 - prefix) : 0);
	found->is_open = true; /* another key can follow */
}

void complete_sort(struct session *session, struct completions *found, const char *prefix)
{
	add_keys(session, found, prefix, *prefix == '-');
}

/* ---- expressions ---- */

static bool is_in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The word of the expression that the prefix ends in is completed. */
void complete_expression(struct session *session, struct completions *found,
			 const char *prefix)
{
	size_t head = strlen(prefix);

	while (head > 0 && is_in_word(prefix[head - 1]))
		head--;
	for (size_t i = 0; i < expt_word_count(); i++)
		completions_add(found, prefix, head, expt_word(i).name);
	found->is_open = true; /* an operator can follow */
}

/* ---- names in the experiments ---- */

/* The first time, this reads the events, as the command itself would. */
void complete_function(struct session *session, struct completions *found,
		       const char *prefix)
{
	const struct expt_rows *rows = session_rows(session, EXPT_BY_FUNCTION);

	for (size_t i = EXPT_ROW_FIRST; rows && i < expt_rows_count(rows); i++) {
		const struct expt_row *row = expt_row(rows, i);

		if (row->is_counted && row->function)
			completions_add(found, prefix, 0,
					expt_function_name(row->function,
							   session->name_form));
	}
}

void complete_object(struct session *session, struct completions *found,
		     const char *prefix)
{
	for (size_t i = 0; i < expt_view_count(session->view); i++) {
		struct expt *expt = expt_view_expt(session->view, i);

		for (size_t j = 0; j < expt_object_count(expt); j++)
			completions_add(found, prefix, 0,
					expt_object_name(expt_object(expt, j)));
	}
}

void complete_founder(struct session *session, struct completions *found,
		      const char *prefix)
{
	for (size_t i = 0; i < expt_view_count(session->view); i++)
		if (expt_view_founder(session->view, i) == i)
			completions_add(found, prefix, 0,
					expt_view_name(session->view, i));
}

/* ---- files ---- */

static void add_entries(struct completions *found, DIR *directory, const char *prefix,
			size_t head)
{
	struct dirent *entry;

	while ((entry = readdir(directory)) != NULL) {
		size_t count = found->count;
		char name[sizeof(entry->d_name) + 1];
		bool is_directory;

		/* Hidden files are offered only after a dot. */
		if (path_is_dots(entry->d_name) ||
		    (*entry->d_name == '.' && prefix[head] != '.'))
			continue;
		is_directory =
			io_is_directory(dirfd(directory), entry->d_name, entry->d_type);
		snprintf(name, sizeof(name), "%s%s", entry->d_name,
			 is_directory ? "/" : "");
		completions_add(found, prefix, head, name);
		found->is_open |= is_directory && found->count > count;
	}
}

void complete_file(struct session *session, struct completions *found, const char *prefix)
{
	size_t head = (size_t)(path_base(prefix) - prefix);
	cleanup_free char *path = head ? strndup(prefix, head) : strdup(".");
	DIR *directory = path ? opendir(path) : NULL;

	if (!directory)
		return;
	add_entries(found, directory, prefix, head);
	closedir(directory);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of MPI jobs, and the messages between them. */
#include <inttypes.h>
#include <string.h>

#include "er_print/events/private.h"
#include "er_print/table/table.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"

/* Fill a table with what is to be shown of a job. false: out of memory. */
typedef bool filler(struct table *table, const struct expt_ranks *ranks, bool is_bytes);

static void release_ranks(struct expt_ranks **ranks)
{
	expt_ranks_free(*ranks);
}

struct column {
	const char *title;
	enum cell_form form;
};

static bool add_columns(struct table *table, const struct column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct table_column *column =
			table_add_column(table, columns[i].title, columns[i].form);

		if (!column)
			return false;
		column->has_value = true;
	}
	return true;
}

/* ---- ranks ---- */

static const struct column rank_columns[] = {
	{ "Rank", CELL_TEXT },
	{ "MPI Time", CELL_TIME },
	{ "MPI Calls", CELL_COUNT },
	{ "Messages Sent", CELL_COUNT },
	{ "Bytes Sent", CELL_COUNT },
	{ "Messages Received", CELL_COUNT },
	{ "Bytes Received", CELL_COUNT },
	{ "Clock Offset", CELL_TIME },
	{ "Host", CELL_NAME },
};

static void fill_rank(struct cell *cells, const struct expt_rank *rank)
{
	const int64_t values[] = {
		rank->time_ns,	rank->calls,	rank->sends,	 rank->sent,
		rank->receives, rank->received, rank->offset_ns,
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		cells[1 + i].value = values[i];
	cells[8].text = rank->host;
}

static void add_to_total(struct expt_rank *total, const struct expt_rank *rank)
{
	add_saturated(&total->time_ns, rank->time_ns);
	add_saturated(&total->calls, rank->calls);
	add_saturated(&total->sends, rank->sends);
	add_saturated(&total->sent, rank->sent);
	add_saturated(&total->receives, rank->receives);
	add_saturated(&total->received, rank->received);
}

static char *number_text(struct table *table, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return table_text(table, text);
}

static bool fill_ranks(struct table *table, const struct expt_ranks *ranks, bool is_bytes)
{
	struct expt_rank total = { .host = "<Total>" };
	struct cell *cells;

	if (!add_columns(table, rank_columns,
			 sizeof(rank_columns) / sizeof(*rank_columns)))
		return false;
	for (size_t i = 0; i < expt_ranks_count(ranks); i++)
		add_to_total(&total, expt_rank(ranks, i));
	cells = table_add_line(table, ' ');
	if (!cells)
		return false;
	fill_rank(cells, &total);
	cells[0].text = "";
	for (size_t i = 0; i < expt_ranks_count(ranks); i++) {
		const struct expt_rank *rank = expt_rank(ranks, i);

		cells = table_add_line(table, ' ');
		if (!cells)
			return false;
		fill_rank(cells, rank);
		cells[0].text = number_text(table, rank->rank);
		if (!cells[0].text)
			return false;
	}
	return true;
}

/* ---- messages ---- */

static const struct column route_columns[] = {
	{ "Messages Sent", CELL_COUNT },
	{ "Bytes Sent", CELL_COUNT },
	{ "Messages Received", CELL_COUNT },
	{ "Bytes Received", CELL_COUNT },
	{ "Pairs", CELL_COUNT },
	{ "Transfer Time", CELL_TIME },
	{ "Shortest Transfer", CELL_TEXT },
	{ "Sender and Receiver", CELL_NAME },
};

static bool fill_routes(struct table *table, const struct expt_ranks *ranks,
			bool is_bytes)
{
	if (!add_columns(table, route_columns,
			 sizeof(route_columns) / sizeof(*route_columns)))
		return false;
	for (size_t i = 0; i < expt_routes_count(ranks); i++) {
		const struct expt_route *route = expt_route(ranks, i);
		struct cell *cells = table_add_line(table, ' ');
		char text[64];

		if (!cells)
			return false;
		cells[0].value = route->sends;
		cells[1].value = route->sent;
		cells[2].value = route->receives;
		cells[3].value = route->received;
		cells[4].value = route->pairs;
		cells[5].value = route->total_ns;
		snprintf(text, sizeof(text), "%.6f", (double)route->shortest_ns / 1e9);
		cells[6].text = table_text(table, route->pairs ? text : "");
		snprintf(text, sizeof(text), "%" PRId64 " -> %" PRId64,
			 expt_rank(ranks, route->from)->rank,
			 expt_rank(ranks, route->to)->rank);
		cells[7].text = table_text(table, text);
		if (!cells[6].text || !cells[7].text)
			return false;
	}
	return true;
}

/* ---- the matrix ---- */

static bool fill_matrix(struct table *table, const struct expt_ranks *ranks,
			bool is_bytes)
{
	size_t count = expt_ranks_count(ranks), route = 0;

	for (size_t i = 0; i < count; i++) {
		const char *title = number_text(table, expt_rank(ranks, i)->rank);
		struct table_column *column;

		column = title ? table_add_column(table, title, CELL_COUNT) : NULL;
		if (!column)
			return false;
		column->has_value = true;
	}
	if (!table_add_column(table, "Sender, by Receiver", CELL_NAME))
		return false;
	for (size_t i = 0; i < count; i++) {
		struct cell *cells = table_add_line(table, ' ');

		if (!cells)
			return false;
		for (; route < expt_routes_count(ranks); route++) {
			const struct expt_route *shown = expt_route(ranks, route);

			if (shown->from != i)
				break;
			cells[shown->to].value = is_bytes ? shown->sent : shown->sends;
		}
		cells[count].text = number_text(table, expt_rank(ranks, i)->rank);
		if (!cells[count].text)
			return false;
	}
	return true;
}

/* ---- commands ---- */

static int show_job(struct session *session, const struct expt_ranks *ranks,
		    const char *title, const char *name, filler *fill, bool is_bytes)
{
	struct table table = { 0 };
	bool is_good = fill(&table, ranks, is_bytes);

	if (is_good) {
		output_title(&session->output, "%s: %s", title, name);
		output_gap(&session->output);
		table_print(&table, session->limit, &session->output);
		output_gap(&session->output);
	}
	table_release(&table);
	return is_good ? 0 : session_out_of_memory(session);
}

static int show_jobs(struct session *session, const char *title, filler *fill,
		     bool is_bytes)
{
	bool is_any = false;

	for (size_t i = 0; i < expt_view_count(session->view); i++) {
		cleanup(release_ranks) struct expt_ranks *ranks = NULL;
		struct expt_error err;

		if (expt_view_founder(session->view, i) != i)
			continue;
		if (expt_ranks_find(&ranks, session->view, i, &err) < 0)
			return session_failed(session, &err);
		session_report_problems(session);
		if (expt_ranks_count(ranks) == 0)
			continue;
		is_any = true;
		if (show_job(session, ranks, title, expt_view_name(session->view, i),
			     fill, is_bytes) < 0)
			return -1;
	}
	if (!is_any)
		fputs("The experiments are not those of MPI jobs: see collect -M\n\n",
		      session->out);
	return 0;
}

int run_mpi_ranks(struct session *session, int count, char **words)
{
	return show_jobs(session, "Ranks", fill_ranks, false);
}

int run_mpi_messages(struct session *session, int count, char **words)
{
	return show_jobs(session, "Messages between two ranks", fill_routes, false);
}

int run_mpi_matrix(struct session *session, int count, char **words)
{
	if (strcmp(words[1], "bytes") == 0)
		return show_jobs(session, "Bytes between two ranks", fill_matrix, true);
	if (strcmp(words[1], "messages") == 0)
		return show_jobs(session, "Messages between two ranks", fill_matrix,
				 false);
	return session_error(session,
			     "mpi_matrix: invalid argument '%s': use bytes or "
			     "messages",
			     words[1]);
}

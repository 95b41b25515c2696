/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of er_cp and er_mv: the experiments go next to the new group file one by one,
 * and it appears when all of them are there. After an interruption the command can be
 * repeated: finished work is not repeated. While a group is moved, its old file names
 * each experiment at its current place.
 */
#include "libexpt/cli/transfer/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/cli/stop.h"

#define TASK_IS_NEXT (-1)

struct transfer_member {
	const char *path;
	char *place; /* its destination; then its place, NULL: the old one */
	const struct transfer_member *same; /* an earlier line for the same experiment,
					     * or NULL */
	bool is_done;			    /* done by an earlier run */
};

struct transfer_group {
	struct cli_transfer *transfer;
	const char *from;
	char *to;
	struct expt_group *group;
	struct transfer_member *members;
	size_t count, next;
	bool stays;	    /* a move to its own name: only the members move */
	bool is_written;    /* the new file has its contents */
	bool is_kept_right; /* its file is in transfer->groups */
	bool lacks_some;    /* a member is not at its destination */
	int status;
};

static bool is_same_file(const char *a, const char *b)
{
	struct stat one, other;

	return lstat(a, &one) == 0 && lstat(b, &other) == 0 && io_is_same(&one, &other);
}

/* ---- before anything is done ------------------------------------------------------- */

/* Returns the path next to the new group, with the member's own name. */
static char *place_for(const struct transfer_group *group, const char *member)
{
	size_t length, directory = (size_t)(path_last(group->to, &length) - group->to);
	const char *last = path_last(member, &length);
	char *place;

	if (asprintf(&place, "%.*s%.*s", (int)directory, group->to, (int)length, last) <
	    0)
		return NULL;
	return place;
}

/* Returns an earlier member with the destination of member i, or NULL. */
static const struct transfer_member *find_earlier(const struct transfer_group *group,
						  size_t i)
{
	for (size_t n = 0; n < i; n++)
		if (strcmp(group->members[n].place, group->members[i].place) == 0)
			return &group->members[n];
	return NULL;
}

/* A group may name an experiment twice, and in two ways. Returns the first of these
 * members, or NULL. */
static const struct transfer_member *find_same(const struct transfer_group *group,
					       size_t i)
{
	const struct transfer_member *member = &group->members[i];

	for (size_t n = 0; n < i; n++) {
		const struct transfer_member *earlier = &group->members[n];

		if (strcmp(earlier->place, member->place) == 0 &&
		    (strcmp(earlier->path, member->path) == 0 ||
		     is_same_file(earlier->path, member->path)))
			return earlier;
	}
	return NULL;
}

/* Two experiments from two directories have one name: with --rename the second gets
 * another. */
static int check_earlier(const struct transfer_group *group,
			 const struct transfer_member *member,
			 const struct transfer_member *earlier)
{
	if (group->transfer->rename)
		return CLI_OK;
	return cli_error("'%s' and '%s' would have the same name", earlier->path,
			 member->path);
}

static int check_taken(const struct transfer_group *group, struct transfer_member *member)
{
	const struct cli_transfer *transfer = group->transfer;

	if (is_same_file(member->path, member->place)) {
		member->is_done = transfer->is_move;
		return CLI_OK; /* or the copy is refused */
	}
	if (transfer->force || transfer->rename)
		return CLI_OK;
	if (expt_is_same(member->path, member->place, NULL) == 1) {
		member->is_done = !transfer->is_move; /* else finish the move */
		return CLI_OK;
	}
	if (transfer->interactive)
		return CLI_OK;
	return cli_error("cannot create '%s': File exists", member->place);
}

static int check_member(const struct transfer_group *group, size_t i)
{
	struct transfer_member *member = &group->members[i];
	const struct transfer_member *earlier = find_earlier(group, i);

	member->same = find_same(group, i);
	if (member->same)
		return CLI_OK;
	if (earlier)
		return check_earlier(group, member, earlier);
	if (cli_exists(member->place) && cli_exists(member->path))
		return check_taken(group, member);
	/* A move may have been interrupted before the group was updated. */
	if (!cli_exists(member->path) &&
	    !(group->transfer->is_move && cli_exists(member->place)))
		return cli_error("cannot open '%s': No such file or directory",
				 member->path);
	return CLI_OK;
}

static int make_places(struct transfer_group *group)
{
	group->count = expt_group_count(group->group);
	group->members = calloc(group->count + 1, sizeof(*group->members));
	if (!group->members)
		return cli_error("out of memory");
	for (size_t i = 0; i < group->count; i++) {
		group->members[i].path = expt_group_member(group->group, i);
		group->members[i].place = place_for(group, group->members[i].path);
		if (!group->members[i].place)
			return cli_error("out of memory");
	}
	return CLI_OK;
}

/* Report all problems that can be found before anything is done. */
static int check_members(const struct transfer_group *group)
{
	int status = CLI_OK;

	for (size_t i = 0; i < group->count; i++)
		if (check_member(group, i) != CLI_OK)
			status = CLI_FAILED;
	return status == CLI_OK ? CLI_OK
				: cli_error("nothing in '%s' was %s", group->from,
					    group->transfer->done);
}

/* Returns whether a move was interrupted when only the old file was left to remove. */
static bool is_written_already(const struct transfer_group *group)
{
	struct expt_group *other;
	bool is_same;

	if (!group->transfer->is_move || expt_group_open(&other, group->to, NULL) < 0)
		return false;
	is_same = expt_group_count(other) == group->count;
	for (size_t i = 0; i < group->count && is_same; i++)
		is_same =
			is_same_file(group->members[i].path, group->members[i].place) &&
			is_same_file(group->members[i].path, expt_group_member(other, i));
	expt_group_close(other);
	return is_same;
}

/* Check whether the group may get its new name. */
static int check_name(struct transfer_group *group, bool *is_wanted)
{
	const struct cli_transfer *transfer = group->transfer;

	*is_wanted = true;
	if (!expt_name_is_group(group->to))
		return cli_error(
			"'%s' cannot be a group: its name does not end in '.erg'",
			group->to);
	group->stays = transfer->is_move && is_same_file(group->from, group->to);
	group->is_written = group->stays || is_written_already(group);
	if (group->is_written || !cli_exists(group->to))
		return CLI_OK;
	if (transfer->interactive)
		*is_wanted = cli_confirm("replace '%s'? ", group->to);
	else if (!transfer->force)
		return cli_error("cannot create '%s': File exists", group->to);
	return CLI_OK;
}

/* ---- the members ------------------------------------------------------------------- */

/* Set the place of the same experiment, which was transferred before. */
static int take_place(struct transfer_member *member)
{
	free(member->place);
	member->place = NULL;
	if (member->same->place && !(member->place = strdup(member->same->place)))
		return cli_error("out of memory");
	return CLI_OK;
}

/* Returns TASK_IS_NEXT if the member is the next task, else a status. */
static int settle_member(const struct transfer_group *group,
			 struct transfer_member *member, struct cli_task *task)
{
	cleanup_free char *wanted = NULL;

	if (member->same)
		return take_place(member);
	if (member->is_done) {
		if (group->transfer->is_verbose && !group->transfer->is_move)
			cli_say("present '%s'", member->place);
		return CLI_OK;
	}
	wanted = steal(&member->place);
	if (task_begin(task, group->transfer, member->path, wanted))
		return TASK_IS_NEXT;
	member->place = steal(&task->at);
	return task->status;
}

static void finish_member(struct transfer_group *group, int status)
{
	if (status != CLI_OK)
		group->status = CLI_FAILED;
	if (!group->members[group->next++].place)
		group->lacks_some = true;
	cli_stop_if_asked();
}

bool group_next(struct transfer_group *group, struct cli_task *task)
{
	while (group->next < group->count) {
		int status = settle_member(group, &group->members[group->next], task);

		if (status == TASK_IS_NEXT)
			return true;
		finish_member(group, status);
		task_release(task);
	}
	return false;
}

void group_add_task(struct transfer_group *group, struct cli_task *task)
{
	group->members[group->next].place = steal(&task->at);
	finish_member(group, task->status);
}

/* ---- the group file ---------------------------------------------------------------- */

static int write_group(const struct transfer_group *group)
{
	const char **names = calloc(group->count + 1, sizeof(*names));
	struct expt_error err;
	int rc;

	if (!names)
		return cli_error("out of memory");
	for (size_t i = 0; i < group->count; i++) {
		size_t length;

		names[i] = path_last(group->members[i].place, &length);
	}
	rc = expt_group_write(group->group, names, group->to,
			      group->transfer->force || group->transfer->interactive,
			      &err);
	free(names);
	return rc < 0 ? cli_failed(&err) : CLI_OK;
}

static int change_files(const struct transfer_group *group)
{
	struct expt_error err;

	if (!group->is_written && write_group(group) != CLI_OK)
		return CLI_FAILED;
	if (group->transfer->is_move && !group->stays &&
	    expt_group_remove(group->group, &err) < 0)
		return cli_failed(&err);
	return CLI_OK;
}

static int finish_group(const struct transfer_group *group)
{
	const struct cli_transfer *transfer = group->transfer;

	if (!transfer->operation.dry_run && change_files(group) != CLI_OK)
		return CLI_FAILED;
	if (transfer->is_verbose || transfer->operation.dry_run)
		cli_say("%s '%s' -> '%s' (%zu experiments)",
			transfer->operation.dry_run ? transfer->planned : transfer->done,
			group->from, group->to, group->count);
	return CLI_OK;
}

/* ---- all of it --------------------------------------------------------------------- */

/* During the move, its own file is one of the groups that get the new names. */
static int keep_right(struct transfer_group *group)
{
	const char **own = array_add(&group->transfer->groups);

	if (!own)
		return cli_error("out of memory");
	*own = group->from;
	group->is_kept_right = true;
	return CLI_OK;
}

static int open_group(struct transfer_group *group, bool *is_wanted)
{
	struct expt_error err;
	int status;

	if (!group->to)
		return cli_error("out of memory");
	if (expt_group_open(&group->group, group->from, &err) < 0)
		return cli_failed(&err);
	status = make_places(group);
	if (status == CLI_OK)
		status = check_name(group, is_wanted);
	if (status != CLI_OK || !*is_wanted)
		return status;
	if (group->transfer->is_move && keep_right(group) != CLI_OK)
		return CLI_FAILED;
	return check_members(group);
}

static void release(struct transfer_group *group)
{
	if (group->is_kept_right)
		group->transfer->groups.count--;
	for (size_t i = 0; group->members && i < group->count; i++)
		free(group->members[i].place);
	free(group->members);
	expt_group_close(group->group);
	free(group->to);
	free(group);
}

struct transfer_group *group_begin(struct cli_transfer *transfer, const char *from,
				   const char *to, int *status)
{
	struct transfer_group *group = calloc(1, sizeof(*group));
	bool is_wanted = false;

	if (!group) {
		*status = cli_error("out of memory");
		return NULL;
	}
	*group = (struct transfer_group){ .transfer = transfer, .from = from };
	group->to = strdup(to);
	*status = open_group(group, &is_wanted);
	if (*status == CLI_OK && is_wanted)
		return group;
	release(group);
	return NULL;
}

/* Called after all members were tried. */
static int finish(const struct transfer_group *group)
{
	if (!group->lacks_some)
		return finish_group(group) == CLI_OK ? group->status : CLI_FAILED;
	if (group->status != CLI_OK)
		return cli_error("'%s' cannot be %s: not all of its experiments can be",
				 group->from, group->transfer->done);
	if (!group->transfer->is_quiet) /* the user declined */
		cli_warn("'%s' was not %s: not all of its experiments were", group->from,
			 group->transfer->done);
	return CLI_OK;
}

int group_end(struct transfer_group *group)
{
	int status = finish(group);

	release(group);
	return status;
}

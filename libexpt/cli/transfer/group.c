/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of er_cp and er_mv: the experiments go beside the new group file one by one, and it appears when
 * all are there. Who is interrupted repeats the command: what was done is not done again. While a group
 * is moved, its old file names each experiment where it is.
 */
#include "libexpt/cli/transfer/transfer.h"

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

struct transfer_member {
	const char *path;
	char *place; /* where it goes; then where it is, NULL: where it was */
	const struct transfer_member *same; /* the group has named it before; or NULL */
	bool is_there;			    /* from an earlier run */
};

struct transfer_group {
	struct cli_transfer *transfer;
	const char *from, *to;
	struct expt_group *group;
	struct transfer_member *members;
	size_t count;
	bool stays;	 /* a move to its own name: only the members go */
	bool is_written; /* the new file is what it shall be */
};

static bool is_same_file(const char *a, const char *b)
{
	struct stat one, other;

	return lstat(a, &one) == 0 && lstat(b, &other) == 0 && io_is_same(&one, &other);
}

/* ---- the groups of what is moved ------------------------------------------------------ */

int cli_check_groups(const struct cli_transfer *transfer)
{
	for (size_t i = 0; i < transfer->groups.count; i++) {
		const char *path = transfer->groups.items[i];
		struct expt_group *group;
		struct expt_error err;

		if (expt_group_open(&group, path, &err) < 0)
			return cli_failed(&err);
		expt_group_close(group);
		if (access(path, W_OK) < 0)
			return cli_error("cannot change '%s': %s", path, strerror(errno));
	}
	return CLI_OK;
}

int cli_rename_in_groups(const struct cli_transfer *transfer, const char *from,
			 const char *to)
{
	int lines = 0;

	for (size_t i = 0; i < transfer->groups.count; i++) {
		const char *group = transfer->groups.items[i];
		struct expt_error err;
		int rc = expt_group_rename(group, from, to, &err);

		if (rc > 0 && transfer->is_verbose)
			cli_say("'%s' names '%s' now", group, to);
		if (rc < 0) {
			cli_error("'%s' is at '%s' now, but: %s", from, to, err.message);
			return -1;
		}
		lines += rc;
	}
	return lines;
}

/* ---- before anything is done ---------------------------------------------------------- */

/* Beside the new group, with its own name. */
static char *place_for(const struct transfer_group *group, const char *member)
{
	size_t length, directory = (size_t)(path_last(group->to, &length) - group->to);
	const char *last = path_last(member, &length);
	char *place;

	if (asprintf(&place, "%.*s%.*s", (int)directory, group->to, (int)length, last) < 0)
		return NULL;
	return place;
}

/* The member of this place before member i, or NULL. */
static const struct transfer_member *find_earlier(const struct transfer_group *group,
						  size_t i)
{
	for (size_t n = 0; n < i; n++)
		if (strcmp(group->members[n].place, group->members[i].place) == 0)
			return &group->members[n];
	return NULL;
}

/* A group may name an experiment twice, and in two ways: the first of them, or NULL. */
static const struct transfer_member *find_same(const struct transfer_group *group, size_t i)
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

/* Two experiments of one name, from two directories: with --rename the second gets another. */
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
		member->is_there = transfer->is_move;
		return CLI_OK; /* or the copy is refused */
	}
	if (transfer->force || transfer->rename)
		return CLI_OK;
	if (expt_is_same(member->path, member->place, NULL) == 1) {
		member->is_there = !transfer->is_move; /* a move is finished */
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
	/* A move may have been interrupted before the group was put right. */
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

/* What can be seen before anything is done is said before. */
static int check_members(const struct transfer_group *group)
{
	int status = CLI_OK;

	for (size_t i = 0; i < group->count; i++)
		if (check_member(group, i) != CLI_OK)
			status = CLI_FAILED;
	return status == CLI_OK ? CLI_OK
				: cli_error("nothing of '%s' is %s", group->from,
					    group->transfer->done);
}

/* A move that was interrupted when only the old file was left to remove. */
static bool is_written_already(const struct transfer_group *group)
{
	struct expt_group *other;
	bool is_same;

	if (!group->transfer->is_move || expt_group_open(&other, group->to, NULL) < 0)
		return false;
	is_same = expt_group_count(other) == group->count;
	for (size_t i = 0; i < group->count && is_same; i++)
		is_same = is_same_file(group->members[i].path, group->members[i].place) &&
			  is_same_file(group->members[i].path, expt_group_member(other, i));
	expt_group_close(other);
	return is_same;
}

/* Whether the group may get its new name. */
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

/* ---- the members ------------------------------------------------------------------------ */

static int transfer_member(const struct transfer_group *group,
			   struct transfer_member *member)
{
	cleanup_free char *wanted = steal(&member->place);

	return cli_transfer_one(group->transfer, member->path, wanted, &member->place);
}

/* Where the same experiment is by now. */
static int take_place(struct transfer_member *member)
{
	free(member->place);
	member->place = NULL;
	if (member->same->place && !(member->place = strdup(member->same->place)))
		return cli_error("out of memory");
	return CLI_OK;
}

static int settle_member(const struct transfer_group *group, struct transfer_member *member)
{
	if (member->same)
		return take_place(member);
	if (!member->is_there)
		return transfer_member(group, member);
	if (group->transfer->is_verbose && !group->transfer->is_move)
		cli_say("present '%s'", member->place);
	return CLI_OK;
}

/* All of them are tried. */
static int transfer_members(const struct transfer_group *group, bool *are_all_there)
{
	int status = CLI_OK;

	*are_all_there = true;
	for (size_t i = 0; i < group->count; i++) {
		struct transfer_member *member = &group->members[i];

		if (settle_member(group, member) != CLI_OK)
			status = CLI_FAILED;
		if (!member->place)
			*are_all_there = false;
		cli_stop_if_asked();
	}
	return status;
}

/* ---- the group file ---------------------------------------------------------------------- */

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
			      group->transfer->force || group->transfer->interactive, &err);
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

/* ---- all of it --------------------------------------------------------------------------- */

static int transfer_all(struct transfer_group *group)
{
	bool are_all_there;
	int status = check_members(group);

	if (status != CLI_OK)
		return status;
	status = transfer_members(group, &are_all_there);
	if (are_all_there)
		return finish_group(group) == CLI_OK ? status : CLI_FAILED;
	if (status != CLI_OK)
		return cli_error("'%s' is not %s: not all of its experiments could be",
				 group->from, group->transfer->done);
	if (!group->transfer->is_quiet) /* somebody was asked, and said no */
		cli_warn("'%s' is not %s: not all of its experiments were", group->from,
			 group->transfer->done);
	return CLI_OK;
}

/* For the time of the move its own file is one of those that are kept right. */
static int move_all(struct transfer_group *group)
{
	struct cli_groups *groups = &group->transfer->groups;
	const char **own = array_add(groups);
	int status;

	if (!own)
		return cli_error("out of memory");
	*own = group->from;
	status = transfer_all(group);
	groups->count--;
	return status;
}

int cli_transfer_group(struct cli_transfer *transfer, const char *from, const char *to)
{
	struct transfer_group group = { .transfer = transfer, .from = from, .to = to };
	struct expt_error err;
	bool is_wanted = false;
	int status;

	if (expt_group_open(&group.group, from, &err) < 0)
		return cli_failed(&err);
	status = make_places(&group);
	if (status == CLI_OK)
		status = check_name(&group, &is_wanted);
	if (status == CLI_OK && is_wanted)
		status = transfer->is_move ? move_all(&group) : transfer_all(&group);
	for (size_t i = 0; group.members && i < group.count; i++)
		free(group.members[i].place);
	free(group.members);
	expt_group_close(group.group);
	return status;
}

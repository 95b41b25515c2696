/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A rank that is replaced. Its descendants lie beside it, so that no single rename
 * replaces them all: first the former rank is hidden, and then they are. An error puts
 * them back, the rank last, and what a killed import leaves hidden is being removed.
 */
#include "libexpt/import/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/entries.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/experiment/folder.h"
#include "libexpt/format.h"
#include "libexpt/stage/clean.h"
#include "libexpt/stage/rename.h"

#define DESCENDANT_PREFIX "_" /* in the directory of a rank that is a founder */

/* ---- descendants ---- */

static bool is_of_rank(const char *name, const char *rank)
{
	return text_starts_with(name, rank) &&
	       text_starts_with(name + strlen(rank), DESCENDANT_PREFIX);
}

/* List the directories whose names begin with this and DESCENDANT_PREFIX. */
static int list(struct folder_names *names, int dir, const char *prefix,
		struct expt_error *err)
{
	int rc = folder_list(names, &(struct folder){ .dir = dir });
	size_t count = 0;

	if (rc < 0)
		return expt_fail(err, rc, "cannot list the descendants of a rank");
	for (size_t i = 0; i < names->count; i++)
		if (names->items[i].is_directory &&
		    is_of_rank(names->items[i].name, prefix))
			names->items[count++] = names->items[i];
	names->count = count;
	return 0;
}

/* A directory that may not be changed cannot be moved to another one. */
static int move(int from, const char *name, int to, const char *new,
		struct expt_error *err)
{
	cleanup_fd int dir = io_open_beneath(from, name, O_RDONLY | O_DIRECTORY, 0);
	struct stat status;
	int rc;

	if (dir >= 0 && fstat(dir, &status) == 0 && (status.st_mode & S_IRWXU) != S_IRWXU)
		fchmod(dir, (status.st_mode & DIRECTORY_MODE) | S_IRWXU);
	rc = stage_rename(from, name, to, new);
	return rc < 0 ? expt_fail(err, rc, "cannot move '%s' to '%s'", name, new) : 0;
}

int descendants_move_out(int rank, int founder, const char *prefix,
			 struct expt_error *err)
{
	struct folder_names names;
	int rc = list(&names, rank, "", err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		char new[2 * STAGE_NAME_SIZE];

		snprintf(new, sizeof(new), "%s%s", prefix, names.items[i].name);
		rc = move(rank, names.items[i].name, founder, new, err);
	}
	folder_names_release(&names);
	return rc;
}

int descendants_move_in(int rank, int founder, const char *prefix, struct expt_error *err)
{
	struct folder_names names;
	int rc = list(&names, founder, prefix, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < names.count; i++)
		rc = move(founder, names.items[i].name, rank,
			  names.items[i].name + strlen(prefix), err);
	folder_names_release(&names);
	return rc;
}

/* Returns 1 if the rank has any, 0 if not. */
static int has_descendants(int dir, const char *prefix, struct expt_error *err)
{
	struct folder_names names;
	int rc = list(&names, dir, prefix, err);

	if (rc < 0)
		return rc;
	rc = names.count > 0;
	folder_names_release(&names);
	return rc;
}

/* ---- what was there ---- */

static int set_aside(struct stage_aside *aside, int founder, const char *name,
		     struct expt_error *err)
{
	int rc = stage_set_aside(aside, founder, name, err);

	return rc == -EAGAIN ? expt_refuse(err, -EBUSY,
					   "'%s' is being replaced or removed", name)
			     : rc;
}

/* Remove what has lost its rank. */
static int remove_descendants(int founder, const char *prefix, struct expt_error *err)
{
	struct folder_names names;
	int rc = list(&names, founder, prefix, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < names.count; i++) {
		struct stage_aside aside;

		rc = set_aside(&aside, founder, names.items[i].name, err);
		if (rc == 0)
			stage_discard(&aside);
	}
	folder_names_release(&names);
	return rc;
}

/* Remove what killed imports have hidden. */
static void clean(int founder, const char *final, const char *prefix)
{
	cleanup_entries struct entries entries = entries_open(founder);
	const struct dirent64 *entry;
	char hidden[STAGE_NAME_SIZE];

	while ((entry = entries_next(&entries)))
		if (stage_final_name(hidden, entry->d_name) &&
		    (strcmp(hidden, final) == 0 || is_of_rank(hidden, prefix)))
			stage_clean_hidden(founder, entry->d_name, false, NULL, NULL);
}

/* Returns whether the rank is to be hidden: without descendants, it and the new one are
 * exchanged in one step. */
static int must_hide(const struct import *import, const struct stage *new,
		     const char *prefix, struct expt_error *err)
{
	int rc = has_descendants(import->founder, prefix, err);

	return rc == 0 ? has_descendants(new->dir, "", err) : rc;
}

static int hide(struct former *former, int founder, const char *name,
		struct expt_error *err)
{
	struct stage_aside *aside = array_add(former);

	if (!aside)
		return expt_fail(err, -ENOMEM, "cannot replace '%s'", name);
	*aside = (struct stage_aside){ .dir = -1 };
	return set_aside(aside, founder, name, err);
}

static int hide_all(struct former *former, int founder, const char *final,
		    const char *prefix, struct expt_error *err)
{
	struct folder_names names;
	int rc = list(&names, founder, prefix, err);

	if (rc < 0)
		return rc;
	rc = hide(former, founder, final, err);
	for (size_t i = 0; rc == 0 && i < names.count; i++)
		rc = hide(former, founder, names.items[i].name, err);
	folder_names_release(&names);
	return rc;
}

int former_set_aside(struct former *former, const struct import *import,
		     const struct stage *new, const char *prefix, struct expt_error *err)
{
	int founder = import->founder, rc;
	struct stat status;

	*former = (struct former){ 0 };
	clean(founder, new->final, prefix);
	if (fstatat(founder, new->final, &status, AT_SYMLINK_NOFOLLOW) < 0)
		return remove_descendants(founder, prefix, err);
	rc = must_hide(import, new, prefix, err);
	if (rc <= 0)
		return rc;
	rc = hide_all(former, founder, new->final, prefix, err);
	if (rc < 0)
		former_put_back(former);
	return rc;
}

/* The rank comes last. */
void former_put_back(struct former *former)
{
	for (size_t i = former->count; i-- > 0;)
		if (former->items[i].dir >= 0)
			stage_put_back(&former->items[i]);
	array_release(former);
}

void former_discard(struct former *former)
{
	for (size_t i = 0; i < former->count; i++)
		stage_discard(&former->items[i]);
	array_release(former);
}

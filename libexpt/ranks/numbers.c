/* SPDX-License-Identifier: Apache-2.0 */
/* Which experiments are the ranks of a job. */
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/number.h"
#include "libexpt/format.h"
#include "libexpt/ranks/private.h"

/* Returns the rank by the name of an experiment, or that of a descendant of it:
 * "M_r12_x1"; -1: it is not one. */
static int64_t rank_of_name(const struct expt *expt)
{
	const char *lineage = expt_lineage(expt);
	char *end;
	unsigned long number;

	if (strncmp(lineage, MPI_RANK_PREFIX, strlen(MPI_RANK_PREFIX)) != 0)
		return -1;
	lineage += strlen(MPI_RANK_PREFIX);
	number = strtoul(lineage, &end, 10);
	return end != lineage && number <= INT32_MAX ? (int64_t)number : -1;
}

/* Returns the rank that the launcher had given to a founder. */
static int64_t rank_of_founder(const struct expt *founder)
{
	uint64_t number;

	for (size_t i = 0; i < expt_setting_count(founder); i++) {
		const struct expt_attribute *setting = expt_setting(founder, i);

		if (strcmp(setting->name, MPI_RANK_SETTING) == 0 &&
		    number_u64(&number, setting->value) && number <= INT32_MAX)
			return (int64_t)number;
	}
	return -1;
}

static void number_descendants(struct reader *reader, size_t founder)
{
	const struct view_member *members = reader->view->members.items;

	for (size_t i = 0; i < reader->view->members.count; i++)
		if (members[i].founder == founder)
			reader->numbers[i] = rank_of_name(members[i].expt);
}

/* How many founders before this one have its rank: those of as many other jobs. */
static size_t job_of(const int64_t *ranks, size_t founder)
{
	size_t job = 0;

	for (size_t i = 0; i < founder; i++)
		job += ranks[i] == ranks[founder];
	return job;
}

/* Founders that are ranks themselves are a job together, of which the first one has all
 * ranks. */
static void number_founders(struct reader *reader, size_t founder, const int64_t *ranks)
{
	const struct view_member *members = reader->view->members.items;
	size_t job = job_of(ranks, founder);

	for (size_t i = 0; i < founder; i++)
		if (ranks[i] >= 0 && job_of(ranks, i) == job)
			return;
	for (size_t i = 0; i < reader->view->members.count; i++)
		if (ranks[members[i].founder] >= 0 &&
		    job_of(ranks, members[i].founder) == job)
			reader->numbers[i] = ranks[members[i].founder];
}

bool ranks_number(struct reader *reader, size_t founder)
{
	const struct view_member *members = reader->view->members.items;
	size_t count = reader->view->members.count;
	cleanup_free int64_t *ranks = calloc(count + 1, sizeof(*ranks));

	reader->numbers = calloc(count + 1, sizeof(*reader->numbers));
	if (!ranks || !reader->numbers)
		return false;
	for (size_t i = 0; i < count; i++) {
		reader->numbers[i] = -1;
		ranks[i] = members[i].founder == i && rank_of_name(members[i].expt) < 0
				   ? rank_of_founder(members[i].expt)
				   : -1;
	}
	if (ranks[founder] >= 0)
		number_founders(reader, founder, ranks);
	else
		number_descendants(reader, founder);
	return true;
}

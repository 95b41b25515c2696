/* SPDX-License-Identifier: Apache-2.0 */
/* The records of an experiment's clock file, read by tests. */
#ifndef TESTS_LIBEXPT_EXPERIMENT_READ_H
#define TESTS_LIBEXPT_EXPERIMENT_READ_H

#include "tests/libexpt/packets.h"

static struct expt *expt;
static struct expt_records *records;
static struct expt_record record;

static inline void open_records(void)
{
	struct expt_error err;

	expt = open_with(CLOCK_FILE);
	if (expt_records_open(&records, expt, EXPT_CLOCK, &err) < 0)
		fail_msg("%s", err.message);
}

static inline bool next(void)
{
	struct expt_error err;
	int rc = expt_records_next(records, &record, &err);

	if (rc < 0)
		fail_msg("%s", err.message);
	return rc;
}

static inline void close_records(void)
{
	expt_records_close(records);
	expt_close(expt);
}

/* Reads to the end and counts the records. */
static inline size_t read_all(void)
{
	size_t count = 0;

	open_records();
	while (next())
		count++;
	return count;
}

#endif

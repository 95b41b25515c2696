/* SPDX-License-Identifier: Apache-2.0 */
/* MPI tracing: a record is a call, or a further message of the one before. A call that
 * moves no message counts as another call. */
#include "libexpt/kinds/mpi.h"

#include "libexpt/events/facts.h"

enum {
	MPI_TIME,
	MPI_SENDS,
	MPI_BYTES_SENT,
	MPI_RECEIVES,
	MPI_BYTES_RECEIVED,
	MPI_OTHER,
	MPI_CALLS,
	MPI_METRICS
};

static const struct metric_form metrics[] = {
	[MPI_TIME] = { "mpitime", "MPI Time", "MPI Time", EXPT_UNIT_TIME },
	[MPI_SENDS] = { "mpisend", "MPI Sends", "MPI Sends", EXPT_UNIT_COUNT },
	[MPI_BYTES_SENT] = { "mpibytessent", "MPI Bytes Sent", "MPI Bytes Sent",
			     EXPT_UNIT_COUNT },
	[MPI_RECEIVES] = { "mpireceive", "MPI Receives", "MPI Receives",
			   EXPT_UNIT_COUNT },
	[MPI_BYTES_RECEIVED] = { "mpibytesrecv", "MPI Bytes Received",
				 "MPI Bytes Received", EXPT_UNIT_COUNT },
	[MPI_OTHER] = { "mpiother", "Other MPI Calls", "Other MPI Calls",
			EXPT_UNIT_COUNT },
	[MPI_CALLS] = { "mpicalls", "MPI Calls", "MPI Calls", EXPT_UNIT_COUNT },
};

static bool offers(const struct kind_use *use, const struct expt *expt, size_t metric)
{
	return expt_has_data(expt, EXPT_MPI);
}

static void measure(const struct expt_record *record, const struct gauge *gauge,
		    int64_t *values)
{
	int64_t start, end, time_ns, type = EXPT_MPI_OTHER;

	if (expt_record_value(record, EXPT_MPIRQST, &start) &&
	    expt_record_value(record, EXPT_TSTAMP, &end) &&
	    !__builtin_sub_overflow(end, start, &time_ns))
		values[MPI_TIME] = time_ns;
	expt_record_value(record, EXPT_MPISCOUNT, &values[MPI_SENDS]);
	expt_record_value(record, EXPT_MPISBYTES, &values[MPI_BYTES_SENT]);
	expt_record_value(record, EXPT_MPIRCOUNT, &values[MPI_RECEIVES]);
	expt_record_value(record, EXPT_MPIRBYTES, &values[MPI_BYTES_RECEIVED]);
	values[MPI_OTHER] = values[MPI_SENDS] == 0 && values[MPI_RECEIVES] == 0;
	expt_record_value(record, EXPT_MPITYPE, &type);
	values[MPI_CALLS] = type != EXPT_MPI_MESSAGE;
}

/* Shorter records, of calls with one message or none, lack what they do not have. */
static bool find(struct kind_use *use, const struct event *event,
		 enum expression_word word, int64_t *value)
{
	int64_t start;

	if (!expt_record_value(event->record, EXPT_MPIRQST, &start))
		return false;
	switch (word) {
	case EXPRESSION_MPIPEER:
		*value = -1;
		return true;
	case EXPRESSION_MPISCOUNT:
	case EXPRESSION_MPISBYTES:
	case EXPRESSION_MPIRCOUNT:
	case EXPRESSION_MPIRBYTES:
	case EXPRESSION_MPITAG:
		*value = 0;
		return true;
	default:
		return false;
	}
}

const struct data_kind mpi_kind = {
	.data = EXPT_MPI,
	.metrics = metrics,
	.metric_count = MPI_METRICS,
	.offers = offers,
	.measure = measure,
	.find = find,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* MPI tracing. The wrappers are in a library of their own. */

#include "collector/sources/mpi.h"

#include "collector/base/text.h"
#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

#define CALL_FIELDS                                               \
	{ "MPITYPE", "Class of the call", "INT32",                \
	  offsetof(struct mpi_packet, head.what) },               \
		{ "MPIRQST", "Began at", "INT64",                 \
		  offsetof(struct mpi_packet, requested_ns) },    \
	{                                                         \
		"MPICOMM", "Communicator", "UINT64",              \
			offsetof(struct mpi_packet, communicator) \
	}
#define MESSAGE_FIELDS                                                           \
	{ "MPIPEER", "Other rank", "INT32", offsetof(struct mpi_packet, peer) }, \
	{                                                                        \
		"MPITAG", "Tag", "INT32", offsetof(struct mpi_packet, tag)       \
	}
#define COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))

/* Most calls move one message, or none: their packets are shorter. */
static void describe(struct text *text)
{
	static const struct packet_field call[] = { CALL_FIELDS };
	static const struct packet_field sent[] = {
		CALL_FIELDS,
		MESSAGE_FIELDS,
		{ "MPISCOUNT", "Messages sent", "INT32",
		  offsetof(struct mpi_packet, head.fd) },
		{ "MPISBYTES", "Bytes sent", "INT64", offsetof(struct mpi_packet, sent) },
	};
	static const struct packet_field received[] = {
		CALL_FIELDS,
		MESSAGE_FIELDS,
		{ "MPIRCOUNT", "Messages received", "INT32",
		  offsetof(struct mpi_packet, head.fd) },
		{ "MPIRBYTES", "Bytes received", "INT64",
		  offsetof(struct mpi_packet, sent) },
	};
	static const struct packet_field all[] = {
		CALL_FIELDS,
		MESSAGE_FIELDS,
		{ "MPISCOUNT", "Messages sent", "INT32",
		  offsetof(struct mpi_packet, sends) },
		{ "MPISBYTES", "Bytes sent", "INT64", offsetof(struct mpi_packet, sent) },
		{ "MPIRCOUNT", "Messages received", "INT32",
		  offsetof(struct mpi_packet, receives) },
		{ "MPIRBYTES", "Bytes received", "INT64",
		  offsetof(struct mpi_packet, received) },
	};

	text_add(text, "<profile name=\"mpitrace\">\n");
	packet_describe_file(text, MPI_FILE);
	packet_describe(text, PACKET_MPI, "MPI tracing data", PACKET_TRACE, all,
			COUNT(all));
	packet_describe(text, PACKET_MPI_CALL, "MPI call", PACKET_TRACE, call,
			COUNT(call));
	packet_describe(text, PACKET_MPI_SENT, "MPI message sent", PACKET_TRACE, sent,
			COUNT(sent));
	packet_describe(text, PACKET_MPI_RECEIVED, "MPI message received", PACKET_TRACE,
			received, COUNT(received));
	text_add(text, "</profile>\n");
}

static bool open_mpi(void)
{
	return settings.has_mpi;
}

const struct data_source mpi_source = {
	.file = MPI_FILE,
	.metadata = METADATA_PREFIX MPI_FILE ".xml",
	.kind = DATA_MPI,
	.describe = describe,
	.open = open_mpi,
};

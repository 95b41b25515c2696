/* SPDX-License-Identifier: Apache-2.0 */
/* MPI tracing. The wrappers are in a library of their own. */

#include "collector/sources/mpi.h"

#include "collector/base/text.h"
#include "collector/common/packet_text.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

static void describe(struct text *text)
{
	static const struct packet_field fields[] = {
		{ "MPITYPE", "Class of the call", "INT32",
		  offsetof(struct mpi_packet, head.what) },
		{ "MPIRQST", "Began at", "INT64",
		  offsetof(struct mpi_packet, requested_ns) },
		{ "MPISBYTES", "Bytes sent", "INT64", offsetof(struct mpi_packet, sent) },
		{ "MPIRBYTES", "Bytes received", "INT64",
		  offsetof(struct mpi_packet, received) },
		{ "MPISCOUNT", "Messages sent", "INT32",
		  offsetof(struct mpi_packet, sends) },
		{ "MPIRCOUNT", "Messages received", "INT32",
		  offsetof(struct mpi_packet, receives) },
		{ "MPICOMM", "Communicator", "UINT64",
		  offsetof(struct mpi_packet, communicator) },
		{ "MPIPEER", "Other rank", "INT32", offsetof(struct mpi_packet, peer) },
		{ "MPITAG", "Tag", "INT32", offsetof(struct mpi_packet, tag) },
	};

	text_add(text, "<profile name=\"mpitrace\">\n");
	packet_describe_file(text, MPI_FILE);
	packet_describe(text, PACKET_MPI, "MPI tracing data", PACKET_TRACE, fields,
			sizeof(fields) / sizeof(fields[0]));
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

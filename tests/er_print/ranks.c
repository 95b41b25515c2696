/* SPDX-License-Identifier: Apache-2.0 */
/* ranks FILE - ranks that send messages over several communicators in several ways, and
 * write each that they send: "FROM TO BYTES" */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static FILE *own;
static char out[5000], in[64][5000];

/* Ranks in MPI_COMM_WORLD are told from those of a communicator by the ranks themselves.
 */
static int world[64];

static void learn(MPI_Comm comm)
{
	MPI_Allgather(&rank, 1, MPI_INT, world, 1, MPI_INT, comm);
}

static void sends(int to, int bytes)
{
	fprintf(own, "%d %d %d\n", rank, world[to], bytes);
}

/* A stencil: two neighbours, with requests that are completed together. */
static void exchange(MPI_Comm comm, int rounds)
{
	int me, count, left, right;
	MPI_Request requests[4];

	learn(comm);
	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &count);
	left = (me + count - 1) % count;
	right = (me + 1) % count;
	for (int i = 0; i < rounds; i++) {
		MPI_Irecv(in[0], 5000, MPI_CHAR, left, 1, comm, &requests[0]);
		MPI_Irecv(in[1], 5000, MPI_CHAR, right, 2, comm, &requests[1]);
		MPI_Isend(out, i, MPI_CHAR, right, 1, comm, &requests[2]);
		MPI_Isend(out, 2 * i, MPI_CHAR, left, 2, comm, &requests[3]);
		sends(right, i);
		sends(left, 2 * i);
		MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
	}
}

/* A master that answers whoever asks. */
static void serve(MPI_Comm comm, int rounds)
{
	MPI_Status status;
	int count;

	learn(comm);
	for (int i = 0; rank == 0 && i < rounds * (size - 1); i++) {
		MPI_Recv(in[0], 5000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, comm,
			 &status);
		MPI_Get_count(&status, MPI_CHAR, &count);
		MPI_Send(out, count + 1, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG,
			 comm);
		sends(status.MPI_SOURCE, count + 1);
	}
	for (int i = 0; rank != 0 && i < rounds; i++) {
		MPI_Sendrecv(out, rank + i, MPI_CHAR, 0, i, in[0], 5000, MPI_CHAR, 0, i,
			     comm, MPI_STATUS_IGNORE);
		sends(0, rank + i);
	}
}

/* Everyone to everyone, over the two groups of an intercommunicator. */
static void cross(MPI_Comm both)
{
	MPI_Request requests[64];
	int others, me;

	MPI_Comm_remote_size(both, &others);
	learn(both);
	MPI_Comm_rank(both, &me);
	for (int i = 0; i < others; i++)
		MPI_Irecv(in[i], 5000, MPI_CHAR, i, 0, both, &requests[i]);
	for (int i = 0; i < others; i++) {
		MPI_Send(out, 10 * me + i, MPI_CHAR, i, 0, both);
		sends(i, 10 * me + i);
	}
	MPI_Waitall(others, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
	MPI_Comm copy, half, ring, both;
	char name[100];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	sprintf(name, "%.80s.%d", argv[1], rank);
	own = fopen(name, "w");
	exchange(MPI_COMM_WORLD, 10);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	serve(copy, 20);
	MPI_Comm_split(copy, rank % 2, -rank, &half);
	exchange(half, 5);
	MPI_Cart_create(copy, 1, &size, (int[]){ 1 }, 0, &ring);
	exchange(ring, 3);
	MPI_Comm_free(&ring);
	if (size > 1) {
		MPI_Intercomm_create(half, 0, MPI_COMM_WORLD,
				     rank % 2 ? (size - 1) & ~1 : (size - 2) | 1, 3,
				     &both);
		cross(both);
		MPI_Comm_free(&both);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return fclose(own);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_calls FILE - make calls of MPI, and write what each has sent and received: "NAME
 * MESSAGES BYTES MESSAGES BYTES" */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static char own[400000];

/* What the call has sent and received. */
static void made(const char *name, int sends, long sent, int receives, long received)
{
	static char *end = own;

	end += sprintf(end, "%s %d %ld %d %ld\n", name, sends, sent, receives, received);
}
#define MADE(call, ...) (call == MPI_SUCCESS ? made(__VA_ARGS__) : abort())

static void talk_to_next(MPI_Comm all)
{
	int next = (rank + 1) % size, before = (rank + size - 1) % size, count, flag = 0,
	    indices[9], done;
	static double out[1000], in[9][1000];
	MPI_Request requests[9];
	MPI_Status status;

	for (int i = 0; i < 4; i++) {
		MADE(MPI_Isend(out, 100 * i, MPI_DOUBLE, next, 7, all, &requests[0]),
		     "MPI_Isend", 1, 800 * i, 0, 0);
		MADE(MPI_Recv(in, 1000, MPI_DOUBLE, before, 7, all,
			      i % 2 ? &status : MPI_STATUS_IGNORE),
		     "MPI_Recv", 0, 0, 1, 800 * i);
		MADE(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), "MPI_Wait", 0, 0, 0, 0);
	}
	MPI_Get_count(&status, MPI_DOUBLE, &count);
	if (count != 300)
		abort();
	MADE(MPI_Sendrecv(out, 10, MPI_INT, next, 1, in, 100, MPI_INT, before, 1, all,
			  MPI_STATUS_IGNORE),
	     "MPI_Sendrecv", 1, 40, 1, 40);
	MADE(MPI_Sendrecv_replace(out, 3, MPI_CHAR, next, 1, before, 1, all, &status),
	     "MPI_Sendrecv_replace", 1, 3, 1, 3);
	MADE(MPI_Send(out, 5, MPI_INT, MPI_PROC_NULL, 0, all), "MPI_Send", 0, 0, 0, 0);
	MADE(MPI_Recv(out, 5, MPI_INT, MPI_PROC_NULL, 0, all, MPI_STATUS_IGNORE),
	     "MPI_Recv", 0, 0, 0, 0);
	for (int i = 0; i < 9; i++)
		MADE(MPI_Irecv(in[i], 1000, MPI_DOUBLE, before, i, all, &requests[i]),
		     "MPI_Irecv", 0, 0, 0, 0);
	for (int i = 0; i < 9; i++)
		MADE(MPI_Send(out, i, MPI_DOUBLE, next, i, all), "MPI_Send", 1, 8 * i, 0,
		     0);
	MADE(MPI_Wait(&requests[0], &status), "MPI_Wait", 0, 0, 1, 0);
	while (!flag) {
		MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
		made("MPI_Test", 0, 0, flag, flag * 8);
	}
	MADE(MPI_Waitall(2, requests + 2, MPI_STATUSES_IGNORE), "MPI_Waitall", 0, 0, 2,
	     16 + 24);
	for (int left = 2; left > 0; left--) {
		MPI_Waitany(2, requests + 4, indices, &status);
		made("MPI_Waitany", 0, 0, 1, 8 * (4 + indices[0]));
	}
	for (int left = 3; left > 0; left -= done) {
		long bytes = 0;

		MPI_Waitsome(3, requests + 6, &done, indices, MPI_STATUSES_IGNORE);
		for (int i = 0; i < done; i++)
			bytes += 8 * (6 + indices[i]);
		made("MPI_Waitsome", 0, 0, done, bytes);
	}
}

static void talk_to_all(MPI_Comm all)
{
	int is_root = rank == 1 % size, root = 1 % size, counts[16], places[16], sum = 0;
	static int out[16 * 100], in[16 * 100];
	MPI_Request request;

	for (int i = 0; i < size; i++) {
		counts[i] = i + 1;
		places[i] = sum;
		sum += i + 1;
	}
	MADE(MPI_Barrier(all), "MPI_Barrier", 0, 0, 0, 0);
	MADE(MPI_Bcast(out, 50, MPI_INT, root, all), "MPI_Bcast", is_root, 200 * is_root,
	     !is_root, 200 * !is_root);
	MADE(MPI_Gather(out, 2, MPI_INT, in, 2, MPI_INT, root, all), "MPI_Gather", 1, 8,
	     is_root, 8 * size * is_root);
	MADE(MPI_Gatherv(is_root ? MPI_IN_PLACE : out, rank + 1, MPI_INT, in, counts,
			 places, MPI_INT, root, all),
	     "MPI_Gatherv", !is_root, 4 * (rank + 1) * !is_root, is_root,
	     4 * sum * is_root);
	MADE(MPI_Scatter(out, 3, is_root ? MPI_INT : MPI_DATATYPE_NULL,
			 is_root ? MPI_IN_PLACE : in, 3, MPI_INT, root, all),
	     "MPI_Scatter", is_root, 12 * size * is_root, !is_root, 12 * !is_root);
	MADE(MPI_Scatterv(out, counts, places, MPI_INT, in, rank + 1, MPI_INT, root, all),
	     "MPI_Scatterv", is_root, 4 * sum * is_root, 1, 4 * (rank + 1));
	MADE(MPI_Allgather(out, 4, MPI_INT, in, 4, MPI_INT, all), "MPI_Allgather", 1, 16,
	     1, 16 * size);
	MADE(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 4, MPI_INT, all),
	     "MPI_Allgather", 1, 16, 1, 16 * size);
	MADE(MPI_Allgatherv(out, rank + 1, MPI_INT, in, counts, places, MPI_INT, all),
	     "MPI_Allgatherv", 1, 4 * (rank + 1), 1, 4 * sum);
	MADE(MPI_Alltoall(out, 5, MPI_INT, in, 5, MPI_INT, all), "MPI_Alltoall", 1,
	     20 * size, 1, 20 * size);
	MADE(MPI_Reduce(out, in, 6, MPI_INT, MPI_SUM, root, all), "MPI_Reduce", 1, 24,
	     is_root, 24 * is_root);
	MADE(MPI_Allreduce(MPI_IN_PLACE, in, 7, MPI_INT, MPI_MAX, all), "MPI_Allreduce",
	     1, 28, 1, 28);
	MADE(MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, all),
	     "MPI_Reduce_scatter", 1, 4 * sum, 1, 4 * (rank + 1));
	MADE(MPI_Reduce_scatter_block(out, in, 2, MPI_INT, MPI_SUM, all),
	     "MPI_Reduce_scatter_block", 1, 8 * size, 1, 8);
	MADE(MPI_Scan(out, in, 8, MPI_INT, MPI_SUM, all), "MPI_Scan", 1, 32, 1, 32);
	MADE(MPI_Iallreduce(out, in, 9, MPI_INT, MPI_MAX, all, &request),
	     "MPI_Iallreduce", 1, 36, 1, 36);
	MADE(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait", 0, 0, 0, 0);
}

/* Requests that are used again, messages that are taken out before they are received, and
 * a receive that is cancelled. */
static void talk_in_other_ways(MPI_Comm all)
{
	int next = (rank + 1) % size, before = (rank + size - 1) % size, flag;
	static int out[100], in[100], zeros[16], counts[16], places[16];
	MPI_Request requests[3];
	MPI_Message message;
	MPI_Status status;

	MADE(MPI_Recv_init(in, 100, MPI_INT, MPI_ANY_SOURCE, 5, all, &requests[0]),
	     "MPI_Recv_init", 0, 0, 0, 0);
	MADE(MPI_Send_init(out, 10, MPI_INT, next, 5, all, &requests[1]), "MPI_Send_init",
	     0, 0, 0, 0);
	MADE(MPI_Start(&requests[0]), "MPI_Start", 0, 0, 0, 0);
	MADE(MPI_Start(&requests[1]), "MPI_Start", 1, 40, 0, 0);
	MADE(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), "MPI_Waitall", 0, 0, 1, 40);
	for (int i = 0; i < 3; i++) {
		MADE(MPI_Startall(2, requests), "MPI_Startall", 1, 40, 0, 0);
		MADE(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), "MPI_Waitall", 0, 0,
		     1, 40);
	}
	MADE(MPI_Wait(&requests[0], &status), "MPI_Wait", 0, 0, 0, 0); /* not started */
	for (int i = 0; i < 2; i++)
		MADE(MPI_Request_free(&requests[i]), "MPI_Request_free", 0, 0, 0, 0);

	for (int i = 0; i < 2; i++)
		MADE(MPI_Isend(out, 7 + i, MPI_INT, next, i, all, &requests[i]),
		     "MPI_Isend", 1, 28 + 4 * i, 0, 0);
	MADE(MPI_Mprobe(before, MPI_ANY_TAG, all, &message, &status), "MPI_Mprobe", 0, 0,
	     0, 0);
	MADE(MPI_Mrecv(in, 100, MPI_INT, &message, MPI_STATUS_IGNORE), "MPI_Mrecv", 0, 0,
	     1, 28);
	do {
		MPI_Improbe(before, 1, all, &flag, &message, MPI_STATUS_IGNORE);
		made("MPI_Improbe", 0, 0, 0, 0);
	} while (!flag);
	MADE(MPI_Imrecv(in, 100, MPI_INT, &message, &requests[2]), "MPI_Imrecv", 0, 0, 0,
	     0);
	MADE(MPI_Wait(&requests[2], &status), "MPI_Wait", 0, 0, 1, 32);
	MADE(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE), "MPI_Waitall", 0, 0, 0, 0);

	for (int i = 0; i < size; i++)
		counts[i] = 1;
	for (int i = 0; i < size; i++)
		places[i] = i;
	MADE(MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT,
			   all),
	     "MPI_Alltoallv", 1, 4 * size, 1, 4 * size);
	MADE(MPI_Alltoallv(out, zeros, zeros, MPI_INT, in, zeros, zeros, MPI_INT, all),
	     "MPI_Alltoallv", 1, 0, 1, 0);

	MADE(MPI_Irecv(in, 100, MPI_INT, before, 99, all, &requests[0]), "MPI_Irecv", 0,
	     0, 0, 0);
	MADE(MPI_Cancel(&requests[0]), "MPI_Cancel", 0, 0, 0, 0);
	MADE(MPI_Wait(&requests[0], MPI_STATUS_IGNORE), "MPI_Wait", 0, 0, 0, 0);
}

/* Many requests, whose statuses nobody wants. */
static void talk_much(MPI_Comm all)
{
	static MPI_Request requests[3000];
	static int in[3000];
	int out = 1;

	for (int i = 0; i < 3000; i++)
		MADE(MPI_Irecv(&in[i], 1, MPI_INT, (rank + size - 1) % size, i, all,
			       &requests[i]),
		     "MPI_Irecv", 0, 0, 0, 0);
	for (int i = 0; i < 3000; i++)
		MADE(MPI_Send(&out, i % 2, MPI_INT, (rank + 1) % size, i, all),
		     "MPI_Send", 1, 4 * (i % 2), 0, 0);
	MADE(MPI_Waitall(3000, requests, MPI_STATUSES_IGNORE), "MPI_Waitall", 0, 0, 3000,
	     6000);
}

/* Into and out of the memory of another rank. */
static void move(MPI_Comm all)
{
	static int memory[100], out[100], in[100];
	int next = (rank + 1) % size;
	MPI_Request request;
	MPI_Win window;

	if (size < 2) /* Open MPI has no windows then */
		return;
	MADE(MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, all,
			    &window),
	     "MPI_Win_create", 0, 0, 0, 0);
	MADE(MPI_Win_fence(0, window), "MPI_Win_fence", 0, 0, 0, 0);
	MADE(MPI_Put(out, 10, MPI_INT, next, 0, 10, MPI_INT, window), "MPI_Put", 1, 40, 0,
	     0);
	MADE(MPI_Put(out, 10, MPI_INT, MPI_PROC_NULL, 0, 10, MPI_INT, window), "MPI_Put",
	     0, 0, 0, 0);
	MADE(MPI_Win_fence(0, window), "MPI_Win_fence", 0, 0, 0, 0);
	MADE(MPI_Get(in, 5, MPI_INT, next, 10, 5, MPI_INT, window), "MPI_Get", 0, 0, 1,
	     20);
	MADE(MPI_Win_fence(0, window), "MPI_Win_fence", 0, 0, 0, 0);
	MADE(MPI_Accumulate(out, 3, MPI_INT, next, 0, 3, MPI_INT, MPI_SUM, window),
	     "MPI_Accumulate", 1, 12, 0, 0);
	MADE(MPI_Win_fence(0, window), "MPI_Win_fence", 0, 0, 0, 0);
	MADE(MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window), "MPI_Win_lock", 0, 0, 0, 0);
	MADE(MPI_Rput(out, 4, MPI_INT, next, 0, 4, MPI_INT, window, &request), "MPI_Rput",
	     1, 16, 0, 0);
	MADE(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait", 0, 0, 0, 0);
	MADE(MPI_Rget(in, 6, MPI_INT, next, 0, 6, MPI_INT, window, &request), "MPI_Rget",
	     0, 0, 1, 24);
	MADE(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait", 0, 0, 0, 0);
	MADE(MPI_Get_accumulate(out, 7, MPI_INT, in, 7, MPI_INT, next, 0, 7, MPI_INT,
				MPI_SUM, window),
	     "MPI_Get_accumulate", 1, 28, 1, 28);
	MADE(MPI_Win_flush(next, window), "MPI_Win_flush", 0, 0, 0, 0);
	MADE(MPI_Get_accumulate(NULL, 0, MPI_INT, in, 8, MPI_INT, next, 0, 8, MPI_INT,
				MPI_NO_OP, window),
	     "MPI_Get_accumulate", 0, 0, 1, 32);
	MADE(MPI_Win_flush(next, window), "MPI_Win_flush", 0, 0, 0, 0);
	MADE(MPI_Fetch_and_op(out, in, MPI_INT, next, 0, MPI_SUM, window),
	     "MPI_Fetch_and_op", 1, 4, 1, 4);
	MADE(MPI_Win_flush(next, window), "MPI_Win_flush", 0, 0, 0, 0);
	MADE(MPI_Compare_and_swap(out, out + 1, in, MPI_INT, next, 0, window),
	     "MPI_Compare_and_swap", 1, 8, 1, 4);
	MADE(MPI_Win_unlock(next, window), "MPI_Win_unlock", 0, 0, 0, 0);
	MADE(MPI_Win_free(&window), "MPI_Win_free", 0, 0, 0, 0);
}

/* Between the group of the even ranks, whose first one is the root, and that of the odd
 * ones. */
static void talk_to_others(void)
{
	MPI_Comm own, both;
	static int data[100];
	int is_even = rank % 2 == 0, is_root = rank == 0, root, others;

	if (size < 2)
		return;
	MADE(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &own), "MPI_Comm_split", 0, 0,
	     0, 0);
	MADE(MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, is_even, 3, &both),
	     "MPI_Intercomm_create", 0, 0, 0, 0);
	MPI_Comm_remote_size(both, &others);
	root = is_root ? MPI_ROOT : is_even ? MPI_PROC_NULL : 0;
	MADE(MPI_Bcast(data, 5, MPI_INT, root, both), "MPI_Bcast", is_root, 20 * is_root,
	     !is_even, 20 * !is_even);
	MADE(MPI_Gather(data, 3, is_even ? MPI_DATATYPE_NULL : MPI_INT, data + 10, 3,
			is_even ? MPI_INT : MPI_DATATYPE_NULL, root, both),
	     "MPI_Gather", !is_even, 12 * !is_even, is_root, 12 * others * is_root);
	MADE(MPI_Allgather(data, 2, MPI_INT, data + 10, 2, MPI_INT, both),
	     "MPI_Allgather", 1, 8, 1, 8 * others);
	MADE(MPI_Comm_free(&both), "MPI_Comm_free", 0, 0, 0, 0);
}

int main(int argc, char **argv)
{
	char name[100];
	MPI_Comm all;
	FILE *file;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MADE(MPI_Comm_dup(MPI_COMM_WORLD, &all), "MPI_Comm_dup", 0, 0, 0, 0);
	talk_to_next(all);
	talk_to_all(all);
	talk_in_other_ways(all);
	talk_much(all);
	talk_to_others();
	move(all);
	made("MPI_Init", 0, 0, 0, 0);
	MADE(MPI_Finalize(), "MPI_Finalize", 0, 0, 0, 0);
	sprintf(name, "%.80s.%d", argv[1], rank); /* no two ranks write into one */
	file = fopen(name, "w");
	fputs(own, file);
	return fclose(file);
}

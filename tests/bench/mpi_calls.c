/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_calls call|ping N - print how many nanoseconds each of N calls of MPI takes that
 * does nothing, or each of N messages of 8 bytes that go back and forth between two ranks
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void call(long count)
{
	char byte = 0;

	for (long i = 0; i < count; i++)
		MPI_Send(&byte, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void ping(long count, int rank)
{
	char bytes[8] = "";

	for (long i = 0; i < count / 2; i++) {
		if (rank == 0)
			MPI_Send(bytes, 8, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
		MPI_Recv(bytes, 8, MPI_CHAR, !rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1)
			MPI_Send(bytes, 8, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
	}
}

static double measure(const char *what, long count, int rank)
{
	double start = MPI_Wtime();

	if (strcmp(what, "ping") == 0)
		ping(count, rank);
	else
		call(count);
	return (MPI_Wtime() - start) * 1e9 / (double)count;
}

int main(int argc, char **argv)
{
	long count = argc == 3 ? atol(argv[2]) : 0;
	int rank, size;
	double ns;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (count < 10 || (size < 2 && strcmp(argv[1], "ping") == 0))
		MPI_Abort(MPI_COMM_WORLD, 2);
	measure(argv[1], count / 10, rank); /* the libraries prepare themselves */
	ns = measure(argv[1], count, rank);
	if (rank == 0)
		printf("%.1f\n", ns);
	return MPI_Finalize();
}

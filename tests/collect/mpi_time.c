/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_time TENTHS - ranks that compute for so many tenths of a second, and one more for
 * each rank below, or not at all for 0, and talk in between; each prints "RANK SECONDS
 * SECONDS": the CPU time that its process has used in work(), by two clocks */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double used_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static __attribute__((noinline)) void compute(double seconds)
{
	double end = cpu_seconds() + seconds;

	while (cpu_seconds() < end)
		for (volatile int i = 0; i < 10000; i++)
			;
}

static __attribute__((noinline)) void work(int tenths, int rank)
{
	int received;

	for (int i = 0; i < tenths; i++) {
		compute(0.1);
		MPI_Sendrecv(&rank, 1, MPI_INT, rank, 0, &received, 1, MPI_INT, rank, 0,
			     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

int main(int argc, char **argv)
{
	int tenths = argc == 2 ? atoi(argv[1]) : 0, rank;
	double cpu, used;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	cpu = cpu_seconds();
	used = used_seconds();
	work(tenths > 0 ? tenths + rank : 0, rank);
	cpu = cpu_seconds() - cpu;
	used = used_seconds() - used;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	printf("%d %.6f %.6f\n", rank, cpu, used);
	return 0;
}

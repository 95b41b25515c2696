/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_ends threads|abort|kill|leave|exec|error|spawn - a job of two ranks that ends, or
 * does, so */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS	200

static int rank, size;

static void *talk(void *number)
{
	int tag = (int)(long)number;
	double out = tag, in;

	for (int i = 0; i < ROUNDS; i++)
		MPI_Sendrecv(&out, 1, MPI_DOUBLE, (rank + 1) % size, tag, &in, 1,
			     MPI_DOUBLE, (rank + size - 1) % size, tag, MPI_COMM_WORLD,
			     MPI_STATUS_IGNORE);
	return NULL;
}

static void use_threads(void)
{
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, talk, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void make_error(void)
{
	int data = 0;

	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	puts(MPI_Send(&data, 1, MPI_INT, 99, 0, MPI_COMM_WORLD) == MPI_SUCCESS
		     ? "sent"
		     : "refused");
}

static void spawn(char *program)
{
	char *arguments[] = { "child", NULL };
	int data, errors[2];
	MPI_Comm children;

	MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
		       errors);
	for (int i = 0; rank == 0 && i < 2; i++) {
		MPI_Recv(&data, 1, MPI_INT, i, 0, children, MPI_STATUS_IGNORE);
		printf("got %d\n", data);
	}
}

static int be_child(void)
{
	MPI_Comm parent;
	int data = 7;

	MPI_Init(NULL, NULL);
	MPI_Comm_get_parent(&parent);
	MPI_Send(&data, 1, MPI_INT, 0, 0, parent);
	return MPI_Finalize();
}

int main(int argc, char **argv)
{
	const char *way = argv[1];
	int level;

	if (strcmp(way, "child") == 0)
		return be_child();
	if (strcmp(way, "threads") == 0)
		MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
	else
		MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (strcmp(way, "threads") == 0)
		use_threads();
	else if (strcmp(way, "abort") == 0 && rank == 1)
		MPI_Abort(MPI_COMM_WORLD, 3);
	else if (strcmp(way, "kill") == 0 && rank == 1)
		raise(SIGKILL);
	else if (strcmp(way, "leave") == 0)
		_exit(0);
	else if (strcmp(way, "error") == 0)
		make_error();
	else if (strcmp(way, "spawn") == 0)
		spawn(argv[0]);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	if (strcmp(way, "exec") == 0)
		execl("/bin/echo", "echo", "after", NULL);
	puts("finalized");
	return 0;
}

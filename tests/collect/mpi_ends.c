/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_ends WAY - a job of two ranks that ends, or does, what the function of this name,
 * or main, says */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 4
#define ROUNDS	200

static int rank, size;
static char *program;

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

static void spawn(void)
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

/* Another thread than that which initializes asks for what there is, too. */
static void *ask(void *level)
{
	int is_main;

	MPI_Is_thread_main(&is_main);
	printf("level %d %d\n", *(int *)level, is_main);
	return NULL;
}

static void show_level(void)
{
	pthread_t thread;
	int level;

	MPI_Query_thread(&level);
	ask(&level);
	if (level == MPI_THREAD_SINGLE)
		return;
	pthread_create(&thread, NULL, ask, &level);
	pthread_join(thread, NULL);
}

/* A process that a rank starts is not one. */
static void start(void)
{
	int status;

	if (fork() == 0)
		_exit(rank + 5);
	wait(&status);
	printf("child %d\n", WEXITSTATUS(status));
}

/* Returns -1 for those that do not ask for one. */
static int wanted_level(const char *way)
{
	static const struct {
		const char *way;
		int level;
	} levels[] = {
		{ "threads", MPI_THREAD_MULTIPLE },
		{ "single", MPI_THREAD_SINGLE },
		{ "funneled", MPI_THREAD_FUNNELED },
		{ "serialized", MPI_THREAD_SERIALIZED },
		{ "multiple", MPI_THREAD_MULTIPLE },
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (strcmp(way, levels[i].way) == 0)
			return levels[i].level;
	return -1;
}

static void initialize(int *argc, char ***argv)
{
	int wanted = wanted_level((*argv)[1]), level;

	if (wanted < 0)
		MPI_Init(argc, argv);
	else
		MPI_Init_thread(argc, argv, wanted, &level);
}

static void abort_job(void)
{
	if (rank == 1)
		MPI_Abort(MPI_COMM_WORLD, 3);
}

static void die_by_kill(void)
{
	if (rank == 1)
		raise(SIGKILL);
}

static void die_by_fault(void)
{
	if (rank == 1)
		raise(SIGSEGV);
}

static void fail(void)
{
	if (rank == 1)
		exit(9);
}

static void leave(void)
{
	_exit(0);
}

static void leave_library(void)
{
	exit(0);
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{ "threads", use_threads },
	{ "abort", abort_job },
	{ "kill", die_by_kill },
	{ "fault", die_by_fault },
	{ "fail", fail },
	{ "leave", leave },
	{ "return", leave_library },
	{ "start", start },
	{ "error", make_error },
	{ "spawn", spawn },
	{ "single", show_level },
	{ "funneled", show_level },
	{ "serialized", show_level },
	{ "multiple", show_level },
};

int main(int argc, char **argv)
{
	const char *way = argv[1];

	program = argv[0];
	if (strcmp(way, "child") == 0)
		return be_child();
	if (strcmp(way, "early") == 0)
		execl(program, program, "funneled", NULL);
	initialize(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (strcmp(way, ways[i].name) == 0)
			ways[i].run();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	if (strcmp(way, "exec") == 0)
		execl("/bin/echo", "echo", "after", NULL);
	puts("finalized");
	return 0;
}

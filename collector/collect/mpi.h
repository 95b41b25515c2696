/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MPI jobs. The launcher that the user has, such as mpirun, starts the program on each
 * node; with -M it starts collect there, which starts the program as a rank of the job:
 *
 *	collect -M OPENMPI mpirun -np 2 -- ./a.out
 *	mpirun -np 2 collect --rank HOST:PROCESS:START:FOUNDER -- ./a.out
 *
 * The launcher is the founder, of which only samples are recorded; the ranks are its
 * descendants M_r0.er, M_r1.er and so on.
 */
#ifndef COLLECTOR_COLLECT_MPI_H
#define COLLECTOR_COLLECT_MPI_H

#include "collector/launch/settings.h"
#include "libexpt/base/strbuf.h"

struct experiment;

/* Set -M, -m and --rank. They return a status, after a message, as do the functions
 * below. */
int mpi_set(struct settings *settings, const char *value);
int mpi_set_tracing(struct settings *settings, const char *value);
int mpi_set_rank(struct settings *settings, const char *value);
/* Check the launcher's command, and find the rank that this process is to be. */
int mpi_check(struct settings *settings);

/* Make the settings for the launcher from those for the ranks. Its words are to be
 * released. */
int mpi_launcher(struct settings *launcher, struct strbuf *words,
		 const struct settings *settings, const struct experiment *experiment);
/* Set the variables that make the program a rank of the job. */
int mpi_become_rank(const struct settings *settings);
/* Returns whether the founder's directory can be there: it is on this host, or visible.
 */
bool mpi_has_founder(const struct settings *settings);
/* Returns the name of the rank's experiment where it is not: "job.3.er" for "job.er". The
 * caller frees it. */
char *mpi_name_of_rank(const struct settings *settings);
/* Returns the founder's process, or 0 if it is not on this host. */
pid_t mpi_founder(const struct settings *settings);
/* Returns the rank that the launcher has given to this process, as decimal digits, or
 * NULL. */
const char *mpi_rank_of_environment(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of commands. "help" lists them in this order. */
#include "er_print/events/commands.h"

#include "er_print/command/complete_words.h"
#include "er_print/events/private.h"

/* clang-format off */
const struct command memory_commands[] = {
	{ "leaks", NULL, NONE, "", "list leaked memory by call stack",
	  run_leaks,
	  .others = "allocs, heap, heapstat" },
	{ "allocs", NULL, NONE, "", "list allocated memory by call stack",
	  run_allocs,
	  .more = "The most bytes come first. Of counters with data addresses (collect "
		  "-h +NAME), the events in the blocks are shown, too: those that "
		  "'data_metrics' chooses, and in the order of a 'data_sort'.",
	  .others = "leaks, heap, heapstat, data_sort" },
	{ "heap", NULL, NONE, "", "list allocated and leaked memory by call stack",
	  run_heap,
	  .others = "leaks, allocs, heapstat" },
	{ "heapstat", NULL, NONE, "", "show heap statistics and peak usage",
	  run_heapstat,
	  .others = "heap" },
	{ .name = NULL },
};

const struct command io_commands[] = {
	{ "ioactivity", NULL, NONE, "", "list I/O by file",
	  run_ioactivity,
	  .others = "iodetail, iocallstack, iostat" },
	{ "iodetail", NULL, NONE, "", "list I/O by open of a file",
	  run_iodetail,
	  .others = "ioactivity, iocallstack, iostat" },
	{ "iocallstack", NULL, NONE, "", "list I/O by call stack",
	  run_iocallstack,
	  .others = "ioactivity, iodetail, iostat" },
	{ "iostat", NULL, NONE, "", "show I/O statistics by size",
	  run_iostat,
	  .others = "ioactivity" },
	{ .name = NULL },
};

const struct command thread_commands[] = {
	{ "races", NULL, NONE, "", "list data races",
	  run_races,
	  .others = "rdetail, deadlocks" },
	{ "rdetail", NULL, WORD, "ID|all", "show the call stacks of data races",
	  run_rdetail,
	  .more = "ID is a number of races.",
	  .example = "rdetail 1",
	  .others = "races" },
	{ "deadlocks", NULL, NONE, "", "list deadlocks",
	  run_deadlocks,
	  .others = "ddetail, races" },
	{ "ddetail", "dsummary", WORD, "ID|all", "show the call stacks of deadlocks",
	  run_ddetail,
	  .more = "ID is a number of deadlocks.",
	  .example = "ddetail all",
	  .others = "deadlocks" },
	{ "OMP_preg", NULL, NONE, "", "list the parallel regions of OpenMP",
	  run_omp_regions,
	  .others = "OMP_task, viewmode" },
	{ "OMP_task", NULL, NONE, "", "list the tasks of OpenMP",
	  run_omp_tasks,
	  .others = "OMP_preg, viewmode" },
	{ "gcevents", NULL, NONE, "", "list the garbage collections of Java",
	  run_gcevents,
	  .others = "viewmode, metrics" },
	{ .name = NULL },
};

const struct command mpi_commands[] = {
	{ "mpi_calls", NULL, NONE, "", "list calls of MPI by function",
	  run_mpi_calls,
	  .others = "mpi_ranks, functions, callers-callees" },
	{ "mpi_ranks", NULL, NONE, "", "list the ranks of an MPI job",
	  run_mpi_ranks,
	  .more = "Messages include those of collective calls.",
	  .others = "mpi_calls, mpi_messages, mpi_matrix, Communicators" },
	{ "mpi_messages", NULL, NONE, "", "list messages by their sender and receiver",
	  run_mpi_messages,
	  .more = "Messages between two ranks. A transfer takes from the start of the "
		  "call that sends to the end of the one that receives.",
	  .others = "mpi_matrix, mpi_ranks, Partner_Ranks, Message_Tags" },
	{ "mpi_matrix", NULL, WORD, "bytes|messages",
	  "show the matrix of what ranks send",
	  run_mpi_matrix,
	  .complete = complete_matrix,
	  .more = "A line is a sender, and a column a receiver.",
	  .example = "mpi_matrix bytes",
	  .others = "mpi_messages" },
	{ .name = NULL },
};
/* clang-format on */

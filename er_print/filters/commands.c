/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of commands. "help" lists them in this order. */
#include "er_print/filters/commands.h"

#include "er_print/command/complete_words.h"
#include "er_print/filters/private.h"

/* clang-format off */
const struct command filter_commands[] = {
	{ "filters", NULL, OPTIONAL_TEXT, "EXPRESSION", "choose the events that count",
	  run_filters, .complete = complete_expression,
	  .more = "Events for which the expression is 0 are left out of everything that "
		  "follows. 1 keeps all. Without EXPRESSION, the current one is shown.",
	  .example = "filters 'THRID == 1 && TSTAMP < 1000000000'",
	  .others = "describe, thread_select, indxobj" },
	{ "describe", NULL, NONE, "", "list the words of expressions",
	  run_describe,
	  .others = "filters, indxobj_define" },
	{ "sample_select", NULL, WORD, "LIST", "choose the samples that count",
	  run_sample_select,
	  .more = "LIST has numbers and ranges, after a colon those of experiments: "
		  "1:1-4+2:7,9. all selects everything.",
	  .example = "sample_select 1-3",
	  .others = "sample_list, filters" },
	{ "thread_select", NULL, WORD, "LIST", "choose the threads that count",
	  run_thread_select,
	  .example = "thread_select 1:2",
	  .others = "thread_list, sample_select, filters" },
	{ "lwp_select", NULL, WORD, "LIST", "choose the LWPs that count",
	  run_lwp_select,
	  .example = "lwp_select 1-2",
	  .others = "lwp_list, sample_select, filters" },
	{ "cpu_select", NULL, WORD, "LIST", "choose the CPUs that count",
	  run_cpu_select,
	  .example = "cpu_select 0",
	  .others = "cpu_list, sample_select, filters" },
	{ .name = NULL },
};

const struct command index_commands[] = {
	{ "indxobj", NULL, WORD, "TYPE", "list index objects with the current metrics",
	  run_indxobj,
	  .more = "The name of a type is a command as well.",
	  .example = "indxobj Threads",
	  .others = "indxobj_list, indxobj_define, metrics" },
	{ "indxobj_list", NULL, NONE, "", "list the types of index objects",
	  run_indxobj_list,
	  .others = "indxobj, indxobj_define" },
	{ "indxobj_define", NULL, WORD_AND_TEXT, "TYPE EXPRESSION",
	  "define a type of index objects",
	  run_indxobj_define, .places = IN_RC, .complete = complete_expression,
	  .more = "Events with the same value of the expression belong to one object.",
	  .example = "indxobj_define Millisecond TSTAMP/1000000",
	  .others = "indxobj, indxobj_list, describe" },
	{ "Threads", NULL, NONE, "", "list threads with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ "CPUs", NULL, NONE, "", "list CPUs with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ "Samples", NULL, NONE, "", "list samples with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ "GCEvents", NULL, NONE, "", "list garbage collections with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ "Seconds", NULL, NONE, "", "list seconds with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ "Processes", NULL, NONE, "", "list processes with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ "Experiment_IDs", NULL, NONE, "", "list experiments with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ "Datasize", NULL, NONE, "", "list ranges of sizes with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ "Duration", NULL, NONE, "", "list ranges of durations with the current metrics",
	  run_index_type, .places = WHOLE_NAME,
	  .others = "indxobj, indxobj_list" },
	{ .name = NULL },
};

const struct command index_command = {
	.name = "",
	.arguments = NONE,
	.argument = "",
	.help = "list index objects",
	.run = run_index_type,
};
/* clang-format on */

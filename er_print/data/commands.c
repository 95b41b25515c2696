/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of commands. "help" lists them in this order. */
#include "er_print/data/commands.h"

#include "er_print/command/complete_words.h"
#include "er_print/data/private.h"

/* clang-format off */
const struct command data_commands[] = {
	{ "data_objects", NULL, NONE, "", "list data objects with their metrics",
	  run_data_objects,
	  .more = "Structures, arrays and variables, and their members: those to which "
		  "the events of counters with data addresses (collect -h +NAME) belong. "
		  "<Scalars> is the sum of all scalar variables, <Unknown> that of the "
		  "events whose object is not known, for the reasons in parentheses.",
	  .others = "data_single, data_layout, data_metrics" },
	{ "data_single", NULL, FUNCTION, "NAME [N]", "show all metrics of a data object",
	  run_data_single,
	  .more = "NAME is a descriptor, or a short form: foo_t.i. N selects one of "
		  "several data objects of that name. If the heap was traced (collect "
		  "-H on), the call stacks follow that allocated its blocks, each with "
		  "the events in these.",
	  .example = "data_single '{structure:foo_t}.{int i}'",
	  .others = "data_objects, data_layout, allocs" },
	{ "data_layout", NULL, NONE, "",
	  "show the members of structures in the order of their offsets",
	  run_data_layout,
	  .more = "A mark shows where a member is in the blocks of 64 bytes that the "
		  "processor fetches: '/' it begins a block, '|' it is inside, '\\' it "
		  "completes a block, '<' it is a whole block, '#' it needs several, '?' "
		  "it is in several although one has room.",
	  .others = "data_objects, data_single" },
	{ "data_metrics", NULL, OPTIONAL_WORD, "SPEC",
	  "choose the metrics of data objects",
	  run_data_metrics, .complete = complete_metrics,
	  .more = "As 'metrics', where the flavor is d. Without SPEC, the current "
		  "metrics are shown.",
	  .example = "data_metrics d.page-faults",
	  .others = "data_sort, data_metric_list, metrics" },
	{ "data_sort", NULL, OPTIONAL_WORD, "KEY",
	  "choose the metric to sort data objects by",
	  run_data_sort, .complete = complete_sort,
	  .more = "'allocs' follows it once a metric has been chosen.",
	  .example = "data_sort d.page-faults",
	  .others = "data_metrics, allocs, sort" },
	{ "data_metric_list", NULL, NONE, "", "list the metrics of data objects",
	  run_data_metric_list,
	  .others = "data_metrics, metric_list" },
	{ "memobj", NULL, WORD, "TYPE", "list memory objects: pages, cache lines",
	  run_memobj,
	  .more = "By the addresses of data, V, or those of the memory, P, where they "
		  "could be recorded.",
	  .example = "memobj Vpage_4K",
	  .others = "mobj_list, mobj_define, data_objects" },
	{ "mobj_list", "memobj_list", NONE, "", "list the types of memory objects",
	  run_mobj_list,
	  .others = "memobj, mobj_define" },
	{ "mobj_define", "memobj_define", WORD_AND_TEXT, "TYPE EXPRESSION",
	  "define a type of memory objects",
	  run_mobj_define, .places = IN_RC, .complete = complete_expression,
	  .more = "Events with the same value of the expression belong to one object; -1 "
		  "is <Unknown>.",
	  .example = "mobj_define Vset 'VADDR>255?VADDR>>6&63:-1'",
	  .others = "memobj, mobj_list, describe" },
	{ .name = NULL },
};
/* clang-format on */

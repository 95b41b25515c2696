/* SPDX-License-Identifier: Apache-2.0 */
/* The words that can follow each command, for the table of commands. */
#ifndef ER_PRINT_COMMAND_COMPLETE_WORDS_H
#define ER_PRINT_COMMAND_COMPLETE_WORDS_H

#include "er_print/command/completions.h"

completer complete_command, complete_file, complete_founder, complete_function,
	complete_object, complete_metrics, complete_sort, complete_name_form,
	complete_print_mode, complete_view_mode, complete_id, complete_switch,
	complete_comparison, complete_expression, complete_matrix;

#endif

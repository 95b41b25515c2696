/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_COLLECT_OPTION_VALUES_H
#define COLLECTOR_COLLECT_OPTION_VALUES_H

#include "collector/launch/words.h"

/* Set what is done instead of starting a program, once. Both return a status, after a
 * message. */
int set_action(struct settings *settings, enum action action);
int set_process(struct settings *settings, enum action action, const char *option,
		const char *value);

/* Ends with an entry without a letter. */
extern const struct option_value option_values[];

#endif

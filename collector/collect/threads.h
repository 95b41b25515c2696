/* SPDX-License-Identifier: Apache-2.0 */
/* What threads do to each other: -r. */
#ifndef COLLECTOR_COLLECT_THREADS_H
#define COLLECTOR_COLLECT_THREADS_H

#include "collector/launch/settings.h"
#include "collector/target/target.h"

/* Take the value of the option. Returns a status, after a message. */
int threads_set(struct settings *settings, const char *value);
/* Check that races can be found in the program. Returns a status, after a message. */
int threads_check(const struct settings *settings, const struct target *target);
/* Call in the process that will execute the program. */
int threads_prepare(const struct settings *settings);
const char *deadlock_action_name(enum deadlock_action action);

#endif

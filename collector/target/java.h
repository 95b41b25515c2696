/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in Java: the machine that runs them, and what makes it load our agent. */
#ifndef COLLECTOR_COLLECT_JAVA_H
#define COLLECTOR_COLLECT_JAVA_H

#include <stdbool.h>

#include "collector/target/target.h"

enum java_mode { JAVA_BY_TARGET, JAVA_ON, JAVA_OFF };

struct java {
	enum java_mode mode;
	const char *jdk;     /* the directory of -j; NULL: not given */
	const char *options; /* of -J; NULL: not given */
	bool is_expected;    /* there will be machines to record */
	char *agent;	     /* the option that has them do so, or NULL */
	char **command;	     /* room for the words of the command, or NULL */
};

/* Take the value of -j. Prints an error and returns a status. */
int java_choose(struct java *java, const char *value);
void java_release(struct java *java);

/* Find the program: a jar or class file is run by a Java machine, which is then the
 * target. Returns as target_find() does. */
int java_find_target(struct target *target, const char *name, const struct java *java);
/* Put a Java machine, and the words that it needs, into the command. The agent is in the
 * directory of plugins. Returns a status. */
int java_complete_command(struct java *java, const struct target *target,
			  const char *plugins, char ***command);

#endif

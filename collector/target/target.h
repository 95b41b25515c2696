/* SPDX-License-Identifier: Apache-2.0 */
/* The program to record. */
#ifndef COLLECTOR_COLLECT_TARGET_H
#define COLLECTOR_COLLECT_TARGET_H

#include <stdbool.h>

#include "collector/common/sanitizer.h"

/* Exit statuses that shells use for a command, in addition to those of cli.h. */
#define STATUS_CANNOT_RUN 126
#define STATUS_NOT_FOUND  127

/* If this variable is set, programs that cannot be recorded are run with a warning. */
#define SKIP_CHECK "SP_COLLECTOR_SKIP_CHECKEXEC"

enum java_program {
	JAVA_NONE,    /* not a Java program, as far as can be seen */
	JAVA_COMMAND, /* the target is the command java */
	JAVA_JAR,     /* a jar or class file: the target is the machine that runs it */
	JAVA_CLASS,
};

struct target {
	char *path; /* path for exec; freed by the caller */
	bool is_script;
	char sanitizer[SANITIZER_NAME_SIZE]; /* run-time library that it needs, or "" */
	bool is_static;			     /* the program or its interpreter */
	enum java_program java;
};

/* Find the program as a shell does, and check whether it can be recorded: CLI_OK, or
 * STATUS_NOT_FOUND or STATUS_CANNOT_RUN with a message printed. */
int target_find(struct target *target, const char *name);
/* Returns true if there is a file of that name along PATH, executable or not. */
bool target_is_on_path(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/target/java.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/cli/cli.h"
#include "libexpt/format.h"

#define MACHINE "java"

/* ---- the program ---- */

/* A file without the right to execute it is not a program. */
static bool is_data(const char *name, const char *suffix)
{
	return text_ends_with(name, suffix) && access(name, F_OK) == 0 &&
	       access(name, X_OK) < 0;
}

/* A name that is no program may be that of a class. */
static bool is_class_name(const char *name)
{
	cleanup_free char *file = NULL;

	return !strchr(name, '/') && asprintf(&file, "%s.class", name) >= 0 &&
	       access(file, F_OK) == 0 && !target_is_on_path(name);
}

static enum java_program classify(const char *name)
{
	if (is_data(name, ".jar"))
		return JAVA_JAR;
	if (is_data(name, ".class") || is_class_name(name))
		return JAVA_CLASS;
	return JAVA_NONE;
}

/* The machine is the one of -j, or of a variable, or the first one along PATH. */
static char *choose_machine(const struct java *java)
{
	const char *const homes[] = { java->jdk, getenv("JDK_HOME"),
				      getenv("JAVA_PATH") };
	char *path;

	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++)
		if (homes[i] && *homes[i])
			return asprintf(&path, "%s/bin/" MACHINE, homes[i]) < 0 ? NULL
										: path;
	return strdup(MACHINE);
}

static int find_machine(struct target *target, const struct java *java)
{
	cleanup_free char *machine = choose_machine(java);

	return machine ? target_find(target, machine) : cli_error("out of memory");
}

static bool is_machine(const char *path)
{
	cleanup_free char *real = realpath(path, NULL);

	return real && strcmp(path_base(real), MACHINE) == 0;
}

int java_find_target(struct target *target, const char *name, const struct java *java)
{
	enum java_program program = classify(name);
	bool is_chosen = program != JAVA_NONE ||
			 (java->jdk && strcmp(name, MACHINE) == 0);
	int status = is_chosen ? find_machine(target, java) : target_find(target, name);

	if (status != CLI_OK)
		return status;
	if (program == JAVA_NONE && is_machine(target->path))
		program = JAVA_COMMAND;
	target->java = program;
	return CLI_OK;
}

/* ---- the agent ---- */

/* Returns the option that has a machine load the agent; NULL if there is none, which has
 * been said. *status: an error if Java was asked for. */
static char *agent_option(const struct java *java, const char *plugins, int *status)
{
	const char *problem = NULL;
	char *option;

	if (asprintf(&option, "-agentpath:%s/%s", plugins, COLLECTOR_JAVA_LIBRARY) < 0) {
		*status = cli_error("out of memory");
		return NULL;
	}
	if (access(strchr(option, ':') + 1, R_OK) < 0)
		problem = strerrordesc_np(errno);
	else if (strchr(plugins, '=')) /* the agent's options follow it */
		problem = "its path contains '='";
	if (!problem)
		return option;
	if (java->mode == JAVA_ON)
		*status = cli_error("cannot record Java: cannot load '%s': %s",
				    strchr(option, ':') + 1, problem);
	else if (java->is_expected)
		cli_warn("recording native code only: cannot load '%s': %s",
			 strchr(option, ':') + 1, problem);
	free(option);
	return NULL;
}

/* ---- the command ---- */

struct words {
	char **items;
	size_t count;
};

/* Count the words of -J, or add them to the command. They are separated by blanks. */
static size_t add_options(char **items, char *options)
{
	size_t count = 0;
	char *state, *word;

	for (word = strtok_r(options, " \t\n", &state); word;
	     word = strtok_r(NULL, " \t\n", &state))
		items[count++] = word;
	return count;
}

/* "-jar X", or the name of a class: "X" for X.class. */
static void add_program(struct words *words, const struct target *target, char *name)
{
	if (target->java == JAVA_JAR)
		words->items[words->count++] = (char *)"-jar";
	if (target->java == JAVA_CLASS && text_ends_with(name, ".class"))
		name[strlen(name) - strlen(".class")] = '\0';
	words->items[words->count++] = name;
}

/* Room for the words, in one piece with the texts that are made for it. */
static bool make_room(struct java *java, size_t count, const char *options, char **texts)
{
	size_t words = 4 + count + strlen(options) / 2 + 1;

	java->command = malloc(words * sizeof(char *) + strlen(options) + 1);
	if (!java->command)
		return false;
	*texts = strcpy((char *)(java->command + words), options);
	return true;
}

static int complete(struct java *java, const struct target *target, char ***command)
{
	const char *options = java->options ? java->options : "";
	char **given = *command, *texts;
	struct words words = { NULL, 0 };
	size_t count = 0;

	while (given[count])
		count++;
	if (!make_room(java, count, options, &texts))
		return cli_error("out of memory");
	words.items = java->command;
	words.items[words.count++] = target->java == JAVA_COMMAND ? *given++
								  : (char *)MACHINE;
	if (java->agent)
		words.items[words.count++] = java->agent;
	words.count += add_options(words.items + words.count, texts);
	if (target->java != JAVA_COMMAND)
		add_program(&words, target, *given++);
	while (*given)
		words.items[words.count++] = *given++;
	words.items[words.count] = NULL;
	*command = words.items;
	return CLI_OK;
}

int java_complete_command(struct java *java, const struct target *target,
			  const char *plugins, char ***command)
{
	bool is_java = target->java != JAVA_NONE;
	int status = CLI_OK;

	java->is_expected = java->mode == JAVA_ON ||
			    (java->mode == JAVA_BY_TARGET && is_java);
	if (java->options && !is_java)
		cli_warn("ignoring -J: '%s' is not a Java program", (*command)[0]);
	if (java->mode != JAVA_OFF)
		java->agent = agent_option(java, plugins, &status);
	return is_java && status == CLI_OK ? complete(java, target, command) : status;
}

/* ---- options ---- */

int java_choose(struct java *java, const char *value)
{
	struct stat status;

	java->mode = strcmp(value, "off") == 0 ? JAVA_OFF : JAVA_ON;
	if (java->mode == JAVA_OFF || strcmp(value, "on") == 0)
		return CLI_OK;
	if (stat(value, &status) < 0 || !S_ISDIR(status.st_mode))
		return cli_error("-j: invalid argument '%s': use on, off or the "
				 "directory of a JDK",
				 value);
	java->jdk = value;
	return CLI_OK;
}

void java_release(struct java *java)
{
	free(java->agent);
	free(java->command);
}

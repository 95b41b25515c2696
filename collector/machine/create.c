/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that opens a machine's library looks up the function that makes a machine,
 * and one that is linked with the library has a slot for it. It is given ours, which adds
 * an option for the agent. So neither the program nor its user sees any of it: a variable
 * of the environment would have the machine write a line.
 */

#include "collector/machine/create.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/base/memory.h"
#include "collector/base/module.h"
#include "collector/base/text.h"
#include "collector/common/settings.h"
#include "collector/files/log.h"
#include "collector/patch/slot.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"
#include "libexpt/format.h"

#define CREATE	     "JNI_CreateJavaVM"
#define TOOL_OPTIONS "JAVA_TOOL_OPTIONS"
#define AGENT	     "-agentpath:"

/* As in jni.h, which is not there for every build. */
struct option {
	char *text;
	void *extra;
};
struct arguments {
	int32_t version, count;
	struct option *options;
	uint8_t ignores_unknown;
};
typedef int32_t create_function(void **machine, void **environment,
				struct arguments *arguments);

static char agent[PATH_MAX + sizeof(AGENT)];
static _Atomic(create_function *) real_create;

/* A machine does not start if it cannot open an agent. The root may have changed. */
static bool can_open_agent(void)
{
	return access(agent + sizeof(AGENT) - 1, R_OK) == 0;
}

/* The agent is beside this library. */
static bool find_agent(void)
{
	const char *library = settings.preload;
	size_t length = strcspn(library, " :");
	struct text text = TEXT_ON(agent);

	while (length > 0 && library[length - 1] != '/')
		length--;
	text_add(&text, AGENT);
	text_add_bytes(&text, library, length);
	text_add(&text, COLLECTOR_JAVA_LIBRARY);
	return length > 0 && !text.is_cut && !memchr(library, '=', length);
}

static bool has_agent(const struct arguments *arguments)
{
	for (int32_t i = 0; i < arguments->count; i++)
		if (strcmp(arguments->options[i].text, agent) == 0)
			return true;
	return false;
}

static int32_t create(void **machine, void **environment, struct arguments *arguments)
{
	create_function *make = atomic_load(&real_create);
	size_t count = arguments->count > 0 ? (size_t)arguments->count : 0;
	struct option options[count + 1];
	struct arguments more = *arguments;

	if (!collector_has_experiment() || has_agent(arguments) || !can_open_agent())
		return make(machine, environment, arguments);
	options[0] = (struct option){ agent, NULL };
	if (count > 0)
		memcpy(options + 1, arguments->options, count * sizeof(*options));
	more.options = options;
	more.count = (int32_t)count + 1;
	return make(machine, environment, &more);
}

static void *find_create(void *library)
{
	void *function = dlsym(library, CREATE);

	if (!function)
		return NULL;
	atomic_store(&real_create, (create_function *)function);
	return (void *)create;
}

/* RTLD_NEXT means the modules after the caller's: a call at the end is compiled into a
 * jump, and the caller stays the program. */
static void *find(void *library, const char *name)
{
	if (strcmp(name, CREATE) == 0)
		return find_create(library);
	return dlsym(library, name);
}

/* The machine then tells of it on the standard error. */
static void ask_by_variable(void)
{
	const char *former = getenv(TOOL_OPTIONS);
	size_t size = (former ? strlen(former) + 1 : 0) + sizeof(agent);
	char *buffer = memory_get(size);
	struct text text = text_on(buffer, buffer ? size : 0);

	if (!buffer || (former && strstr(former, agent)))
		return;
	if (former) {
		text_add(&text, former);
		text_add(&text, " ");
	}
	text_add(&text, agent);
	setenv(TOOL_OPTIONS, buffer, 1);
}

static bool is_wanted(void)
{
	return settings.has_java && collector_has_experiment() &&
	       !collector_is_frozen() && find_agent() && can_open_agent();
}

/* Find the function if the module is the machine's library. */
static int find_machine(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *slash = strrchr(info->dlpi_name, '/');
	create_function **found = data;
	struct module module;

	(void)size;
	if (strcmp(slash ? slash + 1 : info->dlpi_name, JAVA_MACHINE) != 0)
		return 0;
	module = module_at(info);
	if (module_read(&module, info))
		*found = (create_function *)module_find(&module, CREATE, NULL);
	return 1;
}

/* The library may have come with the program, or with another library. */
static void expect_linked(void)
{
	create_function *found = NULL;

	if (!settings.has_java || atomic_load(&real_create))
		return;
	dl_iterate_phdr(find_machine, &found);
	if (!found || !is_wanted())
		return;
	atomic_store(&real_create, found);
	if (!slot_lead(NULL, CREATE, (void *)create))
		ask_by_variable();
}

void create_expect(const void *code)
{
	if (!code)
		expect_linked();
	else if (is_wanted() && !slot_lead(code, "dlsym", (void *)find))
		ask_by_variable();
}

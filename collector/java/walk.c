/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AsyncGetCallTrace, which a HotSpot machine exports for profilers, though no header
 * declares it. It is called in handlers.
 */

#include "collector/java/walk.h"

#include <dlfcn.h>
#include <stddef.h>

#include "collector/machine/machine.h"

/* A frame has the layout of ours: a bytecode index, or a code, and the method's id. */
struct call_trace {
	JNIEnv *environment;
	jint count; /* negative: the code of a failure */
	struct java_frame *frames;
};

typedef void trace_function(struct call_trace *trace, jint depth, void *context);

static trace_function *get_trace;
static __thread JNIEnv *own_environment;

static int walk(struct java_frame *frames, int limit, const ucontext_t *context)
{
	struct call_trace trace = { own_environment, 0, frames };

	if (!own_environment)
		return 0;
	get_trace(&trace, limit, (void *)context);
	return trace.count;
}

void walk_set_thread(JNIEnv *environment)
{
	if (environment && !machine_enter_thread())
		return;
	own_environment = environment;
}

/* A launcher may have opened the machine's library for itself only. */
static void *find(JavaVM *vm, const char *name)
{
	void *library, *function = NULL;
	Dl_info info;

	if (dladdr((void *)(*vm)->GetEnv, &info) == 0)
		return NULL;
	library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
	if (library)
		function = dlsym(library, name);
	if (library)
		dlclose(library);
	return function;
}

bool walk_begin(JavaVM *vm)
{
	get_trace = (trace_function *)find(vm, "AsyncGetCallTrace");
	if (!get_trace)
		return false;
	machine_walk_by(walk);
	return true;
}

void walk_end(void)
{
	machine_walk_by(NULL);
}

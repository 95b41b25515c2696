/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AsyncGetCallTrace, which a HotSpot machine exports for profilers, though no header
 * declares it. It is called in handlers.
 */

#include "collector/java/walk.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "collector/java/tool.h"
#include "collector/machine/machine.h"

#define NATIVE_METHOD (-3) /* instead of a bytecode index */

/* A frame has the layout of ours: a bytecode index, or a code, and the method's id. */
struct call_trace {
	JNIEnv *environment;
	jint count; /* negative: the code of a failure */
	struct java_frame *frames;
};

typedef void trace_function(struct call_trace *trace, jint depth, void *context);

static trace_function *get_trace;
static __thread JNIEnv *own_environment;
static __thread struct {
	bool is_in_callback;
	uint64_t leaf;
} own;

/* ---- the interpreter ---- */

static _Atomic uintptr_t interpreter, interpreter_end;

void walk_note_interpreter(const void *code, size_t size)
{
	atomic_store(&interpreter_end, (uintptr_t)code + size);
	atomic_store(&interpreter, (uintptr_t)code);
}

/* The place of the bytecode pointer in the interpreter's frames, below the frame pointer,
 * in all machines since version 8 at least */
#define SAVED_BCP (-8)
#define CODE_MAX  65536 /* of a method */
#define FRAME_MAX 4096	/* a stack has more bytes above the frames of a method */

/*
 * The interpreter keeps the pointer to the bytecode in a register, and the walker takes
 * the one that was saved at the last call. The difference of the two is how far the
 * method has come since. Elsewhere the register has another use, and is far from it.
 */
static void correct_index(struct java_frame *leaf, const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	uintptr_t pc = (uintptr_t)registers[REG_RIP], sp = (uintptr_t)registers[REG_RSP];
	uintptr_t bp = (uintptr_t)registers[REG_RBP];
	const intptr_t *frame = (const intptr_t *)bp;
	int64_t index;

	if (pc < atomic_load(&interpreter) || pc >= atomic_load(&interpreter_end) ||
	    leaf->bci < 0 || (uintptr_t)(frame + SAVED_BCP) < sp || bp - sp > FRAME_MAX ||
	    bp % sizeof(*frame) != 0)
		return;
	index = leaf->bci + ((int64_t)registers[REG_R13] - frame[SAVED_BCP]);
	if (index >= 0 && index < CODE_MAX)
		leaf->bci = (int32_t)index;
}

/* ---- the walk ---- */

/* The index of code before the first bytecode, which is compiled to enter the monitor of
 * a synchronized method: readers would show the method's last line. */
#define BEFORE_CODE (-1)

static void begin_at_first(struct java_frame *frames, int count)
{
	for (int i = 0; i < count; i++)
		if (frames[i].bci == BEFORE_CODE && frames[i].method != 0)
			frames[i].bci = 0;
}

static int walk(struct java_frame *frames, int limit, const ucontext_t *context)
{
	struct call_trace trace = { own_environment, 0, frames };

	if (!own_environment)
		return 0;
	get_trace(&trace, limit, (void *)context);
	if (trace.count > 0)
		correct_index(&frames[0], context);
	begin_at_first(frames, trace.count);
	return trace.count;
}

/* In a callback the machine tells its stack in order; its frames are as large as ours. */
static int walk_in_callback(struct java_frame *frames, int limit)
{
	jvmtiFrameInfo *found = (jvmtiFrameInfo *)(void *)frames;
	jint count = 0;

	static_assert(sizeof(*found) == sizeof(*frames), "they are changed in place");
	if ((*tool)->GetStackTrace(tool, NULL, 0, limit, found, &count) !=
	    JVMTI_ERROR_NONE)
		return 0;
	for (jint i = 0; i < count; i++) {
		jvmtiFrameInfo info;
		struct java_frame frame = { .bci = NATIVE_METHOD };

		memcpy(&info, &found[i], sizeof(info));
		if (info.location >= 0)
			frame.bci = (int32_t)info.location;
		frame.method = (uintptr_t)info.method;
		memcpy(&frames[i], &frame, sizeof(frame));
	}
	return count;
}

/* A signal may interrupt this, whose walk is another one. */
static int walk_call(struct java_frame *frames, int limit, const ucontext_t *context)
{
	int first = own.leaf != 0;

	if (!own.is_in_callback)
		return walk(frames, limit, context);
	if (first)
		frames[0] = (struct java_frame){ .method = own.leaf };
	return first + walk_in_callback(frames + first, limit - first);
}

void walk_begin_callback(uint64_t leaf)
{
	own.leaf = leaf;
	own.is_in_callback = true;
}

void walk_end_callback(void)
{
	own.is_in_callback = false;
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
	machine_walk_by(walk, walk_call);
	return true;
}

void walk_end(void)
{
	machine_walk_by(NULL, NULL);
}

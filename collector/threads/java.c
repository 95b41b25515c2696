/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The machine's walker begins only in code that it has compiled from a method or
 * interprets, and fails in a routine of its own that has no frame of a known kind, or in
 * one of libc that Java code calls directly. Then our unwinder leads it to the caller, or
 * a return address that is not far up the stack.
 */

#include "collector/threads/java.h"

#include "collector/base/system.h"
#include "collector/common/settings.h"
#include "libexpt/format.h"

/* The walker's codes for a stack that is one of Java code, but cannot be walked. */
#define UNKNOWN_JAVA	  (-5)
#define NOT_WALKABLE_JAVA (-6)

#define ATTEMPTS 3
/* Frames of the machine's routines are small: those of compiled code have a few words
 * below the caller's frame pointer and the return address. */
#define WORDS_OF_ROUTINE 8

static _Atomic(java_walker *) java_walks, java_walks_calls;
/* All code of the machine is in between. */
static _Atomic uintptr_t code_low = UINTPTR_MAX, code_high;

void java_set_walkers(java_walker *walker, java_walker *for_calls)
{
	atomic_store(&java_walks, walker);
	atomic_store(&java_walks_calls, for_calls);
}

void java_note_code(uintptr_t code, size_t size)
{
	uintptr_t low = atomic_load(&code_low), high = atomic_load(&code_high);

	while (code < low && !atomic_compare_exchange_weak(&code_low, &low, code))
		;
	while (code + size > high &&
	       !atomic_compare_exchange_weak(&code_high, &high, code + size))
		;
}

static int walk_from(java_walker *walk, struct java_frame *java, const ucontext_t *from,
		     const struct unwind_frame *frame)
{
	ucontext_t context = *from;

	context.uc_mcontext.gregs[REG_RIP] = (greg_t)frame->pc;
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)frame->sp;
	context.uc_mcontext.gregs[REG_RBP] = (greg_t)frame->bp;
	return walk(java, (int)settings.java_depth + 1, &context);
}

static struct unwind_frame frame_of(const ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;

	return (struct unwind_frame){ .pc = (uint64_t)registers[REG_RIP],
				      .sp = (uint64_t)registers[REG_RSP],
				      .bp = (uint64_t)registers[REG_RBP] };
}

static bool is_code(const struct unwind_frame *frame, const struct unwind_bounds *code)
{
	return frame->pc >= code->low && frame->pc < code->high;
}

/* Read a frame whose return address is at that place of the stack. */
static bool read_frame(struct unwind_frame *frame, uintptr_t place, uint64_t bp,
		       const struct unwind_bounds *bounds,
		       const struct unwind_bounds *code)
{
	if (place < bounds->low || place >= bounds->high || place % sizeof(place) != 0)
		return false;
	*frame = (struct unwind_frame){
		.pc = *(const uintptr_t *)place,
		.sp = place + sizeof(place),
		.bp = bp,
	};
	return is_code(frame, code);
}

/* Find the caller of code of the machine: it has a frame with a frame pointer, of which
 * the caller's may be any number, or, if it was just entered or is about to return,
 * none. */
static size_t find_callers(struct unwind_frame *frames, const struct unwind_frame *leaf,
			   const struct unwind_bounds *bounds,
			   const struct unwind_bounds *code)
{
	uintptr_t sp = leaf->sp, bp = leaf->bp;
	size_t count = 0;

	count += read_frame(&frames[count], sp, bp, bounds, code);
	if (bp >= sp && bp < bounds->high && bp % sizeof(bp) == 0)
		count += read_frame(&frames[count], bp + sizeof(bp),
				    *(const uintptr_t *)bp, bounds, code);
	return count;
}

/* Walk from the first return address in a routine's frame from which that is possible:
 * what is not one has hardly a caller where the walker expects it. Returns the number of
 * methods, or 0. */
static int walk_from_words(java_walker *walk, struct java_frame *java,
			   const ucontext_t *context, const struct unwind_frame *routine,
			   const struct unwind_bounds *bounds,
			   const struct unwind_bounds *code)
{
	uint64_t bp = routine->bp;

	for (int i = 0; i < WORDS_OF_ROUTINE; i++) {
		uintptr_t place = routine->sp + (uintptr_t)i * sizeof(place);
		struct unwind_frame frame = { 0 };
		int found = 0;

		if (read_frame(&frame, place, bp, bounds, code))
			found = walk_from(walk, java, context, &frame);
		if (found > 0)
			return found;
		bp = frame.pc;
	}
	return 0;
}

/* Returns what the walker finds from a caller on, or the code of the first failure. */
static int walk_again(java_walker *walk, struct java_frame *java,
		      const ucontext_t *context, const struct unwind_bounds *bounds,
		      int failure)
{
	const struct unwind_bounds code = { atomic_load(&code_low),
					    atomic_load(&code_high) };
	struct unwind_frame frames[1 + ATTEMPTS] = { frame_of(context) };
	size_t first = !is_code(&frames[0], &code), count = 1;
	int found = 0;

	if (first == 0)
		count += find_callers(&frames[count], &frames[0], bounds, &code);
	count += unwind_frames_in(&frames[count], 1 + ATTEMPTS - count, context, bounds,
				  &code);
	for (size_t i = 1; i < count && found <= 0; i++)
		found = walk_from(walk, java, context, &frames[i]);
	if (found <= 0 && first < count)
		found = walk_from_words(walk, java, context, &frames[first], bounds,
					&code);
	return found > 0 ? found : failure;
}

static size_t finish(struct java_frame *java, int count)
{
	int depth = (int)settings.java_depth;

	if (count < 0) {
		java[0] = (struct java_frame){ .bci = count };
		return 1;
	}
	if (count > depth)
		java[depth] = (struct java_frame){ .method = STACK_TRUNCATED };
	return (size_t)count;
}

size_t java_walk(struct stack_writer *writer, const ucontext_t *context,
		 const struct unwind_bounds *bounds)
{
	java_walker *walk = atomic_load_explicit(&java_walks, memory_order_relaxed);
	struct java_frame *java = writer->java;
	int count;

	if (!walk || !java)
		return 0;
	count = walk(java, (int)settings.java_depth + 1, context);
	if (count == UNKNOWN_JAVA || count == NOT_WALKABLE_JAVA)
		count = walk_again(walk, java, context, bounds, count);
	return finish(java, count);
}

size_t java_walk_above(struct stack_writer *writer, const void *frame)
{
	java_walker *walk = atomic_load_explicit(&java_walks_calls, memory_order_relaxed);
	const uintptr_t *saved = frame;
	ucontext_t context;

	if (!walk)
		return 0;
	clear_bytes(&context, sizeof(context));
	context.uc_mcontext.gregs[REG_RBP] = (greg_t)saved[0];
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)saved[1];
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)(saved + 2);
	return finish(writer->java,
		      walk(writer->java, (int)settings.java_depth + 1, &context));
}

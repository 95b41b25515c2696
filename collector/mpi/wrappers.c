/* SPDX-License-Identifier: Apache-2.0 */
/* The wrappers, made from the table in calls.h. */
#include <stdatomic.h>

#include "collector/mpi/call.h"
#include "collector/mpi/library.h"
#include "collector/trace/trace.h"

typedef uint64_t word;

#define PARAMETERS_0  void
#define PARAMETERS_1  word a
#define PARAMETERS_2  PARAMETERS_1, word b
#define PARAMETERS_3  PARAMETERS_2, word c
#define PARAMETERS_4  PARAMETERS_3, word d
#define PARAMETERS_5  PARAMETERS_4, word e
#define PARAMETERS_6  PARAMETERS_5, word f
#define PARAMETERS_7  PARAMETERS_6, word g
#define PARAMETERS_8  PARAMETERS_7, word h
#define PARAMETERS_9  PARAMETERS_8, word i
#define PARAMETERS_10 PARAMETERS_9, word j
#define PARAMETERS_11 PARAMETERS_10, word k
#define PARAMETERS_12 PARAMETERS_11, word l
#define PARAMETERS_13 PARAMETERS_12, word m

#define VALUES_0
#define VALUES_1  a
#define VALUES_2  VALUES_1, b
#define VALUES_3  VALUES_2, c
#define VALUES_4  VALUES_3, d
#define VALUES_5  VALUES_4, e
#define VALUES_6  VALUES_5, f
#define VALUES_7  VALUES_6, g
#define VALUES_8  VALUES_7, h
#define VALUES_9  VALUES_8, i
#define VALUES_10 VALUES_9, j
#define VALUES_11 VALUES_10, k
#define VALUES_12 VALUES_11, l
#define VALUES_13 VALUES_12, m

#define WORDS_0
#define WORDS_1	 words[0]
#define WORDS_2	 WORDS_1, words[1]
#define WORDS_3	 WORDS_2, words[2]
#define WORDS_4	 WORDS_3, words[3]
#define WORDS_5	 WORDS_4, words[4]
#define WORDS_6	 WORDS_5, words[5]
#define WORDS_7	 WORDS_6, words[6]
#define WORDS_8	 WORDS_7, words[7]
#define WORDS_9	 WORDS_8, words[8]
#define WORDS_10 WORDS_9, words[9]
#define WORDS_11 WORDS_10, words[10]
#define WORDS_12 WORDS_11, words[11]
#define WORDS_13 WORDS_12, words[12]

/* Nothing but the time is taken before a call that sends: the receiver waits for it.
 * Other calls are prepared, as what is done afterwards, the next one waits for. */
#define IS_PREPARED(class) ((class) > SWAP && (class) != OTHER)
/* The same for the stack of those that wait themselves. */
#define FINDS_STACK_BEFORE(class) \
	((class) == RECEIVE || (class) == SENDRECEIVE || (class) >= COMPLETION)

/* The wrapper is the leaf of the recorded stack. */
#define WRAPPER(count, symbol, kind, form)                                           \
	int symbol(PARAMETERS_##count) __attribute__((visibility("default"), used)); \
	int symbol(PARAMETERS_##count)                                               \
	{                                                                            \
		static struct mpi_form call_form = { .class = kind,                  \
						     .parameters = form };           \
		static _Atomic(void *) function;                                     \
		const void *caller = __builtin_return_address(0);                    \
		int (*const real)(PARAMETERS_##count) =                              \
			mpi_real(&function, #symbol, caller);                        \
		word words[] = { VALUES_##count };                                   \
		struct mpi_call call;                                                \
		uint64_t start, end, stack = 0;                                      \
		enum packet_type type;                                               \
		size_t size;                                                         \
		int result;                                                          \
                                                                                     \
		if (!mpi_enter(__builtin_frame_address(0)))                          \
			return real(VALUES_##count);                                 \
		if (IS_PREPARED(kind)) {                                             \
			mpi_begin(&call, &call_form, words, caller);                 \
			mpi_prepare(&call);                                          \
		}                                                                    \
		if (FINDS_STACK_BEFORE(kind))                                        \
			stack = trace_stack(DATA_MPI);                               \
		start = trace_now();                                                 \
		result = real(WORDS_##count);                                        \
		end = trace_now();                                                   \
		if (!IS_PREPARED(kind))                                              \
			mpi_begin(&call, &call_form, words, caller);                 \
		call.packet.head.time_ns = end;                                      \
		call.packet.requested_ns = start;                                    \
		call.packet.stack = stack;                                           \
		mpi_end(&call, result);                                              \
		do {                                                                 \
			type = mpi_shorten(&call.packet, &size);                     \
			trace_returned(DATA_MPI, type, &call.packet.head, size,      \
				       call.packet.stack ? TRACE_WITHOUT_STACK       \
							 : TRACE_WITH_STACK);        \
		} while (mpi_next(&call));                                           \
		return result;                                                       \
	}

#define CALL(count, name, kind, form)          \
	WRAPPER(count, MPI_##name, kind, form) \
	WRAPPER(count, PMPI_##name, kind, form)

#include "collector/mpi/calls.h"

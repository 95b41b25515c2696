/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All that the unwinder knows of the processor: registers by their DWARF numbers, loads
 * that may fault, how a call instruction, a jump stub and the kernel's signal frame look.
 * Another processor is another file with the same names.
 */
#ifndef COLLECTOR_UNWIND_X86_64_H
#define COLLECTOR_UNWIND_X86_64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

enum {
	REGISTER_BX = 3,
	REGISTER_BP = 6,
	REGISTER_SP = 7,
	REGISTER_PC = 16,
	REGISTERS = 17,
};
/* What a called function leaves as it was: rbx, rbp, r12-r15. */
#define REGISTERS_KEPT (1u << REGISTER_BX | 1u << REGISTER_BP | 0xfu << 12)

struct registers {
	uint64_t value[REGISTERS];
	uint32_t known; /* one bit per register */
};

/* ---- loads whose fault is skipped ----------------------------------------------------
 */

/*
 * The section guarded_loads lists each load's address and where to go on when it faults,
 * both relative to themselves; unwind_fault() looks there. A fault gives 0 and sets
 * *failed.
 */
struct guarded_load {
	int32_t load, exit;
};

#ifdef ERKIT_PLAIN_LOADS /* the fuzz target's: AddressSanitizer cannot see into asm */
#define guarded_load_as(name, type, instruction)                                \
	static inline type name(uintptr_t address, uint32_t *failed)            \
	{                                                                       \
		type value;                                                     \
		__builtin_memcpy(&value, (const void *)address, sizeof(value)); \
		return value;                                                   \
	}
#else
#define guarded_load_as(name, type, instruction)                        \
	static inline type name(uintptr_t address, uint32_t *failed)    \
	{                                                               \
		uint64_t value;                                         \
		uint32_t has_failed = *failed;                          \
		__asm__ volatile("1:	" instruction "\n"              \
				 "2:\n"                                 \
				 "	.subsection 1\n"                     \
				 "3:	xorl %k0, %k0\n"                   \
				 "	movl $1, %1\n"                       \
				 "	jmp 2b\n"                            \
				 "	.previous\n"                         \
				 "	.pushsection guarded_loads, \"a\"\n" \
				 "	.balign 4\n"                         \
				 "	.long 1b - ., 3b - .\n"              \
				 "	.popsection\n"                       \
				 : "=&r"(value), "+r"(has_failed)       \
				 : "m"(*(const type *)address));        \
		*failed = has_failed;                                   \
		return (type)value;                                     \
	}
#endif

/* clang-format off */
guarded_load_as(guarded_load64, uint64_t, "movq %2, %0")
guarded_load_as(guarded_load32, uint32_t, "movl %2, %k0")
guarded_load_as(guarded_load16, uint16_t, "movzwl %2, %k0")
guarded_load_as(guarded_load8, uint8_t, "movzbl %2, %k0")
	/* clang-format on */

	/* A word of the program's memory, wherever a rule says that it is. */
	static inline uint64_t load_word(uintptr_t address, uint32_t *failed)
{
#ifdef ERKIT_PLAIN_LOADS
	*failed |= address % 3 == 0; /* rules from a fuzzer lead anywhere */
	return address * 7;
#else
	return guarded_load64(address, failed);
#endif
}

/* ---- code -----------------------------------------------------------------------------
 */

/* The length of the call instruction that ends at a return address, 0 if there is none. A
 * direct call must go to [low, high), the object it stands in, or its bytes are those of
 * another instruction; low == high: anywhere. */
unsigned call_length(uintptr_t return_address, uintptr_t low, uintptr_t high);

/* Where the direct call that ends at a return address leads, through a linkage stub if
 * need be; 0: there is no such call. */
uintptr_t call_target(uintptr_t return_address, uintptr_t low, uintptr_t high);

/* "jmp *slot(%rip)", perhaps behind endbr64: a linkage stub that has pushed nothing. */
bool is_jump_stub(uintptr_t pc);

/* _init and _fini, which the C library's start files bring into every object without
 * unwind data: how far their caller's frame is from sp at pc; 0: pc is not in them. A
 * first call meets page faults there, so that their time is seen. */
unsigned start_file_frame(uintptr_t pc);

/* Where a function with a frame pointer has none: at its first instruction, behind the
 * push and at a ret. How many words lie on top of the return address: 0, or 1, which is
 * the caller's bp; -1: code at pc does not look like that. */
int words_on_return(uintptr_t pc);

/* "mov $15, %rax; syscall": where signal handlers return to, whatever library made it.
 * The interrupted program's registers are then in the kernel's frame on top of the stack.
 */
bool is_signal_return(uintptr_t pc);

/* The root of a stack that a program or its run-time has made: nothing has called what
 * returns there, and whatever unwind data may say, there is no caller. libc's
 * makecontext(), a goroutine's goexit, the end of a fiber of Boost. */
bool is_stack_root(uintptr_t pc);

/* Does a function return to pc? A call ends there, or it is one of the two above. */
bool is_returned_to(uintptr_t pc, uintptr_t low, uintptr_t high);

/* ---- registers ------------------------------------------------------------------------
 */

/* From a ucontext, which may lie on a stack we know nothing of. False: it cannot be read.
 */
bool registers_from_context(struct registers *registers, uintptr_t context);

static inline uint64_t context_pc(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}

static inline uint64_t context_sp(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
}

static inline uint64_t context_bp(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RBP];
}

/* Where a signal handler has just been entered: the context that it is given. */
static inline ucontext_t *context_for_handler(const ucontext_t *context)
{
	return (ucontext_t *)(uintptr_t)context->uc_mcontext.gregs[REG_RDX];
}

/* What unwind_here() finds when it is entered, in the order in which its assembly pushes
 * it. */
struct entry_registers {
	uint64_t bx, bp, r12, r13, r14, r15, return_address;
};

/* The registers of the caller at its call instruction's end. */
void registers_from_entry(struct registers *registers,
			  const struct entry_registers *entry);

/* What a function with a frame pointer keeps for its caller. */
static inline void registers_from_frame(struct registers *registers, const void *frame)
{
	const uint64_t *kept = frame;

	registers->value[REGISTER_BP] = kept[0];
	registers->value[REGISTER_PC] = kept[1];
	registers->value[REGISTER_SP] = (uintptr_t)(kept + 2);
	registers->known = 1u << REGISTER_BP | 1u << REGISTER_SP | 1u << REGISTER_PC;
}

#endif

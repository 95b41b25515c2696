/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of the unwinder that depend on the processor: registers by their DWARF
 * numbers, loads that may fault, and the shapes of call instructions, jump stubs and the
 * kernel's signal frame. A port to another processor is another file with the same names.
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
/* The registers that functions preserve: rbx, rbp, r12-r15. */
#define REGISTERS_KEPT (1u << REGISTER_BX | 1u << REGISTER_BP | 0xfu << 12)

struct registers {
	uint64_t value[REGISTERS];
	uint32_t known; /* one bit per register */
};

/* ---- loads whose fault is skipped ----------------------------------------------------
 */

/*
 * The section guarded_loads has the address of each load and the address to continue at
 * after a fault, both relative to themselves; unwind_fault() searches it. A fault gives 0
 * and sets *failed.
 */
struct guarded_load {
	int32_t load, exit;
};

#ifdef ERKIT_PLAIN_LOADS /* for the fuzz target: AddressSanitizer cannot see into asm */
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

	/* Load a word of the program's memory, wherever a rule points. */
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

/* Returns the length of the call instruction that ends at a return address, 0 if there is
 * none. A direct call must lead into [low, high), the object that contains it, or its
 * bytes belong to another instruction; low == high: anywhere. */
unsigned call_length(uintptr_t return_address, uintptr_t low, uintptr_t high);

/* Returns the target of the direct call that ends at a return address, through a linkage
 * stub if need be; 0: there is no such call. */
uintptr_t call_target(uintptr_t return_address, uintptr_t low, uintptr_t high);

/* Is this "jmp *slot(%rip)", perhaps after endbr64? That is a linkage stub, which has
 * pushed nothing. */
bool is_jump_stub(uintptr_t pc);

/* Returns how far the caller's frame is from sp at pc in _init and _fini; 0: pc is not in
 * them. The C library's start files put these into every object, without unwind data.
 * First calls meet page faults there, so samples find them. */
unsigned start_file_frame(uintptr_t pc);

/* Returns how many words lie on top of the return address where a function with a frame
 * pointer has no frame, at its first instruction, after the push and at a ret: 0, or 1,
 * which is the caller's bp; -1: code at pc does not look like that. */
int words_on_return(uintptr_t pc);

/* Is this "mov $15, %rax; syscall", where signal handlers return to, whichever library
 * made it? The interrupted program's registers are then in the kernel's frame on top of
 * the stack. */
bool is_signal_return(uintptr_t pc);

/* Is this the root of a stack that a program or its run-time made? The function that
 * returns there was not called from there, and there is no caller, whatever unwind data
 * say. Known are libc's makecontext(), a goroutine's goexit and the end of a Boost fiber.
 */
bool is_stack_root(uintptr_t pc);

/* Is this where Go's systemstack() is returned to on the stack of the thread, after
 * "mov %rdi, %rdx; mov (%rdi), %rdi; call *%rdi"? */
bool is_stack_switch(uintptr_t pc);

/* Can a function return to pc? A call ends there, or it is one of the two above. */
bool is_returned_to(uintptr_t pc, uintptr_t low, uintptr_t high);

/* ---- registers ------------------------------------------------------------------------
 */

/* Read the registers from a ucontext, which may lie on an unknown stack. False: it cannot
 * be read. */
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

static inline ucontext_t context_at(uint64_t pc, uint64_t sp, uint64_t bp)
{
	ucontext_t context = { 0 };

	context.uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
	context.uc_mcontext.gregs[REG_RBP] = (greg_t)bp;
	return context;
}

/* Returns the context passed to a signal handler that has just been entered. */
static inline ucontext_t *context_for_handler(const ucontext_t *context)
{
	return (ucontext_t *)(uintptr_t)context->uc_mcontext.gregs[REG_RDX];
}

/* The registers at the entry of unwind_here(), as laid out by the pushes of its
 * assembly. */
struct entry_registers {
	uint64_t bx, bp, r12, r13, r14, r15, return_address;
};

/* The code of unwind_here(): it passes the registers of its caller to unwind_entered() as
 * the last argument. */
#define UNWIND_HERE_CODE                  \
	"	.text\n"                        \
	"	.globl unwind_here\n"           \
	"	.hidden unwind_here\n"          \
	"	.type unwind_here, @function\n" \
	"unwind_here:\n"                  \
	"	.cfi_startproc\n"               \
	"	pushq %r15\n"                   \
	"	.cfi_adjust_cfa_offset 8\n"     \
	"	pushq %r14\n"                   \
	"	.cfi_adjust_cfa_offset 8\n"     \
	"	pushq %r13\n"                   \
	"	.cfi_adjust_cfa_offset 8\n"     \
	"	pushq %r12\n"                   \
	"	.cfi_adjust_cfa_offset 8\n"     \
	"	pushq %rbp\n"                   \
	"	.cfi_adjust_cfa_offset 8\n"     \
	"	pushq %rbx\n"                   \
	"	.cfi_adjust_cfa_offset 8\n"     \
	"	movq %rsp, %r8\n"               \
	"	subq $8, %rsp\n"                \
	"	.cfi_adjust_cfa_offset 8\n"     \
	"	call unwind_entered\n"          \
	"	addq $56, %rsp\n"               \
	"	.cfi_adjust_cfa_offset -56\n"   \
	"	ret\n"                          \
	"	.cfi_endproc\n"                 \
	"	.size unwind_here, . - unwind_here\n"

/* Set the registers of the caller, at the end of its call instruction. */
void registers_from_entry(struct registers *registers,
			  const struct entry_registers *entry);

/* Set the registers that a function with a frame pointer keeps for its caller. */
static inline void registers_from_frame(struct registers *registers, const void *frame)
{
	const uint64_t *kept = frame;

	registers->value[REGISTER_BP] = kept[0];
	registers->value[REGISTER_PC] = kept[1];
	registers->value[REGISTER_SP] = (uintptr_t)(kept + 2);
	registers->known = 1u << REGISTER_BP | 1u << REGISTER_SP | 1u << REGISTER_PC;
}

#endif

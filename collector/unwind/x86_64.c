/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the unwinder for this processor that are not inline: reading code and
 * register sets. */

#include "collector/unwind/x86_64.h"

/* ---- calls, read backwards ------------------------------------------------------------
 */

/* Returns one of the eight bytes before a return address; at(code, 1) is the last one. */
static unsigned at(uint64_t code, unsigned distance)
{
	return code >> (8 - distance) * 8 & 0xff;
}

static unsigned direct_call_length(uint64_t code, uintptr_t return_address, uintptr_t low,
				   uintptr_t high)
{
	uintptr_t target;

	if (at(code, 5) != 0xe8)
		return 0;
	target = return_address + (uintptr_t)(int64_t)(int32_t)(code >> 32);
	if (low != high && (target < low || target >= high))
		return 0;
	if (at(code, 6) == 0x67) /* the linker's replacement for call *f@GOTPCREL(%rip) */
		return 6;
	if (at(code, 6) == 0x48 && at(code, 7) == 0x66 &&
	    at(code, 8) == 0x66) /* TLS access */
		return 8;
	return 5;
}

/* Returns the length of an indirect call, FF /2, by its second and third byte; 0: it is
 * not one. */
static unsigned indirect_call_form(unsigned modrm, unsigned sib)
{
	unsigned mode = modrm >> 6, base = modrm & 7, length = 2;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mode == 3)
		return length;
	if (base == 4) {
		length++;
		if (mode == 0 && (sib & 7) == 5)
			return length + 4;
	} else if (mode == 0 && base == 5) {
		return length + 4;
	}
	return length + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}

static unsigned indirect_call_length(uint64_t code)
{
	for (unsigned length = 2; length <= 7; length++) {
		unsigned prefix = at(code, length + 1);

		if (at(code, length) != 0xff)
			continue;
		if (indirect_call_form(at(code, length - 1),
				       length > 2 ? at(code, length - 2) : 0) != length)
			continue;
		if (prefix > 0x40 && prefix <= 0x43) /* REX.B, REX.X */
			return length + 1;
		if (length == 6 && prefix == 0x48 && at(code, 8) == 0x66)
			return 8; /* TLS access without PLT */
		return length;
	}
	return 0;
}

static unsigned length_of_call(uint64_t code, uintptr_t return_address, uintptr_t low,
			       uintptr_t high)
{
	unsigned length = direct_call_length(code, return_address, low, high);

	return length ? length : indirect_call_length(code);
}

unsigned call_length(uintptr_t return_address, uintptr_t low, uintptr_t high)
{
	unsigned on_page = return_address % 4096, length = 0;
	uint32_t failed = 0;
	uint64_t code;

	/* The page before that of made code may not be mapped: read it only if
	 * necessary. */
	if (low == high && on_page > 0 && on_page < 8) {
		code = guarded_load64(return_address - on_page, &failed);
		length = length_of_call(code << 8 * (8 - on_page), return_address, low,
					high);
	}
	if (failed || length)
		return failed ? 0 : length;
	code = guarded_load64(return_address - 8, &failed);
	return failed ? 0 : length_of_call(code, return_address, low, high);
}

/* ---- stubs and trampolines ------------------------------------------------------------
 */

bool is_jump_stub(uintptr_t pc)
{
	uint32_t failed = 0;
	uint32_t code = guarded_load32(pc, &failed);

	if (code == 0xfa1e0ff3) /* endbr64 */
		code = guarded_load32(pc + 4, &failed);
	if ((code & 0xff) == 0xf2) /* bnd */
		code >>= 8;
	return !failed && (code & 0xffff) == 0x25ff;
}

/* "sub $8, %rsp; mov slot(%rip), %rax; test %rax, %rax; je; call *%rax; add $8, %rsp;
 * ret" */
static bool is_init(uintptr_t start, uint32_t *failed)
{
	return (guarded_load64(start, failed) & UINT64_C(0xffffffffffffff)) ==
		       UINT64_C(0x058b4808ec8348) &&
	       guarded_load64(start + 11, failed) == UINT64_C(0x48d0ff0274c08548) &&
	       guarded_load32(start + 19, failed) == 0xc308c483;
}

/* "sub $8, %rsp; add $8, %rsp; ret" */
static bool is_fini(uintptr_t start, uint32_t *failed)
{
	return guarded_load64(start, failed) == UINT64_C(0x08c4834808ec8348) &&
	       guarded_load8(start + 8, failed) == 0xc3;
}

unsigned start_file_frame(uintptr_t pc)
{
	enum { SUB_SIZE = 4, INIT_RET = 0x16, FINI_RET = 8 };

	for (unsigned offset = 0; offset <= INIT_RET; offset++) {
		uint32_t failed = 0;
		bool is_found = is_init(pc - offset, &failed) ||
				(offset <= FINI_RET && is_fini(pc - offset, &failed));
		bool is_ret = guarded_load8(pc, &failed) == 0xc3;

		if (is_found && !failed)
			return offset < SUB_SIZE || is_ret ? 8 : 16;
	}
	return 0;
}

/* "mov %rsp, %rbp", in both of its forms. */
static bool is_frame_set(uint32_t code)
{
	return (code & 0xffffff) == 0xe58948 || (code & 0xffffff) == 0xec8b48;
}

int words_on_return(uintptr_t pc)
{
	uint32_t failed = 0; /* a faulting load gives 0, which is none of these */
	unsigned first = guarded_load8(pc, &failed);

	if (first == 0xf2 || first == 0xf3) {
		uint32_t code = guarded_load32(pc, &failed);

		if (code == 0xfa1e0ff3) /* endbr64 */
			first = guarded_load8(pc += 4, &failed);
		else /* bnd ret, rep ret, or another instruction with such a prefix */
			first = code >> 8 & 0xff;
	}
	if (first == 0xc3 || first == 0xc2) /* ret */
		return 0;
	if (first == 0x55 &&
	    is_frame_set(guarded_load32(pc + 1, &failed))) /* push %rbp */
		return 0;
	if (is_frame_set(guarded_load32(pc, &failed)) &&
	    guarded_load8(pc - 1, &failed) == 0x55)
		return 1;
	return -1;
}

bool is_signal_return(uintptr_t pc)
{
	uint32_t failed = 0;
	uint64_t code = guarded_load64(pc, &failed);

	return !failed && code == 0x0f0000000fc0c748 &&
	       guarded_load8(pc + 8, &failed) == 5;
}

static uintptr_t stub_target(uintptr_t stub, uint32_t *failed)
{
	uintptr_t at = stub;

	if (guarded_load32(at, failed) == 0xfa1e0ff3) /* endbr64 */
		at += 4;
	if (guarded_load8(at, failed) == 0xf2) /* bnd */
		at++;
	at += 6;
	return guarded_load64(
		at + (uintptr_t)(int64_t)(int32_t)guarded_load32(at - 4, failed), failed);
}

uintptr_t call_target(uintptr_t return_address, uintptr_t low, uintptr_t high)
{
	uint32_t failed = 0;
	uintptr_t target;

	if (guarded_load8(return_address - 5, &failed) != 0xe8)
		return 0;
	target = return_address +
		 (uintptr_t)(int64_t)(int32_t)guarded_load32(return_address - 4, &failed);
	if (failed || target < low || target >= high) /* data that looks like a call */
		return 0;
	if (is_jump_stub(target))
		target = stub_target(target, &failed);
	return failed ? 0 : target;
}

/* "mov %rbx, %rsp; mov (%rsp), %rdi" */
static bool is_context_start(uint64_t code)
{
	return (code & UINT64_C(0xffffffffffffff)) == UINT64_C(0x243c8b48dc8948);
}

/* "nop; call goexit1; nop": a goroutine returns to the address after the first nop, as if
 * called from there. */
static bool is_goexit(uintptr_t pc, uint64_t code, uint32_t *failed)
{
	return (code & UINT64_C(0xff00000000ff)) == UINT64_C(0x9000000000e8) &&
	       guarded_load8(pc - 1, failed) == 0x90;
}

/* "xor %rdi, %rdi; call _exit; hlt" */
static bool is_fiber_end(uintptr_t pc, uint64_t code, uint32_t *failed)
{
	return (code & 0xffffffff) == 0xe8ff3148 && guarded_load8(pc + 8, failed) == 0xf4;
}

bool is_stack_root(uintptr_t pc)
{
	uint32_t failed = 0;
	uint64_t code = guarded_load64(pc, &failed);
	bool is_root = is_context_start(code) || is_goexit(pc, code, &failed) ||
		       is_fiber_end(pc, code, &failed);

	return is_root && !failed;
}

bool is_stack_switch(uintptr_t pc)
{
	uint32_t failed = 0;

	return guarded_load64(pc - 8, &failed) == UINT64_C(0xd7ff3f8b48fa8948);
}

bool is_returned_to(uintptr_t pc, uintptr_t low, uintptr_t high)
{
	return call_length(pc, low, high) != 0 || is_signal_return(pc) ||
	       is_stack_root(pc);
}

/* ---- registers ------------------------------------------------------------------------
 */

bool registers_from_context(struct registers *registers, uintptr_t context)
{
	static const uint8_t places[REGISTERS] = {
		REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
		REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
		REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP,
	};
	uintptr_t file = context + offsetof(ucontext_t, uc_mcontext.gregs);
	uint32_t failed = 0;

	for (unsigned i = 0; i < REGISTERS; i++)
		registers->value[i] = guarded_load64(file + 8 * places[i], &failed);
	registers->known = (1u << REGISTERS) - 1;
	return !failed;
}

void registers_from_entry(struct registers *registers,
			  const struct entry_registers *entry)
{
	registers->value[REGISTER_BX] = entry->bx;
	registers->value[REGISTER_BP] = entry->bp;
	registers->value[12] = entry->r12;
	registers->value[13] = entry->r13;
	registers->value[14] = entry->r14;
	registers->value[15] = entry->r15;
	registers->value[REGISTER_SP] = (uintptr_t)(entry + 1);
	registers->value[REGISTER_PC] = entry->return_address;
	registers->known = REGISTERS_KEPT | 1u << REGISTER_SP | 1u << REGISTER_PC;
}

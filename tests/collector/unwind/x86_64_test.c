/* SPDX-License-Identifier: Apache-2.0 */
/* Code read backwards, loads that fault, and walks. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/unwind/unwind.h"
#include "collector/unwind/x86_64.h"

/* ---- calls ---- */

static uint8_t code[64];

/* Returns the length found for a call that ends at a return address. The bytes before it
 * do not look like part of a call. */
static unsigned length_of(const void *bytes, size_t size)
{
	memset(code, 0x90, sizeof(code));
	memcpy(code + 32 - size, bytes, size);
	return call_length((uintptr_t)code + 32, (uintptr_t)code,
			   (uintptr_t)code + sizeof(code));
}

static void calls_of_all_forms_are_found(void **state)
{
	static const struct {
		const char *bytes;
		unsigned length;
	} cases[] = {
		{ "\xe8\x04\x00\x00\x00", 5 },		   /* call f */
		{ "\x67\xe8\x04\x00\x00\x00", 6 },	   /* call f, by the linker */
		{ "\x66\x66\x48\xe8\x04\x00\x00\x00", 8 }, /* call __tls_get_addr */
		{ "\xff\xd0", 2 },			   /* call *%rax */
		{ "\x41\xff\xd4", 3 },			   /* call *%r12 */
		{ "\xff\x13", 2 },			   /* call *(%rbx) */
		{ "\xff\x50\x18", 3 },			   /* call *0x18(%rax) */
		{ "\xff\x14\xc3", 3 },			   /* call *(%rbx,%rax,8) */
		{ "\x41\xff\x14\xdc", 4 },		   /* call *(%r12,%rbx,8) */
		{ "\x42\xff\x14\xe0", 4 },		   /* call *(%rax,%r12,8) */
		{ "\xff\x54\x24\x08", 4 },		   /* call *8(%rsp) */
		{ "\x41\xff\x54\x24\x10", 5 },		   /* call *16(%r12) */
		{ "\xff\x15\x10\x20\x00\x00", 6 },	   /* call *slot(%rip) */
		{ "\x66\x48\xff\x15\x10\x20\x00\x00", 8 }, /* TLS access without PLT */
		{ "\xff\x90\x80\x01\x00\x00", 6 },	   /* call *0x180(%rax) */
		{ "\x41\xff\x94\x24\x80\x01\x00\x00", 8 }, /* call *0x180(%r12) */
		{ "\xff\x14\xc5\x00\x10\x40\x00", 7 },	   /* call *table(,%rax,8) */
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_int_equal(length_of(cases[i].bytes, cases[i].length),
				 cases[i].length);
}

static void other_instructions_are_no_calls(void **state)
{
	assert_int_equal(length_of("\xff\xe0", 2), 0);		   /* jmp *%rax */
	assert_int_equal(length_of("\xe9\x04\x00\x00\x00", 5), 0); /* jmp f */
	assert_int_equal(length_of("\xff\x70\x08", 3), 0);	   /* push 8(%rax) */
	assert_int_equal(length_of("\xe8\x04\x00\x00\x7f", 5), 0); /* out of the object */
	assert_int_equal(length_of("\x0f\x05", 2), 0);		   /* syscall */
}

static void linkage_stubs_are_recognised(void **state)
{
	memcpy(code, "\xff\x25\x10\x20\x00\x00", 6);
	assert_true(is_jump_stub((uintptr_t)code));
	memcpy(code, "\xf3\x0f\x1e\xfa\xf2\xff\x25\x10\x20\x00\x00", 11);
	assert_true(is_jump_stub((uintptr_t)code));
	memcpy(code, "\xff\x35\x10\x20\x00\x00",
	       6); /* push: the first stub, another frame */
	assert_false(is_jump_stub((uintptr_t)code));
}

static void start_files_have_no_rules_but_a_known_shape(void **state)
{
	static const char init[] = "\x48\x83\xec\x08\x48\x8b\x05\x7d\xcf\x0f\x00"
				   "\x48\x85\xc0\x74\x02\xff\xd0\x48\x83\xc4\x08\xc3";
	static const char fini[] = "\x48\x83\xec\x08\x48\x83\xc4\x08\xc3";
	uintptr_t start = (uintptr_t)code + 32;

	memset(code, 0x90, sizeof(code));
	memcpy(code + 32, init, sizeof(init) - 1);
	assert_int_equal(start_file_frame(start), 8);
	for (size_t i = 4; i < sizeof(init) - 2; i++)
		assert_int_equal(start_file_frame(start + i), 16);
	assert_int_equal(start_file_frame(start + sizeof(init) - 2), 8);
	assert_int_equal(start_file_frame(start + sizeof(init) - 1), 0);
	assert_int_equal(start_file_frame(start - 1), 0);
	memcpy(code + 32, fini, sizeof(fini) - 1);
	assert_int_equal(start_file_frame(start), 8);
	assert_int_equal(start_file_frame(start + 4), 16);
	assert_int_equal(start_file_frame(start + 8), 8);
	code[32] = 0x90;
	assert_int_equal(start_file_frame(start + 4), 0);
}

static void edges_of_frames_are_recognised(void **state)
{
	static const struct {
		char bytes[17]; /* from pc - 8 on */
		int words;
	} cases[] = {
		{ "\x90\x90\x90\x90\x90\x90\x90\x90\x55\x48\x89\xe5", 0 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x90\x55\x48\x8b\xec", 0 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x90\xf3\x0f\x1e\xfa\x55\x48\x89\xe5", 0 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x55\x48\x89\xe5\x90", 1 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x55\x48\x8b\xec\x90", 1 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x5d\xc3\x90\x90\x90", 0 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x5d\xc2\x08\x00\x90", 0 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x5d\xf3\xc3\x90\x90", 0 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x5d\xf2\xc3\x90\x90", 0 },
		/* Inside the frame; a saved register, but no frame; the target of an
		 * indirect jump. */
		{ "\x90\x90\x90\x90\x55\x48\x89\xe5\x48\x83\xec\x20", -1 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x90\x55\x53\x48\x83", -1 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x90\xf3\x0f\x1e\xfa\x48\x89\xe5\x90",
		  -1 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x53\x48\x89\xe5\x90", -1 },
		{ "\x90\x90\x90\x90\x90\x90\x90\x90\xf3\xa4\x90\x90", -1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memcpy(code, cases[i].bytes, sizeof(cases[i].bytes));
		assert_int_equal(words_on_return((uintptr_t)code + 8), cases[i].words);
	}
}

static void signal_returns_are_recognised(void **state)
{
	memcpy(code, "\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05", 9);
	assert_true(is_signal_return((uintptr_t)code));
	code[3] = 14; /* another system call */
	assert_false(is_signal_return((uintptr_t)code));
}

static void roots_of_other_stacks_are_recognised(void **state)
{
	static const struct {
		char bytes[17]; /* from pc - 8 on */
		bool is_root;
	} cases[] = {
		{ "\x90\x90\x90\x90\x90\xcc\xcc\x90\xe8\x04\x00\x00\x00\x90", true },
		{ "\x90\x90\x90\x90\x90\xcc\xcc\xcc\xe8\x04\x00\x00\x00\x90", false },
		{ "\x90\x90\x90\x90\x90\xcc\xcc\x90\xe8\x04\x00\x00\x00\xc3", false },
		{ "\x90\x90\x90\x90\x90\x55\xff\xe3\x48\x31\xff\xe8\x04\x00\x00\x00\xf4",
		  true },
		{ "\x90\x90\x90\x90\x90\x55\xff\xe3\x48\x31\xff\xe8\x04\x00\x00\x00\xc3",
		  false },
		{ "\x90\x90\x90\x90\x90\x90\xff\xd0\x48\x89\xdc\x48\x8b\x3c\x24\x90",
		  true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		memcpy(code, cases[i].bytes, sizeof(cases[i].bytes));
		assert_int_equal(is_stack_root((uintptr_t)code + 8), cases[i].is_root);
	}
}

/* ---- loads ---- */

static unsigned fault_count;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	fault_count++;
	if (!unwind_fault(context, (uintptr_t)info->si_addr))
		_exit(99);
}

static void catch_faults(struct sigaction *before)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, before);
}

static void a_load_that_faults_is_skipped(void **state)
{
	struct sigaction before;
	uintptr_t hole = (uintptr_t)mmap(NULL, 4096, PROT_NONE,
					 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t failed = 0;
	uint64_t value = 17;

	catch_faults(&before);
	assert_int_equal(guarded_load64((uintptr_t)&value, &failed), 17);
	assert_int_equal(failed, 0);
	assert_int_equal(guarded_load64(hole, &failed), 0);
	assert_int_equal(failed, 1);
	failed = 0;
	assert_int_equal(guarded_load8(hole + 5, &failed), 0);
	assert_int_equal(failed, 1);
	failed = 0;
	assert_int_equal(guarded_load32(UINT64_C(0x5555555555555555), &failed), 0);
	assert_int_equal(failed, 1);
	assert_int_equal(fault_count, 3);
	sigaction(SIGSEGV, &before, NULL);
}

/* A frame pointer that leads into a hole: the walk ends and reports failure. */
static void a_walk_into_nowhere_ends(void **state)
{
	struct sigaction before;
	struct unwind_bounds bounds = { 0 };
	uint64_t pcs[8];
	enum unwind_end end;
	ucontext_t context = { 0 };

	assert_true(unwind_init());
	catch_faults(&before);
	context.uc_mcontext.gregs[REG_RIP] = 0x41414141;
	context.uc_mcontext.gregs[REG_RSP] = 0x1000;
	context.uc_mcontext.gregs[REG_RBP] = 0x2000;
	assert_int_equal(unwind_stack(pcs, 8, &context, &bounds, &end), 1);
	assert_int_equal(pcs[0], 0x41414141);
	assert_int_equal(end, UNWIND_FAILED);
	sigaction(SIGSEGV, &before, NULL);
}

void calls_numbers(void);
extern const char numbers[];
__asm__("	.text\n"
	"	.type numbers, @function\n"
	"numbers:\n"
	"	nop\n"
	"	ret\n"
	"	.size numbers, . - numbers\n"
	"	.type calls_numbers, @function\n"
	"calls_numbers:\n"
	"	call numbers\n"
	"	ret\n"
	"	.size calls_numbers, . - calls_numbers\n");

/* Numbers that a function without rules keeps above its return address are not followed;
 * there is mostly no code at them. */
static void numbers_on_the_stack_are_not_followed(void **state)
{
	uint64_t stack[] = { 0x1234567890,
			     0x2345678901,
			     0x3456789012,
			     (uintptr_t)calls_numbers + 5,
			     0,
			     0,
			     0,
			     0 };
	struct unwind_bounds bounds = { (uintptr_t)stack,
					(uintptr_t)stack + sizeof(stack) };
	ucontext_t context = { 0 };
	unsigned faults = fault_count;
	struct sigaction before;
	uint64_t pcs[8];
	enum unwind_end end;

	assert_true(unwind_init());
	catch_faults(&before);
	context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)numbers;
	context.uc_mcontext.gregs[REG_RSP] = (greg_t)(uintptr_t)stack;
	assert_true(unwind_stack(pcs, 8, &context, &bounds, &end) > 1);
	assert_int_equal(pcs[1], (uintptr_t)calls_numbers);
	assert_int_equal(fault_count, faults);
	sigaction(SIGSEGV, &before, NULL);
}

/* ---- whole walks ---- */

static uint64_t pcs[64];
static size_t count;
static enum unwind_end end;

static void __attribute__((noinline)) bottom(size_t limit)
{
	static const struct unwind_bounds unknown;

	count = unwind_here(pcs, limit, &unknown, &end);
}

static int __attribute__((noinline)) descend(int depth, size_t limit)
{
	if (depth)
		descend(depth - 1, limit);
	else
		bottom(limit);
	return depth;
}

static void the_caller_comes_first_and_the_root_last(void **state)
{
	assert_true(unwind_init());
	descend(5, 64);
	assert_int_equal(end, UNWIND_WHOLE);
	assert_in_range(pcs[0], (uintptr_t)bottom, (uintptr_t)bottom + 64);
	assert_in_range(pcs[1], (uintptr_t)descend, (uintptr_t)descend + 128);
	assert_true(count > 8);
}

static void a_stack_longer_than_the_limit_is_truncated(void **state)
{
	size_t whole;

	assert_true(unwind_init());
	descend(5, 64);
	whole = count;
	for (size_t limit = 0; limit <= whole + 1; limit++) {
		descend(5, limit);
		assert_int_equal(count, limit < whole ? limit : whole);
		assert_int_equal(end, limit < whole ? UNWIND_TRUNCATED : UNWIND_WHOLE);
	}
}

static void call_bottom(void)
{
	bottom(64);
}

/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret - in memory outside any object. */
static void code_made_at_run_time_is_walked_by_frame_pointers(void **state)
{
	struct sigaction before;
	uint8_t *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (made == MAP_FAILED)
		skip();
	catch_faults(&before); /* the page before it may be unmapped */
	memcpy(made, "\x55\x48\x89\xe5\xff\xd7\x5d\xc3", 8);
	assert_true(unwind_init());
	((void (*)(void (*)(void)))(uintptr_t)made)(call_bottom);
	assert_int_equal(end, UNWIND_WHOLE);
	assert_true(count > 6);
	/* The frame shown is the call before the return address. */
	assert_true(pcs[1] == (uintptr_t)made + 4 || pcs[2] == (uintptr_t)made + 4);
	munmap(made, 4096);
	sigaction(SIGSEGV, &before, NULL);
}

/* ---- the stack a walk needs ---- */

static uint8_t handler_stack[65536];
static size_t stack_used[2];

static size_t used_below(uintptr_t frame)
{
	uint8_t *lowest = handler_stack;

	while (*lowest == 0xa5)
		lowest++;
	return frame - (uintptr_t)lowest;
}

/* Measured twice: as the signal comes, with new rows; then in the middle of the return
 * from a signal, which takes the full rules. */
static void on_measure(int signal, siginfo_t *info, void *context)
{
	static const struct unwind_bounds unknown;
	static ucontext_t returning;
	uintptr_t here = (uintptr_t)__builtin_frame_address(0) - 256;

	memset(handler_stack, 0xa5, here - (uintptr_t)handler_stack);
	count = unwind_stack(pcs, 64, context, &unknown, &end);
	stack_used[0] = used_below(here);

	returning.uc_mcontext.gregs[REG_RIP] = (greg_t)((uint64_t *)context)[-1] + 7;
	returning.uc_mcontext.gregs[REG_RSP] = (greg_t)context;
	memset(handler_stack, 0xa5, here - (uintptr_t)handler_stack);
	count = unwind_stack(pcs, 64, &returning, &unknown, &end);
	stack_used[1] = used_below(here);
}

static void a_walk_needs_little_stack(void **state)
{
	stack_t stack = { .ss_sp = handler_stack, .ss_size = sizeof(handler_stack) };
	struct sigaction action = { .sa_sigaction = on_measure,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };

	assert_true(unwind_init());
	unwind_forget();
	assert_int_equal(sigaltstack(&stack, NULL), 0);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	assert_int_equal(end, UNWIND_WHOLE);
	assert_true(count > 5);
	print_message("# bytes of stack: %zu, by full rules %zu\n", stack_used[0] + 256,
		      stack_used[1] + 256);
	assert_in_range(stack_used[0], 500, 1700);
	assert_in_range(stack_used[1], 500, 1700);
}

static void nothing_is_forgotten_wrongly(void **state)
{
	uint64_t found[2][64] = { 0 };

	assert_true(unwind_init());
	for (volatile int round = 0; round < 2;
	     round++) { /* both walks start at one place */
		descend(7, 64);
		assert_int_equal(end, UNWIND_WHOLE);
		memcpy(found[round], pcs, count * sizeof(*pcs));
		unwind_forget();
		unwind_refresh();
		unwind_after_fork();
	}
	assert_memory_equal(found[0], found[1], sizeof(found[0]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_of_all_forms_are_found),
		cmocka_unit_test(other_instructions_are_no_calls),
		cmocka_unit_test(linkage_stubs_are_recognised),
		cmocka_unit_test(start_files_have_no_rules_but_a_known_shape),
		cmocka_unit_test(edges_of_frames_are_recognised),
		cmocka_unit_test(signal_returns_are_recognised),
		cmocka_unit_test(roots_of_other_stacks_are_recognised),
		cmocka_unit_test(a_load_that_faults_is_skipped),
		cmocka_unit_test(a_walk_into_nowhere_ends),
		cmocka_unit_test(numbers_on_the_stack_are_not_followed),
		cmocka_unit_test(the_caller_comes_first_and_the_root_last),
		cmocka_unit_test(a_stack_longer_than_the_limit_is_truncated),
		cmocka_unit_test(code_made_at_run_time_is_walked_by_frame_pointers),
		cmocka_unit_test(a_walk_needs_little_stack),
		cmocka_unit_test(nothing_is_forgotten_wrongly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

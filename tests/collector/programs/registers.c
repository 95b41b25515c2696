/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Touches new pages, and prints what a record of that should have, each as a name and a
 * hexadecimal number: "data" with the "instruction" and its "stack" pointer, while the
 * other registers but rdi have the number 0x0123456700000000 and their own number in
 * DWARF; its "physical" address, 0 if not permitted; and "kernel", which the kernel
 * itself touches. Then it reads a member of a null pointer's structure.
 */

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define DATA 0x2a8 /* in its page */

uint64_t touch(char *data); /* returns its stack pointer */
extern const char touch_instruction[];

/* clang-format off */
#define SET(number, name) "movabs $0x0123456700000000 + " #number ", %" name "\n\t"
__asm__(".text\n"
	".type touch, @function\n"
	"touch:\n\t"
	".cfi_startproc\n\t"
	"push %rbx\n\t" ".cfi_adjust_cfa_offset 8\n\t"
	"push %rbp\n\t" ".cfi_adjust_cfa_offset 8\n\t"
	"push %r12\n\t" ".cfi_adjust_cfa_offset 8\n\t"
	"push %r13\n\t" ".cfi_adjust_cfa_offset 8\n\t"
	"push %r14\n\t" ".cfi_adjust_cfa_offset 8\n\t"
	"push %r15\n\t" ".cfi_adjust_cfa_offset 8\n\t"
	SET(0, "rax") SET(1, "rdx") SET(2, "rcx") SET(3, "rbx") SET(4, "rsi")
	SET(6, "rbp") SET(8, "r8") SET(9, "r9") SET(10, "r10") SET(11, "r11")
	SET(12, "r12") SET(13, "r13") SET(14, "r14") SET(15, "r15")
	"touch_instruction:\n\t"
	"movb $1, (%rdi)\n\t"
	"mov %rsp, %rax\n\t"
	"pop %r15\n\t" ".cfi_adjust_cfa_offset -8\n\t"
	"pop %r14\n\t" ".cfi_adjust_cfa_offset -8\n\t"
	"pop %r13\n\t" ".cfi_adjust_cfa_offset -8\n\t"
	"pop %r12\n\t" ".cfi_adjust_cfa_offset -8\n\t"
	"pop %rbp\n\t" ".cfi_adjust_cfa_offset -8\n\t"
	"pop %rbx\n\t" ".cfi_adjust_cfa_offset -8\n\t"
	"ret\n\t"
	".cfi_endproc\n"
	".size touch, . - touch\n");
/* clang-format on */

static uint64_t physical_address(uint64_t address)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0, frame;

	if (pread(fd, &entry, sizeof(entry), (off_t)(address / PAGE * sizeof(entry))) !=
	    sizeof(entry))
		entry = 0;
	close(fd);
	frame = entry & ((UINT64_C(1) << 55) - 1);
	return frame ? frame * PAGE + address % PAGE : 0;
}

static void read_into(void *page)
{
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);

	if (read(fd, page, 1) != 1)
		perror("/dev/zero");
	close(fd);
}

static sigjmp_buf back;

static void leave(int signal)
{
	siglongjmp(back, 1);
}

static void show(const char *name, uint64_t number)
{
	printf("%s %lx\n", name, (unsigned long)number);
}

int main(void)
{
	struct members {
		uint64_t first, second;
	} *volatile nowhere = NULL;
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t stack;

	if (pages == MAP_FAILED || madvise(pages, 2 * PAGE, MADV_NOHUGEPAGE) < 0)
		return 1;
	stack = touch(pages + DATA);
	read_into(pages + PAGE);
	show("data", (uintptr_t)pages + DATA);
	show("instruction", (uintptr_t)touch_instruction);
	show("stack", stack);
	show("physical", physical_address((uintptr_t)pages + DATA));
	show("kernel", (uintptr_t)pages + PAGE);
	signal(SIGSEGV, leave);
	if (sigsetjmp(back, 1) == 0)
		return (int)nowhere->second;
	return 0;
}

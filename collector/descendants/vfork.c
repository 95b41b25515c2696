/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfork: the child returns first, on the stack of its parent, which waits until the child
 * executes a program or ends. The child overwrites that stack below the caller's frame,
 * so the return address is kept elsewhere.
 */

#include "collector/descendants/vfork.h"

#include <errno.h>

#include "collector/base/interpose.h"
#include "collector/process/guard.h"
#include "collector/process/own_time.h"
#include "collector/process/process.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

static __thread struct {
	void *way_back; /* NULL: no vfork of this thread is under way */
	struct birth birth;
} vforking;

/* ---- the child, on its parent's record ---- */

void descendants_note_failure(const char *variant, const char *path, int error)
{
	struct thread *thread = thread_self;
	struct text noted;

	if (!thread || thread->vfork_number == 0)
		return;
	noted = TEXT_ON(thread->vfork_failure.path);
	text_add(&noted, path ? path : "");
	thread->vfork_failure.variant = variant;
	thread->vfork_failure.error = error;
	thread->vfork_failure.exec = thread->vfork_execs;
}

/* ---- the parent ---- */

bool descendants_begin_vfork(struct birth *birth)
{
	struct thread *thread = thread_self;

	if (!thread)
		return false;
	descendants_begin(birth);
	thread->vfork_execs = 0;
	thread->vfork_failure.exec = 0;
	thread->vfork_number = birth->number;
	return true;
}

/* Log the last failed exec of the child; there is rarely more than one. */
static void log_failure(const struct birth *birth, struct thread *thread)
{
	char buffer[LINEAGE_MAX + 1], text[64 + NOTED_PATH_SIZE];
	struct text lineage = TEXT_ON(buffer), message = TEXT_ON(text);

	text_add(&lineage, process.lineage);
	descendants_add_element(&lineage, birth->element, birth->number);
	descendants_add_element(&lineage, LINEAGE_EXEC, thread->vfork_failure.exec);
	text_add(&message, "err ");
	text_add_decimal(&message, thread->vfork_failure.error);
	text_add(&message, " ");
	text_add(&message, thread->vfork_failure.path);
	descendants_log("exec_error", thread->vfork_failure.variant, lineage.start, false,
			message.start);
}

void descendants_end_vfork(const struct birth *birth, pid_t pid, int error)
{
	struct thread *thread = thread_self;

	descendants_born(birth, pid, error);
	if (!thread)
		return;
	if (thread->vfork_failure.exec != 0)
		log_failure(birth, thread);
	thread->vfork_number = 0;
}

/* ---- the function ---- */

/* A signal handler may run before the child is made, and call vfork, too: that child is
 * not logged. */
__attribute__((visibility("hidden"), used)) bool begin_vfork(void *way_back);
bool begin_vfork(void *way_back)
{
	uint64_t mask;
	bool is_noted;

	if (collector_is_frozen() || descendants_place() != PLACE_OWN ||
	    vforking.way_back)
		return false;
	mask = collector_enter();
	vforking.birth = (struct birth){ .variant = "vfork", .element = LINEAGE_FORK };
	is_noted = descendants_begin_vfork(&vforking.birth);
	if (is_noted)
		vforking.way_back = way_back;
	collector_leave(mask);
	return is_noted;
}

/* Returns the return address: in the child first, then in the parent. */
__attribute__((visibility("hidden"), used)) void *end_vfork(pid_t pid);
void *end_vfork(pid_t pid)
{
	void *way_back = vforking.way_back;
	uint64_t mask;
	int saved;

	if (pid == 0)
		return way_back;
	saved = errno;
	own_time_forget(); /* of a child that was killed in the middle of it */
	mask = collector_enter();
	descendants_end_vfork(&vforking.birth, pid, saved);
	vforking.way_back = NULL;
	collector_leave(mask);
	errno = saved;
	return way_back;
}

__attribute__((visibility("hidden"), used)) void *real_vfork(void);
void *real_vfork(void)
{
	static struct real real = { "vfork", "GLIBC_2.2.5", NULL };

	return real_function(&real);
}

/* vfork() of libc keeps its return address in a register. */
__asm__(".text\n"
	".type vfork_2_2_5, @function\n"
	"vfork_2_2_5:\n"
	".cfi_startproc\n"
	"	mov (%rsp), %rdi\n"
	"	sub $8, %rsp\n"
	".cfi_adjust_cfa_offset 8\n"
	"	call begin_vfork\n"
	"	test %al, %al\n"
	"	jz 1f\n"
	"	call real_vfork\n"
	"	call *%rax\n"
	"	mov %eax, (%rsp)\n"
	"	mov %eax, %edi\n"
	"	call end_vfork\n"
	"	mov %rax, 8(%rsp)\n"
	"	mov (%rsp), %eax\n"
	"	add $8, %rsp\n"
	".cfi_adjust_cfa_offset -8\n"
	"	ret\n"
	".cfi_adjust_cfa_offset 8\n"
	"1:	call real_vfork\n"
	"	add $8, %rsp\n"
	".cfi_adjust_cfa_offset -8\n"
	"	jmp *%rax\n"
	".cfi_endproc\n"
	".size vfork_2_2_5, . - vfork_2_2_5\n"
	".globl vfork_2_2_5\n"
	".symver vfork_2_2_5, vfork@@GLIBC_2.2.5\n"
	".globl vfork_internal_2_2_5\n"
	".type vfork_internal_2_2_5, @function\n"
	"vfork_internal_2_2_5:\n"
	"	jmp vfork_2_2_5\n"
	".size vfork_internal_2_2_5, . - vfork_internal_2_2_5\n"
	".symver vfork_internal_2_2_5, __vfork@@GLIBC_2.2.5\n");

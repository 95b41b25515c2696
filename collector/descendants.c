/* SPDX-License-Identifier: Apache-2.0 */
/* fork in all its forms, seen from the parent and from the child. */

#include <collector/clock.h>
#include <collector/collector.h>
#include <collector/descendants.h>
#include <collector/dynamic.h>
#include <collector/experiment.h>
#include <collector/follow.h>
#include <collector/interpose.h>
#include <collector/log.h>
#include <collector/sample.h>
#include <collector/system.h>
#include <collector/thread.h>
#include <errno.h>
#include <libexpt/format.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* Zero in a child that does not share our memory, whoever made it. */
static _Atomic int *own_memory;
static _Atomic unsigned forks, execs, combos, clones;

/* From prepare() to parent() and child(), with all signals blocked. */
static __thread struct {
	uint64_t mask;
	unsigned number;
	const char *variant;
	bool is_daemon;
} forking;

extern int __register_atfork(void (*prepare)(void), void (*parent)(void),
			     void (*child)(void), void *library);

/* ---- names ---- */

static _Atomic unsigned *counter_of(char element)
{
	switch (element) {
	case LINEAGE_EXEC:
		return &execs;
	case LINEAGE_COMBO:
		return &combos;
	case LINEAGE_CLONE:
		return &clones;
	default:
		return &forks;
	}
}

static bool add_element(struct text *lineage, char element, unsigned number)
{
	text_add(lineage, "_");
	text_add_bytes(lineage, &element, 1);
	text_add_decimal(lineage, number);
	return !lineage->is_cut;
}

bool descendants_next_lineage(struct text *lineage, char element)
{
	text_add(lineage, process.lineage);
	return add_element(lineage, element, atomic_fetch_add(counter_of(element), 1) + 1);
}

bool descendants_vfork_lineage(struct text *lineage)
{
	text_add(lineage, process.lineage);
	add_element(lineage, LINEAGE_FORK,
		    thread_self != NULL ? thread_self->vfork_number : 0);
	return add_element(lineage, LINEAGE_EXEC, 1);
}

void descendants_describe(struct text *text, const char *path, char *const argv[])
{
	text_add(text, path);
	for (size_t i = 1;
	     argv != NULL && argv[0] != NULL && argv[i] != NULL && !text->is_cut; i++) {
		text_add(text, " ");
		text_add(text, argv[i]);
	}
}

void descendants_log(const char *kind, const char *variant, const char *lineage,
		     bool is_followed, const char *message)
{
	char buffer[LOG_RECORD_SIZE];
	struct text record = TEXT_ON(buffer);

	if (atomic_load(&process.state) == COLLECTOR_CARRIED)
		return;
	log_begin(&record, kind, collector_now());
	text_add_attribute(&record, "variant", variant);
	text_add_attribute(&record, "lineage", lineage);
	text_add_number(&record, "follow", is_followed);
	if (message != NULL)
		text_add_attribute(&record, "msg", message);
	log_put(&record);
}

/* One that cannot have a directory cannot say so where the readers look. */
void descendants_log_start(const char *kind, const char *variant, const char *lineage,
			   bool is_followed, const char *message)
{
	if (is_followed && atomic_load(&process.state) != COLLECTOR_CARRIED)
		experiment_foresee(lineage);
	descendants_log(kind, variant, lineage, is_followed, message);
}

void descendants_log_gap(enum target target, int error)
{
	const char *reason = error != 0 ? TARGET_STATIC_GAP : target_reason(target);

	if (reason != NULL && settings.follow != 0)
		log_message("cwarn", EXPT_WARNING_NOT_FOLLOWED, reason, error);
}

/* ---- the child ---- */

static void count_from_zero(void)
{
	atomic_store(&forks, 0);
	atomic_store(&execs, 0);
	atomic_store(&combos, 0);
	atomic_store(&clones, 0);
}

static void become_child(char element, unsigned number, uint64_t mask)
{
	char buffer[LINEAGE_MAX + 1];
	struct text lineage = TEXT_ON(buffer);
	bool is_named;

	text_add(&lineage, process.lineage);
	is_named = add_element(&lineage, element, number);
	count_from_zero();
	descendants_reset_system();
	atomic_store(own_memory, 1);
	collector_enter_after_fork(mask);
	collector_become_child(is_named ? lineage.start : NULL);
}

/* A page that the kernel empties in the child. */
static bool make_own_memory(void)
{
	own_memory =
		sys_mmap(4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (own_memory == NULL)
		return false;
	*own_memory = 1;
	return sys_madvise((void *)own_memory, 4096, MADV_WIPEONFORK) == 0;
}

enum descendants_place descendants_place(void)
{
	int state = atomic_load(&process.state);

	if (state == COLLECTOR_OFF)
		return PLACE_NONE;
	if (collector_is_frozen() || sys_getpid() == process.pid)
		return PLACE_OWN;
	if (own_memory == NULL || atomic_load(own_memory) != 0)
		return PLACE_VFORK;
	become_child(LINEAGE_CLONE, (unsigned)sys_getpid(), 0);
	return PLACE_OWN;
}

bool descendants_is_stranger(void)
{
	return own_memory == NULL ||
	       atomic_load_explicit(own_memory, memory_order_relaxed) == 0;
}

/* ---- fork, and what calls it inside glibc ---- */

static const char *fork_variant(void)
{
	return forking.variant != NULL ? forking.variant : "fork";
}

static struct text fork_lineage(char *buffer, unsigned number)
{
	struct text lineage = text_on(buffer, LINEAGE_MAX + 1);

	text_add(&lineage, process.lineage);
	add_element(&lineage, LINEAGE_FORK, number);
	return lineage;
}

static void log_fork_start(const char *variant, unsigned number)
{
	char buffer[LINEAGE_MAX + 1];
	struct text lineage = fork_lineage(buffer, number);

	descendants_log_start("desc_start", variant, lineage.start, settings.follow != 0,
			      NULL);
}

static void prepare(void)
{
	forking.number = 0;
	if (descendants_place() != PLACE_OWN)
		return;
	forking.mask = collector_enter();
	dynamic_before_fork();
	forking.number = atomic_fetch_add(&forks, 1) + 1;
	log_fork_start(fork_variant(), forking.number);
}

static void parent(void)
{
	if (atomic_load(&process.state) == COLLECTOR_OFF || forking.number == 0)
		return;
	dynamic_after_fork();
	if (forking.is_daemon) /* which ends the parent without our seeing it */
		collector_end();
	collector_leave(forking.mask);
}

static void child(void)
{
	uint64_t mask = forking.mask;

	if (atomic_load(&process.state) == COLLECTOR_OFF || forking.number == 0)
		return;
	if (collector_is_frozen()) {
		atomic_store(&process.state, COLLECTOR_OFF);
		dynamic_after_fork();
		return;
	}
	become_child(LINEAGE_FORK, forking.number, mask);
	forking.number = 0;
	collector_leave(mask);
}

void descendants_init(void)
{
	make_own_memory();
	__register_atfork(prepare, parent, child, NULL);
}

static void log_forked(pid_t pid, int error)
{
	char buffer[64], lineage_buffer[LINEAGE_MAX + 1];
	struct text message = TEXT_ON(buffer), lineage;
	uint64_t mask;

	if (forking.number == 0)
		return;
	lineage = fork_lineage(lineage_buffer, forking.number);
	text_add(&message, pid > 0 ? "pid=" : "err ");
	text_add_decimal(&message, pid > 0 ? pid : error);
	mask = collector_enter();
	descendants_log("desc_started", fork_variant(), lineage.start,
			settings.follow != 0, message.start);
	collector_leave(mask);
	forking.number = 0;
}

INTERPOSE(pid_t, fork_2_2_5, "fork@@GLIBC_2.2.5", (void))
{
	REAL(fork, "GLIBC_2.2.5", pid_t, (void));
	pid_t pid = real();

	if (pid != 0) {
		int saved = errno;

		log_forked(pid, saved);
		errno = saved;
	}
	return pid;
}

INTERPOSE(pid_t, fork_internal_2_2_5, "__fork@@GLIBC_2.2.5", (void))
{
	return fork_2_2_5();
}

/* Runs no handlers of pthread_atfork. */
INTERPOSE(pid_t, fork_2_34, "_Fork@@GLIBC_2.34", (void))
{
	REAL(_Fork, "GLIBC_2.34", pid_t, (void));
	pid_t pid;

	prepare();
	pid = real();
	if (pid == 0)
		child();
	else
		parent();
	return pid;
}

INTERPOSE(int, daemon_2_2_5, "daemon@@GLIBC_2.2.5", (int keeps_directory, int keeps_files))
{
	REAL(daemon, "GLIBC_2.2.5", int, (int, int));
	int rc;

	forking.variant = "daemon";
	forking.is_daemon = true;
	rc = real(keeps_directory, keeps_files);
	forking.variant = NULL;
	forking.is_daemon = false;
	forking.number = 0;
	return rc;
}

/* ---- clone with a copy of the memory ---- */

struct cloned {
	int (*function)(void *);
	void *argument;
	unsigned number;
	uint64_t mask;
};

static int run_cloned(void *data)
{
	struct cloned cloned = *(struct cloned *)data;
	int status;

	become_child(LINEAGE_CLONE, cloned.number, cloned.mask);
	collector_leave(cloned.mask);
	status = cloned.function(cloned.argument);
	collector_end(); /* libc ends the process behind this function */
	return status;
}

INTERPOSE(int, clone_2_2_5, "clone@@GLIBC_2.2.5",
	  (int (*function)(void *), void *stack, int flags, void *argument, ...))
{
	REAL(clone, "GLIBC_2.2.5", int, (int (*)(void *), void *, int, void *, ...));
	struct cloned cloned = { function, argument, 0, 0 };
	void *parent_tid, *tls, *child_tid;
	va_list rest;
	int rc;

	va_start(rest, argument);
	parent_tid = va_arg(rest, void *);
	tls = va_arg(rest, void *);
	child_tid = va_arg(rest, void *);
	va_end(rest);
	if ((flags & 0x100 /* CLONE_VM */) != 0 || function == NULL ||
	    descendants_place() != PLACE_OWN)
		return real(function, stack, flags, argument, parent_tid, tls, child_tid);
	cloned.number = atomic_fetch_add(&clones, 1) + 1;
	cloned.mask = collector_enter();
	rc = real(run_cloned, stack, flags, &cloned, parent_tid, tls, child_tid);
	collector_leave(cloned.mask);
	return rc;
}

/* ---- vfork: the child returns first, on the parent's stack, so nothing may be left there ---- */

__attribute__((visibility("hidden"), used)) void note_vfork(void);
void note_vfork(void)
{
	uint64_t mask;

	if (descendants_place() != PLACE_OWN || thread_self == NULL)
		return;
	mask = collector_enter();
	thread_self->vfork_number = atomic_fetch_add(&forks, 1) + 1;
	log_fork_start("vfork", thread_self->vfork_number);
	collector_leave(mask);
}

__attribute__((visibility("hidden"), used)) void *real_vfork(void);
void *real_vfork(void)
{
	static struct real real = { "vfork", "GLIBC_2.2.5", NULL };

	return real_function(&real);
}

__asm__(".text\n"
	".type vfork_2_2_5, @function\n"
	"vfork_2_2_5:\n"
	".cfi_startproc\n"
	"	sub $8, %rsp\n"
	".cfi_adjust_cfa_offset 8\n"
	"	call note_vfork\n"
	"	call real_vfork\n"
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

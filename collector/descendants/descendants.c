/* SPDX-License-Identifier: Apache-2.0 */
/* All forms of fork, in the parent and in the child. */

#include "collector/descendants/descendants.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/common/follow.h"
#include "collector/common/settings.h"
#include "collector/descendants/interrupts.h"
#include "collector/experiment/dynamic.h"
#include "collector/experiment/samples.h"
#include "collector/experiment/unmade.h"
#include "collector/files/access.h"
#include "collector/files/log.h"
#include "collector/process/guard.h"
#include "collector/process/own_time.h"
#include "collector/process/process.h"
#include "collector/process/tsc.h"
#include "collector/recording/recording.h"
#include "collector/sources/clock.h"
#include "collector/threads/thread.h"
#include "libexpt/format.h"

/* Zero in every child that does not share our memory, even if it was made unseen. */
static _Atomic int *own_memory;
static _Atomic unsigned forks, execs, combos;

/*
 * Clones are counted in memory that all children share: a child that was made unseen
 * takes its number itself when it is noticed, and its parent and the other children must
 * not use that number again. Each process of one image has its own counter there.
 */
#define CLONE_COUNTERS (4096 / sizeof(unsigned) - 1)
static struct clone_counters {
	_Atomic unsigned taken;
	_Atomic unsigned clones[CLONE_COUNTERS];
} * shared;
static unsigned own_counter;

/* Passed from prepare() to parent() and child(); all signals are blocked. */
static __thread struct {
	uint64_t mask;
	struct birth birth; /* number 0: no fork is under way */
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
		return &shared->clones[own_counter];
	default:
		return &forks;
	}
}

bool descendants_add_element(struct text *lineage, char element, unsigned number)
{
	text_add(lineage, "_");
	text_add_bytes(lineage, &element, 1);
	text_add_decimal(lineage, number);
	return !lineage->is_cut;
}

static unsigned next_number(char element)
{
	if (element == LINEAGE_CLONE && !shared)
		return (unsigned)sys_gettid();
	return atomic_fetch_add(counter_of(element), 1) + 1;
}

bool descendants_next_lineage(struct text *lineage, char element)
{
	text_add(lineage, process.lineage);
	return descendants_add_element(lineage, element, next_number(element));
}

/* The parent's thread waits, so the child may count in the record of that thread. */
bool descendants_vfork_lineage(struct text *lineage)
{
	struct thread *thread = thread_self;

	text_add(lineage, process.lineage);
	descendants_add_element(lineage, LINEAGE_FORK, thread ? thread->vfork_number : 0);
	return descendants_add_element(lineage, LINEAGE_EXEC,
				       thread ? ++thread->vfork_execs : 1);
}

void descendants_describe(struct text *text, const char *path, char *const argv[])
{
	text_add(text, path);
	for (size_t i = 1; argv && argv[0] && argv[i] && !text->is_cut; i++) {
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
	if (message)
		text_add_attribute(&record, "msg", message);
	log_put(&record);
}

/* A descendant that cannot have a directory cannot leave a warning for readers: its
 * parent does. */
void descendants_log_start(const char *kind, const char *variant, const char *lineage,
			   bool is_followed, const char *message)
{
	if (is_followed && atomic_load(&process.state) != COLLECTOR_CARRIED)
		unmade_foresee(lineage);
	descendants_log(kind, variant, lineage, is_followed, message);
}

void descendants_log_gap(enum target target, int error)
{
	const char *reason = error != 0 ? TARGET_STATIC_GAP : target_reason(target);

	if (reason && settings.follow != 0)
		log_message("cwarn", EXPT_WARNING_NOT_FOLLOWED, reason, error);
}

/* ---- the child ---- */

/* If this fails, clones have the numbers of threads in their names. */
static void share_counters(void)
{
	shared = sys_mmap(sizeof(*shared), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	own_counter = 0;
}

static void count_from_zero(void)
{
	atomic_store(&forks, 0);
	atomic_store(&execs, 0);
	atomic_store(&combos, 0);
	if (!shared)
		return;
	own_counter = atomic_fetch_add(&shared->taken, 1) + 1;
	if (own_counter >= CLONE_COUNTERS)
		share_counters();
}

static struct text lineage_of(const struct birth *birth, char *buffer)
{
	struct text lineage = text_on(buffer, LINEAGE_MAX + 1);

	text_add(&lineage, process.lineage);
	descendants_add_element(&lineage, birth->element, birth->number);
	return lineage;
}

/* The first event of a child covers its time so far, unless the length of that is
 * unknown. */
static void note_past(bool is_unseen)
{
	uint64_t past_ns = sys_clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	atomic_store(&process.past_ns, is_unseen ? past_ns : 0);
	if (thread_self)
		thread_self->past_ns = is_unseen ? 0 : past_ns;
}

void descendants_become(const struct birth *birth, uint64_t mask)
{
	char buffer[LINEAGE_MAX + 1];
	struct text lineage = lineage_of(birth, buffer);
	bool is_named = !lineage.is_cut, is_unseen = !birth->variant;

	process.forked_ns = birth->begun_ns;
	note_past(is_unseen);
	count_from_zero();
	interrupts_reset();
	atomic_store(own_memory, 1);
	collector_enter_after_fork(mask);
	collector_become_child(is_named ? lineage.start : NULL, is_unseen);
}

/* Map a page that the kernel clears in a child. */
static bool make_own_memory(void)
{
	own_memory = sys_mmap(4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			      -1, 0);
	if (!own_memory)
		return false;
	*own_memory = 1;
	return sys_madvise((void *)own_memory, 4096, MADV_WIPEONFORK) == 0;
}

/* This child was made by a system call that no wrapper has seen. */
static void become_stranger(void)
{
	const struct birth birth = { .element = LINEAGE_CLONE,
				     .number = next_number(LINEAGE_CLONE) };

	descendants_become(&birth, 0);
	if (collector_has_experiment())
		log_message("comment", EXPT_COMMENT,
			    "created by an unseen system call: not sampled until now", 0);
}

enum descendants_place descendants_place(void)
{
	int state = atomic_load(&process.state);

	if (state == COLLECTOR_OFF)
		return PLACE_NONE;
	if (collector_is_frozen() || sys_getpid() == process.pid)
		return PLACE_OWN;
	if (!own_memory || atomic_load(own_memory) != 0)
		return PLACE_VFORK;
	become_stranger();
	return PLACE_OWN;
}

bool descendants_is_stranger(void)
{
	return !own_memory || atomic_load_explicit(own_memory, memory_order_relaxed) == 0;
}

/* ---- births ---- */

void descendants_begin(struct birth *birth)
{
	char buffer[LINEAGE_MAX + 1];
	struct text lineage;

	birth->number = next_number(birth->element);
	birth->begun_ns = collector_now();
	lineage = lineage_of(birth, buffer);
	descendants_log_start("desc_start", birth->variant, lineage.start,
			      settings.follow != 0, NULL);
}

void descendants_log_result(const char *kind, const char *variant, const char *lineage,
			    bool is_followed, const char *what, long number)
{
	char buffer[64];
	struct text message = TEXT_ON(buffer);

	text_add(&message, what);
	text_add_decimal(&message, number);
	descendants_log(kind, variant, lineage, is_followed, message.start);
}

void descendants_born(const struct birth *birth, pid_t pid, int error)
{
	char buffer[LINEAGE_MAX + 1];
	struct text lineage = lineage_of(birth, buffer);

	descendants_log_result("desc_started", birth->variant, lineage.start,
			       settings.follow != 0, pid > 0 ? "pid=" : "err ",
			       pid > 0 ? pid : error);
}

/* ---- fork, and what calls it inside glibc ---- */

static void prepare(void)
{
	forking.birth.number = 0;
	if (descendants_place() != PLACE_OWN)
		return;
	forking.mask = collector_enter();
	dynamic_before_fork();
	forking.birth.variant = forking.variant ? forking.variant : "fork";
	forking.birth.element = LINEAGE_FORK;
	descendants_begin(&forking.birth);
	access_before_fork();
	own_time_end();
}

static void parent(void)
{
	if (atomic_load(&process.state) == COLLECTOR_OFF || forking.birth.number == 0)
		return;
	own_time_begin();
	access_after_fork_in_parent();
	dynamic_after_fork();
	if (forking.is_daemon) /* the parent ends unseen */
		collector_end();
	collector_leave(forking.mask);
}

static void child(void)
{
	uint64_t mask = forking.mask;

	if (atomic_load(&process.state) == COLLECTOR_OFF || forking.birth.number == 0)
		return;
	if (collector_is_frozen()) {
		atomic_store(&process.state, COLLECTOR_OFF);
		dynamic_after_fork();
		return;
	}
	descendants_become(&forking.birth, mask);
	forking.birth.number = 0;
	collector_leave(mask);
}

void descendants_init(void)
{
	make_own_memory();
	share_counters();
	__register_atfork(prepare, parent, child, NULL);
}

static void log_forked(pid_t pid, int error)
{
	uint64_t mask;

	if (forking.birth.number == 0)
		return;
	mask = collector_enter();
	descendants_born(&forking.birth, pid, error);
	collector_leave(mask);
	forking.birth.number = 0;
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

/* Unlike fork(), this runs no handlers of pthread_atfork(). */
INTERPOSE(pid_t, fork_2_34, "_Fork@@GLIBC_2.34", (void))
{
	REAL(_Fork, "GLIBC_2.34", pid_t, (void));
	pid_t pid;
	int saved;

	prepare();
	pid = real();
	saved = errno;
	if (pid == 0)
		child();
	else
		parent();
	if (pid != 0)
		log_forked(pid, saved);
	errno = saved;
	return pid;
}

INTERPOSE(int, daemon_2_2_5, "daemon@@GLIBC_2.2.5",
	  (int keeps_directory, int keeps_files))
{
	REAL(daemon, "GLIBC_2.2.5", int, (int, int));
	int rc;

	forking.variant = "daemon";
	forking.is_daemon = true;
	rc = real(keeps_directory, keeps_files);
	forking.variant = NULL;
	forking.is_daemon = false;
	forking.birth.number = 0;
	return rc;
}

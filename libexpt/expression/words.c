/* SPDX-License-Identifier: Apache-2.0 */
/* The words of expressions, in the order of enum expression_word. */
#include <string.h>
#include <strings.h>

#include "libexpt/expression/words.h"

/* clang-format off */
#define WORD(name, title, dependence) \
	[EXPRESSION_##name] = { #name, title, EXPRESSION_ON_##dependence, false }
#define FIELD(name, title)	WORD(name, title, FIELDS)
#define TIME(name, title)	WORD(name, title, TIME)
#define EXPERIMENT(name, title)	WORD(name, title, EXPERIMENT)
#define STACK(name, title) \
	[EXPRESSION_##name] = { #name, title, EXPRESSION_ON_STACK, true }
/* clang-format on */

static const struct expression_word_info words[EXPRESSION_WORD_COUNT] = {
	FIELD(THRID, "thread number"),
	FIELD(LWPID, "lightweight process id"),
	FIELD(CPUID, "CPU id"),
	FIELD(JTHREAD, "Java thread number"),
	EXPERIMENT(EXPID, "experiment id"),
	EXPERIMENT(EXPID_CMP, "experiment id, the same in compared groups"),
	EXPERIMENT(EXPGRID, "comparison group id"),
	EXPERIMENT(PID, "process id"),
	TIME(SAMPLE, "sample number"),
	TIME(SAMPLE_MAP, "sample number, for index objects"),
	TIME(GCEVENT_MAP, "garbage collection number, for index objects"),
	TIME(TSTAMP, "time since the start of the experiment, in nanoseconds"),
	TIME(TSTAMP_LO, "time when the event began, in nanoseconds"),
	TIME(TSTAMP_HI, "time when the event ended, in nanoseconds"),
	FIELD(TSTAMP2, "time of the end of what the event began, in nanoseconds"),
	FIELD(EVT_TIME, "duration of the event, in nanoseconds"),
	EXPERIMENT(FREQ_MHZ, "CPU frequency, in MHz"),
	WORD(LEAF, "innermost function of the call stack", STACK),
	STACK(USTACK, "functions of the call stack, as a user sees them"),
	STACK(XSTACK, "functions of the call stack, for experts"),
	STACK(MSTACK, "functions of the call stack, as the machine sees them"),
	STACK(STACK, "functions of the call stack, in the current view mode"),
	FIELD(MSTATE, "state of the thread"),
	FIELD(NTICK, "clock ticks"),
	FIELD(NTICK_USEC, "clock ticks, in microseconds"),
	FIELD(HWCTAG, "number of the counter"),
	FIELD(HWCINT, "events of the counter"),
	FIELD(VADDR, "virtual address of the data; below 256: unknown, and why"),
	FIELD(PADDR, "physical address of the data; 0: unknown"),
	FIELD(VIRTPC, "virtual address of the instruction"),
	FIELD(PHYSPC, "physical address of the instruction"),
	FIELD(LEAFPC, "address of the access"),
	FIELD(DOBJ, "data object"),
	FIELD(HTYPE, "heap call"),
	FIELD(HSIZE, "bytes requested"),
	FIELD(HVADDR, "address of the block"),
	FIELD(HOVADDR, "former address of the block"),
	FIELD(HLEAKED, "bytes leaked"),
	FIELD(HFREED, "bytes freed"),
	FIELD(HMEM_USAGE, "heap in use, in bytes"),
	FIELD(HCUR_ALLOCS, "bytes allocated and not freed at this time"),
	FIELD(HCUR_LEAKS, "bytes leaked up to this time"),
	FIELD(HCUR_NET_ALLOC, "bytes by which the call changed the heap"),
	FIELD(IOHEAPBYTES, "bytes of a heap or I/O call"),
	FIELD(SRQST, "time of the request for the lock"),
	FIELD(SOBJ, "address of the lock"),
	FIELD(IOTYPE, "I/O call"),
	FIELD(IOFD, "file descriptor"),
	FIELD(IOVFD, "virtual file descriptor"),
	FIELD(IONBYTE, "bytes transferred"),
	FIELD(IORQST, "time of the request"),
	FIELD(IOOFD, "former file descriptor"),
	FIELD(IOFSTYPE, "type of the file system"),
	FIELD(MPITYPE, "class of the call of MPI"),
	FIELD(MPIRQST, "time when the call of MPI began"),
	FIELD(MPISCOUNT, "messages sent"),
	FIELD(MPISBYTES, "bytes sent"),
	FIELD(MPIRCOUNT, "messages received"),
	FIELD(MPIRBYTES, "bytes received"),
	FIELD(MPICOMM, "communicator of MPI, by a number that is the same in all ranks"),
	FIELD(MPIPEER, "rank that gets or has sent the message; -1: none, or all"),
	FIELD(MPITAG, "tag of the message"),
	FIELD(CPRID, "parallel region"),
	FIELD(PPRID, "parent of the parallel region"),
	FIELD(PRPC, "address of the parallel region"),
	FIELD(TSKID, "task"),
	FIELD(PTSKID, "parent of the task"),
	FIELD(RID, "data race"),
	FIELD(RTYPE, "type of the racing access"),
	FIELD(RVADDR, "address of the racing access"),
	FIELD(RCNT, "racing accesses"),
	FIELD(DID, "deadlock"),
	FIELD(DTYPE, "type of the deadlock"),
	FIELD(DLTYPE, "type of the lock"),
	FIELD(DVADDR, "address of the lock in the deadlock"),
};

enum expression_word expression_word_find(const char *name, size_t length)
{
	for (int i = 0; i < EXPRESSION_WORD_COUNT; i++)
		if (strncasecmp(words[i].name, name, length) == 0 &&
		    words[i].name[length] == '\0')
			return (enum expression_word)i;
	return EXPRESSION_WORD_COUNT;
}

const struct expression_word_info *expression_word_info(enum expression_word word)
{
	return &words[word];
}

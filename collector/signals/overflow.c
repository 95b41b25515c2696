/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ring is one page of records after the kernel's own page. The mapping keeps the
 * event alive, so its descriptor is closed immediately: the program never meets it, and
 * no limit counts it.
 */

#include "collector/signals/overflow.h"

#include <asm/perf_regs.h>
#include <assert.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stddef.h>

#include "collector/base/debugger.h"
#include "collector/base/kernel.h"
#include "collector/base/system.h"
#include "collector/files/access.h"
#include "collector/signals/signals.h"

#define PAGE	  4096
#define RING_SIZE ((size_t)(PAGE + PAGE))

/* The registers of the program, to recognise an interrupted system call */
#define REGISTERS (1 << PERF_REG_X86_AX | 1 << PERF_REG_X86_IP)

/* The general registers at a precise event. PERF_SAMPLE_REGS_INTR has those that the
 * processor itself has recorded with the event, PERF_SAMPLE_REGS_USER may not. */
#define REGISTERS_OF_EVENT (0xff << PERF_REG_X86_AX | 0xff << PERF_REG_X86_R8)

#ifndef TRAP_PERF /* the kernel's; libc may lack it */
#define TRAP_PERF 6
#endif

/* The kernel's record for the sample_type in open_and_map(). The parts in rest, each
 * only if asked for, are the ABI and the values of REGISTERS_OF_EVENT, and the physical
 * address. */
struct sample {
	struct perf_event_header header;
	uint64_t pc, address, count;
	uint64_t abi, ax, pc_of_call; /* the values of REGISTERS */
	uint64_t rest[1 + COUNTER_REGISTERS + 1];
};
#define SIZE_PLAIN     offsetof(struct sample, rest)
#define SIZE_REGISTERS sizeof(uint64_t[1 + COUNTER_REGISTERS])
#define SIZE_PHYSICAL  sizeof(uint64_t)
static_assert(PAGE / sizeof(struct sample) >= 16, "a burst of overflows fits the ring");

/* The numbers in DWARF of REGISTERS_OF_EVENT. */
static const unsigned char numbers[COUNTER_REGISTERS] = {
	0, 3, 2, 1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
};

/* Its address marks the collector's events. */
static char cookie;

/* Events send only signals of files, which interrupt system calls: under a debugger,
 * which passes them on, and before Linux 5.19. Up to 5.12 there are no others; after that
 * they kill a thread that blocks SIGTRAP. */
static _Atomic bool is_without_traps;
#define TRAPS_WAIT 5, 19

/* The kernel's siginfo for si_code TRAP_PERF. */
struct event_info {
	int signal, error, code, padding;
	void *address;
	uint64_t data;
};

static bool is_unknown(int rc)
{
	return rc == -EINVAL || rc == -E2BIG;
}

/* An event that counts the kernel's work may overflow during an exec that no wrapper
 * sees. SIGTRAP would then kill the new image. */
static int open_event(struct perf_event_attr *attr)
{
	int fd = -EINVAL;

	if (kernel_is_before(TRAPS_WAIT) || debugger_is_there())
		atomic_store(&is_without_traps, true);
	if (attr->exclude_kernel && !atomic_load(&is_without_traps)) {
		attr->sigtrap = attr->remove_on_exec = 1;
		attr->sig_data = (uintptr_t)&cookie;
		fd = (int)system_call(SYS_perf_event_open, (long)attr, 0, -1, -1,
				      PERF_FLAG_FD_CLOEXEC, 0);
	}
	if (!is_unknown(fd))
		return fd;
	if (!signals_take_quiet())
		return -EAGAIN;
	attr->sigtrap = attr->remove_on_exec = 0;
	attr->sig_data = 0;
	attr->wakeup_events = 1;
	fd = (int)system_call(SYS_perf_event_open, (long)attr, 0, -1, -1,
			      PERF_FLAG_FD_CLOEXEC, 0);
	if (fd >= 0 && attr->exclude_kernel)
		atomic_store(&is_without_traps, true);
	return fd;
}

bool overflow_prepare(void)
{
	return signals_take_overflows() &&
	       (!kernel_is_before(TRAPS_WAIT) || signals_take_quiet());
}

/* Signals of files only: ask for them and name the signal. */
static int set_signal(int fd)
{
	struct f_owner_ex owner = { F_OWNER_TID, sys_gettid() };
	int rc = sys_fcntl(fd, F_SETFL, O_ASYNC);

	if (rc >= 0)
		rc = sys_fcntl(fd, F_SETSIG, SIGNAL_QUIET);
	if (rc >= 0)
		rc = sys_fcntl(fd, F_SETOWN_EX, (long)&owner);
	return rc;
}

/* Physical addresses are for privileged users only, and a locked-down kernel keeps the
 * registers to itself, too: do without them. */
static int open_permitted(struct perf_event_attr *attr, bool has_access)
{
	static const uint64_t parts[] = { PERF_SAMPLE_PHYS_ADDR, PERF_SAMPLE_REGS_INTR };
	const size_t count = sizeof(parts) / sizeof(parts[0]);
	int fd;

	if (!has_access)
		return open_event(attr);
	attr->sample_type |= PERF_SAMPLE_PHYS_ADDR;
	if (attr->precise_ip > 0) {
		attr->sample_type |= PERF_SAMPLE_REGS_INTR;
		attr->sample_regs_intr = REGISTERS_OF_EVENT;
	}
	fd = open_event(attr);
	for (size_t i = 0; i < count && (fd == -EACCES || fd == -EPERM); i++) {
		attr->sample_type &= ~parts[i];
		fd = open_event(attr);
	}
	return fd;
}

static int open_and_map(struct overflow *overflow, const struct perf_event_attr *event,
			bool has_access)
{
	struct perf_event_attr attr = *event;
	int fd, rc;

	attr.size = sizeof(attr);
	attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_READ |
			   PERF_SAMPLE_REGS_USER;
	attr.sample_regs_user = REGISTERS;
	attr.read_format = 0;
	atomic_store(&overflow->ring, NULL);
	fd = open_permitted(&attr, has_access);
	if (fd < 0)
		return fd;
	rc = attr.sigtrap ? 0 : set_signal(fd);
	if (rc >= 0) {
		void *ring =
			sys_mmap(RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

		atomic_store(&overflow->ring, ring);
		rc = ring ? 0 : -ENOMEM;
	}
	sys_close(fd);
	return rc;
}

int overflow_open(struct overflow *overflow, const struct perf_event_attr *event,
		  bool has_access)
{
	int rc;

	access_begin_open();
	rc = open_and_map(overflow, event, has_access);
	access_end_open();
	return rc;
}

void overflow_close(struct overflow *overflow, const _Atomic bool *is_handling)
{
	void *ring = atomic_exchange(&overflow->ring, NULL);

	if (!ring)
		return;
	for (int tries = 0; atomic_load(is_handling) && tries < 1000; tries++)
		sys_yield();
	sys_munmap(ring, RING_SIZE);
}

void overflow_close_in_handler(struct overflow *overflow)
{
	static const _Atomic bool is_handling = false;

	overflow_close(overflow, &is_handling);
}

bool overflow_is_signal(const siginfo_t *info)
{
	const struct event_info *event = (const struct event_info *)info;

	if (info->si_signo == SIGNAL_QUIET)
		return info->si_code >= POLL_IN && info->si_code <= POLL_HUP;
	return info->si_signo == SIGNAL_OF_OVERFLOWS && info->si_code == TRAP_PERF &&
	       event->data == (uintptr_t)&cookie;
}

/* Copy bytes of the ring from any position, across its end. */
static void take_bytes(void *to, const char *data, uint64_t at, size_t size)
{
	size_t first = PAGE - at % PAGE;

	if (first > size)
		first = size;
	copy_bytes(to, data + at % PAGE, first);
	copy_bytes((char *)to + first, data, size - first);
}

/* Returns where the interrupted system call returns to; 0: none was interrupted. The
 * kernel keeps -ENOSYS in ax until a call has a result. */
static uint64_t call_of(const struct sample *sample)
{
	return sample->ax == (uint64_t)-ENOSYS ? sample->pc_of_call : 0;
}

static bool is_sample(const struct perf_event_header *header)
{
	size_t rest = header->size - SIZE_PLAIN;

	return header->type == PERF_RECORD_SAMPLE &&
	       (rest == 0 || rest == SIZE_PHYSICAL || rest == SIZE_REGISTERS ||
		rest == SIZE_REGISTERS + SIZE_PHYSICAL);
}

/* The registers of an event in the kernel are not the program's. */
static void fill_registers(struct overflow_record *record, const struct sample *sample)
{
	record->has_registers = sample->rest[0] == PERF_SAMPLE_REGS_ABI_64 &&
				(sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) ==
					PERF_RECORD_MISC_USER;
	for (size_t i = 0; record->has_registers && i < COUNTER_REGISTERS; i++)
		record->registers[numbers[i]] = sample->rest[1 + i];
}

static void fill_record(struct overflow_record *record, const struct sample *sample,
			size_t size)
{
	size_t rest = size - SIZE_PLAIN;

	record->pc = sample->pc;
	record->address = sample->address;
	record->count = sample->count;
	record->call = call_of(sample);
	record->physical = 0;
	record->is_exact = (sample->header.misc & PERF_RECORD_MISC_EXACT_IP) != 0;
	record->has_registers = false;
	if (rest >= SIZE_REGISTERS) {
		fill_registers(record, sample);
		rest -= SIZE_REGISTERS;
	}
	if (rest == SIZE_PHYSICAL)
		record->physical = sample->rest[(size - SIZE_PLAIN) / SIZE_PHYSICAL - 1];
}

/* Read the next sample from *tail on, and move it after that. Returns the sample's size;
 * 0: there is none. */
static size_t read_sample(struct sample *sample, const struct perf_event_mmap_page *page,
			  uint64_t *tail)
{
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	const char *data = (const char *)page + PAGE;

	while (*tail != head) {
		struct perf_event_header header;
		uint64_t at = *tail;

		take_bytes(&header, data, at, sizeof(header));
		if (header.size < sizeof(header)) { /* not from the kernel: start over */
			*tail = head;
			break;
		}
		*tail += header.size;
		if (!is_sample(&header))
			continue;
		take_bytes(sample, data, at, header.size);
		return header.size;
	}
	return 0;
}

bool overflow_next(struct overflow *overflow, struct overflow_record *record)
{
	struct perf_event_mmap_page *page = atomic_load(&overflow->ring);
	struct sample sample;
	uint64_t tail;
	size_t size;

	if (!page)
		return false;
	tail = page->data_tail;
	size = read_sample(&sample, page, &tail);
	__atomic_store_n(&page->data_tail, tail, __ATOMIC_RELEASE);
	if (size > 0)
		fill_record(record, &sample, size);
	return size > 0;
}

bool overflow_comes_again(const struct overflow *overflow, uint64_t pc)
{
	const struct perf_event_mmap_page *page = atomic_load(&overflow->ring);
	uint64_t tail = page ? page->data_tail : 0;
	struct sample sample;

	while (page && read_sample(&sample, page, &tail) > 0)
		if (sample.pc == pc)
			return true;
	return false;
}

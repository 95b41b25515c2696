/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files with code that the program maps or moves itself: node does so with its built-in
 * functions, and such a mapping announces a jitdump file. The load map learns of them
 * before the program continues. libc's functions are found in advance, because an
 * allocator may call these wrappers while libc is being searched.
 */

#include "collector/experiment/mapped_code.h"

#include <errno.h>
#include <sys/mman.h>

#include "collector/base/interpose.h"
#include "collector/base/system.h"
#include "collector/experiment/map.h"
#include "collector/process/guard.h"
#include "collector/process/process.h"

static struct real real_mmap = { "mmap", "GLIBC_2.2.5", NULL };
static struct real real_mmap64 = { "mmap64", "GLIBC_2.2.5", NULL };
static struct real real_mremap = { "mremap", "GLIBC_2.2.5", NULL };

void mapped_code_init(void)
{
	real_function(&real_mmap);
	real_function(&real_mmap64);
	real_function(&real_mremap);
}

/* Call the kernel until the functions are found. */
static __attribute__((cold)) void *map_by_system(long number, long a, long b, long c,
						 long d, long e, long f)
{
	long rc = system_call(number, a, b, c, d, e, f);

	if (rc < 0 && rc >= -4095) {
		errno = (int)-rc;
		return MAP_FAILED;
	}
	return (void *)rc;
}

static __attribute__((cold)) void *note(void *address)
{
	uint64_t mask;

	if (address == MAP_FAILED || !collector_is_recording() || collector_is_frozen())
		return address;
	mask = collector_enter();
	loadmap_refresh();
	collector_leave(mask);
	return address;
}

static void *map(struct real *function, void *wanted, size_t size, int protection,
		 int flags, int fd, off_t offset)
{
	void *(*real)(void *, size_t, int, int, int, off_t) =
		atomic_load_explicit(&function->function, memory_order_relaxed);
	void *address = real ? real(wanted, size, protection, flags, fd, offset)
			     : map_by_system(SYS_mmap, (long)wanted, (long)size,
					     protection, flags, fd, offset);

	return (protection & PROT_EXEC) != 0 && (flags & MAP_ANONYMOUS) == 0
		       ? note(address)
		       : address;
}

#define MMAP(symbol)                                                                     \
	INTERPOSE(void *, symbol##_2_2_5, #symbol "@@GLIBC_2.2.5",                       \
		  (void *wanted, size_t size, int protection, int flags, int fd,         \
		   off_t offset))                                                        \
	{                                                                                \
		return map(&real_##symbol, wanted, size, protection, flags, fd, offset); \
	}

MMAP(mmap)
MMAP(mmap64)

/* The last argument is passed only if the flags require it; otherwise the kernel ignores
 * it. */
INTERPOSE(void *, mremap_2_2_5, "mremap@@GLIBC_2.2.5",
	  (void *old, size_t old_size, size_t size, int flags, void *wanted))
{
	void *(*real)(void *, size_t, size_t, int, ...) =
		atomic_load_explicit(&real_mremap.function, memory_order_relaxed);
	void *address = real ? real(old, old_size, size, flags, wanted)
			     : map_by_system(SYS_mremap, (long)old, (long)old_size,
					     (long)size, flags, (long)wanted, 0);

	return (flags & MREMAP_FIXED) != 0 ? note(address) : address;
}

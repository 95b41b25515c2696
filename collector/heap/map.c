/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings that the program makes itself; malloc and the dynamic linker do not call these
 * wrappers. Unmapped memory is recorded in whole pages, as the kernel unmaps it.
 */

#include <stdarg.h>
#include <sys/mman.h>

#include "collector/files/files.h"
#include "collector/heap/heap.h"

#define PAGE 4096

/* Round up to whole pages. If that overflows, the call itself fails. */
static size_t in_pages(size_t size)
{
	return (size + PAGE - 1) & ~(size_t)(PAGE - 1);
}

HEAP_INLINE void heap_unmapped_at(struct thread *thread, const void *address, size_t size,
				  uint64_t time_ns)
{
	struct heap_packet packet = {
		.head = { .what = EXPT_HEAP_UNMAP, .time_ns = time_ns },
		.address = (uintptr_t)address,
		.size = in_pages(size),
	};

	trace_record(thread, DATA_HEAP, PACKET_HEAP, &packet.head, sizeof(packet),
		     TRACE_WITH_STACK);
}

HEAP_INLINE void *heap_mapped(struct thread *thread, void *address, size_t size)
{
	if (thread) {
		if (address != MAP_FAILED)
			heap_allocated_at(thread, EXPT_HEAP_MAP, address, size);
		trace_end(thread);
	}
	return address;
}

HEAP_WRAPPER(void *, mmap,
	     (void *address, size_t size, int protection, int flags, int fd,
	      off_t offset))
{
	HEAP_REAL(mmap, GLIBC, void *, (void *, size_t, int, int, int, off_t));
	struct thread *thread = heap_begin();

	return heap_mapped(thread, real(address, size, protection, flags, fd, offset),
			   size);
}

HEAP_WRAPPER(void *, mmap64,
	     (void *address, size_t size, int protection, int flags, int fd,
	      off64_t offset))
{
	HEAP_REAL(mmap64, GLIBC, void *, (void *, size_t, int, int, int, off64_t));
	struct thread *thread = heap_begin();

	return heap_mapped(thread, real(address, size, protection, flags, fd, offset),
			   size);
}

HEAP_WRAPPER(int, munmap, (void *address, size_t size))
{
	HEAP_REAL(munmap, GLIBC, int, (void *, size_t));
	struct thread *thread = heap_begin();
	uint64_t began_ns = thread ? trace_now() : 0;
	int rc = real(address, size);

	if (thread) {
		if (rc == 0)
			heap_unmapped_at(thread, address, size, began_ns);
		trace_end(thread);
	}
	return rc;
}

/* A mapping that shrinks in place keeps its record; any other change makes a new one. */
HEAP_INLINE void heap_remapped(struct thread *thread, char *address, size_t size,
			       char *old, size_t old_size, int flags, uint64_t began_ns)
{
	size_t kept = address == old && size <= old_size ? in_pages(size) : 0;

	if (in_pages(old_size) > kept && (flags & MREMAP_DONTUNMAP) == 0)
		heap_unmapped_at(thread, old + kept, in_pages(old_size) - kept, began_ns);
	if (kept == 0)
		heap_allocated_at(thread, EXPT_HEAP_MAP, address, size);
}

HEAP_WRAPPER(void *, mremap, (void *old, size_t old_size, size_t size, int flags, ...))
{
	HEAP_REAL(mremap, GLIBC, void *, (void *, size_t, size_t, int, ...));
	struct thread *thread = heap_begin();
	uint64_t began_ns = thread ? trace_now() : 0;
	void *wanted = NULL, *address;
	va_list list;

	va_start(list, flags);
	if ((flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) != 0)
		wanted = va_arg(list, void *);
	va_end(list);
	address = real(old, old_size, size, flags, wanted);
	if (thread) {
		if (address != MAP_FAILED)
			heap_remapped(thread, address, size, old, old_size, flags,
				      began_ns);
		trace_end(thread);
	}
	return address;
}

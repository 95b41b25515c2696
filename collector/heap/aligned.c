/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks at aligned addresses. The search for functions allocates none of these. */

#include <malloc.h>
#include <stdlib.h>

#include "collector/heap/heap.h"

HEAP_WRAPPER(void *, memalign, (size_t alignment, size_t size))
{
	HEAP_REAL(memalign, GLIBC, void *, (size_t, size_t));
	struct thread *thread = heap_begin();

	return heap_allocated(thread, real(alignment, size), size);
}

HEAP_WRAPPER(void *, aligned_alloc, (size_t alignment, size_t size))
{
	HEAP_REAL(aligned_alloc, "GLIBC_2.16", void *, (size_t, size_t));
	struct thread *thread = heap_begin();

	return heap_allocated(thread, real(alignment, size), size);
}

HEAP_WRAPPER(void *, valloc, (size_t size))
{
	HEAP_REAL(valloc, GLIBC, void *, (size_t));
	struct thread *thread = heap_begin();

	return heap_allocated(thread, real(size), size);
}

HEAP_WRAPPER(void *, pvalloc, (size_t size))
{
	HEAP_REAL(pvalloc, GLIBC, void *, (size_t));
	struct thread *thread = heap_begin();

	return heap_allocated(thread, real(size), size);
}

HEAP_WRAPPER(int, posix_memalign, (void **block, size_t alignment, size_t size))
{
	HEAP_REAL(posix_memalign, GLIBC, int, (void **, size_t, size_t));
	struct thread *thread = heap_begin();
	int rc = real(block, alignment, size);

	heap_allocated(thread, rc == 0 ? *block : NULL, size);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* faults ROUNDS - touches 10000 new pages in each round */
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096
#define SIZE (10000UL * PAGE)

int main(int argc, char *argv[])
{
	volatile char *pages = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || madvise((void *)pages, SIZE, MADV_NOHUGEPAGE) < 0)
		return 1;
	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1); i++) {
		for (size_t at = 0; at < SIZE; at += PAGE)
			pages[at] = 1;
		if (madvise((void *)pages, SIZE, MADV_DONTNEED) < 0)
			return 1;
	}
	return 0;
}

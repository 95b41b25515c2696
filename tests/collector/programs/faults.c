/* SPDX-License-Identifier: Apache-2.0 */
/* Touches each page of an array once, and prints the address of the array. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096

static __attribute__((noinline)) void touch(volatile char *page)
{
	*page = 1;
}

int main(int argc, char **argv)
{
	size_t count = argc > 1 ? (size_t)atoi(argv[1]) : 100;
	char *array = mmap(NULL, count * PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (array == MAP_FAILED || madvise(array, count * PAGE, MADV_NOHUGEPAGE) < 0)
		return 1;
	for (size_t i = 0; i < count; i++)
		touch(array + i * PAGE + 8 * (i % 512));
	printf("%lu\n", (unsigned long)array);
	return 0;
}

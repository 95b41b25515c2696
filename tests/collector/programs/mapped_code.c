/* SPDX-License-Identifier: Apache-2.0 */
/* The program maps a file with code itself: a second time, moved, or as the marker of a
 * jitdump file. */

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE	    4096
#define CPU_SECONDS 0.5
#define LOOPS	    200000

typedef uint64_t work_function(uint64_t);

/* Within one page, and without calls. */
__attribute__((noinline, aligned(256))) static uint64_t work(uint64_t value)
{
	for (int i = 0; i < LOOPS; i++)
		value = value * 6364136223846793005u + 1442695040888963407u;
	return value;
}

static __attribute__((noinline)) uint64_t call_often(work_function *function)
{
	clock_t end = clock() + (clock_t)(CPU_SECONDS * CLOCKS_PER_SEC);
	uint64_t value = 1;

	while (clock() < end)
		value = function(value);
	return value;
}

/* Finds the offset in the program's file of an address. */
static int find_offset(struct dl_phdr_info *info, size_t size, void *data)
{
	uintptr_t address = *(uintptr_t *)data - info->dlpi_addr;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];

		if (header->p_type == PT_LOAD &&
		    address - header->p_vaddr < header->p_memsz)
			*(uintptr_t *)data = address - header->p_vaddr + header->p_offset;
	}
	return 1; /* the program comes first */
}

static char *map_page_of_work(size_t *at)
{
	uintptr_t offset = (uintptr_t)work;
	int fd = open("/proc/self/exe", O_RDONLY);
	char *page;

	dl_iterate_phdr(find_offset, &offset);
	*at = offset % PAGE;
	page = mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
		    (off_t)(offset - *at));
	close(fd);
	return page;
}

static uint64_t now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int mark(const char *name)
{
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || write(fd, "JiTD", 4) != 4 ||
	    mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED)
		return 1;
	printf("%jd\n",
	       (intmax_t)(now_ns(CLOCK_MONOTONIC) - now_ns(CLOCK_MONOTONIC_RAW)));
	close(fd);
	return 0;
}

int main(int argc, char **argv)
{
	const char *situation = argc > 1 ? argv[1] : "";
	size_t at;
	char *page;

	if (strcmp(situation, "marks") == 0)
		return mark(argv[2]) || call_often(work) == 0;
	page = map_page_of_work(&at);
	if (page != MAP_FAILED && strcmp(situation, "moved") == 0) {
		char *place =
			mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		page = mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, place);
	}
	if (page == MAP_FAILED)
		return 99;
	return call_often((work_function *)(void *)(page + at)) == 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * odd SITUATION - slots that are not as the dynamic linker left them.
 *   closed    the program, with its calls bound, has made its own slots read-only
 *   hooked    the program has led a call elsewhere
 *   swapped   a module is closed and another one opened under its name, both unseen
 */

#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>

#include "late.h"
#include "situation.h"

CALLS(program)

extern ElfW(Dyn) _DYNAMIC[];

static uintptr_t *slots(void)
{
	const ElfW(Dyn) *entry = _DYNAMIC;

	while (entry->d_tag != DT_PLTGOT)
		entry++;
	return (uintptr_t *)entry->d_un.d_ptr;
}

#define SLOTS 64 /* more than the program has */

static void closed(int fd)
{
	uintptr_t *page = (uintptr_t *)((uintptr_t)slots() & ~(uintptr_t)4095);
	char *end = (char *)(slots() + SLOTS);
	void *collector;

	calls_in_program(fd);
	if (mprotect(page, (size_t)(end - (char *)page), PROT_READ) != 0)
		late_fail("mprotect");
	collector = late_begin();
	late_end(collector);
	if (mprotect(page, (size_t)(end - (char *)page), PROT_READ | PROT_WRITE) != 0)
		late_fail("mprotect");
	puts("closed");
}

static unsigned long hooked_calls;

static ssize_t hooked_write(int fd, const void *bytes, size_t size)
{
	hooked_calls++;
	return fd < 0 || !bytes ? -1 : (ssize_t)size;
}

static void hooked(int fd)
{
	void *collector;

	calls_in_program(fd);
	for (uintptr_t *slot = slots(); slot < slots() + SLOTS; slot++)
		if (*slot == (uintptr_t)dlsym(RTLD_NEXT, "write")) {
			*slot = (uintptr_t)hooked_write;
			break;
		}
	collector = late_begin();
	calls_in_program(fd);
	late_end(collector);
	calls_in_program(fd);
	printf("%lu calls\n", hooked_calls);
}

static void call_in(void *module, int fd)
{
	void (*calls)(int) = (void (*)(int))dlsym(module, "calls_in_module");

	calls(fd);
}

static void swapped(int fd)
{
	void *(*volatile open_unseen)(const char *, int) = dlopen;
	int (*volatile close_unseen)(void *) = dlclose;
	void *module = dlopen("./swapped.so", RTLD_LAZY), *collector;
	uintptr_t place = ((struct link_map *)module)->l_addr;

	collector = late_begin();
	close_unseen(module);
	rename("other.so", "swapped.so");
	module = open_unseen("./swapped.so", RTLD_LAZY);
	call_in(module, fd);
	late_end(collector);
	call_in(module, fd);
	puts(((struct link_map *)module)->l_addr == place ? "in its place" : "elsewhere");
}

int main(int argc, char **argv)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (argc != 2)
		return 99;
	if (strcmp(argv[1], "closed") == 0)
		closed(fd);
	if (strcmp(argv[1], "hooked") == 0)
		hooked(fd);
	if (strcmp(argv[1], "swapped") == 0)
		swapped(fd);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/outside/code.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collector/unwind/unwind.h"
#include "collector/unwind/x86_64.h"

/* A file may be truncated while we have it mapped. */
static void skip_fault(int signal, siginfo_t *info, void *context)
{
	if (!unwind_fault(context, (uintptr_t)info->si_addr))
		abort();
}

void code_init(void)
{
	struct sigaction action = { .sa_sigaction = skip_fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

void code_release(struct code *code)
{
	if (code->bytes)
		munmap((void *)code->bytes, code->segment.size);
	free((char *)code->segment.name);
}

static void map_bytes(struct code *code)
{
	const struct map_segment *segment = &code->segment;
	struct stat status;
	bool is_named;
	int fd = object_open(&code->file, segment->name, &status, &is_named);
	void *bytes = MAP_FAILED;

	if (fd >= 0) {
		bytes = mmap(NULL, segment->size, PROT_READ, MAP_PRIVATE, fd,
			     (off_t)segment->file_offset);
		close(fd);
	}
	code->is_unreadable = bytes == MAP_FAILED;
	code->bytes = bytes != MAP_FAILED ? bytes : NULL;
}

uint64_t code_call_before(struct code *code, uint64_t return_address)
{
	uintptr_t low, offset = return_address - code->segment.address;
	unsigned length;

	if (!code->bytes && !code->is_unreadable)
		map_bytes(code);
	if (!code->bytes) /* an object of the kernel */
		return return_address - 1;
	low = (uintptr_t)code->bytes;
	length = call_length(low + offset, low, low + code->segment.size);
	if (length == 0 && is_stack_root(low + offset))
		return return_address;
	return length > 0 ? return_address - length : 0;
}

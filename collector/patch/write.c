/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/patch/write.h"

#include <linux/futex.h>

#include "collector/base/system.h"

#define PAGE UINT64_C(4096)

/*
 * Ask the kernel: /proc may not be there, and program headers do not say whether the
 * dynamic linker, or the program, has changed the page meanwhile. This operation ORs 0 to
 * the word, atomically, and no thread waits for it; it fails where writing would.
 */
static bool is_writable(uintptr_t page)
{
	uint32_t nobody = 0;
	long operation = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_LT, 0);

	return system_call(SYS_futex, (long)&nobody, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG,
			   0, 0, (long)page, operation) >= 0;
}

void writer_begin(struct writer *writer, const struct module *module)
{
	*writer = (struct writer){ .state = WRITER_CLOSED };
	for (unsigned i = 0; i < module->header_count; i++) {
		const ElfW(Phdr) *header = &module->headers[i];
		uintptr_t start = module->base + header->p_vaddr;

		if (header->p_type != PT_GNU_RELRO ||
		    !module_holds(module, (void *)start, header->p_memsz))
			continue;
		writer->closed = start & ~(PAGE - 1);
		writer->closed_end = (start + header->p_memsz) & ~(PAGE - 1);
	}
}

/* While these pages are writable, the dynamic linker has not done with the module. */
static void open_closed(struct writer *writer)
{
	if (is_writable(writer->closed))
		writer->state = WRITER_EARLY;
	else if (sys_mprotect((void *)writer->closed, writer->closed_end - writer->closed,
			      PROT_READ | PROT_WRITE) < 0)
		writer->state = WRITER_REFUSED;
	else
		writer->state = WRITER_OPEN;
}

static enum write_result prepare(struct writer *writer, uintptr_t at)
{
	static const enum write_result results[] = {
		[WRITER_CLOSED] = WRITE_REFUSED,
		[WRITER_OPEN] = WRITE_DONE,
		[WRITER_EARLY] = WRITE_EARLY,
		[WRITER_REFUSED] = WRITE_REFUSED,
	};

	if (at >= writer->closed && at < writer->closed_end) {
		if (writer->state == WRITER_CLOSED)
			open_closed(writer);
		return results[writer->state];
	}
	if (writer->page != (at & ~(PAGE - 1))) {
		writer->page = at & ~(PAGE - 1);
		writer->is_writable = is_writable(writer->page);
	}
	return writer->is_writable ? WRITE_DONE : WRITE_REFUSED;
}

enum write_result writer_exchange(struct writer *writer, slot_value *slot,
				  uintptr_t expected, uintptr_t value)
{
	enum write_result result = prepare(writer, (uintptr_t)slot);

	if (result == WRITE_DONE &&
	    !atomic_compare_exchange_strong(slot, &expected, value))
		return WRITE_CHANGED;
	return result;
}

void writer_end(struct writer *writer)
{
	if (writer->state == WRITER_OPEN)
		sys_mprotect((void *)writer->closed, writer->closed_end - writer->closed,
			     PROT_READ);
}

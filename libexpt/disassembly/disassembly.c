/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/disassembly.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/common/error.h"
#include "libexpt/disassembly/decoder.h"
#include "libexpt/disassembly/x86.h"

static const struct machine {
	unsigned number; /* in ELF files */
	cs_arch architecture;
	cs_mode mode;
	void (*disassemble)(struct decoder *decoder, const unsigned char *bytes,
			    size_t size, struct instruction *out);
} machines[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_64, x86_disassemble },
};

struct disassembler {
	const struct machine *machine;
	struct decoder decoder;
};

static const struct machine *find_machine(unsigned number)
{
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].number == number)
			return &machines[i];
	return NULL;
}

int disassembler_open(struct disassembler **out, unsigned number, struct expt_error *err)
{
	const struct machine *machine = find_machine(number);
	cleanup_free struct disassembler *disassembler = NULL;
	int rc;

	if (!machine)
		return expt_refuse(err, -ENOTSUP,
				   "cannot disassemble code of ELF machine %u", number);
	disassembler = calloc(1, sizeof(*disassembler));
	if (!disassembler)
		return expt_fail(err, -ENOMEM, "cannot disassemble");
	disassembler->machine = machine;
	rc = decoder_open(&disassembler->decoder, machine->architecture, machine->mode,
			  err);
	if (rc < 0)
		return rc;
	*out = steal(&disassembler);
	return 0;
}

void disassembler_close(struct disassembler *disassembler)
{
	if (!disassembler)
		return;
	decoder_close(&disassembler->decoder);
	free(disassembler);
}

size_t disassemble(struct disassembler *disassembler, const unsigned char *bytes,
		   size_t size, uint64_t address, struct instruction *out)
{
	*out = (struct instruction){ .address = address };
	if (size > 0)
		disassembler->machine->disassemble(&disassembler->decoder, bytes, size,
						   out);
	return out->size;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/disassembly/decoder.h"

#include <errno.h>

#include "libexpt/base/late.h"
#include "libexpt/common/error.h"

#define FUNCTIONS(F) \
	F(cs_open) F(cs_close) F(cs_option) F(cs_malloc) F(cs_free) F(cs_disasm_iter)

FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library capstone =
	LATE_LIBRARY(LATE_LIBCAPSTONE(CS_API_MAJOR), functions);

int decoder_open(struct decoder *decoder, cs_arch architecture, cs_mode mode,
		 struct expt_error *err)
{
	int rc = expt_load(&capstone, err);

	if (rc < 0)
		return rc;
	*decoder = (struct decoder){ 0 };
	if (late_cs_open(architecture, mode, &decoder->handle) != CS_ERR_OK)
		return expt_refuse(err, -ENOTSUP,
				   "libcapstone does not support the processor");
	if (architecture == CS_ARCH_X86)
		late_cs_option(decoder->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	decoder->instruction = late_cs_malloc(decoder->handle);
	if (decoder->instruction)
		return 0;
	decoder_close(decoder);
	return expt_fail(err, -ENOMEM, "cannot disassemble");
}

void decoder_close(struct decoder *decoder)
{
	if (decoder->instruction)
		late_cs_free(decoder->instruction, 1);
	if (decoder->handle)
		late_cs_close(&decoder->handle);
	*decoder = (struct decoder){ 0 };
}

bool decoder_read(struct decoder *decoder, const unsigned char *bytes, size_t size)
{
	uint64_t address = 0;

	return late_cs_disasm_iter(decoder->handle, &bytes, &size, &address,
				   decoder->instruction);
}

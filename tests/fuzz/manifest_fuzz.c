/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz archives/manifest: entries that were read are written and read back unchanged. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/archives/manifest.h"
#include "libexpt/base/strbuf.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_round_trip(const struct manifest *first)
{
	cleanup_manifest struct manifest second = MANIFEST_INIT;
	cleanup_strbuf struct strbuf once = STRBUF_INIT, twice = STRBUF_INIT;

	if (!manifest_print(&once, first) ||
	    manifest_parse(&second, once.text, once.length) < 0 ||
	    !manifest_print(&twice, &second))
		return; /* out of memory */
	if (second.damaged_line || second.count != first->count ||
	    strcmp(once.text, twice.text) != 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	cleanup_manifest struct manifest manifest = MANIFEST_INIT;

	if (manifest_parse(&manifest, bytes, size) == 0)
		check_round_trip(&manifest);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */

#include "er_html/packed.h"

#include <stdlib.h>

#include "er_html/base64.h"
#include "er_html/page.h"
#include "libexpt/cli/gzip.h"

struct packed {
	FILE *base64;
	struct gzip *gzip;
};

struct packed *packed_open(FILE *out)
{
	struct packed *packed = calloc(1, sizeof(*packed));

	if (!packed)
		return NULL;
	packed->base64 = base64_stream(out, PAGE_BETWEEN);
	packed->gzip = packed->base64 ? gzip_open(packed->base64) : NULL;
	if (packed->gzip)
		return packed;
	if (packed->base64)
		fclose(packed->base64);
	free(packed);
	return NULL;
}

void packed_write(struct packed *packed, const void *bytes, size_t length)
{
	gzip_write(packed->gzip, bytes, length);
}

void packed_take(void *packed, const void *bytes, size_t length)
{
	packed_write(packed, bytes, length);
}

void packed_close(struct packed *packed)
{
	gzip_close(packed->gzip);
	fclose(packed->base64);
	free(packed);
}

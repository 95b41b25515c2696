/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/perf/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "libexpt/base/io.h"
#include "libexpt/cli/cli.h"

/* Copies of stacks are compressed to a twentieth. */
#define EXPANSION_MAX 100
#define EXPANSION_ANY (UINT64_C(64) << 20)

struct spool {
	struct recording *recording;
	ZSTD_DStream *stream;
	char *out;
	size_t out_size;
};

static int make_file(int directory)
{
	FILE *file;
	int fd = directory < 0
			 ? -1
			 : openat(directory, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	file = tmpfile();
	fd = file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 3) : -1;
	if (file)
		fclose(file);
	return fd;
}

struct spool *spool_open(struct recording *recording, int directory)
{
	struct spool *spool = calloc(1, sizeof(*spool));

	if (spool) {
		spool->recording = recording;
		spool->stream = ZSTD_createDStream();
		spool->out_size = ZSTD_DStreamOutSize();
		spool->out = malloc(spool->out_size);
	}
	if (!spool || !spool->stream || !spool->out) {
		spool_close(spool);
		cli_error("out of memory");
		return NULL;
	}
	recording->spool = make_file(directory);
	if (recording->spool >= 0)
		return spool;
	cli_error("cannot make a temporary file: %s", strerrordesc_np(errno));
	spool_close(spool);
	return NULL;
}

void spool_close(struct spool *spool)
{
	if (!spool)
		return;
	ZSTD_freeDStream(spool->stream);
	free(spool->out);
	free(spool);
}

static int put(struct spool *spool, size_t size)
{
	struct recording *recording = spool->recording;
	int rc;

	if (recording->spool_size + size >
	    EXPANSION_ANY + EXPANSION_MAX * recording->size)
		return cli_error("'%s' expands to more than %d times its size",
				 recording->path, EXPANSION_MAX);
	rc = io_write_all(recording->spool, spool->out, size);
	if (rc < 0)
		return cli_error("cannot write a temporary file: %s",
				 strerrordesc_np(-rc));
	recording->spool_size += size;
	return CLI_OK;
}

int spool_add(struct spool *spool, const void *bytes, size_t size, uint64_t offset)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	ZSTD_outBuffer out;

	do {
		size_t rc;

		out = (ZSTD_outBuffer){ spool->out, spool->out_size, 0 };
		rc = ZSTD_decompressStream(spool->stream, &out, &in);
		if (ZSTD_isError(rc))
			return recording_damaged(spool->recording, false, offset, "%s",
						 ZSTD_getErrorName(rc));
		if (put(spool, out.pos) != CLI_OK)
			return CLI_FAILED;
	} while (in.pos < in.size || out.pos == out.size);
	return CLI_OK;
}

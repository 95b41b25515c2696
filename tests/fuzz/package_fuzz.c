/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz reading a bundle in place. The first byte selects the form: the rest as a file,
 * for the seek table and foreign archives; or an index and a tar archive, packed the way
 * er_export packs them, with the length of the index in the next two bytes. Every file is
 * opened, and must have the size that was announced.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libexpt/base/io.h"
#include "libexpt/bundle/package.h"
#include "tests/fuzz/tar.h"

#define BYTES_MAX (1 << 24)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void pack(int fd, const uint8_t *index, size_t index_size, const uint8_t *tar,
		 size_t size)
{
	struct compressor *compressor;
	uint8_t *mended = malloc(size + 1);

	if (!mended)
		abort();
	memcpy(mended, tar, size);
	mend_headers(mended, size);
	if (compressor_open(&compressor, fd, EXPT_COMPRESSION_ZSTD, 1, 1, NULL) < 0)
		abort();
	compressor_set_index(compressor, (const char *)index, index_size);
	if (compressor_write(compressor, mended, size, NULL) < 0 ||
	    compressor_finish(compressor, NULL) < 0)
		abort();
	compressor_close(compressor);
	free(mended);
}

static int as_file(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("package_fuzz", MFD_CLOEXEC);
	size_t index;

	if (fd < 0)
		abort();
	if (size < 3 || bytes[0] % 2 == 0) {
		if (size > 1 && io_write_all(fd, bytes + 1, size - 1) < 0)
			abort();
		return fd;
	}
	index = bytes[1] + 256u * bytes[2];
	if (index > size - 3)
		index = size - 3;
	pack(fd, bytes + 3, index, bytes + 3 + index, size - 3 - index);
	return fd;
}

static void open_members(struct package *package)
{
	const struct members *members = package_members(package);

	if (package_count(package) == 0)
		abort();
	for (size_t i = 0; i < members->count; i++) {
		const struct member *member = &members->items[i];
		struct stat status;
		int fd;

		if (*member->name == '/' || strstr(member->name, "../"))
			abort();
		if (member->type != TAR_FILE || member->size > BYTES_MAX)
			continue;
		fd = package_file(package, i, NULL);
		if (fd < 0)
			continue;
		if (fstat(fd, &status) < 0 || (uint64_t)status.st_size != member->size)
			abort();
		close(fd);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	int fd = as_file(bytes, size);
	struct package *package;
	struct expt_error err;
	const char *inside;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (package_open(&package, path, &inside, NULL, &err) == 0) {
		open_members(package);
		package_close(package);
	} else if (!*err.message) {
		abort();
	}
	close(fd);
	return 0;
}

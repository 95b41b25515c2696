/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz importing, checking and listing bundles, without writing. A bundle that can be
 * imported also passes its check, unless it has no manifest. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libexpt/expt.h"
#include "tests/fuzz/tar.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Reuse one file in memory for all inputs: making one costs as much as reading it. */
static int as_file(const uint8_t *bytes, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("bundle_fuzz", MFD_CLOEXEC);
	if (fd < 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size ||
	    ftruncate(fd, (off_t)size) < 0 || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	return fd;
}

static void list(const char *path)
{
	struct expt_bundle_member member;
	struct expt_bundle *bundle;
	struct expt_error err;

	if (expt_bundle_open(&bundle, path, NULL, &err) < 0)
		return;
	while (expt_bundle_next(bundle, &member, &err) > 0)
		if (!member.name || !strchr("fdlhpc?", member.type))
			abort();
	expt_bundle_close(bundle);
}

static void try(const uint8_t *bytes, size_t size)
{
	struct expt_report *report = expt_report_new(), *check = expt_report_new();
	struct expt_import_options options = {
		.replace = true,
		.operation.dry_run = true,
		.max_entries = 1000,
		.max_bytes = 1 << 24,
		.operation.threads = 1,
		.operation.report = report,
	};
	struct expt_import_options checking = options;
	int fd = as_file(bytes, size);
	struct expt_error err;
	char path[64];
	bool is_verified = true;

	checking.operation.report = check;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (expt_import(NULL, fd, &options, &err) == 0) {
		for (size_t i = 0; i < expt_report_count(report); i++)
			if (expt_report_line(report, i)->outcome == EXPT_NOTE)
				is_verified = false;
		if (expt_bundle_differs(path, &checking, &err) != (is_verified ? 0 : 1))
			abort();
	}
	list(path);
	expt_report_free(report);
	expt_report_free(check);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint8_t *mended = malloc(size ? size : 1);

	if (!mended)
		abort();
	memcpy(mended, bytes, size);
	mend_headers(mended, size);
	try(mended, size);
	free(mended);
	return 0;
}

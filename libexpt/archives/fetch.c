/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/archives/fetch.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/cleanup.h"

static int fetch(const struct expt_fetcher *fetcher, enum expt_fetched what,
		 const struct elf *object, const char *path)
{
	const char *build_id = elf_build_id(object);
	cleanup_fd int fd = -1;
	struct stat status;

	if (!fetcher || !fetcher->fetch || !*build_id)
		return -ENOENT;
	fd = fetcher->fetch(fetcher->context, what, build_id, path);
	if (fd < 0)
		return fd;
	if (fstat(fd, &status) < 0 || !S_ISREG(status.st_mode))
		return -EINVAL;
	return steal_fd(&fd);
}

struct elf *fetch_debug_file(const struct expt_fetcher *fetcher, const struct elf *object)
{
	int fd = fetch(fetcher, EXPT_FETCH_DEBUG_FILE, object, NULL);
	struct elf *elf;

	if (fd < 0 || elf_open(&elf, fd, NULL) < 0)
		return NULL;
	if (strcmp(elf_build_id(elf), elf_build_id(object)) == 0)
		return elf;
	elf_close(elf);
	return NULL;
}

int fetch_source(const struct expt_fetcher *fetcher, const struct elf *object,
		 const char *path)
{
	return object ? fetch(fetcher, EXPT_FETCH_SOURCE, object, path) : -ENOENT;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/libexpt/accesses/step/object.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "libexpt/places/place.h"

#define EXPERIMENT "step.1.er"

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		err(2, "%s", path);
}

struct expt *object_experiment(const char *program, const struct tracee *tracee)
{
	char path[PATH_MAX], text[PATH_MAX + 512];
	struct stat status;
	struct expt_error error;
	struct expt *expt;

	if (!realpath(program, path) || stat(path, &status) < 0)
		err(2, "%s", program);
	if (mkdir(EXPERIMENT, 0777) < 0 && errno != EEXIST)
		err(2, EXPERIMENT);
	write_file(EXPERIMENT "/log.xml",
		   "<event kind=\"run\" tstamp=\"0.0\" time=\"1700000000\"/>\n");
	snprintf(text, sizeof(text),
		 "<event kind=\"map\" object=\"segment\" tstamp=\"0.0\" "
		 "vaddr=\"0x%016llX\" size=\"%llu\" pagesz=\"4096\" "
		 "foffset=\"+0x%08llx\" modes=\"0x005\" chksum=\"0xFFFFFFFF\" "
		 "name=\"%s\" fsize=\"%lld\" mtime=\"%lld.%09ld\"/>\n",
		 (unsigned long long)tracee->code_start,
		 (unsigned long long)(tracee->code_end - tracee->code_start),
		 (unsigned long long)(tracee->code_start - tracee->bias), path,
		 (long long)status.st_size, (long long)status.st_mtim.tv_sec,
		 status.st_mtim.tv_nsec);
	write_file(EXPERIMENT "/map.xml", text);
	if (expt_open(&expt, EXPERIMENT, &error) < 0)
		errx(2, "%s", error.message);
	return expt;
}

struct expt_object *object_find(struct expt *expt, const struct tracee *tracee)
{
	uint64_t offset;
	struct expt_object *object = place_object(expt, tracee->code_start, 0, &offset);

	if (!object || offset != tracee->code_start - tracee->bias)
		errx(2, "the experiment does not have the program");
	return object;
}

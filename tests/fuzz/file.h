/* SPDX-License-Identifier: Apache-2.0 */
/* An experiment with a log and one data file, for targets that read from a directory. */
#ifndef TESTS_FUZZ_FILE_H
#define TESTS_FUZZ_FILE_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/io.h"
#include "libexpt/experiment/log.h"

static char file_directory[256];
static const char *file_name;

static inline void remove_file(void)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/%s", file_directory, file_name);
	unlink(path);
	rmdir(file_directory);
}

static inline void make_file_directory(const char *name)
{
	const char *parent = getenv("TMPDIR");

	snprintf(file_directory, sizeof(file_directory), "%s/erkit-fuzz.XXXXXX",
		 parent ? parent : "/tmp");
	if (!mkdtemp(file_directory))
		abort();
	file_name = name;
	atexit(remove_file);
}

/* Parse the log only once: it is the same for all inputs. */
static inline struct expt_log *file_log(struct expt *expt, const char *text)
{
	static struct expt_log *log;

	if (log)
		return log;
	log = log_new();
	if (!log)
		abort();
	log_parse(log, expt, "log.xml", text, strlen(text), NULL);
	return log;
}

/* Returns an experiment in which the file of this name, the same throughout a target, has
 * these bytes. */
static inline struct expt *open_file_experiment(const char *log, const char *name,
						const uint8_t *bytes, size_t size)
{
	struct expt *expt = calloc(1, sizeof(*expt));
	int fd;

	if (!file_name)
		make_file_directory(name);
	if (!expt)
		abort();
	expt->founder = expt;
	expt->folder.dir = open(file_directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = openat(expt->folder.dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		    0600);
	if (fd < 0 || io_write_all(fd, bytes, size) < 0)
		abort();
	close(fd);
	expt->log = file_log(expt, log);
	return expt;
}

static inline void close_file_experiment(struct expt *expt)
{
	expt->log = NULL;
	expt_close(expt);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"

#define IMPORTER   "lib/erkit/erkit-perf"
#define MAGIC_SIZE 8
#define WORDS_MAX  20

extern char **environ;

bool is_recording(const char *path)
{
	static const char magics[][MAGIC_SIZE + 1] = { "PERFILE2", "2ELIFREP" };
	cleanup_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char magic[MAGIC_SIZE];
	struct stat status;

	if (fd < 0 || fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) ||
	    io_read_full(fd, magic, sizeof(magic)) != sizeof(magic))
		return false;
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++)
		if (memcmp(magic, magics[i], sizeof(magic)) == 0)
			return true;
	return false;
}

/* The importer is where this program is installed, or was built. */
static int find_importer(char path[PATH_MAX])
{
	char self[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length < 0)
		return cli_error("cannot locate this program: %s",
				 strerrordesc_np(errno));
	self[length] = '\0';
	for (int i = 0; i < 2 && strrchr(self, '/'); i++)
		*strrchr(self, '/') = '\0';
	return snprintf(path, PATH_MAX, "%s/" IMPORTER, self) < PATH_MAX
		       ? CLI_OK
		       : cli_error("cannot locate " IMPORTER);
}

struct words {
	const char *items[WORDS_MAX + 1];
	size_t count;
	char max_bytes[64], max_expansion[64], max_entries[64];
};

static void add(struct words *words, bool is_wanted, const char *word)
{
	if (is_wanted)
		words->items[words->count++] = word;
}

static void make_words(struct words *words, const struct options *options,
		       const char *path)
{
	const struct expt_import_options *from = &options->from;

	*words = (struct words){ .count = 0 };
	snprintf(words->max_bytes, sizeof(words->max_bytes), "--max-bytes=%llu",
		 (unsigned long long)from->max_bytes);
	snprintf(words->max_expansion, sizeof(words->max_expansion),
		 "--max-expansion=%llu", (unsigned long long)from->max_expansion);
	snprintf(words->max_entries, sizeof(words->max_entries), "--max-entries=%llu",
		 (unsigned long long)from->max_entries);
	add(words, true, cli_program());
	add(words, from->operation.dry_run, "-n");
	add(words, options->force, "-f");
	add(words, from->rename, "--rename");
	add(words, options->is_verbose, "-v");
	add(words, options->is_quiet, "-q");
	add(words, from->max_bytes != 0, words->max_bytes);
	add(words, from->max_expansion != 0, words->max_expansion);
	add(words, from->max_entries != 0, words->max_entries);
	add(words, from->directory, "-C");
	add(words, from->directory, from->directory);
	add(words, options->output, "-o");
	add(words, options->output, options->output);
	add(words, true, "--");
	add(words, true, path);
}

/* An importer that is killed has told nothing. */
static int wait_for(pid_t process)
{
	int status;

	while (waitpid(process, &status, 0) < 0)
		if (errno != EINTR)
			return cli_error("cannot wait for " IMPORTER ": %s",
					 strerrordesc_np(errno));
	if (WIFEXITED(status))
		return WEXITSTATUS(status) == 0 ? CLI_OK : CLI_FAILED;
	return cli_error(IMPORTER " was killed by signal %d", WTERMSIG(status));
}

int import_recording(const struct options *options, const char *path)
{
	char importer[PATH_MAX];
	struct words words;
	pid_t process;
	int error;

	if (options->from.into)
		return cli_error("'%s' is a recording of perf, and --into is for ranks",
				 path);
	if (find_importer(importer) != CLI_OK)
		return CLI_FAILED;
	make_words(&words, options, path);
	fflush(NULL);
	error = posix_spawn(&process, importer, NULL, NULL, (char **)words.items,
			    environ);
	return error == 0 ? wait_for(process)
			  : cli_error("cannot run '%s': %s", importer,
				      strerrordesc_np(error));
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a fuzz target on every file of its corpus, without a fuzzer: an input that once
 * crashed it must not do so again. NAME_fuzz_replay takes tests/fuzz/corpus/NAME below
 * $TOP, or the files and directories of its command line.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static unsigned count;

static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat status;
	uint8_t *bytes;
	size_t size;

	if (!file || stat(path, &status) < 0 || !S_ISREG(status.st_mode)) {
		printf("not ok %u - %s: %s\n", ++count, path, strerror(errno));
		if (file)
			fclose(file);
		return 1;
	}
	size = (size_t)status.st_size;
	bytes = malloc(size ? size : 1); /* exact size, for AddressSanitizer */
	if (!bytes || fread(bytes, 1, size, file) != size)
		abort();
	fclose(file);
	printf("# %s\n", path); /* the last one printed is the one that crashed */
	fflush(stdout);
	LLVMFuzzerTestOneInput(bytes, size);
	free(bytes);
	printf("ok %u - %s\n", ++count,
	       strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	return 0;
}

static int replay_directory(const char *directory)
{
	struct dirent **entries;
	int found = scandir(directory, &entries, NULL, alphasort), failed = 0;

	for (int i = 0; i < found; i++) {
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%s", directory, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			failed |= replay_file(path);
		free(entries[i]);
	}
	if (found >= 0)
		free(entries);
	return failed;
}

static int replay(const char *path)
{
	struct stat status;

	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return replay_directory(path);
	return replay_file(path);
}

int main(int argc, char *argv[])
{
	const char *top = getenv("TOP"), *name = strrchr(argv[0], '/');
	char corpus[PATH_MAX];
	int failed = 0;

	name = name ? name + 1 : argv[0];
	snprintf(corpus, sizeof(corpus), "%s/tests/fuzz/corpus/%.*s", top ? top : ".",
		 (int)(strlen(name) - strlen("_fuzz_replay")), name);
	if (argc == 1)
		failed = replay(corpus);
	for (int i = 1; i < argc; i++)
		failed |= replay(argv[i]);
	printf("1..%u\n", count);
	return failed || count == 0;
}

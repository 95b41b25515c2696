/* SPDX-License-Identifier: Apache-2.0 */
/* Small objects of known shape, made by the compiler in the test's own directory. */
#ifndef TESTS_LIBEXPT_COMPILE_H
#define TESTS_LIBEXPT_COMPILE_H

#include "libexpt/elf/symbols.h"
#include "tests/libexpt/test.h"

static inline bool run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs a shell command and returns true if it succeeded. */
static inline bool run(const char *format, ...)
{
	char command[4096];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	return system(command) == 0;
}

/* Compile the text of a source file to output, with a driver and its flags: "cc -shared".
 */
static inline void compile(const char *output, const char *driver, const char *suffix,
			   const char *text)
{
	char source[256];

	if (!run("command -v %.*s >/dev/null", (int)strcspn(driver, " "), driver)) {
		print_message("no compiler\n");
		skip();
	}
	snprintf(source, sizeof(source), "%s.%s", output, suffix);
	write_text(source, text);
	if (!run("%s -o %s %s", driver, output, source))
		fail_msg("cannot make %s", output);
}

static inline struct elf *open_elf(const char *path)
{
	struct expt_error err;
	struct elf *elf = NULL;

	if (elf_open(&elf, open(path, O_RDONLY | O_CLOEXEC), &err) < 0)
		fail_msg("%s: %s", path, err.message);
	return elf;
}

#endif

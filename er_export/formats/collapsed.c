/* SPDX-License-Identifier: Apache-2.0 */
/* Collapsed stacks, as flamegraph.pl and speedscope read them: a line for each call path,
 * the functions from the root on with semicolons between them, and its value. */
#include <errno.h>

#include "er_export/formats/calls.h"
#include "er_export/formats/private.h"
#include "libexpt/cli/write.h"

static void write_path(FILE *out, char *const *names, const struct call_sums *sums,
		       size_t depth)
{
	if (depth == 0)
		fputs(NO_STACK, out);
	for (size_t i = 0; i < depth; i++) {
		if (i > 0)
			putc_unlocked(';', out);
		fputs(names[sums->functions[i]], out);
	}
}

static void write_sums(FILE *out, char *const *names, const struct call_sums *sums,
		       const struct calls *calls)
{
	for (size_t i = 0; i < sums->all.count && !ferror(out); i++) {
		const struct call_sum *sum = &sums->all.items[i];

		write_path(out, names, sums, call_sums_path(sums, calls, sum));
		putc_unlocked(' ', out);
		write_signed(out, sums->values[sum->values]);
		putc_unlocked('\n', out);
	}
}

static int write_collapsed(FILE *out, const struct source *source)
{
	struct call_sums sums = { .values = NULL };
	struct calls calls;
	char **names = line_names(source, ";", 0);
	bool is_good = calls_make(&calls, source->tables) && names &&
		       call_sums_make(&sums, source, &calls, false);

	if (is_good)
		write_sums(out, names, &sums, &calls);
	line_names_free(source, names);
	call_sums_release(&sums);
	calls_release(&calls);
	return is_good ? 0 : -ENOMEM;
}

const struct format collapsed_format = {
	.name = "collapsed",
	.has_one_metric = true,
	.lacks = "has no lines, load objects, threads or times: only names of functions",
	.write = write_collapsed,
};

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pair - measures two commands against each other, in turn
 *
 * Each run is BEFORE, OURS, BEFORE, THEIRS. The ratio printed is the median of the runs'
 * ratios, so that other load on the machine affects both. A command without shell
 * characters is started without a shell. Its output is dropped. A command that fails ends
 * the measurement, and its stderr is shown. With real-time priority other processes do
 * not matter: it is as if the machine were idle.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
	"usage: pair [-n RUNS] [-m wall|cpu|rss] [-b BEFORE] [-o NAME] [-l LIMIT]\n"
	"            [-a LIMIT] [-c] [-p] [-i] LABEL OURS THEIRS\n"
	"  -n RUNS    how often (default: RUNS of the environment, or 7)\n"
	"  -m KIND    wall clock time, CPU time, or largest resident size of any "
	"process\n"
	"  -b BEFORE  a shell command, run before each of the two and not measured\n"
	"  -o NAME    what to call THEIRS (default: its first word)\n"
	"  -l LIMIT   the ratio that shall not be exceeded: status 1 if it is\n"
	"  -a LIMIT   the same of ours alone, in seconds or megabytes\n"
	"  -c         of the ratio, the upper end of the median's 95 % confidence "
	"interval\n"
	"  -p         with real-time priority, where that is allowed\n"
	"  -i         go on when a command fails\n";

enum measure { WALL, CPU, RSS };

struct options {
	int runs;
	enum measure measure;
	const char *before, *name;
	double limit, absolute_limit;
	bool ignores_failure, has_priority, is_confident;
};

static void die(const char *what, const char *command)
{
	fprintf(stderr, "pair: %s: %s\n", what, command);
	exit(2);
}

static void show(int messages)
{
	char text[4096];
	ssize_t length = pread(messages, text, sizeof(text), 0);

	if (length > 0)
		fwrite(text, 1, (size_t)length, stderr);
}

static void run_command(const char *command, int messages)
{
	char *words[256] = { NULL }, *copy = strdup(command), *rest = copy;
	int null = open("/dev/null", O_RDWR), count = 0;

	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(messages, STDERR_FILENO);
	if (strpbrk(command, "\"'`$\\|&;<>()*?[]#~!{}=\n")) {
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	for (char *word; count < 255 && (word = strsep(&rest, " ")) != NULL;) {
		if (*word)
			words[count++] = word;
	}
	execvp(words[0], words);
	fprintf(stderr, "pair: %s: %s\n", words[0], strerror(errno));
	_exit(127);
}

static double seconds(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

static void take_priority(void)
{
	const struct sched_param parameters = { .sched_priority = 1 };

	sched_setscheduler(0, SCHED_RR, &parameters);
}

static double measure(const char *command, const struct options *options)
{
	struct timespec start, end;
	struct rusage usage;
	int status, messages = memfd_create("messages", MFD_CLOEXEC);
	pid_t child;

	clock_gettime(CLOCK_MONOTONIC, &start);
	child = fork();
	if (child < 0)
		die("cannot fork", command);
	if (child == 0 && options->has_priority)
		take_priority();
	if (child == 0)
		run_command(command, messages);
	while (wait4(child, &status, 0, &usage) < 0)
		if (errno != EINTR)
			die("cannot wait", command);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (status != 0 && !options->ignores_failure) {
		show(messages);
		die("failed", command);
	}
	close(messages);
	switch (options->measure) {
	case CPU:
		return seconds(&usage.ru_utime) + seconds(&usage.ru_stime);
	case RSS:
		return (double)usage.ru_maxrss / 1024;
	default:
		return (double)(end.tv_sec - start.tv_sec) +
		       (double)(end.tv_nsec - start.tv_nsec) / 1e9;
	}
}

static void prepare(const char *before)
{
	if (before && system(before) != 0)
		die("failed", before);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), compare);
	return count % 2 ? values[count / 2]
			 : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* Returns the upper end of the interval that contains the median of the distribution with
 * 95 % confidence, by ranks alone. */
static double upper_end(const double *sorted, int count)
{
	int rank = (int)ceil(count / 2.0 + 0.98 * sqrt(count));

	return sorted[(rank < count ? rank : count) - 1];
}

static struct options parse_options(int argc, char *argv[])
{
	const char *runs = getenv("RUNS");
	struct options options = { .runs = runs ? atoi(runs) : 7 };
	int option;

	while ((option = getopt(argc, argv, "n:m:b:o:l:a:cpi")) != -1) {
		if (option == 'n')
			options.runs = atoi(optarg);
		else if (option == 'm')
			options.measure = *optarg == 'c'   ? CPU
					  : *optarg == 'r' ? RSS
							   : WALL;
		else if (option == 'b')
			options.before = optarg;
		else if (option == 'o')
			options.name = optarg;
		else if (option == 'l')
			options.limit = atof(optarg);
		else if (option == 'a')
			options.absolute_limit = atof(optarg);
		else if (option == 'c')
			options.is_confident = true;
		else if (option == 'p')
			options.has_priority = true;
		else if (option == 'i')
			options.ignores_failure = true;
		else
			exit((fputs(usage, stderr), 2));
	}
	if (argc - optind != 3 || options.runs < 1)
		exit((fputs(usage, stderr), 2));
	return options;
}

/* Returns the last component of the first word. */
static const char *name_of(const char *command)
{
	size_t length = strcspn(command, " ");
	char *word = strndup(command, length), *slash = strrchr(word, '/');

	return slash ? slash + 1 : word;
}

/* Prints whether a value is within its limit, if it has one. */
static bool is_missed(double value, double limit, const char *unit)
{
	if (limit <= 0)
		return false;
	printf(", at most %.3g%s%s: %s", limit, *unit ? " " : "", unit,
	       value <= limit ? "reached" : "MISSED");
	return value > limit;
}

int main(int argc, char *argv[])
{
	struct options options = parse_options(argc, argv);
	const char *label = argv[optind], *ours = argv[optind + 1],
		   *theirs = argv[optind + 2];
	const char *unit = options.measure == RSS ? "MB" : "s";
	double *a = calloc((size_t)options.runs * 3, sizeof(*a)), *b = a + options.runs;
	double *ratios = b + options.runs, ratio, own;
	bool missed;

	for (int i = 0; i < options.runs; i++) {
		prepare(options.before);
		a[i] = measure(ours, &options);
		prepare(options.before);
		b[i] = measure(theirs, &options);
		ratios[i] = a[i] / b[i];
	}
	ratio = median(ratios, options.runs);
	own = median(a, options.runs);
	printf("%s: %.3g of %s (%.4g %s / %.4g %s)", label, ratio,
	       options.name ? options.name : name_of(theirs), own, unit,
	       median(b, options.runs), unit);
	if (options.is_confident) {
		ratio = upper_end(ratios, options.runs);
		printf(", with 95 %% of %d pairs below %.4g", options.runs, ratio);
	}
	missed = is_missed(ratio, options.limit, "") |
		 is_missed(own, options.absolute_limit, unit);
	putchar('\n');
	return missed;
}

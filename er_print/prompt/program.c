/* SPDX-License-Identifier: Apache-2.0 */
/* Commands about the program itself. */
#include <sys/resource.h>

#include "er_print/prompt/private.h"

int run_version(struct session *session, int count, char **words)
{
	fprintf(session->out, "er_print (erkit) %s\n", ERKIT_VERSION);
	return 0;
}

int run_quit(struct session *session, int count, char **words)
{
	session->is_done = true;
	return 0;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

int run_procstats(struct session *session, int count, char **words)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) < 0)
		return session_error(session, "cannot read the resource usage");
	fprintf(session->out,
		"User CPU time:    %10.3f sec.\n"
		"System CPU time:  %10.3f sec.\n"
		"Maximum memory:   %10.1f MiB\n"
		"Page faults:      %10ld\n"
		"Blocks read:      %10ld\n",
		seconds(usage.ru_utime), seconds(usage.ru_stime),
		(double)usage.ru_maxrss / 1024, usage.ru_minflt + usage.ru_majflt,
		usage.ru_inblock);
	return 0;
}

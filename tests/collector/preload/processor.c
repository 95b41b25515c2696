/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into collect: a processor with counters. Those of events with an odd number
 * have precise samples. With SHOW in the environment, each that is opened is a line on
 * standard error.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long real_syscall(long number, const long *a)
{
	register long a4 __asm__("r10") = a[3];
	register long a5 __asm__("r8") = a[4];
	register long a6 __asm__("r9") = a[5];
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(a4), "r"(a5),
			   "r"(a6)
			 : "rcx", "r11", "memory");
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

static long open_event(const struct perf_event_attr *attr)
{
	if (getenv("SHOW"))
		fprintf(stderr,
			"type %u config %#lx %#lx %#lx precise %u kernel %u every %lu\n",
			attr->type, (unsigned long)attr->config,
			(unsigned long)attr->config1, (unsigned long)attr->config2,
			(unsigned)attr->precise_ip, !attr->exclude_kernel,
			(unsigned long)attr->sample_period);
	if (attr->precise_ip > 0 && attr->config % 2 == 0) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

long syscall(long number, ...)
{
	long arguments[6];
	va_list list;

	va_start(list, number);
	for (size_t i = 0; i < 6; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open &&
	    ((struct perf_event_attr *)arguments[0])->type != PERF_TYPE_SOFTWARE)
		return open_event((struct perf_event_attr *)arguments[0]);
	return real_syscall(number, arguments);
}

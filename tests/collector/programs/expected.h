/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of I/O that should be recorded. A situation that prints lines "TYPE FD BYTES
 * FUNCTION [NAME]" says by this what it has done; the lines are written by a system call
 * that is not recorded.
 */
#ifndef TESTS_EXPECTED_H
#define TESTS_EXPECTED_H

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { READ, WRITE, OPEN, CLOSE, OTHER, FAILED };

static char lines[65536];
static size_t used;

static inline void expect(int type, int fd, long bytes, const char *function,
			  const char *name)
{
	used += (size_t)snprintf(lines + used, sizeof(lines) - used, "%d %d %ld %s%s%s\n",
				 type, fd, bytes, function, name ? " " : "",
				 name ? name : "");
}

static inline void print_lines(void)
{
	syscall(SYS_write, 1, lines, used);
}

static inline void need(int is_good, const char *what)
{
	if (is_good)
		return;
	syscall(SYS_write, 2, what, strlen(what));
	_exit(98);
}

#endif

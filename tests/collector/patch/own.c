/* SPDX-License-Identifier: Apache-2.0 */
/* Does an allocator of the program's own get all its calls, recorded or not? */

#include <fcntl.h>

#include "late.h"
#include "situation.h"

extern unsigned long own_calls __attribute__((weak));

CALLS(program)
CALLS(before)

int main(void)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	unsigned long so_far;
	void *collector;

	calls_in_before(fd);
	collector = late_begin();
	so_far = &own_calls ? own_calls : 0;
	calls_in_program(fd);
	printf("%lu\n", &own_calls ? own_calls - so_far : 0);
	late_end(collector);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Works in one function for this many seconds. Another function appears only in replayed
 * records. */

#include "situation.h"

#include <stdlib.h>

__attribute__((noinline)) int culprit(int value)
{
	__asm__ volatile("nop; nop; nop; nop");
	return value + 1;
}

__attribute__((noinline)) void victim(double seconds)
{
	burn(seconds);
}

int main(int argc, char **argv)
{
	victim(argc > 1 ? atof(argv[1]) : .2);
	return culprit(-1);
}

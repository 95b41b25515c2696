/* SPDX-License-Identifier: Apache-2.0 */
/* Preloaded into a program: it is recorded from its first function on, by libraries that
 * come late. */

#include "late.h"

__attribute__((constructor)) static void begin(void)
{
	unsetenv("LD_PRELOAD");
	late_begin();
}

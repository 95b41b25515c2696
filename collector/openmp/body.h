/* SPDX-License-Identifier: Apache-2.0 */
/* The function that the threads of a team run in the place of the program's. */
#ifndef COLLECTOR_OPENMP_BODY_H
#define COLLECTOR_OPENMP_BODY_H

#include "collector/openmp/call.h"

/* The function of a region, and what it is called with. libgomp itself reads the first
 * word where there are reductions of tasks. */
struct openmp_body {
	word first;
	void (*function)(word data);
	word data;
	struct openmp_place place;
};

/* Call the function of a body, at this address. */
void openmp_body_run(word body);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same for Fortran, whose compilers append one underscore to a name, two if it
 * already contains one, or capitalize it. Strings have no NUL: their length is passed as
 * a further argument, of which older compilers pass 32 bits.
 */

#include <string.h>

#include "collector/api/collectorAPI.h"

#define LABEL_MAX 255

/* Fortran pads strings with blanks to their declared length. */
static void sample(const char *name, unsigned length)
{
	char label[LABEL_MAX + 1];

	if (length > LABEL_MAX)
		length = LABEL_MAX;
	while (length > 0 && name[length - 1] == ' ')
		length--;
	memcpy(label, name, length);
	label[length] = '\0';
	collector_sample(label);
}

#define EXPORTED __attribute__((visibility("default")))

#define SAMPLE(symbol)                                           \
	EXPORTED void symbol(const char *name, unsigned length); \
	EXPORTED void symbol(const char *name, unsigned length)  \
	{                                                        \
		sample(name, length);                            \
	}

#define CALL(symbol, function)      \
	EXPORTED void symbol(void); \
	EXPORTED void symbol(void)  \
	{                           \
		function();         \
	}

SAMPLE(collector_sample_)
SAMPLE(collector_sample__)
SAMPLE(COLLECTOR_SAMPLE)
CALL(collector_pause_, collector_pause)
CALL(collector_pause__, collector_pause)
CALL(COLLECTOR_PAUSE, collector_pause)
CALL(collector_resume_, collector_resume)
CALL(collector_resume__, collector_resume)
CALL(COLLECTOR_RESUME, collector_resume)
CALL(collector_terminate_expt_, collector_terminate_expt)
CALL(collector_terminate_expt__, collector_terminate_expt)
CALL(COLLECTOR_TERMINATE_EXPT, collector_terminate_expt)

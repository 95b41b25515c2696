/* SPDX-License-Identifier: Apache-2.0 */
/* Description files of load objects, with the symbols of the separate debug file. */
#ifndef LIBEXPT_ARCHIVES_DESCRIBE_H
#define LIBEXPT_ARCHIVES_DESCRIBE_H

#include "libexpt/elf/describe.h"
#include "libexpt/rights/origin.h"

/* Opens the debug file of an object and knows the object's readers. A debug file that
 * some of them may not read is not used. */
struct describe_judge {
	struct origins *origins;
	const struct origin *object;
};

/* Call elf_describe(), with this machine's debug file for an object at note->path if
 * the description needs one. judge may be NULL. */
int describe_object(const struct elf *object, const struct elf_note *note,
		    const struct describe_judge *judge, int out, struct expt_error *err);

#endif

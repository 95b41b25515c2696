/* SPDX-License-Identifier: Apache-2.0 */
/* The recorded code of dynamic functions, read from memory; called by fuzzing, too. */
#ifndef LIBEXPT_OBJECTS_DYNTEXT_H
#define LIBEXPT_OBJECTS_DYNTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function as it was loaded. */
struct dyntext_key {
	uint64_t address;
	uint64_t loaded_ns, unloaded_ns;
};

/* Find the code of a function in the bytes of a dyntext file: that of its time or, as
 * recorders disagree about times, any of its address. Padding may follow it. Returns NULL
 * if there is none. */
const unsigned char *dyntext_find(const unsigned char *file, size_t file_size,
				  const struct dyntext_key *key, size_t *size);

#endif

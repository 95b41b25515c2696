/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of a call, by the letters of its form; see calls.h. */
#ifndef COLLECTOR_MPI_PARAMETERS_H
#define COLLECTOR_MPI_PARAMETERS_H

#include "collector/mpi/call.h"
#include "collector/mpi/library.h"

/* Returns a handle: where it is an integer, the rest of the word may be anything. */
static inline uint64_t parameter_handle(const struct mpi_call *call, const uint64_t *word)
{
	return call->library->handle_size == sizeof(uint32_t) ? (uint32_t)*word : *word;
}

/* Read the form, once. */
void parameters_read(struct mpi_form *form);

/* Returns NULL if the call has none. */
static inline uint64_t *parameter_find(const struct mpi_call *call, char letter)
{
	unsigned char at = call->form->at[letter - 'A'];

	return at ? &call->words[at - 1] : NULL;
}

/* Returns 0 if the call has none. */
static inline int parameter_number(const struct mpi_call *call, char letter)
{
	const uint64_t *word = parameter_find(call, letter);

	return word ? (int)*word : 0;
}

/* Returns the bytes of an element of the type; 0 if they are not known. */
int64_t parameter_size(const struct mpi_call *call, char letter);

#endif

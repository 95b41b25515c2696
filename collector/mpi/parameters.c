/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/parameters.h"

#include <stdatomic.h>

#include "collector/mpi/library.h"

/* In the handle of a basic type of MPICH. */
#define BASIC_SIZE_SHIFT 8
#define BASIC_SIZE_MASK	 0xff

/* Several threads may do the same. */
void parameters_read(struct mpi_form *form)
{
	for (unsigned char i = 0; form->parameters[i]; i++)
		if (form->parameters[i] >= 'A')
			form->at[form->parameters[i] - 'A'] = i + 1;
	atomic_store_explicit(&form->is_read, true, memory_order_release);
}

int64_t parameter_size(const struct mpi_call *call, char letter)
{
	const uint64_t *type = parameter_find(call, letter);
	int size = 0;

	if (!type)
		return 0;
	if (((uint32_t)*type & call->library->basic_mask) == call->library->basic_types)
		return (uint32_t)*type >> BASIC_SIZE_SHIFT & BASIC_SIZE_MASK;
	if (call->library->type_size(*type, &size) != 0 || size < 0)
		return 0;
	return size;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/parameters.h"

#include <string.h>

#include "collector/mpi/library.h"

uint64_t *parameter_find(const struct mpi_call *call, char letter)
{
	const char *at = strchr(call->form->parameters, letter);

	return at ? &call->words[at - call->form->parameters] : NULL;
}

int parameter_number(const struct mpi_call *call, char letter)
{
	const uint64_t *word = parameter_find(call, letter);

	return word ? (int)*word : 0;
}

int64_t parameter_size(const struct mpi_call *call, char letter)
{
	const uint64_t *type = parameter_find(call, letter);
	int size = 0;

	if (!type || call->library->type_size(*type, &size) != 0 || size < 0)
		return 0;
	return size;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* EXP... HOST:DIR and HOST:EXP... DIR of er_cp and er_mv. */
#ifndef LIBEXPT_CLI_TRANSFER_REMOTE_H
#define LIBEXPT_CLI_TRANSFER_REMOTE_H

#include "libexpt/cli/transfer/private.h"

/* Operands here to a place over there; the status for exit. */
int cli_send(const struct cli_transfer *transfer, int count, char *operands[],
	     const char *place);
/* Operands of one host to a directory here. */
int cli_receive(const struct cli_transfer *transfer, int count, char *operands[],
		const char *directory);
/* How many of the operands, from the first on, are on the host that the first is on. */
int cli_same_host(int count, char *operands[]);

#endif

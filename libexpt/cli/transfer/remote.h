/* SPDX-License-Identifier: Apache-2.0 */
/* EXP... HOST:DIR and HOST:EXP... DIR of er_cp and er_mv. */
#ifndef LIBEXPT_CLI_TRANSFER_REMOTE_H
#define LIBEXPT_CLI_TRANSFER_REMOTE_H

#include "libexpt/cli/transfer/private.h"

/* Send local operands to a place on another host. Returns the status for exit. */
int cli_send(const struct cli_transfer *transfer, int count, char *operands[],
	     const char *place);
/* Receive operands of one host into a local directory. */
int cli_receive(const struct cli_transfer *transfer, int count, char *operands[],
		const char *directory);
/* Returns how many operands, from the first on, are on the host of the first. */
int cli_same_host(int count, char *operands[]);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Debug files and sources from debuginfod servers, which the environment names. */
#ifndef LIBEXPT_CLI_DEBUGINFOD_H
#define LIBEXPT_CLI_DEBUGINFOD_H

#include "libexpt/expt.h"

/* Returns how files are got from the servers in DEBUGINFOD_URLS, with progress on stderr
 * if that is a terminal; cli_debuginfod_close() ends it. NULL: they cannot be asked, for
 * the reason in *problem. */
const struct expt_fetcher *cli_debuginfod_open(const char **problem);
void cli_debuginfod_close(void);

#endif

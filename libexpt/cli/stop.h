/* SPDX-License-Identifier: Apache-2.0 */
/* Being interrupted: operations stop and leave nothing half-made, then the program ends
 * as asked. */
#ifndef LIBEXPT_CLI_STOP_H
#define LIBEXPT_CLI_STOP_H

/* Set when the user interrupts (SIGINT, SIGTERM, SIGHUP), from the first call on: for the
 * stop of an operation's options. */
const volatile int *cli_stop_flag(void);
/* After everything was put in order: end by the signal that was caught, if one was. */
void cli_stop_if_asked(void);

#endif

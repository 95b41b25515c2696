/* SPDX-License-Identifier: Apache-2.0 */
/* Interruption: operations stop and leave nothing half-made, then the program ends by the
 * signal. */
#ifndef LIBEXPT_CLI_STOP_H
#define LIBEXPT_CLI_STOP_H

/* Returns a flag that is set when the user interrupts (SIGINT, SIGTERM, SIGHUP), for the
 * stop of an operation's options. The first call installs the handlers. */
const volatile int *cli_stop_flag(void);
/* Call after cleaning up: ends the program by the signal that was caught, if one was. */
void cli_stop_if_asked(void);
/* Forget a signal that ended only a part of the work: a command at a prompt. */
void cli_stop_clear(void);

#endif

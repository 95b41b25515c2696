/* SPDX-License-Identifier: Apache-2.0 */
#ifndef COLLECTOR_LAUNCH_EXECUTE_H
#define COLLECTOR_LAUNCH_EXECUTE_H

#include <stdbool.h>

/* Execute the program as execv() does, but a script without #! by the shell, as when it
 * is started in any other way. Returns an errno if that is impossible. */
int execute(const char *path, char *const words[], bool is_script);

#endif

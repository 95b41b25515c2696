/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel does not permit, and what helps. */
#ifndef COLLECTOR_ER_KERNEL_PRIVILEGE_H
#define COLLECTOR_ER_KERNEL_PRIVILEGE_H

#include <stdbool.h>

/* Print why the kernel cannot be recorded, after this error; returns CLI_FAILED. */
int privilege_refused(int error);
/* Warn that only processes of this user are recorded; has_kernel: in the kernel, too. */
void privilege_warn_of_scope(bool has_kernel);
/* Warn that functions of the kernel have no names. */
void privilege_warn_of_names(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Files with code that the program maps or moves itself. */
#ifndef COLLECTOR_EXPERIMENT_MAPPED_CODE_H
#define COLLECTOR_EXPERIMENT_MAPPED_CODE_H

/* Find libc's functions. Call once, as early as possible. */
void mapped_code_init(void);

#endif

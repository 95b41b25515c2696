/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the vdso, for map.xml. */
#ifndef COLLECTOR_VDSO_H
#define COLLECTOR_VDSO_H

#include <collector/text.h>

void vdso_compose(struct text *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The functions in the order in which they matter. */
#ifndef ER_HTML_VIEWS_SCORES_H
#define ER_HTML_VIEWS_SCORES_H

#include <stdint.h>

#include "er_html/views/shown.h"

/* Return the functions with values of some metric, those with the largest shares first,
 * and EXPT_ROW_TOTAL after the last; to be freed. NULL: out of memory. */
uint32_t *scores_order(const struct shown *shown);

#endif

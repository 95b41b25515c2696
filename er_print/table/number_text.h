/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as tables show them, in the forms measured on gp-display-text. out has at least
 * 32 bytes. */
#ifndef ER_PRINT_TABLE_NUMBER_TEXT_H
#define ER_PRINT_TABLE_NUMBER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Format "0.250", zero as "0.000": the digits of "%.3f". */
void format_time(char *out, size_t size, int64_t ns);
/* Format "0.250", true zero as "0.". */
void format_seconds(char *out, size_t size, int64_t ns);
/* Format all digits: "0.250", "0.250000125"; true zero as "0.". */
void format_exact_seconds(char *out, size_t size, int64_t ns);
/* Format the share of the whole in percent: "12.50"; zero, or of nothing, as "0.". */
void format_share(char *out, size_t size, int64_t value, int64_t whole, bool is_time);

#endif

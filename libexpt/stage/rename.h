/* SPDX-License-Identifier: Apache-2.0 */
/* Renames that replace nothing. */
#ifndef LIBEXPT_STAGE_RENAME_H
#define LIBEXPT_STAGE_RENAME_H

#include <stdbool.h>

/* Give the directory name in parent a hidden ".del" name, written to hidden. */
int stage_hide(char *hidden, int parent, const char *name);
/* Rename, never replacing: -EEXIST if the new name is taken. -EXDEV: other file systems.
 */
int stage_rename(int from_parent, const char *from, int to_parent, const char *to);
/* Wait a moment after -EAGAIN; false after too many tries. */
bool stage_try_again(unsigned tries);

#endif

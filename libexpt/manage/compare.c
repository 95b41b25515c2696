/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two experiments, file by file. */
#include "libexpt/copy/compare.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/layout/layout.h"

int expt_is_same(const char *one, const char *other, struct expt_error *err)
{
	cleanup_fd int a = -1, b = -1;
	int rc = layout_open(&a, one, NULL, err);

	if (rc == 0)
		rc = layout_open(&b, other, NULL, err);
	return rc < 0 ? rc : tree_compare(a, b, err);
}

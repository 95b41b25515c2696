/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/files/files.h"

struct files files = {
	.log.file = FILE_NONE,
	.map.file = FILE_NONE,
	.overview.file = FILE_NONE,
	.dyntext.file = FILE_NONE,
	.classes.file = FILE_NONE,
	.frames.file = FILE_NONE,
	.data = { [0 ... DATA_COUNT - 1].file = FILE_NONE },
};

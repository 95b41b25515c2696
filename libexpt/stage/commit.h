/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a stage: its result appears. */
#ifndef LIBEXPT_STAGE_COMMIT_H
#define LIBEXPT_STAGE_COMMIT_H

#include <sys/types.h>

#include "libexpt/stage/stage.h"

/* How durable stage_commit() makes the result before the final name appears, and that
 * name after it. true and false mean the first two. */
enum stage_sync {
	STAGE_NO_SYNC,
	STAGE_SYNC,	 /* everything */
	STAGE_SYNC_NAME, /* the caller has done it for the contents, the directories
			    included */
};

/* Put the complete stage at its final name and make the name durable. With replace the
 * experiment that has the name by then disappears in the same moment (exchange), else
 * -EEXIST. The stage gets the given mode. After success the stage is released; after a
 * failure the final name is as it was, and stage_release() removes the stage. */
int stage_commit(struct stage *stage, bool replace, enum stage_sync sync, mode_t mode,
		 struct expt_error *err);
/* fsync a directory after its names changed. */
int stage_sync_directory(int dir);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a stage: its result gets the final name. */
#ifndef LIBEXPT_STAGE_COMMIT_H
#define LIBEXPT_STAGE_COMMIT_H

#include <sys/types.h>

#include "libexpt/stage/stage.h"

/* How durable the contents are before the final name appears, and the name after that.
 * true and false mean the first two. */
enum stage_sync {
	STAGE_NO_SYNC,
	STAGE_SYNC,	 /* everything */
	STAGE_SYNC_NAME, /* the caller has synced the contents, including directories */
};

/* Rename the complete stage to its final name and make the name durable. With replace, an
 * experiment that has the name disappears atomically (exchange); without, -EEXIST. The
 * stage gets the given mode. Success releases the stage; after a failure the final name
 * is unchanged, and stage_release() removes the stage. */
int stage_commit(struct stage *stage, bool replace, enum stage_sync sync, mode_t mode,
		 struct expt_error *err);
/* fsync a directory after its names changed. */
int stage_sync_directory(int dir);

#endif

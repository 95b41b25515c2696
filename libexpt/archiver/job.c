/* SPDX-License-Identifier: Apache-2.0 */
/* An archiver for one thread of several. */
#include "libexpt/archiver/private.h"

/* Members are shared, so read what the job will need of them before it starts. */
void archive_job_begin(struct archiver *own, struct expt_archive_options *options,
		       struct archiver *archiver, const struct archive_object *object)
{
	if (!*object->identity.build_id && !object->identity.has_file)
		archive_started_at(archiver, object->member);
	*own = *archiver;
	*options = *archiver->asked.options;
	own->asked.options = options;
	own->strings = (struct arena){ .chunks = NULL };
	own->to.changes = (struct manifest)MANIFEST_INIT;
	own->to.is_incomplete = own->to.has_private = false;
}

void archive_job_end(struct archiver *own)
{
	arena_release(&own->strings);
	manifest_release(&own->to.changes);
}

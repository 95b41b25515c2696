/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the index of a bundle says what its members do: who lists it, or reads it in place, relies
 * on that. So nothing is written that the index hides. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/error.h"
#include "libexpt/import.h"
#include "libexpt/report.h"
#include "libexpt/seekable.h"

/* A check names every difference, an import ends with the first one. */
static int differs(struct import *import, const char *name, const char *what,
		   struct expt_error *err)
{
	if (!import->is_check)
		return expt_fail(err, -EBADMSG, "'%s' %s", name, what);
	expt_report_add(import->options->report, EXPT_CHANGED, name, "%s", what);
	import->differs = true;
	return 0;
}

/* What no index can be read from is not listed by one: it may be imported. */
int import_open_index(struct import *import, int fd, struct expt_error *err)
{
	struct seekable *stream;
	int rc;

	if (seekable_open(&stream, fd, NULL) < 0)
		return 0; /* no file: nobody reads it in place */
	rc = seekable_index(&import->index_text, stream, BUNDLE_INDEX_MAX, err);
	if (rc > 0)
		rc = bundle_index_start(&import->index, import->index_text,
					seekable_size(stream), err);
	import->has_index = rc == 0 && import->index_text;
	seekable_close(stream);
	return rc < 0 && import->is_check ? rc : 0;
}

static bool is_same(const struct tar_member *said, const struct tar_member *member)
{
	return said->type == member->type && said->mode == member->mode &&
	       said->size == member->size && said->place == member->place &&
	       said->mtime.tv_sec == member->mtime.tv_sec &&
	       strcmp(said->name, member->name) == 0 &&
	       strcmp(said->target ? said->target : "",
		      member->target ? member->target : "") == 0;
}

int import_compare_index(struct import *import, const struct tar_member *member,
			 struct expt_error *err)
{
	struct tar_member said;
	int rc;

	if (!import->has_index)
		return 0;
	rc = bundle_index_next(&import->index, &said, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return differs(import, member->name, "is not in the index", err);
	return is_same(&said, member)
		       ? 0
		       : differs(import, member->name, "is not what the index says", err);
}

int import_finish_index(struct import *import, struct expt_error *err)
{
	struct tar_member said;
	int rc = 0;

	while (rc == 0 && import->has_index &&
	       (rc = bundle_index_next(&import->index, &said, err)) > 0)
		rc = differs(import, said.name, "is in the index and not in the bundle",
			     err);
	return rc;
}

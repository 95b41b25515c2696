/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the index of a bundle matches its members: programs that list a bundle or
 * read it in place rely on the index. A mismatch is refused, so that nothing is unpacked
 * that the index hides. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/common/digest.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/import/private.h"
#include "libexpt/stream/seekable.h"

/* A check reports every difference, an import fails at the first one. */
static int differs(struct import *import, const char *name, const char *what,
		   struct expt_error *err)
{
	if (!import->is_check)
		return expt_refuse(err, -EBADMSG, "'%s' %s", name, what);
	expt_report_add(import->options->operation.report, EXPT_CHANGED, name, "%s",
			what);
	import->differs = true;
	return 0;
}

/* ---- before the members ---- */

/* A stream that is not seekable cannot be listed by an index, so it may be imported
 * without one. */
int import_open_index(struct import *import, int fd, struct expt_error *err)
{
	struct seekable *stream;
	int rc;

	if (tar_reader_is_serial(import->from.reader))
		return digest_open(&import->passed, err);
	if (seekable_open(&stream, fd, NULL) < 0)
		return 0; /* not a file: it cannot be read in place */
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

/* ---- after the members ---- */

/* Add all that the index says of a member, so that different members give different
 * bytes. */
static void add_member(struct digest *digest, const struct tar_member *member)
{
	const char *target = member->target ? member->target : "";
	uint64_t numbers[] = { member->type, member->mode, member->size, member->place,
			       (uint64_t)member->mtime.tv_sec };

	digest_add(digest, numbers, sizeof(numbers));
	digest_add(digest, member->name, strlen(member->name) + 1);
	digest_add(digest, target, strlen(target) + 1);
}

/* Sum all members of the index. */
static int sum_index(unsigned char *sum, struct import *import, struct expt_error *err)
{
	struct tar_member said;
	struct digest *digest;
	int rc = digest_open(&digest, err);

	if (rc < 0)
		return rc;
	while (rc == 0 && (rc = bundle_index_next(&import->index, &said, err)) > 0) {
		add_member(digest, &said);
		rc = 0;
	}
	if (rc == 0)
		rc = digest_finish(digest, sum, err);
	digest_close(digest);
	return rc;
}

static int compare_sums(struct import *import, struct expt_error *err)
{
	unsigned char said[DIGEST_SIZE], passed[DIGEST_SIZE];
	uint64_t end;
	int rc = tar_reader_index(&import->index_text, &end, import->from.reader,
				  BUNDLE_INDEX_MAX, err);

	if (rc > 0)
		rc = bundle_index_start(&import->index, import->index_text, end, err);
	if (rc < 0 || !import->index_text)
		return import->is_check ? rc : 0;
	rc = sum_index(said, import, err);
	if (rc == 0)
		rc = digest_finish(import->passed, passed, err);
	if (rc < 0 || memcmp(said, passed, sizeof(said)) == 0)
		return rc;
	return differs(import, import->source, "its members differ from its index", err);
}

/* ---- during the members ---- */

int import_compare_index(struct import *import, const struct tar_member *member,
			 struct expt_error *err)
{
	struct tar_member said;
	int rc;

	if (import->passed)
		add_member(import->passed, member);
	if (!import->has_index)
		return 0;
	rc = bundle_index_next(&import->index, &said, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return differs(import, member->name, "not in the index", err);
	return is_same(&said, member)
		       ? 0
		       : differs(import, member->name, "differs from the index", err);
}

int import_finish_index(struct import *import, struct expt_error *err)
{
	struct tar_member said;
	int rc = import->passed ? compare_sums(import, err) : 0;

	while (rc == 0 && import->has_index &&
	       (rc = bundle_index_next(&import->index, &said, err)) > 0)
		rc = differs(import, said.name, "in the index but not in the bundle",
			     err);
	return rc;
}

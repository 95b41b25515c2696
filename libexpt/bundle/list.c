/* SPDX-License-Identifier: Apache-2.0 */
/* Listing a bundle or any tarball: all members, as they are, without writing anything;
 * only their number and the bytes read are limited. A bundle with an index is not
 * decompressed for this. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/base/io.h"
#include "libexpt/bundle/index.h"
#include "libexpt/bundle/limits.h"
#include "libexpt/bundle/tar.h"
#include "libexpt/common/error.h"
#include "libexpt/common/progress.h"
#include "libexpt/expt.h"
#include "libexpt/stream/seekable.h"

struct expt_bundle {
	int fd;
	char *path;
	struct tar_reader *reader; /* NULL if there is an index */
	char *text;
	struct bundle_index index;
	struct limits limits;
	uint64_t count;
};

/* Returns 1 if there is an index, ready to be read. */
static int start_index(struct expt_bundle *bundle, struct expt_error *err)
{
	struct seekable *stream;
	int rc;

	if (seekable_open(&stream, bundle->fd, NULL) < 0)
		return 0; /* not a file, but perhaps a stream */
	rc = seekable_index(&bundle->text, stream, BUNDLE_INDEX_MAX, err);
	if (rc > 0 && bundle_index_start(&bundle->index, bundle->text,
					 seekable_size(stream), err) < 0)
		rc = -EBADMSG;
	seekable_close(stream);
	return rc;
}

static int start(struct expt_bundle *bundle, const struct expt_import_options *options,
		 struct expt_error *err)
{
	struct tar_reading how = { .limits = &bundle->limits };
	int rc = start_index(bundle, err);

	if (rc != 0)
		return rc;
	if (options) {
		how.threads = options->operation.threads;
		how.progress = options->operation.progress;
		how.stop = options->operation.stop;
	}
	rc = tar_reader_open(&bundle->reader, bundle->fd, &how, err);
	if (rc < 0)
		return rc;
	progress_expect(how.progress, 0, tar_reader_size(bundle->reader));
	progress_begin(how.progress, EXPT_PHASE_COPYING);
	return 0;
}

int expt_bundle_open(struct expt_bundle **out, const char *path,
		     const struct expt_import_options *options, struct expt_error *err)
{
	struct expt_bundle *bundle = calloc(1, sizeof(*bundle));
	int rc;

	if (!bundle)
		return expt_fail(err, -ENOMEM, "cannot open '%s'", path);
	limits_init(&bundle->limits, options);
	bundle->path = strdup(path);
	bundle->fd = io_open_stream(path);
	if (!bundle->path || bundle->fd < 0)
		rc = expt_fail(err, bundle->path ? bundle->fd : -ENOMEM,
			       "cannot open '%s'", path);
	else if ((rc = start(bundle, options, err)) < 0)
		expt_fail_in(err, rc, "'%s'", path);
	if (rc < 0) {
		expt_bundle_close(bundle);
		return rc;
	}
	*out = bundle;
	return 0;
}

void expt_bundle_close(struct expt_bundle *bundle)
{
	if (!bundle)
		return;
	tar_reader_close(bundle->reader);
	if (bundle->fd >= 0)
		close(bundle->fd);
	free(bundle->text);
	free(bundle->path);
	free(bundle);
}

static char type_letter(enum tar_type type)
{
	static const char letters[] = {
		[TAR_FILE] = 'f',      [TAR_DIRECTORY] = 'd', [TAR_LINK] = 'l',
		[TAR_HARD_LINK] = 'h', [TAR_FIFO] = 'p',      [TAR_DEVICE] = 'c',
		[TAR_OTHER] = '?',
	};

	return letters[type];
}

int expt_bundle_next(struct expt_bundle *bundle, struct expt_bundle_member *member,
		     struct expt_error *err)
{
	struct tar_member next;
	int rc = bundle->reader ? tar_reader_next(bundle->reader, &next, err)
				: bundle_index_next(&bundle->index, &next, err);

	if (rc > 0 && ++bundle->count > bundle->limits.max_entries)
		rc = expt_refuse(err, -EPERM, "more members than --max-entries allows");
	if (rc < 0)
		return expt_fail_in(err, rc, "'%s'", bundle->path);
	if (rc > 0)
		*member = (struct expt_bundle_member){
			.name = next.name,
			.size = next.size,
			.mtime = next.mtime.tv_sec,
			.mode = next.mode,
			.type = type_letter(next.type),
			.target = next.target,
		};
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the index of a bundle says what its members do: who reads it in place relies on that. */
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/bundle_index.h"
#include "libexpt/import.h"
#include "libexpt/report.h"
#include "libexpt/seekable.h"

static void differs(struct import *import, const char *name, const char *what)
{
	expt_report_add(import->options->report, EXPT_CHANGED, name, "%s", what);
	import->differs = true;
}

static const struct member *find(const struct import *import, const char *name)
{
	size_t length = strlen(name), index;
	cleanup_free char *plain =
		strndup(name, length - (length > 0 && name[length - 1] == '/'));

	index = plain ? members_find(&import->members, plain) : MEMBER_NONE;
	return index == MEMBER_NONE ? NULL : &import->members.items[index];
}

static void compare(struct import *import, const struct tar_member *said)
{
	const struct member *member = find(import, said->name);

	if (!member || member->is_implied)
		differs(import, said->name, "is in the index and not in the bundle");
	else if (member->place != said->place || member->size != said->size ||
		 member->type != said->type)
		differs(import, said->name, "is not what the index says");
}

static int compare_all(struct import *import, char *text, uint64_t end,
		       struct expt_error *err)
{
	struct bundle_index index;
	struct tar_member said;
	size_t count = 0;
	int rc = bundle_index_start(&index, text, end, err);

	while (rc == 0 && (rc = bundle_index_next(&index, &said, err)) > 0) {
		compare(import, &said);
		count++;
		rc = 0;
	}
	for (size_t i = 0; rc == 0 && i < import->members.count; i++)
		count -= !import->members.items[i].is_implied;
	if (rc == 0 && count != 0)
		differs(import, import->source, "has members that its index does not have");
	return rc;
}

int import_check_index(struct import *import, int fd, struct expt_error *err)
{
	cleanup_free char *text = NULL;
	struct seekable *stream;
	int rc;

	if (seekable_open(&stream, fd, NULL) < 0)
		return 0; /* no file: nobody reads it in place */
	rc = seekable_index(&text, stream, BUNDLE_INDEX_MAX, err);
	if (rc > 0)
		rc = compare_all(import, text, seekable_size(stream), err);
	seekable_close(stream);
	return rc;
}

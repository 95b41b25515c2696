/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/objects/identity.h"

#include <string.h>

#include "libexpt/base/idmap.h"
#include "libexpt/base/time.h"

struct expt_identity identity_of(const char *build_id, const struct stat *status)
{
	return (struct expt_identity){
		.build_id = build_id,
		.has_file = true,
		.size = (uint64_t)status->st_size,
		.mtime_ns = timespec_ns(&status->st_mtim),
	};
}

bool identity_is_same(const struct expt_identity *a, const struct expt_identity *b)
{
	if (strcmp(a->build_id, b->build_id) != 0)
		return false;
	if (*a->build_id)
		return true;
	return a->has_file == b->has_file &&
	       (!a->has_file || (a->size == b->size && a->mtime_ns == b->mtime_ns));
}

uint64_t identity_key(const char *path, const struct expt_identity *identity)
{
	uint64_t key = idmap_text_key(IDMAP_KEY, path);

	key = idmap_text_key(key, identity->build_id);
	if (*identity->build_id || !identity->has_file)
		return key;
	key = idmap_key(key, &identity->size, sizeof(identity->size));
	return idmap_key(key, &identity->mtime_ns, sizeof(identity->mtime_ns));
}

enum identity_match identity_compare(const struct expt_identity *recorded,
				     const struct expt_identity *found, uint64_t unit_ns)
{
	bool is_same;

	if (*recorded->build_id)
		is_same = strcmp(recorded->build_id, found->build_id) == 0;
	else if (recorded->has_file)
		is_same = recorded->size == found->size &&
			  recorded->mtime_ns / unit_ns == found->mtime_ns / unit_ns;
	else
		return IDENTITY_UNKNOWN;
	return is_same ? IDENTITY_SAME : IDENTITY_DIFFERS;
}

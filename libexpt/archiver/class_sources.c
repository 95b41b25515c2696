/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source files of Java classes. Classes name them without a directory, so they are
 * looked for only where .er.rc says, at the place of their package. Experiments may come
 * from anyone, so a path that leads elsewhere is not taken.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "libexpt/archiver/private.h"
#include "libexpt/archives/class_location.h"
#include "libexpt/archives/class_source.h"
#include "libexpt/archives/search.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/path.h"
#include "libexpt/base/strbuf.h"

/* ---- which classes ---- */

/* The class whose packets are being read. */
struct class_state {
	struct archive_codes *codes;
	struct archiver *archiver;
	struct expt *expt;
	size_t member;
	struct strbuf path; /* of its source */
	bool has_file;	    /* it is not one of the Java machine itself */
	bool is_used;	    /* some recorded stack has a method of it */
};

static bool is_plain(const char *path)
{
	for (const char *part = path; part; part = strchr(part, '/')) {
		size_t length;

		part += *part == '/';
		length = strcspn(part, "/");
		if (length == 0 || (length == 1 && part[0] == '.') ||
		    (length == 2 && part[0] == '.' && part[1] == '.'))
			return false;
	}
	return *path != '/' && strlen(path) < PATH_MAX;
}

static bool is_wanted(const struct class_state *state)
{
	const struct archiver *archiver = state->archiver;

	return state->has_file && state->path.length > 0 &&
	       strlen(state->path.text) == state->path.length &&
	       is_plain(state->path.text) &&
	       (state->is_used ||
		archive_parts(archiver->asked.options->mode)->sources == ARCHIVE_ALL) &&
	       archive_patterns_match(&archiver->asked.patterns, state->path.text);
}

static int end_class(struct class_state *state)
{
	struct archive_codes *codes = state->codes;
	struct archive_code *code;
	uint32_t *slot;

	if (!is_wanted(state))
		return 0;
	slot = idmap_add(&codes->index, idmap_text_key(IDMAP_KEY, state->path.text));
	if (!slot)
		return -ENOMEM;
	if (*slot != IDMAP_NONE)
		return 0;
	code = array_add(codes);
	if (!code)
		return -ENOMEM;
	*slot = (uint32_t)(codes->count - 1);
	*code = (struct archive_code){
		.path = arena_text(&codes->strings, state->path.text, state->path.length),
		.object = ARCHIVE_CLASSES,
		.member = state->member,
		.trust = ARCHIVE_TRUSTED,
	};
	return code->path ? 0 : -ENOMEM;
}

/* Begin with the class "Lpkg/Cell;". Other names are of types without a source. */
static int begin_class(struct class_state *state, const struct expt_class *class)
{
	int rc = end_class(state);

	strbuf_clear(&state->path);
	state->has_file = state->is_used = false;
	if (class->name_length > 2 && class->name[0] == 'L')
		class_source_path(&state->path, class->name + 1, class->name_length - 2,
				  class->detail, class->detail_length);
	return rc < 0 || state->path.failed ? -ENOMEM : 0;
}

static int take_location(struct class_state *state, const struct expt_class *class)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT;

	class_location_path(&path, class->detail, class->detail_length, class->name,
			    class->name_length);
	state->has_file = path.length > 0 && *path.text == '/';
	return path.failed ? -ENOMEM : 0;
}

static int take(struct class_state *state, const struct expt_class *class)
{
	uint64_t key;

	switch (class->kind) {
	case EXPT_CLASS:
		return begin_class(state, class);
	case EXPT_CLASS_LOCATION:
		return take_location(state, class);
	case EXPT_CLASS_METHOD:
		key = archive_method_key(state->expt, class->method_id);
		state->is_used |= idmap_find(&state->archiver->known.methods, key) !=
				  IDMAP_NONE;
		return 0;
	case EXPT_CLASS_LINES:
		break;
	}
	return 0;
}

/* Damage of the classes has been reported when their jars were listed. */
static int list_member(struct class_state *state)
{
	struct expt_classes *classes;
	struct expt_class class;
	int rc = 0;

	if (expt_classes_open(&classes, state->expt, NULL) < 0)
		return 0;
	while (rc == 0 && expt_classes_next(classes, &class, NULL) > 0)
		rc = take(state, &class);
	expt_classes_close(classes);
	return rc < 0 ? rc : end_class(state);
}

int archive_list_class_codes(struct archive_codes *codes, struct archiver *archiver)
{
	int rc = 0;

	for (size_t i = 0;
	     rc == 0 && archiver->known.has_java && i < archiver->known.members.count;
	     i++) {
		struct class_state state = {
			.codes = codes,
			.archiver = archiver,
			.member = i,
		};

		if (archive_open_member(&state.expt, archiver, i, NULL) < 0)
			continue;
		rc = list_member(&state);
		strbuf_release(&state.path);
		expt_close(state.expt);
	}
	return rc;
}

/* ---- their files ---- */

int archive_open_class_code(struct archiver *archiver, struct archive_source *source,
			    const char *path)
{
	struct archive_search search = { .search = &archiver->asked.options->search,
					 .path = path };
	char place[PATH_MAX];

	while (archive_search_next(&search, place)) {
		cleanup_archive_source struct archive_source found = ARCHIVE_SOURCE_INIT;

		if (archive_open_path(archiver, &found, place, ORIGIN_FOLLOW_LINK) < 0 ||
		    !class_source_fits(found.fd, path))
			continue;
		*source = found;
		found = (struct archive_source)ARCHIVE_SOURCE_INIT;
		source->real_path = arena_text(&archiver->strings, place, strlen(place));
		return source->real_path ? 0 : -ENOMEM;
	}
	return -ENOENT;
}

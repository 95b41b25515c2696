/* SPDX-License-Identifier: Apache-2.0 */
/* The names of members are untrusted: they are compared, entered and refused here, and
 * reach a path only after passing the checks. */
#include "libexpt/bundle/members.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/base/array.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/format.h"
#include "libexpt/layout/layout.h"

#define NAME_MAX_SIZE 256  /* of a component, including NUL */
#define PATH_MAX_SIZE 4096 /* of a whole name */
#define NAME_SHOWN    300  /* in messages, so that the reason fits as well */
#define ALIKE_MAX     1000 /* names with one key: more cannot be chance */

void members_init(struct members *members, const struct expt_import_options *options)
{
	*members = (struct members){ .credible = UINT64_MAX };
	limits_init(&members->limits, options);
}

void members_release(struct members *members)
{
	array_release(members);
	idmap_release(&members->by_name);
	arena_release(&members->strings);
}

/* Names crafted to have equal keys cost only time: the chain compares the names. */
static uint64_t key_of(const char *name, size_t length)
{
	return idmap_key(IDMAP_KEY, name, length);
}

static size_t find(const struct members *members, const char *name, size_t length,
		   unsigned *alike)
{
	uint32_t i = idmap_find(&members->by_name, key_of(name, length));
	size_t index = i == IDMAP_NONE ? MEMBER_NONE : i;

	for (*alike = 0; index != MEMBER_NONE; ++*alike) {
		const struct member *member = &members->items[index];

		if (strlen(member->name) == length &&
		    memcmp(member->name, name, length) == 0)
			break;
		index = member->next_of_key;
	}
	return index;
}

size_t members_find(const struct members *members, const char *name)
{
	unsigned alike;

	return find(members, name, strlen(name), &alike);
}

static int refuse(const struct tar_member *member, const char *reason,
		  struct expt_error *err)
{
	bool is_long = strlen(member->name) > NAME_SHOWN;

	return expt_refuse(err, -EPERM, "refused the member '%.*s%s': %s", NAME_SHOWN,
			   member->name, is_long ? "..." : "", reason);
}

/* ---- names ---- */

/* Copy the name without leading "./" and trailing "/", which tar writers add. It is empty
 * for the directory of which the tarball was made. */
static int plain_name(char *out, const struct tar_member *member, struct expt_error *err)
{
	const char *name = member->name;
	size_t length;

	if (text_has_controls(name))
		return refuse(member, "control characters in its name", err);
	if (*name == '/')
		return refuse(member, "its name is absolute", err);
	while (name[0] == '.' && name[1] == '/')
		name += 2 + strspn(name + 2, "/");
	if (strcmp(name, ".") == 0)
		name++;
	length = strlen(name);
	while (length > 0 && name[length - 1] == '/')
		length--;
	if (length >= PATH_MAX_SIZE)
		return refuse(member, "its name is too long", err);
	memcpy(out, name, length);
	out[length] = '\0';
	return 0;
}

static int check_components(const struct members *members, const char *name,
			    const struct tar_member *member, struct expt_error *err)
{
	unsigned depth = 0;

	for (const char *next = name; *next; next += *next == '/') {
		size_t length = strcspn(next, "/");

		if (length == 2 && memcmp(next, "..", 2) == 0)
			return refuse(member, "'..' in its name", err);
		if (length == 0 || (length == 1 && *next == '.'))
			return refuse(member, "empty component or '.' in its name", err);
		if (length >= NAME_MAX_SIZE)
			return refuse(member, "its name is too long", err);
		if (++depth > members->limits.max_depth)
			return refuse(member, "it is deeper than --max-depth allows",
				      err);
		next += length;
	}
	return 0;
}

/* ---- places in the layout of an experiment ---- */

static const char *component(char *out, const char *path)
{
	size_t length = strcspn(path, "/");

	memcpy(out, path, length);
	out[length] = '\0';
	return path[length] ? path + length + 1 : "";
}

static bool is_class_file(const char *path)
{
	const char *suffix = strrchr(path, '.');

	return suffix && strcmp(suffix, ".class") == 0;
}

/* Returns whether an experiment may have a member of this type at this path. */
static bool has_place(const char *path, enum tar_type type, bool is_descendant)
{
	char first[NAME_MAX_SIZE];
	const char *rest = component(first, path);
	bool is_directory = type == TAR_DIRECTORY;

	if (!*path)
		return is_directory;
	switch (layout_entry(first, is_descendant)) {
	case LAYOUT_FILE:
		return type == TAR_FILE && !*rest;
	case LAYOUT_ARCHIVES:
		return *rest ? !is_directory && !strchr(rest, '/') : is_directory;
	case LAYOUT_CLASSES:
		return is_directory || (type == TAR_FILE && *rest && is_class_file(rest));
	case LAYOUT_DESCENDANT:
		return *rest ? has_place(rest, type, true) : is_directory;
	default:
		return false;
	}
}

/* Accept ".../archives/x -> y": a link to a store kept in the experiment
 * itself. */
static bool is_our_link(const char *target)
{
	return *target && !strchr(target, '/') && strcmp(target, ".") != 0 &&
	       strcmp(target, "..") != 0 && strlen(target) < NAME_MAX_SIZE &&
	       !text_has_controls(target);
}

static int check_type(const struct tar_member *member, struct expt_error *err)
{
	switch (member->type) {
	case TAR_FILE:
	case TAR_DIRECTORY:
		break;
	case TAR_LINK:
		if (!is_our_link(member->target ? member->target : ""))
			return refuse(member, "a link that points outside the experiment",
				      err);
		break;
	case TAR_HARD_LINK:
		return refuse(member, "a hard link", err);
	case TAR_FIFO:
		return refuse(member, "a fifo", err);
	case TAR_DEVICE:
		return refuse(member, "a device", err);
	default:
		return refuse(member, "neither a file nor a directory", err);
	}
	if (member->mode & 06000)
		return refuse(member, "a set-id bit", err);
	return 0;
}

static int check_place(const char *name, const struct tar_member *member,
		       struct expt_error *err)
{
	char top[NAME_MAX_SIZE];
	const char *path = component(top, name);

	if (expt_name_is_group(top)) {
		if (*path || member->type != TAR_FILE)
			return refuse(member, "a group must be a regular file", err);
		if (member->size > MEMBERS_GROUP_MAX)
			return refuse(member, "too large for a group", err);
		return 0;
	}
	if (!expt_name_is_experiment(top))
		return refuse(member, "it is not inside a '*.er' directory", err);
	if (!has_place(path, member->type, false))
		return refuse(member, "an experiment has no such entry", err);
	return 0;
}

/* ---- limits ---- */

/* Check a file's size before its data is read: a header may promise anything. Holes take
 * no space, but no experiment has more of them than the largest may have data. */
static int check_bytes(const struct members *members, const struct tar_member *member,
		       uint64_t bytes, struct expt_error *err)
{
	uint64_t whole = limits_max_files(&members->limits);

	if (members->bytes > whole || bytes > whole - members->bytes)
		return refuse(member, "more bytes than --max-bytes allows", err);
	if (members->bytes + bytes > members->credible)
		return refuse(member, "it expands to more than --max-expansion allows",
			      err);
	return 0;
}

/* Every entry takes space and a name to remember, even a directory that is only part of a
 * name. */
static int check_entry(const struct members *members, size_t length,
		       const struct tar_member *member, struct expt_error *err)
{
	const struct limits *limits = &members->limits;

	if (members->count >= limits->max_entries)
		return refuse(member, "more members than --max-entries allows", err);
	if (length >= limits->max_names - members->names)
		return refuse(member, "the names are too long in total", err);
	if (members->data > limits->max_bytes ||
	    limits->max_bytes - members->data < LIMITS_ENTRY_BYTES)
		return refuse(member, "more bytes than --max-bytes allows", err);
	return check_bytes(members, member, LIMITS_ENTRY_BYTES, err);
}

int members_count_data(struct members *members, const char *name, uint64_t bytes,
		       struct expt_error *err)
{
	const struct tar_member member = { .name = name };

	if (bytes > members->limits.max_bytes - members->data)
		return refuse(&member, "more bytes than --max-bytes allows", err);
	members->data += bytes;
	return 0;
}

/* ---- the table ---- */

static int enter(struct members *members, const char *name, size_t length,
		 const struct tar_member *member, struct expt_error *err)
{
	int rc = check_entry(members, length, member, err);
	uint32_t *slot = rc < 0 ? NULL
				: idmap_add(&members->by_name, key_of(name, length));
	struct member *entry = slot ? array_add(members) : NULL;
	const char *slash;

	if (rc < 0)
		return rc;
	if (entry)
		entry->name = arena_text(&members->strings, name, length);
	if (!entry || !entry->name) {
		members->count -= entry != NULL;
		return expt_fail(err, -ENOMEM, "cannot remember the members");
	}
	members->names += length + 1;
	members->bytes += LIMITS_ENTRY_BYTES;
	members->data += LIMITS_ENTRY_BYTES;
	slash = strchr(entry->name, '/');
	entry->path = slash ? slash + 1 : "";
	entry->type = TAR_DIRECTORY;
	entry->mode = DIRECTORY_MODE;
	entry->is_implied = true;
	entry->mtime = member->mtime;
	entry->owner = MEMBER_NONE;
	entry->next_of_key = *slot == IDMAP_NONE ? MEMBER_NONE : *slot;
	*slot = (uint32_t)(members->count - 1);
	return 0;
}

/* Enter all directories above name that are not in the table yet. */
static int enter_parents(struct members *members, const char *name,
			 const struct tar_member *member, struct expt_error *err)
{
	for (const char *slash = strchr(name, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		size_t length = (size_t)(slash - name);
		unsigned alike;
		size_t index = find(members, name, length, &alike);
		int rc = 0;

		if (index == MEMBER_NONE)
			rc = enter(members, name, length, member, err);
		else if (members->items[index].type != TAR_DIRECTORY)
			rc = refuse(member,
				    "it is below a member that is not a directory", err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int fill(struct members *members, struct member *entry,
		const struct tar_member *member, struct expt_error *err)
{
	bool is_program = member->type == TAR_FILE && member->mode & 0111;

	entry->is_implied = false;
	entry->type = member->type;
	entry->mtime = member->mtime;
	entry->size = member->size;
	entry->place = member->place;
	entry->span = member->span;
	entry->mode = member->type == TAR_DIRECTORY || is_program ? DIRECTORY_MODE
								  : FILE_MODE;
	if (member->type != TAR_LINK)
		entry->mode &= member->mode | S_IRWXU;
	entry->is_manifest = member->type == TAR_FILE &&
			     strcmp(entry->path, EXPORT_MANIFEST) == 0;
	if (member->type == TAR_LINK) {
		entry->target = arena_text(&members->strings, member->target,
					   strlen(member->target));
		if (!entry->target)
			return expt_fail(err, -ENOMEM, "cannot remember the members");
	}
	members->bytes += member->size;
	return 1;
}

static int add(struct members *members, size_t *index, const char *name,
	       const struct tar_member *member, struct expt_error *err)
{
	struct member *entry;
	unsigned alike;
	int rc = enter_parents(members, name, member, err);

	if (rc < 0)
		return rc;
	*index = find(members, name, strlen(name), &alike);
	if (alike > ALIKE_MAX)
		return refuse(member, "too many names have the same hash", err);
	if (*index == MEMBER_NONE) {
		rc = enter(members, name, strlen(name), member, err);
		if (rc < 0)
			return rc;
		*index = members->count - 1;
		return fill(members, &members->items[*index], member, err);
	}
	entry = &members->items[*index];
	if (!entry->is_implied || member->type != TAR_DIRECTORY)
		return refuse(member, "duplicate name", err);
	return fill(members, entry, member, err);
}

int members_add(struct members *members, size_t *index, const struct tar_member *member,
		uint64_t consumed, uint64_t input_size, struct expt_error *err)
{
	char name[PATH_MAX_SIZE];
	int rc = plain_name(name, member, err);

	if (rc == 0)
		rc = check_components(members, name, member, err);
	if (rc == 0)
		rc = check_type(member, err);
	if (rc < 0)
		return rc;
	if (!*name)
		return member->type == TAR_DIRECTORY
			       ? 0
			       : refuse(member, "it has no name", err);
	rc = check_place(name, member, err);
	members->credible =
		limits_max_output(&members->limits, input_size ? input_size : consumed);
	if (rc == 0)
		rc = check_bytes(members, member, member->size, err);
	return rc < 0 ? rc : add(members, index, name, member, err);
}

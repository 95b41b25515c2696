/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists what goes into the bundle from one experiment. The sizes found here are those
 * that are written, even if files grow in the meantime.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libexpt/archives/store.h"
#include "libexpt/base/array.h"
#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/export/private.h"
#include "libexpt/format.h"
#include "libexpt/jit/files.h"
#include "libexpt/layout/layout.h"
#include "libexpt/rights/acl.h"

/* ---- items ---- */

static struct export_item *add_item(struct export_plan *plan, const char *name,
				    const struct tree_entry *entry, int dir,
				    struct expt_error *err)
{
	struct export_item *item = array_add(&plan->items);

	if (!item) {
		expt_fail(err, -ENOMEM, "cannot export '%s'", plan->path);
		return NULL;
	}
	*item = (struct export_item){
		.source = entry->type == DT_DIR ? EXPORT_DIRECTORY : EXPORT_FILE,
		.rank = export_rank(name, entry->type == DT_DIR),
		.name = name,
		.dir = dir,
		.path = entry->name,
		.size = entry->size,
		.allocated = entry->allocated,
		.mode = export_normal_mode(entry->type, entry->mode),
		.mtime = entry->mtime,
	};
	return item;
}

static int add_entry(struct export_plan *plan, const char *name,
		     const struct tree_entry *entry, int dir,
		     const struct expt_export_options *options, struct expt_error *err)
{
	struct export_item *item = add_item(plan, name, entry, dir, err);

	if (!item)
		return -ENOMEM;
	if (entry->type != DT_LNK)
		export_limit_readers(plan, item, entry, dir);
	else if (!export_follow_link(item, entry, plan, options))
		plan->items.count--;
	return 0;
}

/* ---- the experiment ---- */

static bool is_in_descendant(const char *name)
{
	char first[256];
	size_t length = strcspn(name, "/");

	if (length >= sizeof(first))
		return false;
	memcpy(first, name, length);
	first[length] = '\0';
	return layout_entry(first, false) == LAYOUT_DESCENDANT;
}

/* Sources are archived files that programs do not consist of: not an ELF file, a library,
 * a jar or a class, nor names of code made at run time. */
static bool is_source(struct export_plan *plan, const struct tree_entry *entry)
{
	static const char *const heads[] = { "\177ELF", "!<arch>", "PK",
					     "\xca\xfe\xba\xbe" };
	const char *name = strchr(entry->name, '/');
	cleanup_fd int fd = -1;
	struct origin origin;
	struct stat status;
	char head[4096] = "";
	ssize_t got;

	if (strncmp(entry->name, ARCHIVES_DIR "/", sizeof(ARCHIVES_DIR)) != 0 ||
	    entry->type == DT_DIR || strcmp(name + 1, MANIFEST_FILE) == 0)
		return false;
	fd = entry->type == DT_LNK
		     ? export_open_linked(&origin, &status, plan, entry->target)
		     : io_open_regular(plan->archives, name + 1);
	got = fd < 0 ? -1 : io_pread_full(fd, head, sizeof(head), 0);
	if (got < 0)
		return false; /* reported when the file is written */
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (memcmp(head, heads[i], strlen(heads[i])) == 0)
			return false;
	return !jit_file_begins(head, (size_t)got);
}

/* A bundle has one manifest, which is made by the export. */
static bool is_left_out(struct export_plan *plan, const struct tree_entry *entry,
			const struct expt_export_options *options)
{
	return strcmp(entry->name, EXPORT_MANIFEST) == 0 ||
	       (options->without_descendants && is_in_descendant(entry->name)) ||
	       (options->without_sources && is_source(plan, entry));
}

static int add_tree(struct export_plan *plan, const struct expt_export_options *options,
		    struct expt_error *err)
{
	const char *left_out = options->without_archives ? ARCHIVES_DIR : NULL;
	int rc = operand_list(&plan->tree, &plan->operand, left_out, err);

	operand_close_directories(&plan->operand); /* because there may be many plans */
	for (size_t i = 0; rc == 0 && i < plan->tree.count; i++) {
		const struct tree_entry *entry = &plan->tree.items[i];

		if (!is_left_out(plan, entry, options))
			rc = add_entry(plan, entry->name, entry, plan->operand.dir,
				       options, err);
	}
	return rc;
}

/* A descendant exported alone takes the archives of its founder along. */
static int add_founders_archives(struct export_plan *plan,
				 const struct expt_export_options *options,
				 struct expt_error *err)
{
	struct tree *tree = &plan->founder_archives;
	int rc;

	if (!plan->operand.is_descendant || plan->archives < 0 ||
	    options->without_archives)
		return 0;
	rc = tree_read(tree, plan->operand.parent, NULL, err);
	for (size_t i = 0; rc == 0 && i < tree->count; i++) {
		const struct tree_entry *entry = &tree->items[i];

		if ((strcmp(entry->name, ARCHIVES_DIR) == 0 ||
		     strncmp(entry->name, ARCHIVES_DIR "/", sizeof(ARCHIVES_DIR)) == 0) &&
		    !is_left_out(plan, entry, options))
			rc = add_entry(plan, entry->name, entry, plan->operand.parent,
				       options, err);
	}
	return rc;
}

static struct export_item *find_item(const struct export_plan *plan, const char *name)
{
	for (size_t i = 0; i < plan->items.count; i++)
		if (strcmp(plan->items.items[i].name, name) == 0)
			return &plan->items.items[i];
	return NULL;
}

static bool has_item(const struct export_plan *plan, const char *name)
{
	return find_item(plan, name) != NULL;
}

static struct export_item *add_made_item(struct export_plan *plan,
					 enum export_source source, const char *name,
					 struct expt_error *err)
{
	struct tree_entry entry = { .type = DT_REG, .mtime = plan->tree.items[0].mtime };
	struct export_item *item = add_item(plan, name, &entry, -1, err);

	if (item)
		item->source = source;
	return item;
}

/* A copy with that name exists only if it is the wrong one: replace it. */
static int add_copy(struct export_plan *plan, const struct export_object *object,
		    struct expt_error *err)
{
	struct export_item *item = find_item(plan, object->copy_name);

	if (!item)
		item = add_made_item(plan, EXPORT_OBJECT, object->copy_name, err);
	if (!item)
		return -ENOMEM;
	item->source = EXPORT_OBJECT;
	item->object = object;
	item->size = (uint64_t)object->status.st_size;
	item->allocated = (uint64_t)object->status.st_blocks * 512;
	item->mode = export_normal_mode(DT_REG, object->status.st_mode);
	item->mtime = object->status.st_mtim;
	export_limit_readers_by_origin(plan, item, &object->origin);
	return 0;
}

static int add_description(struct export_plan *plan, const struct export_object *object,
			   struct expt_error *err)
{
	struct export_item *item =
		add_made_item(plan, EXPORT_DESCRIPTION, object->description_name, err);

	if (!item)
		return -ENOMEM;
	item->object = object;
	item->mtime = object->status.st_mtim;
	item->mode = origin_limit(&object->origin, (gid_t)-1, item->mode);
	origin_join(&plan->readers, &object->origin);
	return 0;
}

static int add_object(struct export_plan *plan, const struct export_object *object,
		      struct expt_error *err)
{
	int rc = *object->copy_name ? add_copy(plan, object, err) : 0;

	if (rc < 0 || !*object->description_name ||
	    has_item(plan, object->description_name))
		return rc;
	return add_description(plan, object, err);
}

/* Make the manifest of the archives, with lines for the added objects. */
static int replace_manifest(struct export_plan *plan, struct expt_error *err)
{
	static const char name[] = ARCHIVES_DIR "/" MANIFEST_FILE;

	struct export_item *item = find_item(plan, name);

	if (!item)
		item = add_made_item(plan, EXPORT_ARCHIVES_MANIFEST, name, err);
	if (!item)
		return -ENOMEM;
	item->source = EXPORT_ARCHIVES_MANIFEST;
	if (plan->objects->archiver.to.has_private)
		item->mode &= S_IRWXU;
	return 0;
}

static int add_archives_directory(struct export_plan *plan, struct expt_error *err)
{
	struct tree_entry entry = plan->tree.items[0];
	struct export_item *item;

	if (has_item(plan, ARCHIVES_DIR))
		return 0;
	item = add_item(plan, ARCHIVES_DIR, &entry, plan->operand.dir, err);
	if (!item)
		return -ENOMEM;
	export_limit_readers(plan, item, &entry, plan->operand.dir);
	return 0;
}

/* Add load objects that the archives lack. Without a map none are known. */
static int add_missing_objects(struct export_plan *plan,
			       const struct expt_export_options *options,
			       struct expt_error *err)
{
	int rc;

	if (options->mode == EXPT_ARCHIVE_OFF || options->without_archives ||
	    !has_item(plan, LOAD_MAP_FILE))
		return 0;
	rc = export_objects_open(&plan->objects, plan->resolved, plan->archives, options,
				 err);
	for (size_t i = 0; rc == 0 && i < plan->objects->taken.count; i++)
		rc = add_object(plan, &plan->objects->taken.items[i], err);
	if (rc < 0 || plan->objects->taken.count == 0)
		return rc;
	rc = add_archives_directory(plan, err);
	return rc < 0 ? rc : replace_manifest(plan, err);
}

static int open_archives(struct export_plan *plan, struct expt_error *err)
{
	const struct operand *operand = &plan->operand;
	int dir = operand->is_descendant ? operand->parent : operand->dir;

	plan->archives = io_open_beneath(dir, ARCHIVES_DIR, O_RDONLY | O_DIRECTORY, 0);
	if (plan->archives < 0 && plan->archives != -ENOENT)
		return expt_fail(err, plan->archives, "cannot open '%s/%s'", plan->path,
				 ARCHIVES_DIR);
	return 0;
}

static int open_experiment(struct export_plan *plan, struct expt_error *err)
{
	int rc;

	plan->resolved = operand_resolve(plan->path);
	if (!plan->resolved)
		return expt_fail(err, -errno, "cannot open '%s'", plan->path);
	rc = operand_open(&plan->operand, plan->resolved, err);
	if (rc == 0)
		rc = operand_read_log(&plan->operand, plan->resolved, err);
	memcpy(plan->top, plan->operand.name, sizeof(plan->top));
	return rc < 0 ? rc : open_archives(plan, err);
}

/* Readers show notes first, so anyone who opens the imported experiment sees its origin.
 */
static int add_mark(struct export_plan *plan, struct expt_error *err)
{
	char founder[PATH_MAX];
	struct export_item *item;

	if (!plan->operand.is_descendant || has_item(plan, NOTES_FILE))
		return 0;
	operand_parent_name(founder, &plan->operand);
	if (asprintf(&plan->mark, "descendant %s of %s, exported separately\n", plan->top,
		     founder) < 0) {
		plan->mark = NULL;
		return expt_fail(err, -ENOMEM, "cannot export '%s'", plan->path);
	}
	item = add_made_item(plan, EXPORT_MARK, NOTES_FILE, err);
	if (!item)
		return -ENOMEM;
	item->size = strlen(plan->mark);
	return 0;
}

/* Refuse names that er_import would refuse: by then the experiment may be gone. */
static int check_names(const struct export_plan *plan, struct expt_error *err)
{
	const char *bad = text_has_controls(plan->top) ? plan->top : NULL;

	for (size_t i = 0; !bad && i < plan->items.count; i++)
		if (text_has_controls(plan->items.items[i].name))
			bad = plan->items.items[i].name;
	return bad ? expt_refuse(
			     err, -EINVAL,
			     "cannot export '%s': its name contains control characters",
			     bad)
		   : 0;
}

/* ---- all of it ---- */

static int add_all(struct export_plan *plan, const struct expt_export_options *options,
		   struct expt_error *err)
{
	int rc = add_tree(plan, options, err);

	if (rc == 0)
		rc = add_founders_archives(plan, options, err);
	if (rc == 0)
		rc = operand_check_name(&plan->operand, err);
	if (rc == 0)
		rc = add_mark(plan, err);
	if (rc == 0)
		rc = add_missing_objects(plan, options, err);
	if (rc == 0 && options->anonymize)
		rc = export_plan_anonymize(plan, options->operation.report, err);
	return rc < 0 ? rc : check_names(plan, err);
}

/* Many plans may be open, each with the directories that it has judged. */
void export_plan_rest(struct export_plan *plan)
{
	if (plan->access.origins)
		origins_forget(plan->access.origins);
	if (plan->objects)
		origins_forget(plan->objects->archiver.to.access.origins);
}

int export_plan_read(struct export_plan *plan, const char *path,
		     const struct expt_export_options *options, struct expt_error *err)
{
	int rc;

	*plan = (struct export_plan){ .path = path,
				      .operand = OPERAND_INIT,
				      .archives = -1 };
	rc = open_experiment(plan, err);
	if (rc < 0)
		return rc;
	rc = add_all(plan, options, err);
	if (rc < 0)
		return expt_fail_in(err, rc, "'%s'", path);
	export_sort(plan->items.items, plan->items.count);
	if (plan->operand.is_live)
		expt_report_add(
			options->operation.report, EXPT_NOTE, path,
			"still being recorded: the bundle contains its current state");
	export_plan_rest(plan);
	return 0;
}

void export_plan_release(struct export_plan *plan)
{
	array_release(&plan->items);
	export_objects_close(plan->objects);
	tree_release(&plan->tree);
	tree_release(&plan->founder_archives);
	anonymizer_release(&plan->anonymizer);
	operand_release(&plan->operand);
	access_close(&plan->access);
	free(plan->resolved);
	free(plan->mark);
	if (plan->archives >= 0)
		close(plan->archives);
}

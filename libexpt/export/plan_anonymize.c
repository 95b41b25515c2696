/* SPDX-License-Identifier: Apache-2.0 */
/* Learns the names to be removed from a bundle, and decides which of its files may
 * contain them. */
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/base/path.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/export/private.h"
#include "libexpt/format.h"

static bool is_called(const struct export_item *item, const char *name)
{
	return item->source == EXPORT_FILE && strcmp(path_base(item->name), name) == 0;
}

static bool is_archived(const struct export_item *item)
{
	return text_starts_with(item->name, ARCHIVES_DIR "/");
}

/* Texts of the experiment, except for the map, whose paths readers need unchanged. */
static bool may_name_somebody(const struct export_item *item)
{
	if (is_archived(item) || is_called(item, LOAD_MAP_FILE))
		return false;
	return is_called(item, ARCHIVE_LOG_FILE) || is_called(item, NOTES_FILE) ||
	       is_called(item, IFREQ_FILE) ||
	       (item->source == EXPORT_FILE && text_ends_with(item->name, ".xml"));
}

static int learn_from(struct export_plan *plan, const struct export_item *item,
		      struct expt_error *err)
{
	cleanup_fd int fd = io_open_regular(item->dir, item->path);
	int rc = fd < 0 ? expt_fail(err, fd, "cannot open")
			: anonymizer_read(&plan->anonymizer, fd, item->size, err);

	return rc < 0 ? expt_fail_in(err, rc, "'%s'", item->name) : 0;
}

static int names_somebody(const struct export_plan *plan, const struct export_item *item,
			  struct expt_error *err)
{
	const char *name = *item->name ? item->name : plan->top;
	cleanup_fd int fd = -1;
	int rc;

	if (anonymizer_contains_word(&plan->anonymizer, name, strlen(name)))
		return 1;
	if (!is_called(item, LOAD_MAP_FILE))
		return 0;
	fd = io_open_regular(item->dir, item->path);
	rc = fd < 0 ? expt_fail(err, fd, "cannot open")
		    : anonymizer_search_map(&plan->anonymizer, fd, item->size, err);
	return rc < 0 ? expt_fail_in(err, rc, "'%s'", item->name) : rc;
}

/* The user must know what could not be replaced before giving the bundle away. */
static int say_what_stays(const struct export_plan *plan, struct expt_report *report,
			  struct expt_error *err)
{
	size_t count = 0, first = 0;

	for (size_t i = 0; i < plan->items.count; i++) {
		int rc = names_somebody(plan, &plan->items.items[i], err);

		if (rc < 0)
			return rc;
		if (rc > 0 && count++ == 0)
			first = i;
	}
	if (count > 0)
		expt_report_add(
			report, EXPT_NOTE, plan->path,
			"not anonymous: paths of load objects and names of files are "
			"kept, and contain words replaced elsewhere, in '%s'%s",
			*plan->items.items[first].name ? plan->items.items[first].name
						       : plan->top,
			count > 1 ? " and others" : "");
	return 0;
}

static int learn_all(struct export_plan *plan, struct expt_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->items.count; i++) {
		const struct export_item *item = &plan->items.items[i];

		if (is_called(item, LOG_FILE) || is_called(item, LOAD_MAP_FILE))
			rc = learn_from(plan, item, err);
	}
	return rc;
}

int export_plan_anonymize(struct export_plan *plan, struct expt_report *report,
			  struct expt_error *err)
{
	int rc = learn_all(plan, err);

	if (rc == 0)
		rc = say_what_stays(plan, report, err);
	for (size_t i = 0; rc == 0 && i < plan->items.count; i++)
		if (may_name_somebody(&plan->items.items[i]))
			plan->items.items[i].source = EXPORT_ANONYMIZED;
	return rc;
}

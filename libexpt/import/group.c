/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/import/private.h"

#include <errno.h>
#include <string.h>

#include "libexpt/base/cleanup.h"
#include "libexpt/base/io.h"
#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"
#include "libexpt/stage/output.h"

#define NAME_SHOWN 200 /* length of a name in a message */

int import_read_group(struct import *import, struct target *target, struct member *member,
		      struct expt_error *err)
{
	int rc = unpack_text(&target->group, &import->from, MEMBERS_GROUP_MAX, member,
			     err);

	if (rc == 0 &&
	    strncmp(target->group, GROUP_HEADER, sizeof(GROUP_HEADER) - 1) != 0)
		return expt_refuse(err, -EPERM,
				   "refused the member '%s': it is not a group",
				   member->name);
	return rc;
}

/* Returns the name that an experiment of a group has here, or NULL if it was not in the
 * bundle. */
static const char *final_name(const struct import *import, const char *line,
			      size_t length)
{
	while (length > 0 && line[length - 1] == '/')
		length--;
	for (size_t start = length; start-- > 0;)
		if (line[start] == '/') {
			line += start + 1;
			length -= start + 1;
			break;
		}
	for (size_t i = 0; i < import->targets.count; i++) {
		const struct target *target = &import->targets.items[i];

		if (!target->group && strlen(target->top) == length &&
		    memcmp(target->top, line, length) == 0)
			return target->final;
	}
	return NULL;
}

static void write_line(struct strbuf *text, const struct import *import,
		       const struct target *target, const char *line, size_t length)
{
	const char *name = NULL;
	bool is_name = *line != '#';

	while (length > 0 && strchr(" \t\r", line[length - 1]))
		length--;
	if (is_name && length > 0)
		name = final_name(import, line, length);
	if (name)
		strbuf_add_text(text, name);
	else if (!is_name || length == 0)
		strbuf_add(text, line, length);
	else
		expt_report_add(
			import->options->operation.report, EXPT_NOTE, target->final,
			"left out '%.*s': it is in the group but not in the bundle",
			(int)(length < NAME_SHOWN ? length : NAME_SHOWN), line);
	if (name || !is_name || length == 0)
		strbuf_add_char(text, '\n');
}

/* The experiments of the bundle are next to the group now, perhaps under other names.
 * Lines with other names are dropped: they lead nowhere, or to experiments here that do
 * not belong to the group and would be lost when the group is removed. */
static void write_group_text(struct strbuf *text, const struct import *import,
			     const struct target *target)
{
	for (const char *line = target->group; *line;) {
		size_t length = strcspn(line, "\n");

		write_line(text, import, target, line, length);
		line += length + (line[length] == '\n');
	}
}

static int commit_group(struct import *import, const struct target *target,
			struct expt_error *err)
{
	cleanup_strbuf struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;
	cleanup_output struct output output = OUTPUT_INIT;
	bool replace = import->options->replace;
	int rc = import_path(&path, import, target->final, err);

	write_group_text(&text, import, target);
	if (text.failed)
		return expt_fail(err, -ENOMEM, "cannot unpack '%s'", target->top);
	if (rc == 0)
		rc = output_open(&output, path.text, replace, err);
	if (rc < 0)
		return rc;
	rc = io_write_all(output.file.fd, text.text, text.length);
	return rc < 0 ? expt_fail(err, rc, "cannot write '%s'", target->final)
		      : output_commit(&output, replace, err);
}

int import_commit_groups(struct import *import, struct expt_error *err)
{
	for (size_t i = 0; import_writes(import) && i < import->targets.count; i++) {
		const struct target *target = &import->targets.items[i];
		int rc = target->group ? commit_group(import, target, err) : 0;

		if (rc < 0)
			return rc;
	}
	return 0;
}

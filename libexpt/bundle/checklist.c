/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/bundle/checklist.h"

#include <errno.h>
#include <string.h>

#include "libexpt/common/error.h"
#include "libexpt/common/report.h"
#include "libexpt/format.h"

void checklist_start(struct strbuf *text)
{
	strbuf_add_text(text, EXPORT_MANIFEST_HEADER "\n");
}

/* Backslashes in a name are doubled, and a backslash in front of the line marks that. */
void checklist_add(struct strbuf *text, const char *name, const unsigned char *sum)
{
	char hex[DIGEST_TEXT];

	if (strchr(name, '\\'))
		strbuf_add_char(text, '\\');
	digest_text(hex, sum);
	strbuf_add_text(text, hex);
	strbuf_add_text(text, "  ");
	for (; *name; name++) {
		if (*name == '\\')
			strbuf_add_char(text, '\\');
		strbuf_add_char(text, *name);
	}
	strbuf_add_char(text, '\n');
}

struct check {
	struct members *members;
	size_t first;
	struct expt_report *report;
	struct expt_error *err;
	int code;
};

/* Add every difference to the report, and the first one also to err. */
static void differs(struct check *check, enum expt_outcome outcome, const char *name,
		    const char *what)
{
	expt_report_add(check->report, outcome, name, "%s", what);
	if (check->code == 0)
		check->code = expt_refuse(check->err, -EBADMSG, "'%s': %s", name, what);
}

/* Undo the doubling of backslashes, in place. False if there are other escapes. */
static bool unescape(char *name)
{
	char *out = name;

	for (; *name; name++) {
		if (*name == '\\' && *++name != '\\')
			return false;
		*out++ = *name;
	}
	*out = '\0';
	return true;
}

static bool parse_line(char *line, unsigned char *sum, char **name)
{
	bool is_escaped = *line == '\\';
	size_t hex = DIGEST_TEXT - 1;

	line += is_escaped;
	if (!digest_parse(sum, line) || line[hex] != ' ' ||
	    (line[hex + 1] != ' ' && line[hex + 1] != '*'))
		return false;
	*name = line + hex + 2;
	return **name && (!is_escaped || unescape(*name));
}

static void check_line(struct check *check, const char *name, const unsigned char *sum)
{
	size_t index = members_find(check->members, name);
	struct member *member;

	if (index == MEMBER_NONE || index < check->first ||
	    check->members->items[index].type != TAR_FILE) {
		differs(check, EXPT_MISSING, name,
			"in the manifest but not in the bundle");
		return;
	}
	member = &check->members->items[index];
	if (member->is_listed)
		differs(check, EXPT_CHANGED, name, "listed twice in the manifest");
	else if (memcmp(member->sum, sum, DIGEST_SIZE) != 0)
		differs(check, EXPT_CHANGED, name,
			"its checksum does not match the manifest");
	member->is_listed = true;
}

/* Lines of a checklist, split off its text. */
struct lines {
	char *next;
	unsigned long number;
	struct expt_error *err;
};

static int not_ours(const struct lines *lines)
{
	return expt_refuse(lines->err, -EBADMSG,
			   EXPORT_MANIFEST ":%lu: improperly formatted line",
			   lines->number);
}

static char *next_line(struct lines *lines)
{
	char *line = lines->next, *end = strchr(line, '\n');

	lines->number++;
	if (!end)
		return NULL;
	*end = '\0';
	lines->next = end + 1;
	return line;
}

static int read_header(struct lines *lines)
{
	const char *line = next_line(lines);

	return line && strcmp(line, EXPORT_MANIFEST_HEADER) == 0 ? 0 : not_ours(lines);
}

/* Returns 1 with the sum and name of the next line, 0 at the end. */
static int read_sum(struct lines *lines, unsigned char *sum, char **name)
{
	while (*lines->next) {
		char *line = next_line(lines);

		if (line && *line == '#')
			continue;
		return line && parse_line(line, sum, name) ? 1 : not_ours(lines);
	}
	return 0;
}

int checklist_copy_sums(struct members *members, char *text, struct expt_error *err)
{
	struct lines lines = { text, 0, err };
	unsigned char sum[DIGEST_SIZE];
	int rc = read_header(&lines);
	char *name;

	if (rc < 0)
		return rc;
	while ((rc = read_sum(&lines, sum, &name)) > 0) {
		size_t index = members_find(members, name);
		struct member *member;

		if (index == MEMBER_NONE || members->items[index].is_listed)
			continue;
		member = &members->items[index];
		member->is_listed = true;
		memcpy(member->sum, sum, DIGEST_SIZE);
	}
	return rc;
}

int checklist_check(struct members *members, size_t first, char *text,
		    struct expt_report *report, struct expt_error *err)
{
	struct check check = { members, first, report, err, 0 };
	struct lines lines = { text, 0, err };
	unsigned char sum[DIGEST_SIZE];
	int rc = read_header(&lines);
	char *name;

	while (rc == 0 && (rc = read_sum(&lines, sum, &name)) > 0) {
		check_line(&check, name, sum);
		rc = 0;
	}
	if (rc < 0)
		return rc;
	for (size_t i = first; i < members->count; i++) {
		const struct member *member = &members->items[i];

		if (member->type == TAR_FILE && !member->is_listed &&
		    !member->is_manifest)
			differs(&check, EXPT_REFUSED, member->name,
				"not in the manifest");
	}
	return check.code;
}

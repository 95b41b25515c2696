/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/checklist.h"

#include <errno.h>
#include <string.h>

#include "libexpt/error.h"
#include "libexpt/format.h"
#include "libexpt/report.h"

void checklist_start(struct strbuf *text)
{
	strbuf_add_text(text, EXPORT_MANIFEST_HEADER "\n");
}

/* A backslash in a name is doubled, and a backslash in front of the line says so. */
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

/* Every difference goes into the report, the first one also into err. */
static void differs(struct check *check, enum expt_outcome outcome, const char *name,
		    const char *what)
{
	expt_report_add(check->report, outcome, name, "%s", what);
	if (check->code == 0)
		check->code = expt_fail(check->err, -EBADMSG, "'%s': %s", name, what);
}

/* Undo the doubling of backslashes, in place. False: there are other escapes. */
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
			"is in the manifest and not in the bundle");
		return;
	}
	member = &check->members->items[index];
	if (member->is_listed)
		differs(check, EXPT_CHANGED, name, "is in the manifest twice");
	else if (memcmp(member->sum, sum, DIGEST_SIZE) != 0)
		differs(check, EXPT_CHANGED, name,
			"its checksum is not that of the manifest");
	member->is_listed = true;
}

static int not_ours(struct check *check, unsigned long line)
{
	return expt_fail(check->err, -EBADMSG, EXPORT_MANIFEST ":%lu: not in its form",
			 line);
}

int checklist_check(struct members *members, size_t first, char *text,
		    struct expt_report *report, struct expt_error *err)
{
	struct check check = { members, first, report, err, 0 };
	unsigned char sum[DIGEST_SIZE];
	unsigned long number = 0;

	for (char *line = text, *end, *name; *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return not_ours(&check, number + 1);
		*end = '\0';
		if (number++ == 0) {
			if (strcmp(line, EXPORT_MANIFEST_HEADER) != 0)
				return not_ours(&check, number);
		} else if (*line != '#') {
			if (!parse_line(line, sum, &name))
				return not_ours(&check, number);
			check_line(&check, name, sum);
		}
	}
	if (number == 0)
		return not_ours(&check, 1);
	for (size_t i = first; i < members->count; i++) {
		const struct member *member = &members->items[i];

		if (member->type == TAR_FILE && !member->is_listed && !member->is_manifest)
			differs(&check, EXPT_REFUSED, member->name,
				"is not in the manifest");
	}
	return check.code;
}

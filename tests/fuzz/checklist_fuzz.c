/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz the manifest of a bundle: it passes only if it lists exactly the files of the
 * bundle. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/bundle/checklist.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char *const names[] = { "x.er/log.xml", "x.er/archives/a\\b" };

static void add(struct members *members, const char *name)
{
	struct tar_member member = { .name = name, .type = TAR_FILE };
	size_t index;

	if (members_add(members, &index, &member, 0, 0, NULL) != 1)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct expt_report *report = expt_report_new();
	char *text = malloc(size + 1);
	struct members members;
	int rc;

	if (!text || !report)
		abort();
	memcpy(text, bytes, size);
	text[size] = '\0';
	members_init(&members, &(struct expt_import_options){ 0 });
	for (size_t i = 0; i < 2; i++)
		add(&members, names[i]);
	rc = checklist_check(&members, 0, text, report, NULL);
	for (size_t i = 0; rc == 0 && i < members.count; i++)
		if (members.items[i].type == TAR_FILE && !members.items[i].is_listed)
			abort();
	if (rc == 0 && !expt_report_is_complete(report))
		abort();
	members_release(&members);
	expt_report_free(report);
	free(text);
	return 0;
}

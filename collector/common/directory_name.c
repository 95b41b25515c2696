/* SPDX-License-Identifier: Apache-2.0 */

#include "collector/common/directory_name.h"

void directory_name_add(struct text *path, const char *lineage, bool is_hidden)
{
	if (is_hidden)
		text_add(path, ".");
	text_add(path, lineage);
	text_add(path,
		 is_hidden ? EXPERIMENT_SUFFIX RECORDER_PART_SUFFIX : EXPERIMENT_SUFFIX);
}

void directory_name_add_file(struct text *path, const char *lineage, const char *name,
			     bool is_hidden)
{
	if (lineage[0] != '\0') {
		directory_name_add(path, lineage, is_hidden);
		text_add(path, "/");
	}
	text_add(path, name);
}

struct text directory_name(char buffer[DIRECTORY_NAME_SIZE], const char *lineage,
			   bool is_hidden)
{
	struct text name = text_on(buffer, DIRECTORY_NAME_SIZE);

	directory_name_add(&name, lineage, is_hidden);
	return name;
}

bool directory_name_can_hide(const char *lineage)
{
	char buffer[DIRECTORY_NAME_SIZE];

	return directory_name(buffer, lineage, true).length <= NAME_MAX;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "er_export/formats/formats.h"

#include <string.h>

#include "er_export/formats/private.h"

static const struct format *const formats[] = {
	&pprof_format,	&collapsed_format, &speedscope_format, &firefox_format,
	&chrome_format, &callgrind_format, &csv_format,	       &json_format,
};
enum { FORMATS = sizeof(formats) / sizeof(*formats) };

const struct format *format_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	return NULL;
}

const char *format_name(size_t i)
{
	return i < FORMATS ? formats[i]->name : NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Removes the words from logs and maps. */
#ifndef LIBEXPT_EXPORT_ANONYMIZE_XML_H
#define LIBEXPT_EXPORT_ANONYMIZE_XML_H

#include "libexpt/export/anonymize_words.h"
#include "libexpt/expt.h"

/* The parts that could not be parsed and are missing from the result. */
struct anonymizer_damage {
	size_t count;
	unsigned line; /* of the first */
	char what[160];
};

/* Like anonymizer_add(), for XML. -ENOMEM */
int anonymizer_add_xml(struct strbuf *out, const struct anonymizer *anonymizer,
		       const char *text, size_t length, struct anonymizer_damage *damage,
		       struct expt_error *err);

#endif

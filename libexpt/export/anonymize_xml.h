/* SPDX-License-Identifier: Apache-2.0 */
/* Logs and maps without the words. */
#ifndef LIBEXPT_EXPORT_ANONYMIZE_XML_H
#define LIBEXPT_EXPORT_ANONYMIZE_XML_H

#include "libexpt/export/anonymize_words.h"
#include "libexpt/expt.h"

/* What could not be understood, and so is not in the result. */
struct anonymizer_damage {
	size_t count;
	unsigned line; /* of the first */
	char what[160];
};

/* As anonymizer_add(), with XML. -ENOMEM */
int anonymizer_add_xml(struct strbuf *out, const struct anonymizer *anonymizer,
		       const char *text, size_t length, struct anonymizer_damage *damage,
		       struct expt_error *err);

#endif

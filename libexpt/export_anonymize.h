/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of an experiment without the host, the user and the working directory. What they are called is
 * learnt from the logs: the host, the directory, and who has a home in it or in a command line. They are
 * replaced where an XML file has free text, and anywhere in others, as whole words, so that no tag and
 * no keyword of ours changes, whatever a host is called.
 */
#ifndef LIBEXPT_EXPORT_ANONYMIZE_H
#define LIBEXPT_EXPORT_ANONYMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/base/strbuf.h"
#include "libexpt/expt.h"

struct anonymizer {
	struct anonymizer_word {
		char *text;
		size_t length;
		const char *neutral;
	} * items; /* longest first */
	size_t count, capacity;
};

void anonymizer_release(struct anonymizer *anonymizer);
/* From the text of a log. False: out of memory. */
bool anonymizer_learn(struct anonymizer *anonymizer, const char *text, size_t length);
/* text with the words replaced, behind what out has. */
void anonymizer_add(struct strbuf *out, const struct anonymizer *anonymizer,
		    const char *text, size_t length, bool is_xml);

/* The first size bytes of the file from, replaced, in a descriptor of its own; *size becomes that of
 * the result. */
int anonymizer_copy(const struct anonymizer *anonymizer, int from, uint64_t *size,
		    bool is_xml, struct expt_error *err);
/* Learn from the first size bytes of the log. */
int anonymizer_read(struct anonymizer *anonymizer, int log, uint64_t size,
		    struct expt_error *err);

#endif

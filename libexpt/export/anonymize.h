/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of an experiment without the host, the user and the working directory. What they
 * are called is learnt from the logs and maps: the host, the directory, and who has a
 * home in any text of them. They are replaced as whole words: anywhere in plain texts,
 * and in XML files wherever a value is neither a number nor a keyword of ours, whatever a
 * host is called.
 *
 * XML is written anew, from what was understood of it: what was not may name somebody in
 * a way that nobody can see, and is left out.
 */
#ifndef LIBEXPT_EXPORT_ANONYMIZE_H
#define LIBEXPT_EXPORT_ANONYMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/export/anonymize_xml.h"

void anonymizer_release(struct anonymizer *anonymizer);
/* From the XML of a log or a map. -ENOMEM; -E2BIG: too many names. */
int anonymizer_learn(struct anonymizer *anonymizer, const char *text, size_t length,
		     struct expt_error *err);
/* The first size bytes of the file from, replaced, in a descriptor of its own; *size
 * becomes that of the result. */
int anonymizer_copy(const struct anonymizer *anonymizer, int from, uint64_t *size,
		    bool is_xml, struct anonymizer_damage *damage,
		    struct expt_error *err);
/* Learn from the first size bytes of the log or map. */
int anonymizer_read(struct anonymizer *anonymizer, int log, uint64_t size,
		    struct expt_error *err);
/* Whether one of the words is in the first size bytes of the map, which is not replaced;
 * negative on error. */
int anonymizer_looks(const struct anonymizer *anonymizer, int map, uint64_t size,
		     struct expt_error *err);

#endif

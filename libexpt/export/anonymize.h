/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Removes the host, the user and the working directory from the texts of an experiment.
 * Their names are learnt from the logs and maps: the host, the directory, and the owner
 * of any home directory mentioned in them. They are replaced as whole words: anywhere in
 * plain texts, and in XML files in all values that are neither numbers nor keywords of
 * the format, even if a host has the name of a keyword.
 *
 * XML is written again from the parsed elements. Anything that the parser does not
 * understand might hide a name, and is left out.
 */
#ifndef LIBEXPT_EXPORT_ANONYMIZE_H
#define LIBEXPT_EXPORT_ANONYMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libexpt/export/anonymize_xml.h"

void anonymizer_release(struct anonymizer *anonymizer);
/* Learn from the XML of a log or a map. -ENOMEM; -E2BIG: too many names. */
int anonymizer_learn(struct anonymizer *anonymizer, const char *text, size_t length,
		     struct expt_error *err);
/* Copy the first size bytes of the file from, with the words replaced. Returns a
 * descriptor of the copy; *size becomes its size. */
int anonymizer_copy(const struct anonymizer *anonymizer, int from, uint64_t *size,
		    bool is_xml, struct anonymizer_damage *damage,
		    struct expt_error *err);
/* Learn from the first size bytes of the log or map. */
int anonymizer_read(struct anonymizer *anonymizer, int log, uint64_t size,
		    struct expt_error *err);
/* Returns whether one of the words is in the first size bytes of the map, which is kept
 * as it is; negative on error. */
int anonymizer_search_map(const struct anonymizer *anonymizer, int map, uint64_t size,
			  struct expt_error *err);

#endif

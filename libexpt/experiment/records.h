/* SPDX-License-Identifier: Apache-2.0 */
/* Event records for readers of many: their fields without a call, and parts of large
 * files. */
#ifndef LIBEXPT_EXPERIMENT_RECORDS_H
#define LIBEXPT_EXPERIMENT_RECORDS_H

#include "libexpt/experiment/packets.h"

/* Get records as long as nothing is special about them; their packets are valid until the
 * next call. Returns their number; 0: expt_records_next() has to look closer. */
size_t records_take(struct expt_records *records, struct expt_record *batch, size_t max);

/* Returns the size of the file in bytes, or 0. */
uint64_t records_size(const struct expt_records *records);
/* A part of a file that is divided has so many bytes, or more. */
#define RECORDS_PART_MIN (8 << 20)
/* Divide a large file: the records end earlier, and each part goes on where the one
 * before it ends, as far as can be guessed. Parts add nothing to the list of damage, and
 * may be read in threads of their own. Returns their number, at most max; 0: the file is
 * not large. */
size_t records_divide(struct expt_records *records, struct expt_records **parts,
		      size_t max);
/* Call when both have ended. true: the part had the records that come next, and the
 * records go on after it. false: discard those of this part and of all later ones; the
 * records go on where they are. */
bool records_catch_up(struct expt_records *records, const struct expt_records *part);

/* The same as expt_record_field(). */
static inline bool record_field(const struct expt_record *record,
				const struct expt_field_declaration *declaration,
				int64_t *value)
{
	enum expt_field_type type = declaration->type;
	bool is_wide = type == EXPT_INT64 || type == EXPT_UINT64;
	uint64_t end = (uint64_t)declaration->offset + (is_wide ? 8 : 4);
	const unsigned char *bytes;

	if (end > record->size || type > EXPT_UINT64)
		return false;
	bytes = record->packet + declaration->offset;
	*value = is_wide	       ? (int64_t)read_u64(bytes)
		 : type == EXPT_UINT32 ? (int64_t)read_u32(bytes)
				       : (int32_t)read_u32(bytes);
	return true;
}

/* The same as expt_record_value(). */
static inline bool record_value(const struct expt_record *record, enum expt_field field,
				int64_t *value)
{
	size_t place = record->declaration->places[field];

	return place &&
	       record_field(record, &record->declaration->fields[place - 1], value);
}

#endif

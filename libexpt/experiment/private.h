/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of an experiment share. */
#ifndef LIBEXPT_EXPERIMENT_PRIVATE_H
#define LIBEXPT_EXPERIMENT_PRIVATE_H

#include "libexpt/experiment/log_reader.h"

/* log_events.c: the elements of events. */
int log_start_event(struct log_reader *reader, const struct xml_element *element);
int log_end_event(struct log_reader *reader, const char *text);

/* log_packets.c: the elements that declare packets. */
int log_start_profile(struct log_reader *reader, const struct xml_element *element);
int log_end_profile(struct log_reader *reader, const char *text);
int log_start_profdata(struct log_reader *reader, const struct xml_element *element);
int log_start_profpckt(struct log_reader *reader, const struct xml_element *element);
int log_end_profpckt(struct log_reader *reader, const char *text);
int log_start_field(struct log_reader *reader, const struct xml_element *element);
const struct expt_packet_declaration *log_declaration(const struct expt_log *log,
						      enum expt_data data, uint32_t type);
/* Fill places from fields, of which there are at most 255; the first of a name counts. */
void log_place_fields(struct expt_packet_declaration *declaration);

/* stacks.c, samples.c: release what the file filled; NULL is fine. What objects/ makes is
 * closed by functions that they leave with it: whoever looks at no load object links no
 * ELF. */
void stack_table_close(struct stack_table *stacks);
void sample_table_close(struct sample_table *samples);

#endif

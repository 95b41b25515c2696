/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the files of this directory. */
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
/* Note which kinds of data the log declares, when all of them are known. */
void log_note_data(struct expt_log *log);
int log_start_field(struct log_reader *reader, const struct xml_element *element);
const struct expt_packet_declaration *log_declaration(const struct expt_log *log,
						      enum expt_data data, uint32_t type);
/* Fill places from fields, at most 255; the first of duplicates counts. */
void log_place_fields(struct expt_packet_declaration *declaration);

/* stack_table.c, samples.c: release the tables; NULL is fine. The tables of objects/ are
 * closed by function pointers in the handle, so that programs without load objects link
 * no ELF. */
void stack_table_close(struct stack_table *stacks);
void sample_table_close(struct sample_table *samples);

#endif

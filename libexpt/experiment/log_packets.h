/* SPDX-License-Identifier: Apache-2.0 */
/* The elements that declare packets. */
#ifndef LIBEXPT_EXPERIMENT_LOG_PACKETS_H
#define LIBEXPT_EXPERIMENT_LOG_PACKETS_H

#include "libexpt/experiment/log_reader.h"

int log_start_profile(struct log_reader *reader, const struct xml_element *element);
int log_end_profile(struct log_reader *reader, const char *text);
int log_start_profdata(struct log_reader *reader, const struct xml_element *element);
int log_start_profpckt(struct log_reader *reader, const struct xml_element *element);
int log_end_profpckt(struct log_reader *reader, const char *text);
int log_start_field(struct log_reader *reader, const struct xml_element *element);

#endif

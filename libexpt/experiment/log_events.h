/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of events. */
#ifndef LIBEXPT_EXPERIMENT_LOG_EVENTS_H
#define LIBEXPT_EXPERIMENT_LOG_EVENTS_H

#include "libexpt/experiment/log_reader.h"

int log_start_event(struct log_reader *reader, const struct xml_element *element);
int log_end_event(struct log_reader *reader, const char *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The load objects of all experiments, each path once. */
#ifndef ER_PRINT_EXPERIMENTS_LOADED_OBJECTS_H
#define ER_PRINT_EXPERIMENTS_LOADED_OBJECTS_H

#include "er_print/session/session.h"
#include "er_print/table/table.h"

/* Call show for each object. false: a call failed. */
bool for_each_object(struct session *session, struct table *table,
		     bool (*show)(struct session *session, struct table *table,
				  struct expt_object *object));

#endif

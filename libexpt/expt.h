/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Experiments on disk: opening and reading them, and archiving, copying, moving, removing
 * and bundling them. This is the one header that programs include; its declarations are
 * in api/, by topic. libexpt(3) is its manual and expt(5) describes the files.
 *
 * The library prints nothing, never exits, starts no shell, and keeps no global state:
 * several experiments can be open at the same time, in several threads; a handle must be
 * used by one thread at a time.
 *
 * Functions that can fail return 0, or a count, or a negative errno value, and then
 * describe the failure in *err. A returned pointer is borrowed and lives as long as its
 * parent; a pointer stored in **out belongs to the caller. *out is written on success
 * only. Every close and free accepts NULL.
 */
#ifndef LIBEXPT_EXPT_H
#define LIBEXPT_EXPT_H

#include "libexpt/api/archive.h"
#include "libexpt/api/bundle.h"
#include "libexpt/api/code.h"
#include "libexpt/api/collections.h"
#include "libexpt/api/conflicts.h"
#include "libexpt/api/data.h"
#include "libexpt/api/filter.h"
#include "libexpt/api/group.h"
#include "libexpt/api/log.h"
#include "libexpt/api/manage.h"
#include "libexpt/api/objects.h"
#include "libexpt/api/open.h"
#include "libexpt/api/openmp.h"
#include "libexpt/api/operation.h"
#include "libexpt/api/pattern.h"
#include "libexpt/api/ranks.h"
#include "libexpt/api/records.h"
#include "libexpt/api/samples.h"
#include "libexpt/api/select.h"
#include "libexpt/api/source.h"
#include "libexpt/api/summaries.h"
#include "libexpt/api/sums.h"
#include "libexpt/api/tables.h"
#include "libexpt/api/view.h"
#include "libexpt/values.h"

#endif

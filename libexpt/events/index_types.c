/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/events/index_types.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

#include "libexpt/base/array.h"
#include "libexpt/common/error.h"
#include "libexpt/events/evaluation.h"
#include "libexpt/expression/expression.h"

/* Ranges of sizes, each four times as large as the one before it. */
#define UP_TO(bits, rest) "((IOHEAPBYTES<=(1<<" #bits ")?(1<<" #bits "):" rest "))"
#define SIZES(a, b, c, d, e, f, rest) \
	UP_TO(a, UP_TO(b, UP_TO(c, UP_TO(d, UP_TO(e, UP_TO(f, rest))))))
#define DATASIZE                                                             \
	"(IOHEAPBYTES==0?0:" SIZES(                                          \
		0, 2, 4, 6, 8, 10,                                           \
		SIZES(12, 14, 16, 18, 20, 22,                                \
		      SIZES(24, 26, 28, 30, 32, 34,                          \
			    SIZES(36, 38, 40, 42, 44, 46,                    \
				  UP_TO(48, UP_TO(50, "(IOHEAPBYTES==-1?-1:" \
						      "(1<<50|1))")))))) ")"

/* Ranges of times, each ten times as long. */
#define WITHIN(ns, rest)	"((TSTAMP_HI-TSTAMP_LO)<=" #ns "?" #ns ":" rest ")"
#define TIMES(a, b, c, d, rest) WITHIN(a, WITHIN(b, WITHIN(c, WITHIN(d, rest))))
#define DURATION                                                    \
	"((TSTAMP_HI-TSTAMP_LO)==0?0:" TIMES(                       \
		1000, 10000, 100000, 1000000,                       \
		TIMES(10000000, 100000000, 1000000000, 10000000000, \
		      WITHIN(100000000000,                          \
			     WITHIN(1000000000000,                  \
				    WITHIN(10000000000000, "10000000000001"))))) ")"

/* Blocks of memory, by their first address: that of the program, or the physical one. */
#define BLOCK(address, first, size) \
	"((" #address ">=" #first ")?(" #address "/" #size "*" #size "):-1)"
#define V_BLOCK(size) BLOCK(VADDR, 256, size)
#define P_BLOCK(size) BLOCK(PADDR, 1, size)

static const struct expt_index_type first_types[] = {
	{ "Threads", "((EXPID_CMP<<32) | THRID)", false },
	{ "CPUs", "(CPUID)", false },
	{ "Samples", "(SAMPLE_MAP)", false },
	{ "GCEvents", "(GCEVENT_MAP)", false },
	{ "Seconds", "(TSTAMP/1000000000)", false },
	{ "Processes", "(EXPID_CMP)", false },
	{ "Experiment_IDs", "((EXPGRID<<60) | (EXPID<<32))", false },
	{ "Datasize", DATASIZE, false },
	{ "Duration", DURATION, false },
	{ "Communicators", "(MPICOMM==0?-1:MPICOMM)", false },
	{ "Partner_Ranks", "(MPIPEER)", false },
	{ "Message_Tags", "(MPIPEER<0?-1:MPITAG)", false },
	{ "Vline_64B", V_BLOCK(64), true },
	{ "Vpage_4K", V_BLOCK(4096), true },
	{ "Vpage_8K", V_BLOCK(8192), true },
	{ "Vpage_64K", V_BLOCK(65536), true },
	{ "Vpage_512K", V_BLOCK(524288), true },
	{ "Vpage_2M", V_BLOCK(2097152), true },
	{ "Vpage_4M", V_BLOCK(4194304), true },
	{ "Vpage_1G", V_BLOCK(1073741824), true },
	{ "Pline_64B", P_BLOCK(64), true },
	{ "Ppage_4K", P_BLOCK(4096), true },
	{ "Ppage_8K", P_BLOCK(8192), true },
	{ "Ppage_64K", P_BLOCK(65536), true },
	{ "Ppage_512K", P_BLOCK(524288), true },
	{ "Ppage_2M", P_BLOCK(2097152), true },
	{ "Ppage_4M", P_BLOCK(4194304), true },
	{ "Ppage_1G", P_BLOCK(1073741824), true },
};

static bool add(struct expt_view *view, const char *name, const char *expression,
		bool is_memory, struct evaluation *evaluation)
{
	struct index_type *type = array_add(&view->index_types);

	if (type)
		*type = (struct index_type){ .shown = { name, expression, is_memory },
					     .evaluation = evaluation };
	return type;
}

bool index_types_add_first(struct expt_view *view)
{
	for (size_t i = 0; i < sizeof(first_types) / sizeof(*first_types); i++)
		if (!add(view, first_types[i].name, first_types[i].expression,
			 first_types[i].is_memory, NULL))
			return false;
	return true;
}

void index_types_reset(struct expt_view *view)
{
	for (size_t i = 0; i < view->index_types.count; i++)
		if (view->index_types.items[i].evaluation)
			evaluation_reset(view->index_types.items[i].evaluation);
}

void index_types_release(struct expt_view *view)
{
	for (size_t i = 0; i < view->index_types.count; i++)
		evaluation_free(view->index_types.items[i].evaluation);
	array_release(&view->index_types);
}

/* ---- use ---- */

size_t expt_index_type_count(const struct expt_view *view)
{
	return view->index_types.count;
}

const struct expt_index_type *expt_index_type(const struct expt_view *view, size_t i)
{
	return &view->index_types.items[i].shown;
}

size_t expt_index_type_find(const struct expt_view *view, const char *name)
{
	for (size_t i = 0; i < view->index_types.count; i++)
		if (strcasecmp(view->index_types.items[i].shown.name, name) == 0)
			return i;
	return EXPT_INDEX_NONE;
}

static const char *find_text(void *context, const char *name)
{
	const struct expt_view *view = context;
	size_t type = expt_index_type_find(view, name);

	return type == EXPT_INDEX_NONE ? NULL
				       : view->index_types.items[type].shown.expression;
}

int view_parse(struct expression **out, struct expt_view *view, const char *text,
	       struct expt_error *err)
{
	struct expression_definitions definitions = { .context = view,
						      .find = find_text };

	return expression_parse(out, text, &definitions, err);
}

/* Returns NULL if it failed, as described. */
static struct evaluation *evaluation_of(struct expt_view *view, const char *text,
					struct expt_error *err)
{
	struct expression *expression;
	struct evaluation *evaluation;

	if (view_parse(&expression, view, text, err) < 0)
		return NULL;
	evaluation = evaluation_new(expression);
	if (!evaluation)
		expt_refuse(err, -ENOMEM, "out of memory");
	return evaluation;
}

struct evaluation *index_type_evaluation(struct expt_view *view, size_t type,
					 struct expt_error *err)
{
	struct index_type *found = &view->index_types.items[type];

	if (!found->evaluation)
		found->evaluation = evaluation_of(view, found->shown.expression, err);
	return found->evaluation;
}

/* ---- definition ---- */

static bool is_name(const char *name)
{
	if (!isalpha((unsigned char)*name))
		return false;
	while (isalnum((unsigned char)*name) || *name == '_')
		name++;
	return !*name;
}

static int check_name(const struct expt_view *view, const char *name,
		      struct expt_error *err)
{
	if (!is_name(name))
		return expt_refuse(err, -EINVAL,
				   "'%s' does not consist of letters, digits and '_' "
				   "after a letter",
				   name);
	if (expt_index_type_find(view, name) != EXPT_INDEX_NONE ||
	    expression_word_find(name, strlen(name)) != EXPRESSION_WORD_COUNT)
		return expt_refuse(err, -EEXIST, "'%s' is already defined", name);
	return 0;
}

int expt_index_type_define(struct expt_view *view, const char *name,
			   const char *expression, bool is_memory, struct expt_error *err)
{
	int rc = check_name(view, name, err);
	struct expt_error reason = { .code = -ENOMEM };
	struct evaluation *evaluation;
	char *kept;

	if (rc < 0)
		return rc;
	evaluation = evaluation_of(view, expression, &reason);
	if (!evaluation)
		return expt_refuse(err, reason.code, "'%s': %s", expression,
				   reason.message);
	kept = arena_text(&view->texts, name, strlen(name));
	if (kept && add(view, kept, evaluation_text(evaluation), is_memory, evaluation))
		return 0;
	evaluation_free(evaluation);
	return expt_refuse(err, -ENOMEM, "out of memory");
}

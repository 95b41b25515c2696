/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frames of a stack depend on the mode of the view. In user mode they are those of
 * the language: of Java methods, or of an OpenMP program as if it had one thread. Expert
 * mode has the native stack where the leaf of a Java stack is not known; machine mode has
 * it always.
 */
#include "libexpt/analysis/frames.h"

#include <errno.h>

#include "libexpt/common/error.h"

enum form { FORM_NATIVE, FORM_JAVA, FORM_MACHINE_THREAD, FORM_OMP };

/* The recorded parts of a stack, and which of them are shown. */
struct source {
	struct expt *expt;
	const struct stack_sum *sum;
	enum form form;
	struct expt_java_stack java;
	struct expt_omp_stack omp;
};

static bool knows_leaf(const struct source *source)
{
	const struct expt_java_frame *leaf = &source->java.frames[0];
	struct expt_place place;

	return expt_java_place(source->expt, leaf->method, leaf->bci,
			       source->sum->time_ns, &place);
}

static bool has_java(struct source *source)
{
	return source->sum->uid != 0 &&
	       expt_java_stack(source->expt, source->sum->uid, &source->java, NULL) > 0 &&
	       source->java.count > 0;
}

/* Idle threads have no stack of the user's. */
static bool has_omp(struct source *source)
{
	return source->sum->uid != 0 && expt_has_data(source->expt, EXPT_OMP) &&
	       expt_omp_stack(source->expt, source->sum->uid, &source->omp, NULL) > 0 &&
	       (source->omp.has_user || source->omp.state == EXPT_OMP_IDLE);
}

static enum form choose_form(const struct expt_view *view, struct source *source)
{
	bool is_user = view->mode == EXPT_MODE_USER;

	if (view->mode == EXPT_MODE_MACHINE)
		return FORM_NATIVE;
	if (is_user && source->sum->thread == THREAD_OF_MACHINE)
		return FORM_MACHINE_THREAD;
	if (has_java(source) && (is_user || knows_leaf(source)))
		return FORM_JAVA;
	if (is_user && source->sum->thread == THREAD_UNKNOWN)
		return FORM_MACHINE_THREAD;
	return has_omp(source) ? FORM_OMP : FORM_NATIVE;
}

static struct source find_source(const struct expt_view *view,
				 const struct stack_sum *sum)
{
	struct source source = {
		.expt = view->members.items[sum->member].expt,
		.sum = sum,
	};

	source.form = choose_form(view, &source);
	return source;
}

bool frames_are_native(const struct expt_view *view, const struct stack_sum *sum)
{
	return find_source(view, sum).form == FORM_NATIVE;
}

/* Add a function of a runtime; NULL: none. */
static bool add_special(struct frame_list *frames, const struct expt_function *function)
{
	return !function ||
	       frame_list_add(frames, &(struct expt_place){ .function = function });
}

static int add_java(struct frame_list *frames, const struct source *source)
{
	struct expt_stack native = { .count = 0 };

	expt_stack(source->expt, source->sum->uid, &native, NULL);
	return java_frames_add(frames, source->expt, &source->java, &native,
			       source->sum->time_ns)
		       ? (int)source->java.end
		       : -1;
}

static int add_omp(struct frame_list *frames, const struct source *source)
{
	const struct expt_omp_stack *omp = &source->omp;

	if (!add_special(frames,
			 expt_special_function(EXPT_OMP_FUNCTION + (size_t)omp->state)))
		return -1;
	for (size_t i = 0; i < omp->count; i++) {
		struct expt_place place;

		expt_place(source->expt, omp->pcs[i], source->sum->time_ns, &place);
		if (!frame_list_add(frames, &place))
			return -1;
	}
	return (int)omp->end;
}

static int add_native(struct frame_list *frames, const struct source *source)
{
	const struct stack_sum *sum = source->sum;
	struct expt_stack whole = { .count = 0 };

	if (sum->uid != 0 && expt_stack(source->expt, sum->uid, &whole, NULL) < 0)
		return EXPT_STACK_WHOLE;
	for (size_t i = 0; i < pc_count(sum, &whole); i++) {
		struct expt_place place;

		expt_place(source->expt, pc_at(sum, &whole, i), sum->time_ns, &place);
		if ((i > 0 || !place.is_plt) && !frame_list_add(frames, &place))
			return -1;
	}
	return (int)whole.end;
}

int frames_find(struct frame_list *frames, const struct expt_view *view,
		const struct stack_sum *sum)
{
	struct source source = find_source(view, sum);

	frames->count = 0;
	switch (source.form) {
	case FORM_JAVA:
		return add_java(frames, &source);
	case FORM_OMP:
		return add_omp(frames, &source);
	case FORM_MACHINE_THREAD:
		return add_special(frames, expt_special_function(EXPT_JVM_SYSTEM))
			       ? EXPT_STACK_WHOLE
			       : -1;
	default:
		return add_native(frames, &source);
	}
}

int frames_show(struct frame_list *list, const struct expt_view *view,
		const struct stack_sum *sum, struct expt_frames *frames,
		struct expt_error *err)
{
	int end = frames_find(list, view, sum);

	if (end < 0)
		return expt_refuse(err, -ENOMEM, "out of memory");
	*frames = (struct expt_frames){
		.places = list->items,
		.count = list->count,
		.end = (enum expt_stack_end)end,
	};
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that represent what a thread did in a runtime. Like unknown_function they
 * have no file, and all experiments share them. */
#include "libexpt/objects/object.h"

static const struct expt_object omp_object = {
	.path = "<OMP>",
	.name = "<OMP>",
	.identity.build_id = "",
	.is_loaded = true,
};

/* Each is whole: its caches are filled. */
#define SPECIAL(which, its_object, its_name)                            \
	[which] = {                                                     \
		.object = (struct expt_object *)(uintptr_t)&its_object, \
		.symbol = (its_name),                                   \
		.long_name = (its_name),                                \
		.short_name = (its_name),                               \
		.whole = &functions[which],                             \
		.has_aliases = true,                                    \
	}
#define JAVA(which, its_name) SPECIAL(which, unknown_object, its_name)
#define OMP(state, its_name) \
	SPECIAL(EXPT_OMP_FUNCTION + EXPT_OMP_##state, omp_object, its_name)

static const struct expt_function functions[] = {
	JAVA(EXPT_JVM_SYSTEM, "<JVM-System>"),
	JAVA(EXPT_NO_JAVA, "<no Java callstack recorded>"),
	OMP(IMPLICIT_BARRIER, "<OMP-implicit_barrier>"),
	OMP(EXPLICIT_BARRIER, "<OMP-explicit_barrier>"),
	OMP(IDLE, "<OMP-idle>"),
	OMP(REDUCTION, "<OMP-reduction>"),
	OMP(LOCK_WAIT, "<OMP-lock_wait>"),
	OMP(CRITICAL_WAIT, "<OMP-critical_section_wait>"),
	OMP(ORDERED_WAIT, "<OMP-ordered_section_wait>"),
	OMP(ATOMIC_WAIT, "<OMP-atomic_wait>"),
};

const struct expt_function *expt_special_function(size_t which)
{
	if (which >= sizeof(functions) / sizeof(*functions) || !functions[which].symbol)
		return NULL;
	return &functions[which];
}

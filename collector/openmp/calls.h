/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entry points of libgomp in which a thread begins a region, or waits. Include it
 * with definitions of
 *
 *	REGION(parameters, name, words)	begins a region: the runtime reads so many
 *					words of its data
 *	WAIT(parameters, name, state)	is in that state meanwhile
 *
 * Those with an underscore are for Fortran.
 */
REGION(4, GOMP_parallel, 0)
REGION(4, GOMP_parallel_reductions, 1)
REGION(8, GOMP_parallel_loop_static, 0)
REGION(8, GOMP_parallel_loop_dynamic, 0)
REGION(8, GOMP_parallel_loop_guided, 0)
REGION(8, GOMP_parallel_loop_nonmonotonic_dynamic, 0)
REGION(8, GOMP_parallel_loop_nonmonotonic_guided, 0)
REGION(7, GOMP_parallel_loop_runtime, 0)
REGION(7, GOMP_parallel_loop_nonmonotonic_runtime, 0)
REGION(7, GOMP_parallel_loop_maybe_nonmonotonic_runtime, 0)
REGION(5, GOMP_parallel_sections, 0)
WAIT(0, GOMP_barrier, EXPT_OMP_EXPLICIT_BARRIER)
WAIT(0, GOMP_barrier_cancel, EXPT_OMP_EXPLICIT_BARRIER)
WAIT(0, GOMP_loop_end, EXPT_OMP_IMPLICIT_BARRIER)
WAIT(0, GOMP_loop_end_cancel, EXPT_OMP_IMPLICIT_BARRIER)
WAIT(0, GOMP_sections_end, EXPT_OMP_IMPLICIT_BARRIER)
WAIT(0, GOMP_sections_end_cancel, EXPT_OMP_IMPLICIT_BARRIER)
WAIT(0, GOMP_single_copy_start, EXPT_OMP_IMPLICIT_BARRIER)
WAIT(0, GOMP_critical_start, EXPT_OMP_CRITICAL_WAIT)
WAIT(1, GOMP_critical_name_start, EXPT_OMP_CRITICAL_WAIT)
WAIT(0, GOMP_atomic_start, EXPT_OMP_ATOMIC_WAIT)
WAIT(0, GOMP_ordered_start, EXPT_OMP_ORDERED_WAIT)
WAIT(0, GOMP_taskwait, EXPT_OMP_TASK_WAIT)
WAIT(1, GOMP_taskwait_depend, EXPT_OMP_TASK_WAIT)
WAIT(1, GOMP_workshare_task_reduction_unregister, EXPT_OMP_IMPLICIT_BARRIER)
WAIT(0, GOMP_taskgroup_end, EXPT_OMP_TASK_WAIT)
WAIT(1, omp_set_lock, EXPT_OMP_LOCK_WAIT)
WAIT(1, omp_set_nest_lock, EXPT_OMP_LOCK_WAIT)
WAIT(1, omp_set_lock_, EXPT_OMP_LOCK_WAIT)
WAIT(1, omp_set_nest_lock_, EXPT_OMP_LOCK_WAIT)

/* SPDX-License-Identifier: Apache-2.0 */
/* Work to do when libc has loaded or unloaded objects. */
#ifndef COLLECTOR_EXPERIMENT_LOAD_H
#define COLLECTOR_EXPERIMENT_LOAD_H

/* Record objects that libc loaded for itself and that a walk met. Call at the end of the
 * process, in normal code. */
void loadmap_catch_up(void);
/* Call a function when the program has opened the library of a Java machine: code is of
 * the module that opened it. NULL: another library was opened. */
void loadmap_tell_of_machines(void (*opened)(const void *code));
/* The libraries were opened late: make the calls of the modules that are there, and of
 * those that will be opened, reach the wrappers; and let them go where they went. */
void loadmap_lead_calls(void);
void loadmap_leave_calls(void);
/* Call in a child of fork: unlock the lock that serialises refreshing. */
void loadmap_unlock(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Holds a program made by posix_spawn between its fork and its exec until it is
 * sampled. */
#ifndef COLLECTOR_SAMPLER_LAUNCH_H
#define COLLECTOR_SAMPLER_LAUNCH_H

int launch(int count, char *words[]);

#endif

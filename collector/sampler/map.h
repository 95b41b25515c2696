/* SPDX-License-Identifier: Apache-2.0 */
/* The mappings of an image. */
#ifndef COLLECTOR_SAMPLER_MAP_H
#define COLLECTOR_SAMPLER_MAP_H

#include "collector/sampler/image.h"

/* Add code that the kernel has mapped: address, size and offset of the segment, its name
 * and its file. */
void image_map(struct image *image, const struct code *code, uint64_t now_ns);

#endif

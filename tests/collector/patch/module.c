/* SPDX-License-Identifier: Apache-2.0 */
/* A library, or a module that is opened while the program runs. */

#include "situation.h"

CALLS(PLACE_OF_MODULE)

/* SPDX-License-Identifier: Apache-2.0 */
/* Constants as arguments in Rust's newer mangled names. */
#ifndef LIBEXPT_NAMES_RUST_CONSTANT_H
#define LIBEXPT_NAMES_RUST_CONSTANT_H

#include "libexpt/names/rust_parser.h"

void rust_add_constant(struct rust_parser *parser);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Rust's newer mangled names, _R... */
#ifndef LIBEXPT_NAMES_DEMANGLE_RUST_V0_H
#define LIBEXPT_NAMES_DEMANGLE_RUST_V0_H

/* Like demangle(), but needs no library. */
char *demangle_rust_v0(const char *name);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Rust's older mangled names, which look like C++ ones. */
#ifndef LIBEXPT_NAMES_DEMANGLE_RUST_H
#define LIBEXPT_NAMES_DEMANGLE_RUST_H

/* Like demangle(), but needs no library. */
char *demangle_rust(const char *name);

#endif

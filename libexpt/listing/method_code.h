/* SPDX-License-Identifier: Apache-2.0 */
/* The bytecode of a Java method, from the file of its class. */
#ifndef LIBEXPT_LISTING_METHOD_CODE_H
#define LIBEXPT_LISTING_METHOD_CODE_H

#include "libexpt/base/io.h"
#include "libexpt/bytecode/class_file.h"
#include "libexpt/objects/object.h"

struct method_code {
	struct io_file bytes; /* of the class file */
	struct class_file *file;
	struct class_code code;
};

/* The class file, or the jar that contains it, is looked up in the archives, then where a
 * search leads, then at its path. -ENOENT, with the reason: none of these has it. */
int method_code_open(struct method_code *out, const struct expt_function *function,
		     struct expt_error *err);
void method_code_close(struct method_code *code);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256, in the form that sha256sum prints and checks, and MD5. digest.c is the only
 * file that includes libcrypto. */
#ifndef LIBEXPT_COMMON_DIGEST_H
#define LIBEXPT_COMMON_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/expt.h"

#define DIGEST_SIZE 32
#define DIGEST_TEXT (2 * DIGEST_SIZE + 1) /* hex digits and a NUL */

struct digest; /* sums of one file after the other */

int digest_open(struct digest **out, struct expt_error *err);
void digest_close(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t length);
/* The sum of what was added since the last one. Failures of the adds are told here. */
int digest_finish(struct digest *digest, unsigned char *sum, struct expt_error *err);

void digest_text(char *text, const unsigned char *sum);
bool digest_parse(unsigned char *sum, const char *text); /* 64 hex digits at text */

/* The MD5 sum of the rest of a file, for comparing with what compilers noted. */
#define MD5_SIZE 16
int digest_md5(unsigned char sum[MD5_SIZE], int fd, struct expt_error *err);

#endif

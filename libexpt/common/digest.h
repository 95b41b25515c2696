/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256, in the form that sha256sum prints and checks, and MD5. Only digest.c includes
 * libcrypto. */
#ifndef LIBEXPT_COMMON_DIGEST_H
#define LIBEXPT_COMMON_DIGEST_H

#include <stdbool.h>
#include <stddef.h>

#include "libexpt/expt.h"

#define DIGEST_SIZE 32
#define DIGEST_TEXT (2 * DIGEST_SIZE + 1) /* hex digits and a NUL */

struct digest; /* computes sums one after the other */

int digest_open(struct digest **out, struct expt_error *err);
void digest_close(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t length);
/* Get the sum of everything added since the last one. Reports failed adds, too. */
int digest_finish(struct digest *digest, unsigned char *sum, struct expt_error *err);

void digest_text(char *text, const unsigned char *sum);
bool digest_parse(unsigned char *sum, const char *text); /* 64 hex digits at text */

/* Compute the MD5 sum of the rest of a file, to compare it with the one compilers
 * recorded. */
#define MD5_SIZE 16
int digest_md5(unsigned char sum[MD5_SIZE], int fd, struct expt_error *err);
/* Whether the sum is the recorded one, which the GNU assembler writes backwards. */
bool digest_md5_is(const unsigned char sum[MD5_SIZE],
		   const unsigned char recorded[MD5_SIZE]);

#endif

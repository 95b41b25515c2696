/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/common/digest.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#include "libexpt/base/hex.h"
#include "libexpt/base/io.h"
#include "libexpt/base/late.h"
#include "libexpt/common/error.h"

/* clang-format off */
#define FUNCTIONS(F) \
	F(EVP_DigestFinal_ex) F(EVP_DigestInit_ex) F(EVP_DigestUpdate) \
	F(EVP_MD_CTX_free) F(EVP_MD_CTX_new) F(EVP_MD_fetch) F(EVP_MD_free)
/* clang-format on */
FUNCTIONS(LATE_POINTER)

static const struct late_function functions[] = { FUNCTIONS(LATE_FUNCTION) };
static struct late_library libcrypto = LATE_LIBRARY(LATE_LIBCRYPTO, functions);

struct digest {
	EVP_MD *method; /* fetched once: that takes longer than a small file's sum */
	EVP_MD_CTX *context;
	bool failed;
};

int digest_open(struct digest **out, struct expt_error *err)
{
	struct digest *digest;
	int rc = expt_load(&libcrypto, err);

	if (rc < 0)
		return rc;
	digest = calloc(1, sizeof(*digest));
	if (!digest)
		return expt_fail(err, -ENOMEM, "cannot compute checksums");
	digest->method = late_EVP_MD_fetch(NULL, "SHA256", NULL);
	digest->context = late_EVP_MD_CTX_new();
	if (!digest->method || !digest->context ||
	    late_EVP_DigestInit_ex(digest->context, digest->method, NULL) != 1) {
		digest_close(digest);
		return expt_refuse(err, -ENOTSUP,
				   "this libcrypto does not support SHA-256");
	}
	*out = digest;
	return 0;
}

void digest_close(struct digest *digest)
{
	if (!digest)
		return;
	late_EVP_MD_CTX_free(digest->context);
	late_EVP_MD_free(digest->method);
	free(digest);
}

void digest_add(struct digest *digest, const void *bytes, size_t length)
{
	if (late_EVP_DigestUpdate(digest->context, bytes, length) != 1)
		digest->failed = true;
}

int digest_finish(struct digest *digest, unsigned char *sum, struct expt_error *err)
{
	unsigned int size = 0;

	if (late_EVP_DigestFinal_ex(digest->context, sum, &size) != 1 ||
	    size != DIGEST_SIZE ||
	    late_EVP_DigestInit_ex(digest->context, digest->method, NULL) != 1)
		digest->failed = true;
	if (digest->failed)
		return expt_fail(err, -EIO, "cannot compute a checksum");
	return 0;
}

void digest_text(char *text, const unsigned char *sum)
{
	hex_text(text, sum, DIGEST_SIZE);
}

bool digest_parse(unsigned char *sum, const char *text)
{
	return hex_parse(sum, DIGEST_SIZE, text);
}

static int add_file(EVP_MD_CTX *context, int fd, struct expt_error *err)
{
	unsigned char bytes[16384];
	ssize_t got;

	while ((got = io_read_full(fd, bytes, sizeof(bytes))) > 0)
		if (late_EVP_DigestUpdate(context, bytes, (size_t)got) != 1)
			return expt_fail(err, -EIO, "cannot compute an MD5 sum");
	return got < 0 ? expt_fail(err, (int)got, "cannot read it") : 0;
}

int digest_md5(unsigned char sum[MD5_SIZE], int fd, struct expt_error *err)
{
	EVP_MD_CTX *context;
	EVP_MD *method;
	int rc = expt_load(&libcrypto, err);

	if (rc < 0)
		return rc;
	method = late_EVP_MD_fetch(NULL, "MD5", NULL);
	context = late_EVP_MD_CTX_new();
	if (!method || !context || late_EVP_DigestInit_ex(context, method, NULL) != 1)
		rc = expt_refuse(err, -ENOTSUP, "this libcrypto does not support MD5");
	else
		rc = add_file(context, fd, err);
	if (rc == 0 && late_EVP_DigestFinal_ex(context, sum, NULL) != 1)
		rc = expt_fail(err, -EIO, "cannot compute an MD5 sum");
	late_EVP_MD_CTX_free(context);
	late_EVP_MD_free(method);
	return rc;
}

bool digest_md5_is(const unsigned char sum[MD5_SIZE],
		   const unsigned char recorded[MD5_SIZE])
{
	if (memcmp(sum, recorded, MD5_SIZE) == 0)
		return true;
	for (int i = 0; i < MD5_SIZE; i++)
		if (sum[i] != recorded[MD5_SIZE - 1 - i])
			return false;
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/digest.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>

#include "libexpt/error.h"

struct digest {
	EVP_MD *method; /* fetched once: a look-up per small file would cost more than its sum */
	EVP_MD_CTX *context;
	bool failed;
};

int digest_open(struct digest **out, struct expt_error *err)
{
	struct digest *digest = calloc(1, sizeof *digest);

	if (!digest)
		return expt_fail(err, -ENOMEM, "cannot compute checksums");
	digest->method = EVP_MD_fetch(NULL, "SHA256", NULL);
	digest->context = EVP_MD_CTX_new();
	if (!digest->method || !digest->context ||
	    EVP_DigestInit_ex(digest->context, digest->method, NULL) != 1) {
		digest_close(digest);
		return expt_fail(err, -ENOTSUP, "this libcrypto computes no SHA-256");
	}
	*out = digest;
	return 0;
}

void digest_close(struct digest *digest)
{
	if (!digest)
		return;
	EVP_MD_CTX_free(digest->context);
	EVP_MD_free(digest->method);
	free(digest);
}

void digest_add(struct digest *digest, const void *bytes, size_t length)
{
	if (EVP_DigestUpdate(digest->context, bytes, length) != 1)
		digest->failed = true;
}

int digest_finish(struct digest *digest, unsigned char *sum, struct expt_error *err)
{
	unsigned int size = 0;

	if (EVP_DigestFinal_ex(digest->context, sum, &size) != 1 || size != DIGEST_SIZE ||
	    EVP_DigestInit_ex(digest->context, digest->method, NULL) != 1)
		digest->failed = true;
	if (digest->failed)
		return expt_fail(err, -EIO, "cannot compute a checksum");
	return 0;
}

void digest_text(char *text, const unsigned char *sum)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < DIGEST_SIZE; i++) {
		*text++ = digits[sum[i] >> 4];
		*text++ = digits[sum[i] & 15];
	}
	*text = '\0';
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool digest_parse(unsigned char *sum, const char *text)
{
	for (size_t i = 0; i < DIGEST_SIZE; i++, text += 2) {
		int high = hex_value(text[0]);
		int low = high < 0 ? -1 : hex_value(text[1]);

		if (low < 0)
			return false;
		sum[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

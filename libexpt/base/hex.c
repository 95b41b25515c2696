/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/hex.h"

int hex_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	if (digit >= 'a' && digit <= 'f')
		return digit - 'a' + 10;
	if (digit >= 'A' && digit <= 'F')
		return digit - 'A' + 10;
	return -1;
}

void hex_text(char *text, const void *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *next = bytes;

	for (size_t i = 0; i < count; i++) {
		*text++ = digits[next[i] >> 4];
		*text++ = digits[next[i] & 15];
	}
	*text = '\0';
}

bool hex_parse(void *bytes, size_t count, const char *text)
{
	unsigned char *next = bytes;

	for (size_t i = 0; i < count; i++, text += 2) {
		int high = hex_value(text[0]);
		int low = high < 0 ? -1 : hex_value(text[1]);

		if (low < 0)
			return false;
		next[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

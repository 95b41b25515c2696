/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in class files and their code: the highest byte is first. */
#ifndef LIBEXPT_BYTECODE_NUMBERS_H
#define LIBEXPT_BYTECODE_NUMBERS_H

#include <stdint.h>

static inline unsigned u2(const unsigned char *bytes)
{
	return (unsigned)(bytes[0] << 8 | bytes[1]);
}

static inline uint32_t u4(const unsigned char *bytes)
{
	return (uint32_t)u2(bytes) << 16 | u2(bytes + 2);
}

static inline uint64_t u8(const unsigned char *bytes)
{
	return (uint64_t)u4(bytes) << 32 | u4(bytes + 4);
}

static inline int16_t s2(const unsigned char *bytes)
{
	return (int16_t)u2(bytes);
}

static inline int32_t s4(const unsigned char *bytes)
{
	return (int32_t)u4(bytes);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/random.h"

#include <sys/random.h>
#include <unistd.h>

#include "libexpt/base/time.h"

uint64_t random_number(void)
{
	uint64_t number;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number))
		return number;
	return (time_now_ns() ^ (uintptr_t)&number) * 0x9E3779B97F4A7C15u +
	       (uint64_t)getpid();
}

void random_letters(char *letters, size_t count)
{
	static const char all[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
	uint64_t number = random_number();

	for (size_t i = 0; i < count; i++, number >>= 6)
		letters[i] = all[number & 63];
}

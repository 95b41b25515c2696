/* SPDX-License-Identifier: Apache-2.0 */
#include "libexpt/base/random.h"

#include <stdatomic.h>
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

/* splitmix64 */
uint64_t random_seed(void)
{
	static _Atomic uint64_t next;
	uint64_t number = 0;

	if (atomic_load(&next) == 0)
		atomic_compare_exchange_strong(&next, &number, random_number());
	number = atomic_fetch_add(&next, UINT64_C(0x9e3779b97f4a7c15));
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

void random_letters(char *letters, size_t count)
{
	static const char all[] = "0123456789abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
	uint64_t number = random_number();

	for (size_t i = 0; i < count; i++, number >>= 6)
		letters[i] = all[number & 63];
}

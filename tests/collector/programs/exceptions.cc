// SPDX-License-Identifier: Apache-2.0
// Exceptions thrown through frames with destructors, caught, rethrown. Prints a sum.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

static volatile long sum;

struct Guard {
	std::vector<int> values;
	explicit Guard(int value) : values(10, value) {}
	~Guard() { sum = sum + values[3]; }
};

__attribute__((noinline)) static void descend(int depth)
{
	Guard guard(depth);

	if (depth == 0)
		throw std::runtime_error("the bottom is reached: " + std::to_string(sum));
	descend(depth - 1);
	sum = sum + 1;
}

__attribute__((noinline)) static void rethrow(int depth)
{
	try {
		descend(depth);
	} catch (const std::logic_error &) {
		sum = sum + 100;
	} catch (...) {
		sum = sum + 7;
		throw;
	}
}

int main(int argc, char *argv[])
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 1;

	for (int i = 0; i < rounds; i++) {
		try {
			rethrow(i % 12);
		} catch (const std::exception &caught) {
			sum = sum + static_cast<long>(std::string(caught.what()).size());
		}
	}
	std::printf("%ld\n", sum);
	return 0;
}

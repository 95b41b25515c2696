// SPDX-License-Identifier: Apache-2.0
// Exceptions thrown through frames with destructors, caught, rethrown: exceptions [ROUNDS [THREADS]]. Prints
// a sum for each thread.

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static thread_local volatile long sum;

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

static void run(int rounds, long *result)
{
	for (int i = 0; i < rounds; i++) {
		try {
			rethrow(i % 12);
		} catch (const std::exception &caught) {
			sum = sum + static_cast<long>(std::string(caught.what()).size());
		}
	}
	*result = sum;
}

int main(int argc, char *argv[])
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
	std::vector<long> results(argc > 2 ? std::atoi(argv[2]) : 1);
	std::vector<std::thread> threads;

	for (size_t i = 1; i < results.size(); i++)
		threads.emplace_back(run, rounds + static_cast<int>(i), &results[i]);
	run(rounds, &results[0]);
	for (auto &thread : threads)
		thread.join();
	for (long result : results)
		std::printf("%ld\n", result);
	return 0;
}

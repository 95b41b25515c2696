/* SPDX-License-Identifier: Apache-2.0 */
/* Threads, mutexes and condition variables of C++, and an exception thrown past a lock.
 */

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static std::mutex lock;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::shared_mutex shared;
static std::condition_variable filled, emptied;
static std::vector<int> items;
static long sum;

static void consume(int count)
{
	for (int i = 0; i < count; i++) {
		std::unique_lock<std::mutex> guard(lock);

		filled.wait(guard, [] { return !items.empty(); });
		sum += items.back();
		items.pop_back();
		emptied.notify_one();
	}
}

static void produce(int count)
{
	for (int i = 0; i < count; i++) {
		std::unique_lock<std::mutex> guard(lock);

		emptied.wait(guard, [] { return items.size() < 4; });
		items.push_back(i);
		filled.notify_one();
	}
}

static void throw_from(int depth)
{
	std::lock_guard<std::recursive_mutex> guard(recursive);

	if (depth == 0)
		throw std::runtime_error("from below");
	throw_from(depth - 1);
}

static long read_all(int count)
{
	long seen = 0;

	for (int i = 0; i < count; i++) {
		std::shared_lock<std::shared_mutex> guard(shared);

		seen += sum >= 0;
	}
	return seen;
}

int main()
{
	std::thread consumer(consume, 2000), producer(produce, 2000);

	producer.join();
	consumer.join();
	std::printf("sum %ld\n", sum);
	for (int i = 0; i < 100; i++) {
		try {
			throw_from(5);
		} catch (const std::runtime_error &error) {
			if (i == 99)
				std::puts(error.what());
		}
	}
	std::printf("locked %d\n", timed.try_lock_for(std::chrono::milliseconds(1)));
	std::thread late([] {
		std::printf("late %d\n",
			    timed.try_lock_for(std::chrono::milliseconds(1)));
	});
	late.join();
	std::printf("read %ld\n", read_all(100));
	return 0;
}

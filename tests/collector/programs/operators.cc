// SPDX-License-Identifier: Apache-2.0
// Allocates with every form of new, each in a function of its own, frees most of it with every form
// of delete, and goes on after failed allocations. Each function leaks what its name says: the number
// of blocks, then the bytes in all.

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>

#define NOINLINE __attribute__((noinline))

struct Plain {
	char bytes[24];
};

struct alignas(64) Aligned {
	char bytes[64];
};

struct WithDestructor {
	~WithDestructor() { bytes[0] = 1; }
	volatile char bytes[8];
};

static void *volatile kept;

NOINLINE static void leak_new_1_24()
{
	kept = new Plain;
	Plain *gone = new Plain;
	kept = gone;
	delete gone;
}

NOINLINE static void leak_array_1_48()
{
	kept = new Plain[2];
	Plain *gone = new Plain[3];
	kept = gone;
	delete[] gone;
	WithDestructor *more = new WithDestructor[4];
	kept = more;
	delete[] more;
}

NOINLINE static void leak_nothrow_2_72()
{
	kept = new (std::nothrow) Plain;
	kept = new (std::nothrow) Plain[2];
	operator delete(operator new(10, std::nothrow), std::nothrow);
	operator delete[](operator new[](10, std::nothrow), std::nothrow);
}

NOINLINE static void leak_aligned_2_192()
{
	kept = new Aligned;
	kept = new Aligned[2];
	Aligned *gone = new Aligned;
	kept = gone;
	delete gone;
	gone = new Aligned[2];
	kept = gone;
	delete[] gone;
}

NOINLINE static void leak_aligned_nothrow_1_64()
{
	const std::align_val_t alignment{ 64 };

	kept = new (std::nothrow) Aligned;
	operator delete(operator new(64, alignment, std::nothrow), alignment, std::nothrow);
	operator delete[](operator new[](64, alignment, std::nothrow), alignment, std::nothrow);
	operator delete(operator new(64, alignment), 64, alignment);
	operator delete[](operator new[](64, alignment), 64, alignment);
	operator delete[](operator new[](64), 64);
}

NOINLINE static int fails()
{
	volatile std::size_t size = PTRDIFF_MAX;
	int failures = 0;

	try {
		kept = new char[size];
	} catch (const std::bad_alloc &) {
		failures++;
	}
	try {
		kept = operator new(size, std::align_val_t{ 64 });
	} catch (const std::bad_alloc &) {
		failures++;
	}
	failures += operator new(size, std::nothrow) == nullptr;
	return failures;
}

static std::jmp_buf place;

// A jump leaves operator new.
NOINLINE static int jumps()
{
	volatile std::size_t size = PTRDIFF_MAX;
	std::new_handler former = std::set_new_handler([] { std::longjmp(place, 1); });
	volatile int jumps = 0;

	if (setjmp(place) == 0)
		kept = operator new(size);
	else
		jumps = jumps + 1;
	std::set_new_handler(former);
	return jumps;
}

// Deeper in the stack than the calls that were left.
NOINLINE static void descend(int depth, std::size_t size)
{
	volatile char room[200];

	room[0] = 0;
	if (depth > 0)
		descend(depth - 1, size);
	else
		kept = operator new(size);
	room[1] = 0;
}

NOINLINE static void leak_after_jump_1_222()
{
	descend(5, 222);
	kept = nullptr;
}

NOINLINE static void leak_after_failure_1_111()
{
	descend(5, 111);
	kept = nullptr;
}

NOINLINE static void leak_in_thread_1_55()
{
	kept = operator new(55);
}

int main()
{
	leak_new_1_24();
	leak_array_1_48();
	leak_nothrow_2_72();
	leak_aligned_2_192();
	leak_aligned_nothrow_1_64();
	int failures = fails();
	leak_after_failure_1_111();
	int left = jumps();
	leak_after_jump_1_222();
	std::printf("%d failed, %d left\n", failures, left);
	std::thread(leak_in_thread_1_55).join();
	std::vector<std::string> strings;
	for (int i = 0; i < 1000; i++)
		strings.push_back(std::string(static_cast<std::size_t>(i), 'x'));
	std::printf("%zu strings\n", strings.size());
	return 0;
}

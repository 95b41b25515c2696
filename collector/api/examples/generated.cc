// SPDX-License-Identifier: Apache-2.0
// Code that is made at run time, and appears in a profile under its name.
//
//	c++ generated.cc -lcollectorAPI && collect ./a.out && er_print -functions test.1.er

#include <collectorAPI.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/mman.h>

namespace
{
// push %rbp; mov %rsp,%rbp; sub $1,%rdi; jne back to the sub; pop %rbp; ret
const uint8_t countdown[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83,
			      0xef, 0x01, 0x75, 0xfa, 0x5d, 0xc3 };

// A function in a page of its own, known to a recording as long as it lives.
class GeneratedFunction {
public:
	explicit GeneratedFunction(const std::string &name)
		: code(mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
	{
		if (code == MAP_FAILED)
			return;
		std::memcpy(code, countdown, sizeof(countdown));
		collector_func_load(name.c_str(), nullptr, __FILE__, code, sizeof(countdown), 0,
				    nullptr);
	}

	~GeneratedFunction()
	{
		if (code == MAP_FAILED)
			return;
		collector_func_unload(code);
		munmap(code, 4096);
	}

	void operator()(uint64_t count) const
	{
		if (code != MAP_FAILED)
			reinterpret_cast<void (*)(uint64_t)>(code)(count);
	}

private:
	void *code;
};
}

int main()
{
	collector_sample("input is read");
	GeneratedFunction count("Counter<long>::count down");
	count(200'000'000);
	std::puts("done");
}

// SPDX-License-Identifier: Apache-2.0
// Tasks with objects that have constructors, and with wide alignment; regions in a library that was opened for
// itself (-DLIBRARY), by its name as the argument.
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>

struct alignas(64) wide {
	int value;
	static int copies, ends;

	wide() : value(3) {}
	wide(const wide &other) : value(other.value + 1)
	{
#pragma omp atomic
		copies++;
	}
	~wide()
	{
#pragma omp atomic
		ends++;
	}
};
int wide::copies, wide::ends;

extern "C" int compute()
{
	int sum = 0;
	char text[3] = { 'a', 'b', 'c' };
	wide object;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 50; i++) {
#pragma omp task firstprivate(object, text) shared(sum) if (i % 5 != 0)
		{
			int mine = object.value + text[2] + ((uintptr_t)&object % alignof(wide) == 0);
#pragma omp atomic
			sum += mine;
		}
	}
	printf("%d copies, %d ends\n", wide::copies, wide::ends + 1);
	return sum;
}

#ifndef LIBRARY
int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
	int (*function)() = library ? reinterpret_cast<int (*)()>(dlsym(library, "compute")) : compute;

	printf("%d\n", function());
	return 0;
}
#endif

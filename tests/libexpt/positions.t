#!/bin/sh
# Every instruction of programs by several compilers has the source position, and the inlined functions, that
# addr2line finds.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

positions=$BUILD/tests/libexpt/programs/positions
# shellcheck disable=SC2317 # called by check
compare() { # REFERENCE INLINED OBJECT [DEBUG [COMMON]]
	"$TESTDIR/positions_compare.py" "$positions" "$@"
}

cat >sort.cc <<'EOF'
#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>
namespace {
struct local {
	int value;
	template <class T> int get(T more) const { return value + int(more); }
};
}
static inline __attribute__((always_inline)) int inner(int x) { volatile int y = x; return y * 3; }
__attribute__((noinline)) int outer(int x) { return inner(x) + inner(x + 1); }
int main(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> words;
	for (int i = 0; i < argc * 100; i++)
		words[std::to_string(i % 17)].push_back(outer(i));
	for (auto &word : words)
		std::sort(word.second.begin(), word.second.end(), [](int a, int b) { return a > b; });
	local last{ argc };
	std::printf("%zu %d %s\n", words.size(), last.get(3.5), argv[0]);
	return 0;
}
EOF
cat >other.c <<'EOF'
#include <stdlib.h>
#include <string.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline __attribute__((always_inline)) int middle(const int *items, int count) { return items[count / 2]; }
int median(const int *items, int count)
{
	int *copy = malloc(count * sizeof(*copy)), found;
	memcpy(copy, items, count * sizeof(*copy));
	qsort(copy, count, sizeof(*copy), compare);
	found = middle(copy, count);
	free(copy);
	return found;
}
int main(int argc, char **argv) { return median((int[]){ 3, 1, 2, argc }, 4) == 9; }
EOF

has() {
	command -v "$1" >/dev/null
}

# build NAME INLINED COMPILER FLAG...: compare a program of this compiler.
build() {
	name=$1 inlined=$2
	shift 2
	if ! has "$1"; then
		skip "there is no $1" "$*"
	elif ! "$@" -o "$name" 2>error; then
		skip "$(head -n 1 error)" "$*"
	else
		check "$*" compare "$name" "$inlined" "$name"
	fi
}

for version in 2 4 5; do
	build c$version 1 gcc -O2 -gdwarf-$version other.c
done
build plain 0 gcc -O0 -g other.c
build wide 1 gcc -O2 -g -gdwarf64 other.c
build packed 1 gcc -O2 -g -gz=zlib other.c
build cc 500 g++ -O2 -g sort.cc
build cc4 500 g++ -O3 -gdwarf-4 sort.cc
build lines 0 g++ -O2 -g1 sort.cc
# addr2line cannot read all of these.
if has llvm-symbolizer; then
	build lto 500 g++ -O2 -g -flto sort.cc
	build clang5 500 clang++ -O2 -gdwarf-5 sort.cc
	build tables 500 clang++ -O2 -gline-tables-only sort.cc
else
	skip 'there is no llvm-symbolizer' '-flto, clang++'
fi
build clang4 500 clang++ -O2 -gdwarf-4 sort.cc

cat >work.f90 <<'EOF'
module m
contains
  pure real function square(x)
    real, intent(in) :: x
    square = x * x
  end function
  subroutine work(a, n)
    integer :: n, i
    real :: a(n)
    do i = 1, n
      a(i) = square(a(i)) + inner(a(i))
    end do
  contains
    real function inner(y)
      real :: y
      inner = y + 1
    end function
  end subroutine
end module
program p
  use m
  real :: a(100)
  a = 2
  call work(a, 100)
  print *, sum(a)
end program
EOF
build fortran 1 gfortran -O2 -g work.f90

cat >count.rs <<'EOF'
use std::collections::HashMap;
fn main() {
	let mut words: HashMap<String, u32> = HashMap::new();
	for i in 0..1000u32 { *words.entry(format!("{}", i % 7)).or_default() += i; }
	println!("{}", words.values().map(|x| x * 2).sum::<u32>());
}
EOF
build rust 500 rustc -g -O count.rs
printf 'package main\nfunc main() { println(len("x")) }\n' >small.go
if has go; then
	GOCACHE=$PWD/cache go build -o go small.go && check 'go build' compare go 100 go
else
	skip 'there is no go' 'go build'
fi

# ---- debug data in other files ----

# The skeletons of split units still have lines.
# shellcheck disable=SC2317 # called by check
no_split() {
	nm parts | sed -n 's/ T main$//p' | "$positions" parts | grep 'sort.cc:1[4-9]$'
}

# split NAME COMPILER FLAG...: compare with the same code, whose debug data are not split, because addr2line
# cannot read split ones; then from a package.
split() {
	name=$1
	shift
	if ! has "$1"; then
		skip "there is no $1" "$* -gsplit-dwarf"
		return
	fi
	mkdir "$name" && cp sort.cc "$name" && cd "$name" || exit 1
	sed 's/main(/unused(/; s/outer(/another(/' sort.cc >second.cc
	"$@" -O2 -o whole sort.cc second.cc
	"$@" -O2 -gsplit-dwarf -o parts sort.cc second.cc
	check "$* -gsplit-dwarf" compare whole 500 parts
	if has llvm-dwp && timeout 20 llvm-dwp -e parts -o parts.dwp 2>error; then
		rm -f -- *.dwo
		check "$* -gsplit-dwarf, in a package" compare whole 500 parts
		rm parts.dwp
		check "$* -gsplit-dwarf, without it" no_split
	else
		skip 'llvm-dwp cannot make it' "$* -gsplit-dwarf, in a package"
	fi
	cd ..
}
split split4 g++ -gdwarf-4
split split5 g++ -gdwarf-5
has llvm-symbolizer && split split5c clang++ -gdwarf-5

cp cc whole
objcopy --only-keep-debug cc cc.debug
strip cc
check 'a separate debug file' compare whole 500 cc cc.debug

cp cc4 one
g++ -O1 -gdwarf-4 -o two sort.cc
if has dwz && dwz -m common one two 2>error; then
	check 'a common file of dwz' compare cc4 500 one one common
else
	skip 'there is no dwz' 'a common file of dwz'
fi

done_testing

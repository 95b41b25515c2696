#!/bin/sh
# shellcheck disable=SC2317 # check runs the functions
# The metrics of source lines of programs by several compilers: each address of -pcs counts for the line that
# addr2line finds.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/ticks.sh
. "$TOP/tests/lib/ticks.sh"

cat >lines.py <<'END'
"""lines.py PROGRAM REFERENCE: compare -lines and -source of prog.er with the addresses of -pcs."""
import csv
import os
import re
import subprocess
import sys
from collections import Counter

program, reference = sys.argv[1:]


def rows(*command):
    text = subprocess.run(["er_print", "-name", "long:soname", "-printmode", ",", "-metrics",
                           "e.totalcpu:address:name", *command, "prog.er"],
                          capture_output=True, text=True, check=True).stdout
    found = [row for row in csv.reader(text.splitlines()) if len(row) == 3 and re.match(r"[\d.]+$", row[0])]
    return [(round(float(value) * 1000), address, name) for value, address, name in found]


# Addresses of lists are those in the file; tools want those in memory.
header = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
loads = [[int(word, 16) for word in line.split()[1:6]] for line in header.splitlines()
         if line.split()[:1] == ["LOAD"]]


def in_memory(offset):
    return next(offset - start + address for start, address, _, size, _ in loads if start <= offset < start + size)


own = "[<%s>]" % os.path.basename(program)
pcs = [(value, in_memory(int(address.split(":")[1], 16))) for value, address, name in rows("-pcs") if own in name]
asked = "\n".join("0x%x" % pc for _, pc in pcs)
command = ([reference, "--obj=" + program, "--inlines", "--functions=none"] if "symbolizer" in reference
           else [reference, "-ie", program])
answer = subprocess.run(command if "symbolizer" in reference else command + ["-a"], input=asked,
                        capture_output=True, text=True, check=True).stdout
if "symbolizer" in reference:
    first = [block.splitlines()[0] for block in answer.split("\n\n") if block.strip()]
else:
    first = re.findall(r"^0x[0-9a-f]+\n(.*)", answer, re.M)
assert len(first) == len(pcs), (len(first), len(pcs))

theirs, addresses = Counter(), Counter()
for (value, _), place in zip(pcs, first):
    found = re.match(r"(.*):(\d+)", re.sub(r":(\d+)(:\d+| .*)$", r":\1", place))
    is_known = found and found[2] != "0" and not found[1].startswith("??")
    line = "%s:%s" % (os.path.basename(found[1]), found[2]) if is_known else "unknown"
    theirs[line] += value
    addresses[line] += 1
ours = Counter()
for value, _, name in rows("-lines"):
    if own not in name:
        continue
    found = re.search(r', line (\d+) in "(.*)"', name)
    ours["%s:%s" % (found[2], found[1]) if found else "unknown"] += value

# Each row is rounded to a millisecond.
wrong = [(line, ours[line], theirs[line], addresses[line]) for line in set(ours) | set(theirs)
         if abs(ours[line] - theirs[line]) > 1 + addresses[line] / 2]
for line in wrong:
    print("# %s: %d ms, and %d ms of its %d addresses" % line)
total = sum(ours.values())
print("# %d addresses, %d lines, %d ms, %d ms without a line" % (len(pcs), len(ours), total, ours["unknown"]))

# The hottest line has the same value in the source, where that can be shown.
hottest, value = ours.most_common(1)[0]
if hottest != "unknown":
    name, line = hottest.split(":")
    text = subprocess.run(["er_print", "-metrics", "e.totalcpu:name", "-source", name, "prog.er"],
                          capture_output=True, text=True, check=True).stdout
    shown = re.search(r"^## +([\d.]+) +%s\.( |$)" % line, text, re.M)
    if not shown or abs(float(shown[1]) * 1000 - value) > len(pcs):
        print("# the source has %s at line %s of %s, not %d ms" % (shown and shown[1], line, name, value))
        wrong.append(hottest)
sys.exit(bool(wrong) or total < 100 or len(ours) < 3)
END

# lines REFERENCE
lines() {
	python3 lines.py ./prog "$1"
}

# build REFERENCE SOURCE COMPILER FLAG...: record a program of this compiler.
build() {
	reference=$1 source=$2
	shift 2
	if ! command -v "$1" >/dev/null || ! command -v "$reference" >/dev/null; then
		skip "there is no $1, or no $reference" "$* $source"
	elif ! "$@" -o prog "$source" 2>error; then
		skip "$(head -n 1 error)" "$* $source"
	else
		with_ticks 80 prog.er collect -p 1000u -F off -o prog.er ./prog >/dev/null
		check "$* $source" lines "$reference"
	fi
}

cat >work.cc <<-END
	#include <algorithm>
	#include <cstdio>
	#include <map>
	#include <string>
	#include <vector>

	static inline __attribute__((always_inline)) unsigned mix(unsigned x)
	{
		x ^= x >> 13;
		x *= 0x5bd1e995;
		return x ^ x >> 15;
	}

	__attribute__((noinline)) static unsigned fill(std::vector<unsigned> &all, unsigned seed)
	{
		for (auto &one : all)
			one = seed = mix(seed + 1);
		return seed;
	}

	int main()
	{
		std::map<std::string, std::vector<unsigned>> words;
		unsigned seed = 1;
		for (int i = 0; i < 150; i++) {
			auto &all = words[std::to_string(i % 17)];
			all.resize(20000);
			seed = fill(all, seed);
			std::sort(all.begin(), all.end(), [](unsigned a, unsigned b) { return a % 1000 < b % 1000; });
		}
		std::printf("%u %zu\\n", seed, words.size());
		return 0;
	}
END
cat >work.f90 <<-END
	module m
	contains
	  subroutine work(a, n)
	    integer :: n, i, j
	    real :: a(n)
	    do j = 1, 30000
	      do i = 2, n
	        a(i) = a(i - 1) * 0.3 + inner(a(i))
	      end do
	    end do
	  contains
	    real function inner(y)
	      real :: y
	      inner = y / 3 + 1
	    end function
	  end subroutine
	end module
	program p
	  use m
	  real :: a(2000)
	  a = 2
	  call work(a, 2000)
	  print *, sum(a)
	end program
END
cat >work.rs <<-END
	fn mix(x: u32) -> u32 {
	    let y = x ^ (x >> 13);
	    let z = y.wrapping_mul(0x5bd1e995);
	    z ^ (z >> 15)
	}
	fn main() {
	    let mut all: Vec<u32> = Vec::new();
	    let mut seed = 1u32;
	    for round in 0..400 {
	        all.clear();
	        for _ in 0..20000 {
	            seed = mix(seed.wrapping_add(round));
	            all.push(seed);
	        }
	        all.sort_by(|a, b| (a % 1000).cmp(&(b % 1000)));
	    }
	    println!("{} {}", seed, all[7]);
	}
END
cat >work.go <<-END
	package main

	import (
		"fmt"
		"sort"
	)

	func mix(x uint32) uint32 {
		x ^= x >> 13
		x *= 0x5bd1e995
		return x ^ x>>15
	}

	func main() {
		seed := uint32(1)
		all := make([]uint32, 20000)
		for round := 0; round < 150; round++ {
			for i := range all {
				seed = mix(seed + uint32(round))
				all[i] = seed
			}
			sort.Slice(all, func(i, j int) bool { return all[i]%1000 < all[j]%1000 })
		}
		fmt.Println(seed, all[7])
	}
END
# addr2line 2.40 mistakes files of DWARF 5 at -O0.
build addr2line work.cc g++ -gdwarf-4 -O0
build llvm-symbolizer work.cc g++ -g -O0
build addr2line work.cc g++ -g -O2
build llvm-symbolizer work.cc g++ -g -O2 -flto
build addr2line work.cc g++ -g -O2 -no-pie -gdwarf-4
build llvm-symbolizer work.cc clang++ -g -O2
build addr2line work.cc clang++ -gdwarf-4 -O2
build addr2line work.f90 gfortran -g -O2
build addr2line work.rs rustc -g -O
GOCACHE=$PWD/cache
export GOCACHE
build addr2line work.go go build
done_testing

#!/bin/sh
# Functions of modules, also of those that are loaded while the kernel is recorded. No module is needed: in a mount
# namespace of this test, the list of the kernel's functions is one in which some of the kernel's own belong to modules,
# and are there from some moment on.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

ln -s "$BUILD/tests/er_kernel/programs/zeros" zeros
if ! awk '$1 !~ /^0*$/ && $2 ~ /^[tT]$/ { found = 1 } END { exit !found }' /proc/kallsyms ||
	! unshare -m true 2>/dev/null; then
	skip 'no list of functions, or no namespaces' 'modules'
	done_testing
fi

# The function of the kernel that takes most of the load's time
er_kernel -A off -F off -p hi -q 0 -o first.er ./zeros 1 2>/dev/null
hot=$(er_print -metrics e.kcpu:name -functions first.er 2>/dev/null | awk '$2 == "<Total>" { on = 1 } on && $2 ~ /^[a-z_0-9]+$/ { print $2; exit }')
address=$(awk -v name="$hot" '$3 == name { print $1; exit }' /proc/kallsyms)
note "$hot at $address takes most of it"

# Make two lists: without the functions in some pages around it, before which the kernel ends, as the end of a module
# is not that of the next function; and with them as a module.
python3 - "$address" <<'END'
import sys
hot = int(sys.argv[1], 16)
low, high = (hot - 0x2000) & ~0xfff, (hot + 0x4000) & ~0xfff
rows = [line.rstrip("\n") for line in open("/proc/kallsyms")]
rows = [row for row in rows if row.split()[1] in "tTwW" and "\t" not in row]
rows.sort(key=lambda row: int(row.split()[0], 16))
inside = [row for row in rows if low <= int(row.split()[0], 16) < high]
before = [row for row in rows if int(row.split()[0], 16) < low]
# The last page before is the module's as well: no function of the kernel reaches into it.
edge = (int(before[-1].split()[0], 16)) & ~0xfff
module = [row for row in before if int(row.split()[0], 16) >= edge]
before = [row for row in before if int(row.split()[0], 16) < edge]
after = [row for row in rows if int(row.split()[0], 16) >= high]
with open("late", "w") as late, open("early", "w") as early:
    for row in before[:-1] + after:
        print(row, file=early)
        print(row, file=late)
    print(before[-1] + "\t[brim]", file=early)
    print(before[-1] + "\t[brim]", file=late)
    for row in module + inside:
        print(row + "\t[demo]", file=late)
END
cat >recorded <<'END'
cp early shown
mount --bind shown /proc/kallsyms || exit 99
case $1 in
from_the_start) cat late >shown ;;
in_between) (sleep 2 && cat late >shown) & ;;
esac
er_kernel -F off -p hi -q 0 -o "$1.er" ./zeros "$2"
END
# shares SITUATION: how many hundredths of the load's time in the kernel are at functions of the module, by name
share() {
	er_print -limit 100000 -metrics e.kcpu:name -functions "$1.er" 2>/dev/null |
		awk -v name="$hot" '$2 == "<Total>" { all = $1 } $2 == name { it = $1 } END { printf "%d", (all ? 100 * it / all : 0) }'
}
whole=$(share first)
seconds=1
for situation in never from_the_start in_between; do
	[ $situation != in_between ] || seconds=5
	unshare -m sh recorded $situation $seconds >out 2>err
	is "$?" 3 "$situation: it is recorded" || sed 's/^/# /' err
	note "$situation: $(share $situation) of 100 at $hot, $whole without modules"
done
# How much that is depends on what else the host does.
is "$(share never)" 0 'a function that the kernel does not tell of has no name'
check 'functions of a module have names' [ "$(share from_the_start)" -gt 2 ]
er_print -objects from_the_start.er >objects 2>/dev/null
check 'the module is a load object' grep -qF '[demo]' objects
check 'which is archived' sh -c 'ls from_the_start.er/archives | grep -qF "[demo]_"'
check 'those of one that is loaded meanwhile' [ "$(share in_between)" -gt 2 ]
er_print -objects in_between.er >objects 2>/dev/null
check 'it is a load object' grep -qF '[demo]' objects
is "$(grep -c 'name="\[demo\]"' in_between.er/map.xml)" 1 'that is mapped once'
if command -v gp-display-text >/dev/null; then
	gp-display-text -metrics e.kcpu:name -functions in_between.er >theirs 2>/dev/null
	check 'gprofng shows it as well' grep -q " $hot\$" theirs
else
	skip 'gprofng is not installed' 'gprofng shows it as well'
fi
done_testing

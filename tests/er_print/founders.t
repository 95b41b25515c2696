#!/bin/sh
# Many experiments at a time: the symbols of all of them are not in memory at a time, and nothing else shows it.
. "$TOP/tests/lib/tap.sh"

cat >service.c <<-END
	#include <stdlib.h>

	static volatile double sink;
	__attribute__((noinline)) static void leaf(int count)
	{
		for (int i = 0; i < count; i++)
			sink = sink * 1.01 + 0.5;
	}
	__attribute__((noinline)) static void serve(int count)
	{
		leaf(count);
		sink += !realloc(malloc(10), 20);
	}
	int main(void)
	{
		for (int i = 0; i < 200; i++)
			serve(50000);
		return 0;
	}
END
gcc -g -O1 -o service service.c
collect -p 1000u -H on -A copy -o test.1.er ./service 2>/dev/null

# group NAME COUNT: of copies
group() {
	echo '#analyzer experiment group' >"$1"
	for i in $(seq "$2"); do
		[ -d "test.$i.er" ] || cp -R test.1.er "test.$i.er"
		echo "test.$i.er" >>"$1"
	done
}
group few.erg 20
group many.erg 100
er_export -q -o bundle.1.tar.zst test.1.er
for i in $(seq 2 100); do
	cp bundle.1.tar.zst "bundle.$i.tar.zst"
done

# memory COMMAND...: KiB
memory() {
	python3 - "$@" <<-END
		import resource, subprocess, sys
		subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
		print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
	END
}
is_bounded() { # TEXT FEW MANY
	echo "# $1: $2 KiB for 20, $3 KiB for 100"
	case $BUILD in
	*asan*) skip 'a sanitizer keeps what is freed' "the memory of $1 is bounded" ;;
	*) check "the memory of $1 is bounded" test "$3" -lt $(($2 * 3)) ;;
	esac
}
for command in -functions -calltree; do
	is_bounded "$command" "$(memory er_print $command few.erg)" "$(memory er_print $command many.erg)"
done
# shellcheck disable=SC2046 # names without blanks
is_bounded "bundles" "$(memory er_print -functions $(seq -f 'bundle.%g.tar.zst' 20))" \
	"$(memory er_print -functions $(seq -f 'bundle.%g.tar.zst' 100))"

# Figures are five times those of the few; everything else is the same.
divided() { # GROUP BY COMMAND...
	group=$1 by=$2
	shift 2
	er_print -printmode '|' -metrics e.heapallocbytes:e.heapalloccnt:i.heapalloccnt:size:name "$@" "$group" |
		tr -d '"' | awk -F'|' -v OFS='|' -v CONVFMT=%.0f -v OFMT=%.0f -v by="$by" '
			$1 ~ /^[0-9]+$/ { $1 /= by; $2 /= by; $3 /= by }
			{ print }'
}
for command in -functions -fsummary '-disasm serve' -lines -pcs; do
	# shellcheck disable=SC2086 # several words
	divided few.erg 1 $command | grep -v ':' >expected
	# shellcheck disable=SC2086
	divided many.erg 5 $command | grep -v ':' >got
	# shellcheck disable=SC2016
	check "$command" sh -c 'cmp expected got && [ "$(wc -l <got)" -gt 3 ]'
done
# Rows are the same in lists with other columns.
for command in -callers-callees -calltree '-source serve'; do
	for group in few many; do
		# shellcheck disable=SC2086
		divided $group.erg 1 $command | sed 's/^[^a-zA-Z+]*//' | grep -v ':' >$group
	done
	# shellcheck disable=SC2016
	check "$command" sh -c 'cmp few many && [ "$(wc -l <many)" -gt 3 ]'
done
done_testing

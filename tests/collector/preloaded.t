#!/bin/sh
# Other libraries in front of libc: allocators and sanitizers, recorded by the clock and with everything
# traced.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

# The environment is the program's own, so its preloads come either before or after ours.
allocator() { # NAME FILE
	allocator_file=$(ldconfig -p 2>/dev/null | sed -n "s|.*[[:space:]]$2 .*=> ||p" | head -n 1)
	if [ -z "$allocator_file" ]; then
		skip "$2 is not installed" "$1"
		return
	fi
	for allocator_place in before after; do
		allocator_all="$library $allocator_file"
		[ $allocator_place = after ] || allocator_all="$allocator_file $library"
		allocator_works='threads many:exceptions 300 3:processes fork_with_threads'
		[ $allocator_place = before ] ||
			allocator_works="$allocator_works:threads thread_exits_process:locks forks"
		IFS=:
		for allocator_work in $allocator_works; do
			unset IFS
			# shellcheck disable=SC2086 # a program and its words
			preloaded "$1 $allocator_place us, $allocator_work" $allocator_work
		done
	done
}

# preloaded NAME PROGRAM ARGUMENTS: run with the allocator alone, and recorded with both.
preloaded() {
	preloaded_name=$1
	preloaded_program=$programs/$2
	shift 2
	LD_PRELOAD=$allocator_file "$preloaded_program" "$@" >alone.out 2>alone.err
	echo "status $?" >>alone.out
	rm -rf recorded.er && mkdir recorded.er
	env SP_COLLECTOR_EXPNAME="$PWD/recorded.er" SP_COLLECTOR_PARAMS="S:1;F:3;$parameters" \
		SP_COLLECTOR_PRELOAD="$library" LD_PRELOAD="$allocator_all" \
		timeout 60 "$preloaded_program" "$@" >recorded.out 2>recorded.err
	echo "status $?" >>recorded.out
	check "$preloaded_name: behaves as alone" cmp alone.out recorded.out
	check "$preloaded_name: the same errors" cmp alone.err recorded.err
	check "$preloaded_name: the reader has no complaint" is_clean recorded.er
}

# sanitized KIND PROGRAM.SUFFIX ARGUMENTS: a program of our tests, built with a sanitizer.
sanitized() {
	sanitized_program=./$1-$2
	sanitized_name="$1 sanitizer, $2"
	sanitized_compiler="${CC:-cc} -D_GNU_SOURCE"
	[ "${2%.cc}" = "$2" ] || sanitized_compiler=${CXX:-c++}
	# shellcheck disable=SC2086 # the compiler's options
	[ -e "$sanitized_program" ] || $sanitized_compiler -O1 -g "-fsanitize=$1" -pthread -I"$TOP" \
		-o "$sanitized_program" "$TOP/tests/collector/programs/$2" -ldl -lm 2>/dev/null
	shift 2
	if "$sanitized_program" "$@" >/dev/null 2>&1; then
		as_alone "$sanitized_name $*" "$sanitized_program" "$@"
		check "$sanitized_name $*: the reader has no complaint" is_clean recorded.er
	else
		skip "it does not work on this system" "$sanitized_name $*"
	fi
}

ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS
everything() {
	allocator jemalloc libjemalloc.so.2
	allocator tcmalloc libtcmalloc_minimal.so.4
	for kind in address thread; do
		sanitized $kind threads.c detached
		sanitized $kind threads.c destructors
		sanitized $kind exceptions.cc 100 3
		sanitized $kind locks.c other_results
		sanitized $kind processes.c spawns
	done
}

# Without the settings that collect makes, and with libcollector.so after libc.
for kind in heap io sync; do
	check "the $kind library does nothing by itself" \
		env LD_PRELOAD="$BUILD/lib/erkit/libcollector-$kind.so" ls .
done

# And with other settings.
parameters='p:300;a:off;'
usual=$library
trace_everything 500
parameters='p:300;a:off;'
allocator_file=
allocator_all=$library
preloaded "libraries of wrappers without their kinds" threads many
check "they record nothing" test ! -e recorded.er/heaptrace
library=$usual

everything
trace_everything 500
note "with everything traced"
everything
done_testing

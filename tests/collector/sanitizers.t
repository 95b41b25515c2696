#!/bin/sh
# Sanitizers report the same of a recorded program as of the program alone, line by line.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

export ASAN_OPTIONS=halt_on_error=0

# Addresses and process numbers differ from run to run, and the contents around a block may.
same_each_time() {
	sed -E -e 's/==[0-9]+==/==PID==/g' -e 's/[pt]id[ =][0-9]+/pid=PID/g' -e 's/0x[0-9a-f]+/ADDRESS/g' \
		-e '/^(=>|  )ADDRESS:/d' "$1"
	echo "status $2"
}

alone() { # COMMAND...
	"$@" >alone.out 2>alone.err
	alone_status=$?
	{
		cat alone.out
		same_each_time alone.err $alone_status
	} >alone.all
}

# record_once OPTIONS COMMAND...: is the report the same?
record_once() {
	record_options=$1
	shift
	rm -rf recorded.er
	# shellcheck disable=SC2086 # words
	collect $record_options -A off -o recorded.er "$@" >recorded.out 2>recorded.err
	record_status=$?
	{
		cat recorded.out
		sed '/^collect: recording to/d' recorded.err >recorded.report
		same_each_time recorded.report $record_status
	} >recorded.all
	diff alone.all recorded.all >/dev/null
}

# as_alone NAME OPTIONS COMMAND...
#
# The search for leaks takes whatever looks like a pointer for one. The kernel stores registers on the stack for each
# signal, so that a leak is overlooked now and then: look again.
as_alone() {
	as_alone_name=$1
	as_alone_options=$2
	shift 2
	record_once "$as_alone_options" "$@" || record_once "$as_alone_options" "$@" ||
		record_once "$as_alone_options" "$@"
	check "$as_alone_name, $as_alone_options: the same report as alone" diff alone.all recorded.all
}

everything='-p 1m -H on -s all -i on'

# sanitizer COMPILER KIND HOOKS NAME FLAGS...: HOOKS is set if the sanitizer reports its allocations to us.
sanitizer() {
	sanitizer_compiler=$1
	sanitizer_kind=$2
	sanitizer_hooks=$3
	sanitizer_name=$4
	shift 4
	rm -f sanitized
	if ! command -v "$sanitizer_compiler" >/dev/null ||
		! "$sanitizer_compiler" "-fsanitize=$sanitizer_kind" -g -O1 -pthread "$@" -o sanitized \
			"$TOP/tests/collector/programs/sanitized.cc" 2>/dev/null ||
		! alone ./sanitized "$sanitizer_kind" ||
		! grep -q "Sanitizer: " alone.err || grep -q "CHECK failed" alone.err; then
		skip "it does not work on this system" "$sanitizer_name"
		return
	fi
	as_alone "$sanitizer_name" '-p on' ./sanitized "$sanitizer_kind"
	as_alone "$sanitizer_name" "$everything" ./sanitized "$sanitizer_kind"
	[ "$sanitizer_hooks" = no ] ||
		is "$(er_print -metrics i.heapleakcnt:i.heapleakbytes:name -functions recorded.er |
			sed -n 's/^ *\(.*[^ ]\)  *leak.*/\1/p' | tr -s ' ')" '4 170' "$sanitizer_name: its leaks are known"
}

# The address sanitizer continues after the first fault only if asked to.
recover=-fsanitize-recover=address
sanitizer g++ address yes "gcc's address sanitizer" $recover
sanitizer g++ thread yes "gcc's thread sanitizer"
sanitizer g++ leak yes "gcc's leak sanitizer"
sanitizer g++ address no "gcc's address sanitizer, linked statically" $recover -static-libasan
sanitizer g++ thread no "gcc's thread sanitizer, linked statically" -static-libtsan
sanitizer g++ leak no "gcc's leak sanitizer, linked statically" -static-liblsan
sanitizer clang++ address yes "clang's address sanitizer" $recover
sanitizer clang++ thread yes "clang's thread sanitizer"
sanitizer clang++ leak yes "clang's leak sanitizer"
path=-Wl,-rpath,$(dirname "$(clang++ --print-file-name=libclang_rt.asan-x86_64.so 2>/dev/null)")
sanitizer clang++ address yes "clang's address sanitizer, a shared library" $recover -shared-libsan "$path"
sanitizer clang++ thread yes "clang's thread sanitizer, a shared library" -shared-libsan "$path"

# In descendants, and where the user preloads the run-time because a library of the program needs it.
if g++ -fsanitize=thread -g -O1 -pthread -o sanitized "$TOP/tests/collector/programs/sanitized.cc" 2>/dev/null; then
	alone sh -c './sanitized thread; :'
	as_alone "a child" '-p on' sh -c './sanitized thread; :'
else
	skip "it does not work on this system" "a child"
fi
if g++ -fsanitize=address -g -O1 -pthread -shared -fPIC -Dmain=library_main -o libsanitized.so \
	"$TOP/tests/collector/programs/sanitized.cc" 2>/dev/null &&
	echo 'int library_main(int, char **); int main(int c, char **v) { return library_main(c, v); }' >uses.cc &&
	g++ -o uses uses.cc ./libsanitized.so 2>/dev/null; then
	preload=$(readlink -f "$(g++ -print-file-name=libasan.so)")
	# shellcheck disable=SC2016 # for sh to expand
	set -- sh -c 'LD_PRELOAD=$0; export LD_PRELOAD; ./uses leak' "$preload"
	alone env LD_PRELOAD="$preload" ./uses leak
	LD_PRELOAD=$preload
	export LD_PRELOAD
	as_alone "a run-time that is preloaded" "$everything" ./uses leak
	unset LD_PRELOAD
	alone "$@"
	as_alone "a run-time that a child preloads" "$everything" "$@"
else
	skip "it does not work on this system" "a run-time that is preloaded"
fi

done_testing

#!/bin/sh
# The races that the manuals of helgrind and of the thread sanitizer describe are recorded, each with both accesses, and
# there are none in the programs that do the same well.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

# SITUATION RACES FUNCTION FUNCTION: the functions are in the stacks of the two accesses, in either order.
cat >table <<'END'
counter 1 add add_parent
counter_locked 0
counter_joined 0
two_variables 2 add_both add_both
by_chance 0
against_chance 1 add add_parent
by_semaphore 0
by_condition 0
by_barrier 0
notification 1 notify notice
notification_atomic 0
reader_writes 1 add_reading add_reading
writer_writes 0
bit_fields 1 set_first_bits set_second_bits
neighbours 0
thread_locals 0
structures 1 push push
structures_locked 0
references 1 drop drop
references_atomic 0
publishing 2 publish use_published
publishing_atomic 0
lazy 1 make_if_none make_if_none
lazy_once 0
double_check 1 make_if_none check_twice
double_check_atomic 0
freeing 1 use_block free_block
freeing_joined 0
vptr_in_destructor 1 destroy call_virtual
vptr_in_constructor 1 construct call_virtual
vptr_joined 0
exiting 1 global::use() global::leave()
exiting_joined 0
mutexes 1 use_lock destroy_lock
mutexes_joined 0
descriptors 1 use_pipe close_pipe
descriptors_joined 0
END

# races FUNCTION FUNCTION: how many races there are, and how many have a write, and these functions in their stacks
races() {
	er_print -rdetail all recorded.er 2>listed.err | awk -v one="$1" -v other="$2" '
		function finish() {
			if (access == 0)
				return
			count++
			right += is_written && ((has[1, one] && has[2, other]) || (has[2, one] && has[1, other]))
			split("", has)
			access = is_written = 0
		}
		/^Race #/ { finish() }
		/Access [12]:/ { access = $0 ~ /Access 1/ ? 1 : 2; if (/Write/) is_written = 1; next }
		access > 0 { name = $1; sub(/\(\)$/, "", name); has[access, name] = has[access, $1] = 1 }
		END { finish(); print count + 0, right + 0 }'
}

judged() { # COMPILER SITUATION RACES [FUNCTION FUNCTION]
	rm -rf recorded.er
	timeout -k 5 60 collect -A off -r race -o recorded.er ./documented "$2" >out 2>err </dev/null
	status=$?
	reported=$(grep -c 'WARNING: ThreadSanitizer: ' err)
	expected=0
	[ "$3" = 0 ] || expected=66
	is "$status $reported $(races "$4" "$5")" "$expected $3 $3 $3" "$1: $2: status, reports, races, and right ones" ||
		er_print -rdetail all recorded.er 2>&1 | sed 's/^/# /' | head -n 60
}

for compiler in g++ clang++; do
	rm -f documented
	if ! "$compiler" -fsanitize=thread -g -O1 -pthread -I"$TOP" -D_GNU_SOURCE -o documented \
		"$TOP/tests/collector/programs/documented.cc" 2>err || ! ./documented counter_joined 2>>err; then
		skip 'it does not work on this system' "$compiler"
		continue
	fi
	is "$(awk '{ print $1 }' table)" "$(./documented)" "$compiler: all situations are in the table"
	while read -r line; do
		# shellcheck disable=SC2086 # words
		judged "$compiler" $line
	done <table
done
done_testing

#!/bin/sh
# Every call traced: calls at the edges have the same results as alone.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

trace_everything 1000

situations() { # PROGRAM NAMES [ARGUMENT]
	situations_program=$1
	situations_names=$2
	shift 2
	for name in $situations_names; do
		as_alone "$name" "$programs/$situations_program" "$name" "$@"
	done
}

situations threads 'busy many thousand short_lived one_after_the_other small_stacks detached c11 pthread_exits
	cancelled main_ends_first thread_exits_process destructors'
check "threads: the reader has no complaint" is_clean recorded.er
situations signals 'raised default_action ignored reset_after_one blocked all_blocked waited_for read_as_file
	views fault own_fault_handler sent_fault aborts'
situations timers 'own_setitimer own_timer sleeps alarmed alarms'
situations locks 'kinds_of_mutexes owner_dies shared_with_child forks other_results'
situations interrupted 'cancelled jumps_out locks_in_handler forks_in_handler'

has_all_calls() { # STACK
	er_print -metrics i.syncn:i.ioerrorcnt -functions recorded.er >functions.txt
	is "$(sed -n 's/ *count_signal$//p' functions.txt | xargs)" "1000 1000" \
		"calls_in_handler: all are recorded, on $1 stack"
}
situations interrupted calls_in_handler
has_all_calls "the same"
situations interrupted calls_in_handler alternate
has_all_calls "an alternate"
situations interrupted calls_in_handler in_frame
has_all_calls "one in a frame"

situations stacks 'deep alternate overflown contexts handler_jumps'
as_alone exceptions "$programs/exceptions" 2000 3
check "stacks: the reader has no complaint" is_clean recorded.er
situations descriptors 'lowest close_from close_in_range close_each dup_over no_file_size
	no_descriptors no_memory strict filtered filtered_beside'
situations descriptors filtered sigreturn
situations descriptors filtered exit
situations descriptors filtered_child
situations descriptors removed "$PWD/recorded.er"
if [ "$(id -u)" = 0 ]; then
	mkdir empty
	chmod 755 . ..
	situations descriptors 'new_root new_user' "$PWD/empty"
else
	skip "not root" "new_root, new_user"
fi

printf 'no program' >garbage
chmod +x garbage
situations processes 'forks many_forks fork_with_threads vforks spawns systems pipes raw_forks clones executes
	waits' "$PWD/garbage"
check "processes: the reader has no complaint" is_clean recorded.er

cat >library.c <<'END'
#include <stdlib.h>
volatile unsigned long spent;
void work_in_library(double seconds)
{
	for (int i = 0; i < 1000; i++) {
		spent += i;
		free(malloc(i));
	}
}
END
if ${CC:-cc} -O2 -shared -fPIC -o libextra.so library.c 2>/dev/null; then
	as_alone by_name "$programs/loading" by_name "$PWD/libextra.so"
	as_alone storm "$programs/loading" storm "$PWD/libextra.so"
	as_alone conversion "$programs/loading" conversion .05
	check "loading: the reader has no complaint" is_clean recorded.er
else
	skip "no compiler" "loading"
fi

done_testing

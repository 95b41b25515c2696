#!/bin/sh
# Deadlocks: those that may happen and those that do are recorded with their locks and call stacks, and orders of
# locks that only seem to lead to one are not.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

readelf -dW "$BUILD/lib/erkit/libcollector-deadlock.so" >dynamic.txt
is "$(sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' dynamic.txt | sort | tr '\n' ' ')" "libc.so.6 libcollector.so " \
	"the library needs nothing but libc and the collector"

# recorded OPTION PROGRAM SITUATION: the status of the program
recorded() {
	rm -rf recorded.er
	timeout -k 5 60 collect -A off -r "$1" -o recorded.er "$2" "$3" >recorded.out 2>recorded.err
}

# listed [COMMAND]: the deadlocks, without numbers that differ from run to run: of threads, in the order of the list;
# of locks, by their first appearance
listed() {
	er_print "${1:--deadlocks}" ${2:+"$2"} recorded.er 2>&1 | awk '
		/Thread #/ { n = $2; if (!(n in threads)) threads[n] = ++thread_count
			print "  Thread " threads[n]; next }
		/Lock being/ { lock = $0; sub(/,.*/, "", lock); sub(/.* /, "", lock)
			if (!(lock in locks)) locks[lock] = ++lock_count
			place = $0; sub(/.* at:/, "", place); sub(/ \+ .*/, "", place)
			print "    " $3 " lock " locks[lock] place; next }
		{ sub(/ \+ 0x.*/, ""); print }'
}

count() {
	er_print -deadlocks recorded.er 2>&1 | sed -n 's/.*Total Deadlocks: \([0-9]*\)$/\1/p'
}

# possible SITUATION COUNT TEXT
possible() {
	recorded deadlock "$programs/order" "$1"
	is "$? $(cat recorded.out)" '0 ' "$1: behaves as alone"
	is "$(count)" "$2" "$1: $3"
}

possible inversion 1 'two locks in either order'
is "$(listed)" 'Deadlock #1, Potential deadlock
  Thread 1
    held: lock 1 outer
    requested: lock 2 inner
  Thread 2
    held: lock 2 outer
    requested: lock 1 inner

Deadlocks List Summary:
Experiment: recorded.er Total Deadlocks: 1' 'each thread with both locks'
# The frames below are of the C library.
is "$(listed -ddetail all | grep -v -e start_thread -e clone -e '<static>')" 'Deadlock #1, Potential deadlock
  Thread 1
    held: lock 1
        outer
        both
        ba
        run_in_turn
    requested: lock 2
        inner
        both
        ba
        run_in_turn
  Thread 2
    held: lock 2
        outer
        both
        ab
        run_in_turn
    requested: lock 1
        inner
        both
        ab
        run_in_turn' 'and all call stacks'
is "$(er_print -metrics e.deadlocks:i.deadlocks:name -functions recorded.er |
	awk '$3 ~ /^(outer|inner|both)$/ { print $3, $1, $2 }' | sort | xargs)" 'both 0 4 inner 2 2 outer 2 2' \
	'locks are a metric'
is "$(ls recorded.er/metadata.*)" recorded.er/metadata.deadlocks.xml 'the declaration is not in the log'
if command -v gp-display-text >/dev/null; then
	gp-display-text -header recorded.er >header.txt 2>&1
	is "$?" 0 'gprofng opens the experiment'
fi
possible three 1 'three locks'
is "$(listed | sed -n 's/^    //p' | xargs)" \
	"held: lock 1 outer requested: lock 2 inner held: lock 2 outer requested: lock 3 inner $(:
	)held: lock 3 outer requested: lock 1 inner" 'in a circle'
possible repeated 1 'the same one is recorded once'
possible philosophers 1 'five philosophers'
is "$(listed | grep -c '  Thread')" 5 'with five threads'
possible gate_of_one 1 'a further lock of one thread protects nothing'
possible gate_of_readers 1 'nor does one that both read'
possible writers 1 'read-write locks'
possible c11 1 'mutexes of C11'
possible spins 1 'spin locks'
possible condition_inside 1 'the lock of a condition is requested again'
possible before_and_after 1 'a later time counts as well'
possible workers 1 'a queue does not say which thread takes what'
possible transfers 1 'any number of locks, in the same places'

# impossible SITUATION TEXT
impossible() {
	recorded deadlock "$programs/orderly" "$1"
	is "$? $(cat recorded.out)" '0 ' "$1: behaves as alone"
	is "$(count)" 0 "$1: $2"
}

impossible one_thread 'a thread does not wait for itself'
impossible gated 'a further lock lets in one at a time'
impossible gate_of_writer 'or one writer'
impossible joined 'one thread has ended before the other begins'
impossible created 'one thread creates the other'
impossible descended 'or one that creates it'
impossible by_semaphore 'a semaphore tells when to go on'
impossible by_condition 'or a condition'
impossible by_condition_late 'which need not be waited for'
impossible by_condition_later 'whenever it is signalled'
impossible by_barrier 'or a barrier'
impossible tried 'attempts do not wait, or not for ever'
impossible readers 'readers do not wait for each other'
impossible recursive 'a lock that is held is not requested'
impossible destroyed 'another lock at the same address'
impossible freed 'which need not be destroyed'
impossible released_by_other 'another thread has released the lock'


# happens SITUATION WORD STATUS NUMBER THREADS TEXT
happens() {
	recorded "deadlock,$2" "$programs/hang" "$1" 2>/dev/null
	is "$?" "$3" "$1, $2: status $3"
	er_print -deadlocks recorded.er >listed.txt 2>&1
	is "$(grep -c 'Actual deadlock' listed.txt) $(sed -n '/Actual/,/^$/p' listed.txt | grep -c '  Thread')" "1 $5" "$6"
	check "the log has number $4" grep -q "kind=\"cwarn\".* id=\"$4\"" recorded.er/log.xml
	er_print -header 1 recorded.er >header.txt 2>&1
	check 'the experiment is whole' sh -c '! grep -qi "not closed\|terminated abnormally" header.txt'
}

happens hang_two terminate 143 228 2 'two threads that wait for each other'
is "$(listed | sed -n '/Actual/,/^$/p')" 'Deadlock #1, Actual deadlock
  Thread 1
    held: lock 1 outer
    requested: lock 2 inner
  Thread 2
    held: lock 2 outer
    requested: lock 1 inner' 'with their locks'
happens hang_five terminate 143 228 5 'five philosophers'
happens hang_two abort 134 229 2 'the program aborts'
happens hang_two continue 7 230 2 'the threads go on to wait'
happens hang_alone terminate 143 228 1 'a thread that waits for itself'
happens hang_reader terminate 143 228 1 'a reader that wants to write'
happens hang_spins terminate 143 228 2 'threads that spin'
happens hang_join terminate 143 228 2 'a thread that waits for the end of another'
is "$(listed | sed -n 's/^ .*\(held\|requested\): lock \([0-9]\)/\1 \2/p' | sort | xargs)" \
	'held 1 outer requested 1 inner requested 2 hang_join' 'which waits for its lock'
happens hang_late_join terminate 143 228 2 'or waits already'
recorded deadlock "$programs/hang" not_for_ever
is "$? $(count)" '0 0' 'a wait that ends is no deadlock'

# Beside other data, and in descendants.
rm -rf recorded.er
# shellcheck disable=SC2016 # for that shell
collect -A off -r deadlock -s all -H on -p on -o recorded.er sh -c '"$0" inversion; "$1" gated; exit 3' \
	"$programs/order" "$programs/orderly" 2>recorded.err
is "$?" 3 'a program that runs others'
is "$(er_print -deadlocks recorded.er | grep -c Potential)" 1 'the deadlock of a descendant is found'
waits=$(er_print -metrics e.syncn:name -functions recorded.er | awk '$2 == "pthread_mutex_lock" && $1 > 0 { print $1 }')
is "$waits" 10 'waits are recorded as well'
collect -A off -r deadlock -s all -o waits.er "$programs/order" inversion 2>/dev/null
er_print -callers-callees waits.er >callers.txt
is "$(awk -v RS= '/\*pthread_mutex_lock\n?/ { print }' callers.txt | awk '{ print $NF }' | grep -x '[a-z_]*' | xargs)" 'inner outer' \
	'and their wrapper is in a stack once'

# Nothing else changes: results of calls, jumps out of them, many threads, forks.
library="$library $BUILD/lib/erkit/libcollector-deadlock.so"
parameters='r:d2;a:off;'
for situation in uncontended kinds_of_mutexes owner_dies shared_with_child forks other_results; do
	as_alone $situation "$programs/locks" $situation
done
as_alone "many calls" "$programs/locks" loop 4 20000 0
as_alone "nested calls" "$programs/locks" nested 4 20000 0
for situation in mutex c11_mutex readers_and_writers conditions c11_conditions semaphores barriers spins joins; do
	as_alone $situation "$programs/waits" $situation
done
for situation in cancelled jumps_out locks_in_handler; do
	as_alone $situation "$programs/interrupted" $situation
done
for situation in thousand short_lived small_stacks detached pthread_exits cancelled main_ends_first destructors; do
	as_alone $situation "$programs/threads" $situation
done

# A process that runs already
mkfifo go
"$programs/order" late <go &
process=$!
exec 3>go
timeout -k 5 60 collect -A off -r deadlock -o late.er -P $process 2>late.err &
tracer=$!
for _ in $(seq 600); do
	grep -q 'recording to' late.err && break
	sleep 0.1
done
echo >&3
exec 3>&-
wait $process
is "$?" 0 'a process that runs already goes on'
wait $tracer
is "$(er_print -deadlocks late.er | grep -c Potential)" 1 'and its deadlock is found'

is "$(collect -n -r deadlock,abort true | sed -n 's/^  \(clock profiling\|deadlocks\)  */\1 /p' | xargs)" \
	'clock profiling off deadlocks abort' 'the settings are shown'

tha recorded.er >tha.txt
is "$?" 0 'tha shows them'
er_print -races -deadlocks recorded.er >expected.txt
check 'as er_print does' cmp expected.txt tha.txt
tha -d --deadlocks recorded.er >tha.txt
er_print -ddetail all recorded.er >expected.txt
check 'with call stacks' cmp expected.txt tha.txt
tha --nonsense recorded.er >tha.txt 2>&1
is "$?" 2 'it knows its options'

done_testing

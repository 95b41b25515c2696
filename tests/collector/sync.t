#!/bin/sh
# Waits for other threads: every kind of wait is recorded with its length, and disturbs nothing.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

waits=$programs/waits
locks=$programs/locks
interrupted=$programs/interrupted
library="$library $BUILD/lib/erkit/libcollector-sync.so"

readelf -dW "$BUILD/lib/erkit/libcollector-sync.so" >dynamic.txt
is "$(sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' dynamic.txt | sort | tr '\n' ' ')" "libc.so.6 libcollector.so " \
	"the library needs nothing but libc and the collector"

# functions [EXPERIMENT]: the functions that waited, how often, and for how many thousandths of a second.
# libc's own functions of the same name are seen by the clock only.
functions() { # [EXPERIMENT]
	er_print -metrics e.sync:e.syncn -functions "${1:-recorded.er}" |
		awk '$1 ~ /^[0-9.]+$/ && $2 > 0 { print $3, $2, int($1 * 1000) }'
}

# waited FUNCTION COUNT AT_LEAST
waited() {
	waited_found=$(functions | awk -v name="$1" '$1 == name { print $2, $3 }')
	is "${waited_found% *}" "$2" "$situation: $2 of $1"
	waited_found=${waited_found:-0 0}
	ok "$((${waited_found#* } < $3))" "$situation: for $3 ms or more"
}

# situation NAME FUNCTION...: each function waits once, at least as long as the lock is held.
situation() {
	situation=$1
	shift
	as_alone "$situation" "$waits" "$situation"
	check "$situation: the reader has no complaint" is_clean recorded.er
	for function; do
		waited "$function" 1 50
	done
}

# With a threshold that is not reached without waiting, even on a busy machine.
parameters='p:1000;s:40000,n;a:off;'
situation mutex pthread_mutex_lock pthread_mutex_timedlock pthread_mutex_clocklock
situation c11_mutex mtx_lock mtx_timedlock
situation readers_and_writers pthread_rwlock_rdlock pthread_rwlock_wrlock \
	pthread_rwlock_timedrdlock pthread_rwlock_timedwrlock \
	pthread_rwlock_clockrdlock pthread_rwlock_clockwrlock
situation conditions pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait
situation c11_conditions cnd_wait cnd_timedwait
situation semaphores sem_wait sem_timedwait sem_clockwait
situation barriers pthread_barrier_wait
situation spins
waited pthread_spin_lock 1 40
parameters='s:40000,n;a:off;'
situation joins pthread_timedjoin_np pthread_clockjoin_np thrd_join

# Every event.
parameters='s:0,n;a:off;'
situation=uncontended
as_alone uncontended "$locks" uncontended
for function in pthread_mutex_lock pthread_mutex_timedlock pthread_rwlock_rdlock \
	pthread_rwlock_wrlock pthread_spin_lock mtx_lock sem_wait; do
	waited $function 100 0
done
er_print -callers-callees recorded.er >callers.txt
check "uncontended: the callers are functions of the program" \
	grep -Eq '^ *0\. .* 100 .*uncontended$' callers.txt

# Threads that compete for a lock, and are interrupted at the same time.
parameters='p:250;s:0,n;a:off;'
situation=loop
as_alone "loop" "$locks" loop 4 20000 0
waited pthread_mutex_lock 80000 0
waited pthread_join 4 0
parameters='s:0,n;a:off;'

situation=forks
as_alone forks "$locks" forks
is "$(functions recorded.er/_f1.er | awk '/pthread_mutex_lock/ { print $2 }')" 5 "forks: of the child"
waited pthread_mutex_lock 12 0

# The results of the calls, for every kind of lock.
for situation in kinds_of_mutexes owner_dies shared_with_child other_results; do
	as_alone $situation "$locks" $situation
done

# Tracing goes on after a wait that ends in a jump, and in a handler that makes calls of its own.
as_alone cancelled "$interrupted" cancelled
situation=jumps_out
as_alone jumps_out "$interrupted" jumps_out
waited pthread_mutex_lock 50 0
situation=locks_in_handler
as_alone locks_in_handler "$interrupted" locks_in_handler
waited pthread_mutex_lock 1 0
waited sem_wait 1 50

# The threshold is in the log.
threshold() {
	sed -n 's/.*<profile name="synctrace" threshold="\([-0-9]*\)" scope="1">.*/\1/p' recorded.er/log.xml
}
is "$(threshold)" 0 "all: the threshold is 0"
parameters='s:-1,n;a:off;'
as_alone calibrated "$locks" uncontended
check "calibrated: the threshold is measured, and marked so" [ "$(threshold)" -lt 0 ]
measured=$(threshold)
check "calibrated: the reader shows it" \
	sh -c "er_print -header 1 recorded.er | grep -q 'threshold = ${measured#-} microsecs. (calibrated); Native-APIs'"

done_testing

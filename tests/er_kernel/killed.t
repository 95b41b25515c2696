#!/bin/sh
# A recorder that is killed at any moment leaves what readers can read, as does one that is live. KILLS: how many.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

ln -s "$BUILD/tests/er_kernel/programs/deep" deep
ln -s deep again
kills=${KILLS:-10} read_well=0 unmade=0 gone=0
for i in $(seq "$kills"); do
	rm -rf k.er
	er_kernel -p hi -q 0 -o k.er ./deep 0.3 >/dev/null 2>&1 &
	recorder=$!
	# On a busy machine most moments would be before there is an experiment.
	while [ $((i % 4)) != 0 ] && ! [ -e k.er/log.xml ] && kill -0 $recorder 2>/dev/null; do
		sleep 0.02
	done
	sleep "$(awk -v i="$i" -v n="$kills" 'BEGIN { srand(i); print (i - rand()) / n * 1.5 }')"
	kill -KILL $recorder 2>/dev/null || gone=$((gone + 1))
	wait $recorder 2>/dev/null
	if ! [ -e k.er/log.xml ]; then
		unmade=$((unmade + 1))
	elif er_print -functions -header k.er >out 2>err; then
		read_well=$((read_well + 1))
	else
		sed 's/^/# /' err
	fi
done
note "$kills moments: $unmade before there was an experiment, $gone after its end, $read_well readable"
is $((unmade + read_well)) "$kills" 'killed at any moment: readable'
check 'some are experiments' [ "$read_well" -gt 0 ]
wait

# Functions have names, and processes their stacks, before the end.
er_kernel -p hi -F '=de+p' -t 600 -o live.er 2>/dev/null &
recorder=$!
./deep 60 more &
deep=$!
for _ in $(seq 100); do
	er_print -functions live.er >functions 2>/dev/null
	! grep -q ' main$' functions || break
	sleep 0.1
done
check 'live: stacks of a process' grep -q ' main$' functions
check 'and the kernel' grep -q '_PID_' functions
kill -KILL $recorder $deep
wait 2>/dev/null
er_print -functions live.er >functions 2>err
is "$? $(cat err)" '0 ' 'killed: what was written is there'
check 'with the stacks' grep -q ' main$' functions
check 'er_archive completes it' er_archive live.er
check 'er_cp copies it' er_cp live.er copy.er
check 'er_rm removes it' er_rm live.er copy.er
is "$(ls -d live.er copy.er 2>/dev/null)" '' 'with all leftovers'
done_testing

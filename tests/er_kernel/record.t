#!/bin/sh
# Recordings of the kernel: what they hold, when they end, and their names.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/kernel.sh
. "$TOP/tests/lib/kernel.sh"

ln -s "$BUILD/tests/er_kernel/programs/zeros" zeros
er_kernel -F off -q 1 ./zeros 1.5 >spent 2>err
is "$?" 3 "the status is the load's"
is "$(cat err)" "er_kernel: recording to 'ktest.1.er'
er_kernel: './zeros' ended with status 3" 'with two messages'
is "$(find ktest.1.er -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | xargs)" 'archive.log archives data.frameinfo log.xml map.xml overview profile' \
	'the files of the experiment'

# seconds FUNCTION: inclusive
seconds() {
	er_print -limit 100000 -metrics i.kcpu:name -functions ktest.1.er 2>/dev/null |
		awk -v name="$1" '$NF ~ name { sum += $1 } END { printf "%.2f", sum }'
}
all=$(seconds '^zeros_PID_[0-9]*$')
note "zeros: $all of $(cat spent) seconds in the kernel"
check 'a process has its time in the kernel' \
	awk -v all="$all" -v spent="$(cat spent)" 'BEGIN { exit !(all > 0.85 * spent && all < 1.15 * spent) }'
read=$(seconds '^read_zero$')
note "read_zero: $read"
check 'most of it is where it reads' awk -v all="$all" -v it="$read" 'BEGIN { exit !(it > all / 2) }'
er_print -limit 100000 -functions ktest.1.er 2>/dev/null | awk '{ print $NF }' >names
check 'idle processors are left out' sh -c '! grep -q swapper_PID names'
er_print -header ktest.1.er >header
check 'the command is in the log' grep -q "er_kernel -F off -q 1 ./zeros" header
er_print -objects ktest.1.er >objects
check 'the kernel is a load object' grep -qF '[kernel]' objects
notes=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n' | sed 's/.*040000001400000003000000474e5500\(.\{40\}\).*/\1/')
is "$(sed -n 's/.*buildid="\([0-9a-fA-F]*\)".*name="\[kernel\]".*/\1/p' ktest.1.er/map.xml | tr A-F a-f)" "$notes" \
	'with the build-id of the running one'

if command -v gp-display-text >/dev/null; then
	total() { "$@" -metrics i.kcpu:name -functions ktest.1.er | awk '$NF == "<Total>" { print $1 }'; }
	is "$(total gp-display-text)" "$(total er_print)" 'gprofng shows the same total'
	tables() { "$@" -metrics e.kcpu:i.kcpu:name -limit 12 -functions ktest.1.er 2>/dev/null | awk '/<Total>/ { on = 1 } on { print $1, $2 }'; }
	tables gp-display-text >theirs
	tables er_print >ours
	check 'and the same times of functions' diff theirs ours
else
	skip 'gprofng is not installed' 'gprofng shows the same total'
fi

er_kernel -x off -t 1 -A off 2>err
is "$? $(cat err)" "0 er_kernel: recording to 'ktest.2.er'" '-t: an end without a load'
check '-A off: no archive' sh -c '! test -e ktest.2.er/archive.log'

# The load tells how long the processors were idle while it ran, in hundredths of a second.
cat >idle <<'EOT'
idle() { awk '$1 == "cpu" { print $5 }' /proc/stat; }
before=$(idle)
sleep 1
echo $(($(idle) - before))
EOT
er_kernel -x off -A off -q 0 -o idle.er sh idle >spent 2>err
if [ "$(cat spent)" -gt 30 ]; then
	er_print -limit 100000 -functions idle.er 2>/dev/null | awk '{ print $NF }' >names
	check '-x off: idle processors are recorded' grep -q '^swapper_PID_0$' names
else
	skip 'no processor was idle' '-x off: idle processors are recorded'
fi

er_kernel -t 600 -o stopped.er 2>err &
for _ in $(seq 100); do
	grep -q 'event kind="run"' stopped.er/log.xml 2>/dev/null && break
	sleep 0.1
done
check 'a live experiment is readable' er_print -functions stopped.er
er_mv stopped.er moved.er 2>message
is "$? $(grep -c 'is still being recorded' message)" '1 1' 'and known to be live'
kill -TERM $!
wait $!
is "$?" 0 'a signal ends it'
check 'as a whole' grep -q 'event kind="exit"' stopped.er/log.xml

er_kernel -p off -t 1 2>err
is "$? $(grep -c 'only samples' err)" '0 1' '-p off: samples only, with a warning'
is "$(er_print -overview ktest.3.er >/dev/null 2>&1; echo $?) $(stat -c %s ktest.3.er/profile)" '0 0' 'which can be read'

er_kernel -n -t 1-2 -C note -g some.erg true >out
check '-n shows the settings' grep -q 'window *1000 to 2000 milliseconds' out
is "$(ls -d some* 2>/dev/null)" '' 'and makes nothing'
er_kernel -t 1 -C note -g some.erg 2>/dev/null
is "$(tail -n 1 some.erg) $(cat some.1.er/notes)" 'some.1.er note' '-g and -C: the group and the notes'
printf '\177ELF' >broken
chmod +x broken
er_kernel -q 0 -o broken.er ./broken 2>err
is "$? $(grep -c 'Exec format error' err)" '126 1' 'a load that the kernel cannot execute'
done_testing

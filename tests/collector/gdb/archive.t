#!/bin/sh
# Load objects are archived after `collector disable', while the process goes on.
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"
# shellcheck source=tests/lib/gdb.sh
. "$TOP/tests/lib/gdb.sh"

# A copy that has an er_archive of its own, which waits.
mkdir -p copy/bin copy/lib
cp "$BUILD/bin/collect" "$BUILD/bin/er_rm" copy/bin
cp -rL "$BUILD/lib/erkit" copy/lib/erkit
cat >copy/bin/er_archive <<-END
	#!/bin/sh
	touch "$PWD/begun"
	until [ -e "$PWD/over" ]; do sleep 0.02; done
	echo "\$*"
END
chmod +x copy/bin/er_archive

PATH=$BUILD/tests/collect/programs:$PATH
attached malloc >out &
process=$!
await grep -q attached /proc/$process/comm
timeout -k 5 60 gdb -nx -q -batch -p $process -ex "source copy/lib/erkit/gdb/collector.py" -ex 'collector archive copy' \
	-ex 'collector enable' -ex 'collector disable' -ex 'shell touch disabled' -ex detach >said 2>&1 </dev/null &
gdb=$!
# shellcheck disable=SC2317 # await runs it
goes_on() {
	[ -e begun ] && [ -e disabled ] && grep -q '^TracerPid:.0$' "/proc/$process/status"
}
await goes_on
check 'the command and the process do not wait for er_archive' ended test.1.er
check 'gdb waits' kill -0 $gdb
touch over
wait $gdb
is "$? $(cat test.1.er/archive.log)" "0 --automatic -q -a copy --outfile - $PWD/test.1.er" 'er_archive gets the words of the recording'
collect --archive nothing.er 2>message
is "$? $(cat message)" "1 collect: cannot open 'nothing.er': No such file or directory" 'there must be an experiment'
touch stop
wait $process
is "$? $(cat out)" '0 right' 'the process ends as alone'
done_testing

#!/bin/sh
# A standard output that cannot be written is an error of every program that has something to print, even if
# it is only a help text.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/../er_export/make-experiment" test.1.er || exit
er_export -q -a off test.1.er
printf '#analyzer experiment group\ntest.1.er\n' >all.erg
if [ ! -c /dev/full ]; then
	skip 'there is no /dev/full' 'a full output'
	done_testing
fi

# full COMMAND...: it fails and says why.
full() {
	"$@" >/dev/full 2>err
	status=$?
	is "$status $(tail -n 1 err)" "1 $1: write error: No space left on device" "$*"
}

# closed COMMAND...: the same without any output.
closed() {
	"$@" >&- 2>err
	status=$?
	is "$status $(tail -n 1 err)" "1 $1: write error: Bad file descriptor" "$* without an output"
}

for program in er_archive er_cp er_export er_html er_import er_mv er_print er_rm collect er_kernel tha; do
	full $program --help
	full $program --version
	full $program -V
	closed $program --help
done
full collect
full collect -h
full collect -n true
closed collect -n true
closed collect -h
collect -o recorded.er true >out 2>&1 || note "$(cat out)"
full er_archive -v -F -n recorded.er
full er_archive -v --check recorded.er
full er_cp -v test.1.er copy.er
full er_cp -n test.1.er other.er
full er_export -l test.1.er.tar.zst
closed er_export -l test.1.er.tar.zst
full er_export -n -f test.1.er
full er_export -v -o new.tar.zst test.1.er
full er_export --text test.1.er
full er_export --text --format=json test.1.er
full er_export --text all.erg
full er_html -o - test.1.er
closed er_html -o - test.1.er
full er_export --format=json test.1.er
full er_import -n --rename test.1.er.tar.zst
full er_import -v --rename test.1.er.tar.zst
full er_mv -v copy.er moved.er
full er_mv -n moved.er other.er
full er_print -functions test.1.er
full er_print -header test.1.er
full er_print -help
full er_print -version
closed er_print -functions test.1.er
echo functions >commands
full er_print -script commands test.1.er
full er_rm -n test.1.er
full er_rm -v moved.er
er_export -q -a off -o - test.1.er >/dev/full 2>err
is "$? $(cat err)" '1 er_export: cannot write: No space left on device' 'er_export -o -'
ls -d copy.er moved.er >left 2>&1
is "$(grep -c cannot left)" 2 'the work was still done'
done_testing

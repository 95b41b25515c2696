#!/bin/sh
# The programs with standard streams closed or full, and with names that would control a terminal.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment a.er

# said_in_vain COMMAND...: it fails and says why if its output on stdout is lost.
said_in_vain() {
	said=$("$@" 2>&1 >/dev/full)
	is "$?:$said" "1:$1: write error: No space left on device" "$*: a full disk is an error"
}

said_in_vain er_cp -v a.er b.er
check "but the copy was made" same_tree a.er b.er
said_in_vain er_mv -v b.er c.er
said_in_vain er_rm -v c.er
said_in_vain er_export -v -o a.tar.zst a.er
said_in_vain er_export -l a.tar.zst
said=$(er_archive --outfile /dev/full a.er 2>&1)
is "$?:$said" "1:er_archive: cannot write '/dev/full'" \
	'er_archive says where it would have without a file that its messages are lost'
mkdir in
said_in_vain er_import -v -C in a.tar.zst

# Enough operands to fill the buffer of stdout while files are open.
set --
mkdir many
for i in 1 2 3 4 5 6 7 8 9; do
	for j in 1 2 3 4 5 6 7 8 9; do
		er_cp --no-sync a.er "$PWD/many/a-name-of-more-than-a-few-letters.$i$j.er"
		set -- "$@" "$PWD/many/a-name-of-more-than-a-few-letters.$i$j.er"
	done
done
mkdir copies
er_cp -v --no-sync "$@" copies <&- >&- 2>&-
is $? 1 "er_cp -v fails when its streams are closed"
for copy in copies/*.er; do
	same_tree a.er "$copy" || break
done
check "and no message went into files" [ "$copy" = "copies/a-name-of-more-than-a-few-letters.99.er" ]

er_export -o - a.er >closed.tar.zst 2>&-
check "a bundle is whole without stderr" er_export --check -q closed.tar.zst
said=$(er_export -o - a.er 2>&1 >&-)
is "$?:$said" "1:er_export: cannot write: Bad file descriptor" "a bundle needs its stdout"
said=$(er_import -C in - 2>&1 <&-)
is $? 1 "reading a bundle from a closed stdin fails"

# The reader of collect's output is gone before collect prints.
{
	sleep .2
	collect -v -p 1u -A off -o unheard.er sh -c 'grep SigIgn /proc/$$/status; exit 3' 2>&1 >printed
	echo $? >status
	collect -o not.er ./nothing 2>&1
	echo $? >>status
} | true
is "$(xargs <status)" "3 127" "collect runs a program although its messages are lost"
is "$(cat printed)" "$(sh -c 'grep SigIgn /proc/$$/status')" "which receives its signals as usual"
check "and records it" er_print -header unheard.er

name=$(printf 'red\033[31m.er')
is "$(er_cp -v a.er "$name" | grep -c '\\033\[31m.er')" 1 "er_cp -v shows control characters escaped"
is "$(er_rm -v "$name" | grep -c '\\033\[31m.er')" 1 "and so does er_rm -v"
done_testing

#!/bin/sh
# The two meanings of -O: an experiment that replaces another, and a file for messages.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

echo 'echo out; echo err >&2; exit 3' >script
chmod +x script

collect -A off -o same.er ./script >/dev/null 2>&1
touch same.er/notes
collect -A off -o same.er ./script >/dev/null 2>message
is "$?-$(test -e same.er/notes; echo $?)" 1-0 "-o: a name that is in use is an error"
for words in '-O same.er' '-o same.er --overwrite'; do
	touch same.er/notes
	# shellcheck disable=SC2086 # options
	collect -n $words ./script >/dev/null 2>&1
	check "-n $words: nothing is removed" test -e same.er/notes
	# shellcheck disable=SC2086 # options
	collect -A off $words ./script >out 2>&1
	is "$? $(grep -c recording out) $(ls -d ./*.er) $(test -e same.er/notes; echo $?)" '3 1 ./same.er 1' \
		"$words: the new experiment replaces the old one"
done
collect -A off -O new.1.er ./script >/dev/null 2>&1
is "$?-$(echo new*)" 3-new.1.er "-O: a new experiment is made"
mkdir other.er
touch other.er/mine
collect -O other.er ./script >out 2>message
is "$?-$(cat out)-$(ls other.er)" 1--mine "-O: a directory that is not an experiment is kept, and nothing is run"
check "-O: with a message" grep -q "^er_rm: .*other.er" message
collect -o a.er -O b.er ./script 2>message
is "$? $(cat message)" "2 collect: -O b.er: another name was already given" "-o and -O: two names"
collect --overwrite ./script 2>message
is "$? $(cat message)" "2 collect: --overwrite requires -o" "--overwrite alone"

for words in '-O log' '--outfile log'; do
	echo before >log
	# shellcheck disable=SC2086 # options
	collect $words -A off -o said.1.er ./script >out 2>err
	is "$?-$(cat out)-$(cat err)" 3-out-err "$words: the program has its own standard error"
	is "$(sed 's/process [0-9]*/process N/' log)" "before
collect: recording to 'said.1.er' (process N)" "$words: the file has the message"
	rm -r said.1.er
done
collect -O log ./none 2>err
is "$?-$(cat err)-$(tail -n 1 log)" "127--collect: cannot find './none'" \
	"-O: errors go there as well"
printf '\177ELF' >broken
chmod +x broken
SP_COLLECTOR_SKIP_CHECKEXEC=1 collect -A off -o broken.er -O log ./broken 2>err
is "$?-$(cat err)-$(tail -n 1 log)" "126--collect: cannot run './broken': Exec format error" \
	"-O: also those of the exec"
collect -O /dev/null -A off -o quiet.er ./script >out 2>err
is "$?-$(cat err)" 3-err "-O /dev/null: no messages"
collect -O no/such/file ./script 2>message
is "$? $(cat message)" "2 collect: -O 'no/such/file': No such file or directory" "-O: a file that cannot be opened"
done_testing

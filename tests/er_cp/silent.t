#!/bin/sh
# A remote shell that does not answer, or not to the end, or prints too much, does not make us wait forever;
# but a person who is asked for a password may take time.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

make_experiment test.1.er
make_experiment big.er
head -c 30M /dev/urandom >big.er/profile
mkdir back far

# shell NAME: make a remote shell from the script on standard input; its last word is the command for the
# other host.
shell() {
	{
		echo '#!/bin/sh'
		echo "echo \$\$ >>'$PWD/pids'"
		cat
	} >"$1"
	chmod +x "$1"
}

# copies STATUS-MESSAGE TEXT OPERANDS...: er_cp through a shell, without a terminal. All cases wait
# concurrently; settle checks the results.
cases=0
copies() {
	cases=$((cases + 1))
	echo "$1" >expected.$cases
	echo "$2" >text.$cases
	shift 2
	(
		timeout -s KILL 60 setsid -w er_cp "$@" >out.$cases 2>err.$cases </dev/null
		echo "$?" >status.$cases
	) &
}

settle() {
	wait
	i=0
	while [ $i -lt $cases ]; do
		i=$((i + 1))
		is "$(cat status.$i)-$(sed 's/for 1[0-9] seconds/for 10 seconds or so/' err.$i)" \
			"$(cat expected.$i)" "$(cat text.$i)"
	done
	cases=0
}

late="1-er_cp: 'desk' has not answered for 1 second"

shell silent <<'END'
exec sleep 1000
END
copies "$late" 'silence is an error' -e ./silent --timeout=1 test.1.er desk:
copies "$late" 'also when receiving' -e ./silent --timeout=1 desk:test.1.er back
ER_TIMEOUT=1 copies "$late" 'the environment can say how long' -e ./silent test.1.er desk:
ER_TIMEOUT=soon er_cp -e 'sh -c false' test.1.er desk: 2>err
is "$? $(head -n 1 err)" "1 er_cp: warning: ignoring ER_TIMEOUT: 'soon' is not a number from 1 to 1000000" \
	'in a number'

shell stubborn <<'END'
trap '' TERM HUP
while :; do sleep 1; done
END
copies "$late" 'a shell that ignores SIGTERM is killed' -e ./stubborn --timeout=1 test.1.er desk:

shell trickle <<'END'
while printf x; do sleep 0.2; done
END
copies "$late" 'a byte now and then is not an answer' -e ./trickle --timeout=1 test.1.er desk:

shell noise <<'END'
exec yes
END
copies "1-er_cp: unexpected answer from 'desk'" 'nor is noise' -e ./noise test.1.er desk:

shell there <<'END'
echo 'erkit-remote erkit sums'
exec yes 'there 0'
END
copies "1-er_cp: unexpected answer from 'desk'" 'nor the same word forever' -e ./there test.1.er desk:

shell half <<'END'
echo 'erkit-remote erkit sums'
exec sleep 1000
END
copies "$late" 'half an answer is not an answer' -e ./half --timeout=1 test.1.er desk:

shell deaf <<'END'
while read -r line && [ -n "$line" ]; do :; done
echo 'erkit-remote erkit sums'
echo ready
exec sleep 1000
END
copies "1-er_cp: 'desk' has not answered for 10 seconds or so" 'one that does not read is given more time' \
	-e ./deaf --timeout=1 big.er desk:
copies "1-er_cp: 'desk' has not answered for 10 seconds or so" 'and so is one that does not say what arrived' \
	-e ./deaf --timeout=1 test.1.er desk:

shell dumb <<'END'
echo 'erkit-remote erkit sums'
echo 'there 0'
echo ready
exec sleep 1000
END
copies "1-er_cp: 'desk' has not answered for 10 seconds or so" 'or sends nothing' \
	-e ./dumb --timeout=1 desk:test.1.er back

shell stays <<'END'
shift
sh -c "$1"
exec >&- 2>&-
exec sleep 1000
END
copies "1-er_cp: 'desk' has not answered for 10 seconds or so" 'one that does not end is ended' \
	-e ./stays --timeout=1 test.1.er desk:far
settle
is "$(ls -A back)" '' 'nothing is left here'
while read -r pid; do
	[ ! -e "/proc/$pid" ] || grep -q '^State:.*Z' "/proc/$pid/status" || ok 1 "nothing of it runs"
done <pids

shell endless <<'END'
echo 'erkit-remote erkit sums'
echo 'there 0'
echo ready
read -r go
er_export -q -a off -o - test.1.er
exec cat /dev/zero
END
timeout -s KILL 60 er_cp -e ./endless desk:test.1.er back >out 2>err
is "$? $(grep -c . err)" '1 1' 'data after the experiments is limited' || note "$(cat err)"
rm -rf back/test.1.er

# ---- long messages ----

shell talks <<'END'
seq -f 'line %.0f' 2000000 >&2
exit 7
END
timeout -s KILL 300 er_cp -e ./talks test.1.er desk: >out 2>err
is "$?" 1 'a million words are read'
[ "$(wc -c <err)" -lt 200000 ]
ok $? 'and some are shown' || note "$(wc -c <err)"
is "$(head -n 1 err)" 'er_cp: desk: line 1' 'the first ones'
is "$(tail -n 1 err)" 'er_cp: desk: line 2000000' 'and the last'
is "$(grep -v 'er_cp: desk: ' err)" "er_cp: the command failed on 'desk', with status 7" 'and the status of the command'
is "$(grep -c 'er_cp: desk: ([0-9]* bytes omitted)' err)" 1 'with the number of others'

# ---- working, or asking a question, may take time ----

shell slow <<'END'
shift
sleep 0.5
{ sh -c "$1" | while IFS= read -r line; do sleep 0.3; echo "$line"; done; }
END
copies '0-' 'a slow answer counts' -e ./slow --timeout=1 -q test.1.er desk:back
settle
check 'and the copy arrives' cmp test.1.er/heaptrace back/test.1.er/heaptrace
rm -rf back/test.1.er
shell asks <<'END'
shift
printf 'password: ' >/dev/tty
sleep 3
read -r word </dev/tty
[ "$word" = secret ] || exit 1
exec sh -c "$1"
END
echo secret | "$TOP/tests/lib/on-terminal" er_cp -e ./asks --timeout=1 test.1.er desk:back >out
is "$?-$(cat out)" '0-password: ' 'a password may take longer'
check 'and the copy arrives' cmp test.1.er/heaptrace back/test.1.er/heaptrace
done_testing

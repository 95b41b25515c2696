#!/bin/sh
# Experiments to and from another host, through a real sshd.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"
# shellcheck source=tests/lib/sshd.sh
. "$TOP/tests/lib/sshd.sh"
runs=$FAR/runs

# as_sent NAME: the same experiment on another host, for comparison, made by export and import alone. A bundle
# has common modes, and files instead of links.
as_sent() {
	rm -rf sent
	mkdir sent
	er_export -a off -o - "$1" | er_import -C sent -
}

empty() {
	rm -rf "$runs" back
	mkdir "$runs" back
}

# swept: no file of ours is left over there
swept() {
	is "$(hidden "$runs")" '' "$1"
}

make_experiment test.1.er
make_experiment second.er
as_sent test.1.er

# ---- to another host ----
er_cp -v test.1.er second.er desk:runs >out 2>err
is "$?-$(cat err)" 0- 'two go to another host'
check 'the one is there' same_tree sent/test.1.er "$runs/test.1.er"
[ -e "$runs/second.er/log.xml" ]
ok $? 'and so is the other'
is "$(cat out)" "copied 'test.1.er' -> 'desk:runs/test.1.er' (14 files, 2530314 bytes)
copied 'second.er' -> 'desk:runs/second.er' (14 files, 2530314 bytes)" '-v says so'

echo changed >>test.1.er/notes
er_cp test.1.er second.er desk:runs/ 2>err
is "$?-$(cat err)" "1-er_cp: cannot create 'desk:runs/test.1.er': File exists
er_cp: cannot create 'desk:runs/second.er': File exists" 'taken names are errors'
check 'and nothing changes' same_tree sent/test.1.er "$runs/test.1.er"
make_experiment third.er
er_cp test.1.er third.er missing.er desk:runs 2>err
is "$?" 1 'so is a missing one'
[ -e "$runs/third.er" ]
ok $? 'but the others are copied'
er_cp -v --rename test.1.er desk:runs >out 2>err
is "$?-$(cat err)" "0-er_cp: warning: name 'test.1.er' is in use; changed to 'desk:runs/test.2.er'" \
	'--rename takes the next number'
is "$(tail -1 "$runs/test.2.er/notes")" changed 'there'
echo n | er_cp -i test.1.er desk:runs 2>err
is "$?-$(cat err)" "0-er_cp: replace 'desk:runs/test.1.er'? " '-i asks'
check 'no means no' same_tree sent/test.1.er "$runs/test.1.er"
echo y | er_cp -i test.1.er desk:runs 2>err
is "$?-$(tail -1 "$runs/test.1.er/notes")" 0-changed 'yes means yes'
echo again >>test.1.er/notes
er_cp -f test.1.er desk:runs 2>err
is "$?-$(tail -1 "$runs/test.1.er/notes")" 0-again '-f replaces'
mkdir "$runs/plain.er"
echo text >"$runs/plain.er/thesis.tex"
make_experiment plain.er
er_cp -f plain.er desk:runs 2>err
is "$?-$(cat "$runs/plain.er/thesis.tex")" 1-text 'but only experiments'
grep -q '^er_cp: desk: er_import: .*thesis.tex' err
ok $? 'as the other side reports'
empty
er_cp -n test.1.er desk:runs >out
is "$?-$(cat out)-$(ls -A "$runs")" \
	"0-would copy 'test.1.er' -> 'desk:runs/test.1.er' (14 files, 2530328 bytes)-" '-n only looks'
er_cp --no-archives test.1.er desk:runs
is "$?-$(ls -d "$runs"/test.1.er/archives 2>/dev/null)" 0- '--no-archives leaves them here'
er_cp test.1.er desk:runs/nowhere 2>err
is "$?" 1 'a directory that is missing is an error'
er_cp test.1.er desk:runs/test.1.er/archives 2>err
is "$?" 1 'and one in an experiment'
er_cp test.1.er second.er desk:new.er 2>err
is "$?-$(cat err)" "1-er_cp: 'desk:new.er' is not a directory: experiments \
keep their names on another host" 'new names are not given over there'
swept 'nothing hidden is left'

# ---- names ----
empty
odd="$runs/a b;\$(touch pwn)'\"
-x"
mkdir "$odd" "$FAR/-dash"
for name in 'a b.er' ";\$(touch pwn).er" "it's \"so\".er" '-f.er' '*.er' '\n.er'; do
	cp -a second.er "./$name"
	er_cp -- "$name" "desk:$odd" 2>err
	is "$?-$(cat err)" 0- "to another host: $(printf %s "$name" | tr -c 'a-z.\n' _)"
	[ -e "$odd/$name/log.xml" ]
	ok $? 'is there'
	rm -rf back
	mkdir back
	er_cp -- "desk:$odd/$name" back 2>err
	is "$?-$(cat err)" 0- 'and comes back'
	[ -e "back/$name/log.xml" ]
	ok $? 'unchanged'
	er_cp -- "$name" desk:-dash 2>err
	is "$?-$(cat err)" 0- 'also with a directory named like an option'
	rm -r back "./$name"
done
name='new
line.er'
cp -a second.er "$name"
er_cp "$name" desk:runs 2>err
is "$?" 1 'no control characters: bundles have none'
rm -r "$name"
[ ! -e pwn ] && [ -z "$(find "$FAR" -name pwn)" ]
ok $? 'nothing was run'
for host in -oProxyCommand=touch\ pwn: me@-oProxyCommand=touch\ pwn: @desk: me@:; do
	er_cp -- second.er "$host" 2>err
	is "$?" 1 "refused: $host"
	grep -q 'is not the name of a host' err
	ok $? 'because of its name'
done
[ ! -e pwn ]
ok $? 'and nothing was run'
er_cp desk:a.er desk:b 2>err
is "$?-$(cat err)" "1-er_cp: 'desk:a.er' and 'desk:b' are both on other hosts" 'one end must be here'
mkdir desk:here
er_cp second.er ./desk:here
is "$?-$(ls desk:here)" 0-second.er './desk:here is a local name'

# ---- from another host ----
empty
cp -a sent/test.1.er second.er "$runs"
ln -s test.1.er "$runs/latest.er"
er_cp -v desk:runs/test.1.er "desk:$runs/second.er/" back >out 2>err
is "$?-$(cat err)" 0- 'two come from another host'
check 'the one is here' same_tree sent/test.1.er back/test.1.er
[ -e back/second.er/log.xml ]
ok $? 'and the other'
is "$(cat out)" "copied 'desk:runs/test.1.er' -> 'back/test.1.er' (14 files, 2530314 bytes)
copied 'desk:$runs/second.er/' -> 'back/second.er' (14 files, 2530314 bytes)" '-v says so'
er_cp desk:runs/test.1.er back 2>err
is "$?-$(cat err)" "1-er_cp: cannot create 'back/test.1.er': File exists" 'taken names are errors'
er_cp -q --rename desk:runs/test.1.er back 2>err
is "$?-$(cat err)-$(ls -d back/test.2.er)" 0--back/test.2.er '--rename takes the next number'
echo older >>back/test.1.er/notes
er_cp -f desk:runs/test.1.er back
check '-f replaces' same_tree sent/test.1.er back/test.1.er
rm -r back/*
er_cp desk:runs/missing.er desk:runs/second.er back 2>err
is "$?-$(cat err)-$(ls back)" \
	"1-er_cp: cannot open 'desk:runs/missing.er': No such file or directory-second.er" \
	'missing ones are reported, the others arrive'
er_cp -n desk:runs/test.1.er back >out
is "$?-$(cat out)-$(ls back)" \
	"0-would copy 'desk:runs/test.1.er' -> 'back/test.1.er' (14 files, 2530314 bytes)-second.er" \
	'-n only looks'
er_cp desk:runs/test.1.er new.er 2>err
is "$?-$(cat err)" "1-er_cp: 'new.er' is not a directory to put experiments into" \
	'new names are not given'
er_cp desk:runs/latest.er back 2>err
is "$?-$(ls back)" 1-second.er 'only the requested experiments are taken'
is "$(hidden back)$(hidden .)" '' 'nothing hidden is left'
mkdir here:
er_cp -v desk:runs/test.1.er ./here: >out
is "$?-$(cat out)" "0-copied 'desk:runs/test.1.er' -> './here:/test.1.er' (14 files, 2530314 bytes)" \
	'a colon may end the name of a directory here'
er_cp desk:runs/test.1.er ./here: 2>err
is "$?-$(cat err)" "1-er_cp: cannot create './here:/test.1.er': File exists" 'and is part of it'
rm -r here:

# ---- the connection ----
empty
# shellcheck disable=SC2016
echo 'cd /; echo "welcome to $0"; echo "you have mail" >&2; cd "$OLDPWD"' >"$FAR/.before"
er_cp test.1.er desk:runs 2>err && er_cp desk:runs/test.1.er back 2>>err
is "$?-$(cat err)" "0-er_cp: desk: you have mail
er_cp: desk: you have mail" 'messages of the login shell do no harm, and are shown'
check 'the copy is whole' diff -r test.1.er/_f1.er back/test.1.er/_f1.er
rm "$FAR/.before"
empty

cp ssh/known_hosts known
sed 's/ssh-ed25519 .*/ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/' \
	known >ssh/known_hosts
er_cp test.1.er desk:runs 2>err
is "$?-$(ls "$runs")" 1- 'a host with another key gets nothing'
grep -q '^er_cp: desk: Host key verification failed' err
ok $? 'and ssh says why'
grep -qx "er_cp: the connection to 'desk' failed" err
ok $? 'and so do we'
cp known ssh/known_hosts
er_cp -e '/no/such/shell "a b"' test.1.er desk:runs 2>err
is "$?-$(cat err)" "1-er_cp: cannot run '/no/such/shell': No such file or directory" '--rsh is used'
er_cp -e "ssh 'x" test.1.er desk:runs 2>err
is "$?-$(cat err)" "1-er_cp: 'ssh 'x' is not a valid command" 'and its quotes must be closed'
printf '#!/bin/sh\nyes\n' >talker
chmod +x talker
mkdir talk
timeout 60 er_cp -e ./talker desk:test.1.er talk 2>err
is "$?-$(head -n 1 err)" "1-er_cp: unexpected answer from 'desk'" 'a remote shell that talks on is not waited for'
rm -r talk talker
shell=$ER_RSH
ER_RSH=false er_cp --rsh="$shell" test.1.er desk:runs
is "$?" 0 '--rsh beats ER_RSH'
empty
echo 'exit 1' >"$FAR/.before"
er_cp test.1.er desk:runs 2>err
is "$?-$(cat err)" "1-er_cp: the command failed on 'desk', with status 1" 'no answer is an error'
echo 'echo hello; exit 0' >"$FAR/.before"
er_cp test.1.er desk:runs 2>err
is "$?-$(cat err)" "1-er_cp: unexpected answer from 'desk'" 'so is another answer'
rm "$FAR/.before"

# ---- groups ----
empty
printf '#analyzer experiment group\ntest.1.er\n%s/second.er\n' "$PWD" >all.erg
er_cp all.erg desk:runs 2>err
is "$?-$(cat err)-$(ls "$runs")" "1-er_cp: 'all.erg' is a group, not an experiment: -g takes groups-" \
	'groups need -g'
er_cp -gv all.erg desk:runs >out 2>err
is "$?-$(cat out err)" "0-copied 'all.erg' -> 'desk:runs/all.erg' (2 experiments)" 'a group goes'
is "$(ls "$runs")-$(tail -n 2 "$runs/all.erg")" "all.erg
second.er
test.1.er-test.1.er
second.er" 'with its members, which it names'
er_cp -g all.erg desk:runs 2>err
is "$?-$(cat err)" "1-er_cp: cannot create 'desk:runs/test.1.er': File exists" 'taken names are errors'
er_cp -gv desk:runs/all.erg back >out 2>err
is "$?-$(cat err)-$(ls back)" "0--all.erg
second.er
test.1.er" 'a group comes back'
empty
printf '#analyzer experiment group\nsecond.er\ngone.er\n' >holes.erg
er_cp -g holes.erg desk:runs 2>err
is "$?-$(ls "$runs")" "1-holes.erg
second.er" 'a missing member is an error, and the rest goes'
empty
er_cp -qg all.erg bare:runs 2>err
is "$?-$(ls "$runs")" "0-all.erg
second.er
test.1.er" 'tar takes groups as well'

# ---- archives ----
empty
library a.so 1
experiment recorded.er
segment recorded.er "$PWD/a.so" "$(identity a.so)"
er_cp -a copy recorded.er desk:runs 2>err
is "$?-$(cat err)" 0- '-a completes what is sent'
check 'from here' cmp a.so "$(stored "$runs/recorded.er" "$PWD/a.so")"
rm -rf "$runs"/recorded.er
cp -a recorded.er "$runs"
cp test.1.er/log.xml recorded.er
er_cp -na copy recorded.er desk:runs/.. 2>err >out
is "$?-$(cat err)" 0- 'a dry run accepts a recording of another host'
er_cp -a copy recorded.er desk:./ 2>err
is "$?-$(cat err)" "0-er_cp: warning: 'recorded.er': was recorded on 'elsewhere', but load objects are taken from \
this host" 'with a warning, where it is done'
er_cp --progress test.1.er desk:runs 2>err
is "$?-$(tr '\r' '\n' <err | tail -n 1 | cut -c 1-11)" '0-er_cp: done' '--progress shows it'
er_cp --progress desk:runs/test.1.er back 2>err
is "$?-$(tr '\r' '\n' <err | tail -n 1 | cut -c 1-11)" '0-er_cp: done' 'in both directions'
er_cp -a copy desk:runs/recorded.er back 2>err
is "$?-$(cat err)" 0- '-a completes what is received'
check 'from there' cmp a.so "$(stored back/recorded.er "$PWD/a.so")"
rm -r back/recorded.er
er_cp -qa copy bare:runs/recorded.er back 2>err
is "$?-$(cat err)" "1-er_cp: er_export is missing on 'bare': cannot complete archives there" \
	'which needs er_export there'

# ---- without erkit over there ----
empty
er_cp test.1.er second.er bare:runs 2>err
is "$?-$(cat err)" "0-er_cp: warning: er_import is missing on 'bare': using tar, verified by \
sha256sum" 'tar receives it as well'
as_sent test.1.er
check 'equal to the original' same_tree sent/test.1.er "$runs/test.1.er"
is "$(ls -A "$runs")" "second.er
test.1.er" 'and nothing else'
er_cp -q second.er bare:runs 2>err
is "$?-$(cat err)" "1-er_cp: cannot create 'bare:runs/second.er': File exists" 'taken names are errors'
er_cp -qf second.er bare:runs 2>err
is "$?-$(cat err)" "1-er_cp: er_import is missing on 'bare': cannot replace or rename experiments there" \
	'which -f does not change there'
rm -rf back/*
er_cp bare:runs/test.1.er bare:runs/second.er back 2>err
is "$?-$(cat err)" "0-er_cp: warning: er_export is missing on 'bare': using tar, verified by \
sha256sum" 'tar sends it as well'
check 'equal to the original' same_tree sent/test.1.er back/test.1.er
empty
er_cp test.1.er poor:runs 2>err
is "$?-$(cat err)" "0-er_cp: warning: er_import is missing on 'poor': using tar, unverified" \
	 'even without zstd and sha256sum'
check 'equal to the original' same_tree sent/test.1.er "$runs/test.1.er"
rm -rf back/*
er_cp poor:runs/test.1.er back 2>err
is $? 0 'and back'
grep -q 'not verified' err
ok $? 'unverified'
check 'equal to the original' same_tree sent/test.1.er back/test.1.er
er_cp second.er none:runs 2>err
is "$?-$(cat err)" "1-er_cp: 'none' has neither er_import nor tar" 'without tar it ends'
mkdir "$runs/.second.er.000001.part"
er_cp -q second.er bare:runs
is "$?-$(hidden "$runs")" 0- 'leftovers of an interrupted tar are removed by the next'
done_testing

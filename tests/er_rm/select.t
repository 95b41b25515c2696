#!/bin/sh
# Choosing by age, size, name, notes, number and space, also below directories: the right experiments are
# chosen, and nothing else is touched.
# shellcheck disable=SC2016 # names that would do harm in a shell
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

now=$(date +%s)
day=86400

# ended NAME.er DAYS [SECONDS]: make an experiment whose recording ended so long ago; its files are newer.
ended() {
	mkdir -p "$1"
	end=$((now - $2 * day - ${3:-0}))
	{
		echo '<experiment version="12.4"><system hostname="elsewhere"/><process pid="7"/>'
		echo "<event kind=\"run\" tstamp=\"77.5\" time=\"$((end - 100))\"/>"
		echo '<event kind="exit" tstamp="100.25"/></experiment>'
	} >"$1/log.xml"
}

# killed NAME.er DAYS: make an experiment whose log has no end, last written so long ago.
killed() {
	mkdir -p "$1"
	{
		echo '<experiment version="12.4"><system hostname="elsewhere"/><process pid="7"/>'
		echo "<event kind=\"run\" tstamp=\"77.5\" time=\"$((now - 500 * day))\"/>"
	} >"$1/log.xml"
	touch -d "@$((now - $2 * day))" "$1/log.xml"
}

# left DIRECTORY: list the remaining experiments.
left() {
	find "$1" -name '*.er' -prune -printf '%P\n' | LC_ALL=C sort | tr '\n' ' '
}

# goes EXPECTED TEXT OPTION...: of a fresh set, the experiments that -n announces are removed, oldest first.
goes() {
	expected=$1
	text=$2
	shift 2
	rm -rf runs
	make_runs
	planned=$(er_rm -qnr "$@" runs 2>err | sed "s/^would remove 'runs\/\([^']*\)'.*/\1/" | tr '\n' ' ')
	before=$(left runs)
	er_rm -qr "$@" runs >out 2>err2
	status=$?
	after=$(left runs)
	gone=
	for name in $planned; do
		[ -e "runs/$name" ] || gone="$gone$name "
	done
	is "$status: $planned" "0: $expected" "$text" || note "$(cat err err2)"
	is "$gone" "$expected" 'and these are removed' || note "$before -> $after"
	for name in $expected; do
		after="$after$name "
	done
	[ "$(echo "$after" | wc -w)" = "$(echo "$before" | wc -w)" ] && [ ! -s out ]
	ok $? 'and nothing else' || note "$before -> $after"
}

make_runs() {
	mkdir -p runs/deep/er.d/x runs/other
	ended runs/test.1.er 40
	ended runs/test.2.er 30
	ended runs/test.10.er 20
	ended runs/other/test.1.er 50
	ended runs/deep/er.d/x/nightly.er 10
	killed runs/killed.er 35
	echo 'a run for the paper' >runs/test.2.er/notes
	printf 'first\nkeep me\n' >runs/other/test.1.er/notes
	head -c 3000000 /dev/urandom >runs/test.10.er/profile
}

all='other/test.1.er test.1.er killed.er test.2.er test.10.er deep/er.d/x/nightly.er '
goes "$all" 'all of them, the oldest first'
goes 'other/test.1.er test.1.er killed.er test.2.er ' 'older than 30 days' --older-than 30
goes 'other/test.1.er test.1.er killed.er ' 'or a second longer' --older-than $((30 * day + 3600))s
goes 'other/test.1.er test.1.er ' 'weeks' --older-than=5w --name='test*'
goes 'test.10.er deep/er.d/x/nightly.er ' 'newer than 30 days' --newer-than 30d
goes 'test.2.er test.10.er ' 'both' --older-than 480h --newer-than 46000m
goes 'test.10.er ' 'larger than 1 MB' --larger-than 1M
goes '' 'larger than anything here' --larger-than 1T
goes 'deep/er.d/x/nightly.er ' 'by name' --name 'n?[a-i]htly.er'
goes '' 'a name is the last component, and all of it' --name 'test'
goes 'other/test.1.er ' 'by notes' --comment '^keep (me|us)$'
goes 'other/test.1.er test.2.er ' 'without notes there is nothing to match' --comment '^'
goes 'test.1.er killed.er test.10.er deep/er.d/x/nightly.er ' 'those without notes' --keep-notes
goes 'killed.er ' 'those without an end' --incomplete
goes 'test.1.er ' 'all but the two newest of each stem in each directory' --keep 2
goes 'test.1.er test.2.er ' 'all but the newest' --keep 1
goes '' 'there are not so many' --keep 18446744073709551615
goes 'test.1.er ' 'among those that other options choose' --keep 1 --name 'test*' --older-than 30
goes 'other/test.1.er test.1.er killed.er test.2.er test.10.er ' 'the oldest, until the rest fits' \
	--max-total 1M
goes "$all" 'nothing fits into nothing' --max-total 0
goes '' 'everything fits' --max-total 1G
goes 'test.1.er test.2.er ' 'experiments to be kept count, but are not removed' --max-total 1M --keep 1
goes '' 'there is space' --min-free 1
goes "$all" 'there will never be so much space' --min-free 1000000T
goes 'test.1.er ' 'both limits' --keep 2 --max-total 0 --min-free 1000000T

# ---- times ----

rm -rf runs
for zone in UTC America/St_Johns XXX-14 XXX+12; do
	ended runs/a.er 30
	ended runs/b.er 29 86000
	TZ=$zone er_rm -r --older-than 30d runs
	is "$? $(left runs)" '0 b.er ' "an age does not depend on the time zone ($zone)"
done
rm -rf runs
ended runs/future.er -100
er_rm -r --older-than 1s runs
is "$? $(left runs)" '0 future.er ' 'an end in the future is not old'
ended runs/old.er 1
er_rm -r --keep 1 --name '*.er' runs
er_rm -r --max-total 0 --older-than 1s runs
is "$(left runs)" 'future.er ' 'nor oldest'
rm -rf runs
ended runs/unset.er $((now / day - 1))
er_rm -r --older-than 1d runs
is "$(left runs)" 'unset.er ' 'a clock that was not set does not count: the files do'
ended runs/unset.er 0
sed -i 's/time="[0-9]*"/time="9223372036854775807"/' runs/unset.er/log.xml
er_rm -r --older-than 1d runs
is "$? $(left runs)" '0 unset.er ' 'nor does an invalid time'
rm -rf runs
ended runs/a.er 40
ended runs/a.er/_f1.er 40
ended runs/a.er/_f2.er 2
er_rm -r --older-than 30 runs
is "$(left runs)" 'a.er ' 'a descendant that ended later counts'
killed runs/a.er/_f2.er 3
er_rm -r --older-than 30 runs
is "$(left runs)" 'a.er ' 'also one that was killed'
er_rm -r --older-than 3 runs
is "$(left runs)" '' 'the latest decides'

# ---- experiments that are not touched ----

rm -rf runs
mkdir -p runs/sub outside
ended outside/a.er 99
ended runs/a.er 99
ended runs/a.er/_f1.er 99
mkdir runs/mine.er
echo text >runs/mine.er/thesis.tex
ended runs/mine.er/inner.er 99
ended runs/sub/b.er 99
ended runs/.hidden/c.er 99
ln -s ../outside runs/link
ln -s ../../outside/a.er runs/sub/link.er
ln -s a.er runs/linked.er
echo text >runs/file.er
er_rm -r runs 2>err
is "$? $(left outside) $(find runs -mindepth 1 | LC_ALL=C sort | tr '\n' ' ')" '0 a.er  runs/.hidden runs/file.er runs/link runs/linked.er runs/mine.er runs/mine.er/inner.er runs/mine.er/inner.er/log.xml runs/mine.er/thesis.tex runs/sub runs/sub/link.er ' \
	'links, files, and the contents of experiments and of directories with such names are kept'
grep -qx "er_rm: warning: 'runs/mine.er' is not an experiment: '.*' does not belong to an experiment" err
ok $? 'which is reported'
for operand in runs/link runs/link/ runs/linked.er runs/file.er runs/a.er/archives/ runs/nothing nothing.er; do
	mkdir -p runs/a.er/archives
	ended runs/a.er 99
	er_rm -r "$operand" 2>err >out
	status=$?
	[ -d outside/a.er ] && [ -d runs/a.er/archives ] && [ -L runs/linked.er ] && [ -s err ] && [ ! -s out ]
	is "$? $status" "0 $([ "$operand" = runs/linked.er ] && echo 0 || echo 1)" "'$operand' is left alone, and that is said" ||
		note "$(cat err)"
done
ended runs/a.er/_f1.er 99
er_rm --older-than 1 runs/a.er/_f1.er 2>err
is "$?-$(cat err)" "1-er_rm: 'runs/a.er/_f1.er' is part of another experiment" \
	'a descendant is not removed alone'
er_rm -f -r runs/nothing nothing.er
is $? 0 '-f does not complain about missing experiments'
er_rm --keep 1 2>/dev/null
is $? 2 'without an operand it is a usage error'
er_rm -r 2>/dev/null
is $? 2 'with -r, too'
er_rm --older-than 1d runs 2>err
is "$?-$(cat err)" "1-er_rm: 'runs' is not an experiment: its name does not end in '.er'" \
	'without -r a directory is not an operand'

# ---- names ----

rm -rf runs
mkdir runs
n=0
for name in 'with blanks .er' ' .er' '-rf.er' "quote's.er" 'double".er' 'semi;touch x;.er' '$(touch x).er' \
	'back\slash.er' 'star*.er' 'new
line.er' '..er' '...er' "$(printf '\001\033[31m').er" "$(printf 'n%.0s' $(seq 252)).er"; do
	ended "runs/$name" 99
	ended "runs/in
$n ${name%.er} dir/$name" 99 2>/dev/null || ended "runs/$n/$name" 99
	n=$((n + 1))
done
er_rm -rv runs >out 2>err
is "$? $(left runs) $(wc -l <out) $(cat err)" "0  $((2 * n)) " 'experiments with odd names in odd directories are removed'
[ ! -e x ] && [ ! -e runs/x ] && ! grep -q "$(printf '[\001\033]')" out
ok $? 'and do no harm'
mkdir ./-r
ended ./-r/a.er 9
er_rm -r -- -r
is "$? $(left ./-r)" '0 ' 'a directory that looks like an option'
ended a.er 9
mkdir -p one/two
ended one/two/a.er 9
(cd one/two && er_rm -r .)
is "$? $(left one)" '0 ' 'the current directory'
ended one/two/a.er 9
(cd one/two && er_rm -rv .. /dev/null/.. ../two) >out 2>/dev/null
is "$(left one) $(wc -l <out)" ' 1' 'directories around, and one several times'
[ -d a.er ] && rm -r a.er
path=deep
mkdir deep
i=0
while [ $i -lt 150 ]; do
	path=$path/d
	i=$((i + 1))
done
mkdir -p "$path"
ended "$path/a.er" 9
er_rm -r deep
is "$? $(left deep)" '0 ' 'deep directories'

# ---- operands and groups ----

rm -rf runs
make_runs
er_rm -v --keep 1 runs/*.er >out
is "$? $(left runs)" '0 deep/er.d/x/nightly.er killed.er other/test.1.er test.10.er ' \
	'options choose among operands, too'
printf '#analyzer experiment group\ntest.10.er\nmissing.er\nkilled.er\n' >runs/some.erg
er_rm --older-than 30 runs/some.erg 2>err
is "$? $(cat err) $(left runs)" '0 er_rm: warning: runs/missing.er: No such experiment deep/er.d/x/nightly.er other/test.1.er test.10.er ' \
	'members of groups, too'
[ -f runs/some.erg ]
ok $? 'whose file stays while one of them does'
er_rm -qn --older-than 5 runs/some.erg >out
[ -f runs/some.erg ] && [ -d runs/test.10.er ]
ok $? '-n touches nothing'
er_rm -q --older-than 5 runs/some.erg
[ ! -e runs/some.erg ] && [ ! -e runs/test.10.er ]
ok $? 'and goes with the last'
echo n | er_rm -ir runs 2>err
is "$? $(left runs)" '0 deep/er.d/x/nightly.er other/test.1.er ' '-i asks before each'
ended runs/more.1.er 9
ended runs/more.2.er 9
echo n | er_rm -Ir runs 2>err
is "$? $(cat err)" '0 er_rm: remove 4 experiments? ' '-I asks once'
rm -r runs/more.1.er
er_rm -Ir runs 2>err </dev/null
is "$? $(cat err)$(left runs)" '0 ' 'and not for three'

# Leftovers of the first command must not count for the second.
ln -s nowhere runs/link.er
: >runs/file
er_rm --older-than 5 runs/link.er runs/file/x.er 2>err
is "$? $(cat err)" "1 er_rm: warning: 'runs/link.er' is a symbolic link: skipped
er_rm: cannot open directory 'runs/file': Not a directory" 'an experiment that cannot be examined is a failure'
printf '#analyzer experiment group\nfile/x.er\n' >runs/odd.erg
er_rm --older-than 5 runs/odd.erg 2>err
is "$? $(ls runs/odd.erg)" '1 runs/odd.erg' 'and keeps the group that names it'

# ---- unreadable ones, and other file systems ----

if [ "$(id -u)" = 0 ]; then
	rm -rf runs
	mkdir -p runs/mounted
	ended runs/a.er 9
	if mount -t tmpfs none runs/mounted 2>/dev/null; then
		mkdir runs/m.er
		mount -t tmpfs none runs/m.er
		ended runs/mounted/b.er 9
		ended runs/m.er 9
		er_rm -r runs 2>err
		is "$? $(left runs)$(cat err)" '0 m.er mounted/b.er ' 'other file systems are left alone'
		er_rm -r runs/mounted
		is "$? $(left runs)" '0 m.er ' 'unless named'
		umount runs/mounted runs/m.er
		rmdir runs/m.er
	else
		skip 'this sandbox does not allow mounting' 'other file systems'
	fi
	chmod 755 ../ . 2>/dev/null
	mkdir -p runs/closed runs/open
	ended runs/closed/a.er 9
	ended runs/open/b.er 9
	chown -R 65534:65534 runs
	chmod 0 runs/closed
	if setpriv --reuid=65534 --regid=65534 --clear-groups er_rm -V >/dev/null 2>&1; then
		setpriv --reuid=65534 --regid=65534 --clear-groups er_rm -r runs 2>err
		is "$?-$(cat err)" "1-er_rm: cannot open directory 'runs/closed': Permission denied" \
			'a directory that cannot be searched is a failure'
		chmod 755 runs/closed
		is "$(left runs)" 'closed/a.er ' 'and the others are removed' || note "$(left runs)"
	else
		skip 'another user cannot run our programs here' 'not readable'
	fi
else
	skip 'this needs root' 'other file systems'
fi

done_testing

#!/bin/sh
# While an attacker keeps exchanging directories for links to another user's private one, none of its contents
# get to where the attacker can read them.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

several_users 'directories that are exchanged' "$BUILD/tests/er_archive/programs/exchange"
HOME=$PWD/nowhere
export HOME
files=40
runs=25

numbers=$(seq $files)

# ---- the files: the private ones have a mark ----

mkdir -m 700 private
library public.so 1
echo 'int secret_mark(void) { return 1; }' >private.c
cc -shared -fPIC -Wl,--build-id -o private/1.so private.c
echo 'int secret_mark;' >private/1.c
sources=
pairs=
for i in $numbers; do
	mkdir -p "home/$i/way"
	ln -s "$PWD/private" "home/$i/link"
	cp public.so "home/$i/way/1.so"
	echo "int public;" >"home/$i/way/1.c"
	sources="$sources $PWD/home/$i/way/1.c"
	pairs="$pairs $i/way $i/link"
done
# shellcheck disable=SC2086 # a list
names home/evil.so $sources
chmod 755 private/*.so
touch -d '2 hours ago' home/*.so home/*/way/* private/*
experiment model.er
printf '<event kind="run" tstamp="5.000000000" time="%s"/>\n' \
	$(($(date +%s) - 3600)) >model.er/log.xml
for i in $numbers; do
	segment model.er "$PWD/home/$i/way/1.so"
done
experiment code.er
cp model.er/log.xml code.er
segment code.er "$PWD/home/evil.so"
chown -R -h 65534:65534 home

# attack TEXT OWNER MODEL COMMAND...: archive an experiment of OWNER's again and again.
attack() {
	attack_text=$1
	attack_owner=$2
	attack_model=$3
	shift 3
	chown -h -R "$victim:$victim" private
	rm -rf home/test.er running leaked
	mkfifo running
	# shellcheck disable=SC2086 # a list
	(cd home && as_user "$BUILD/tests/er_archive/programs/exchange" $pairs) \
		<running >exchanged &
	exec 3>running
	attack_marked=0
	attack_taken=0
	for _ in $(seq $runs); do
		rm -rf home/test.er
		cp -a "$attack_model" home/test.er
		mkdir home/test.er/archives
		chown -R "$attack_owner:$attack_owner" home/test.er
		chmod 777 home/test.er home/test.er/archives
		"$@" home/test.er >said 2>&1
		as_user grep -rl secret_mark home/test.er/archives 2>/dev/null >>leaked
		attack_taken=$((attack_taken + $(grep -c '^unverified\|^source' home/test.er/archives/manifest)))
		grep -rl secret_mark home/test.er/archives >marked
		attack_marked=$((attack_marked + $(wc -l <marked)))
	done
	exec 3>&-
	wait
	is "$(wc -l <leaked)" 0 "$attack_text"
	note "$attack_taken files taken, $attack_marked private; $(cat exchanged) exchanges"
	[ $((files * runs)) -ge 1000 ] && [ "$(cat exchanged)" -ge 200 ] && [ "$attack_taken" -gt 0 ]
	ok $? 'in 1000 rounds or more'
}

victim=0
attack "root archives the attacker's experiment" 65534 model.er er_archive -q
is "$attack_marked" 0 'no private contents are in it at all'
attack "root archives its own" 0 model.er er_archive -q
attack "root archives the sources of the attacker's experiment" 65534 code.er er_archive -q -a src
is "$attack_marked" 0 'no private contents are in it at all'
attack 'root archives the sources of its own' 0 code.er er_archive -q -a src
is "$attack_marked" 0 'the sources named by an object of another user are not private'
victim=1234
attack "a user archives the attacker's experiment" 65534 model.er as_second er_archive -q
is "$attack_marked" 0 'no private contents are in it at all'
attack 'a user archives his own' 1234 model.er as_second er_archive -q
done_testing

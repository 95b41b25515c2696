#!/bin/sh
# Malicious experiments, given to every tool: no tool crashes, hangs, reads what it should not or writes
# outside, and each message names the experiment. The peers get the same experiments; comments tell how they
# fare.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

mkdir outside made
mkfifo fifo
collect -o good.er /bin/true >/dev/null 2>&1 || exit

# hostile NAME: make a fresh experiment of this name, to be spoiled.
hostile() {
	cp -R good.er "made/$1"
}

# names FILE OBJECT: make an experiment of this name, whose map names the object.
names() {
	hostile "$1"
	segment "made/$1" "$2"
}

names passwd.er /etc/passwd
names shadow.er /etc/shadow
names above.er ../../outside/file
names up.er /usr/../etc/passwd
names fifo.er "$PWD/fifo"
names zero.er /dev/zero
names directory.er "$PWD/outside"
names long.er "/$(head -c 5000000 /dev/zero | tr '\0' a)"
hostile linked.er
rm -rf made/linked.er/archives
ln -s "$PWD/outside" made/linked.er/archives
hostile nested-log.er
python3 -c 'print("<x>" * 200000)' >>made/nested-log.er/log.xml
hostile nested-map.er
python3 -c 'print("<event>" * 200000)' >>made/nested-map.er/map.xml
hostile bare-log.er
echo '<event/><profile/><event kind="run"/>' >>made/bare-log.er/log.xml
hostile bare-map.er
echo '<event/><event kind="map"/><event kind="map" object="segment"/>' >>made/bare-map.er/map.xml
hostile empty-log.er
: >made/empty-log.er/log.xml
hostile empty-map.er
: >made/empty-map.er/map.xml
hostile cut-log.er
head -c 300 good.er/log.xml >made/cut-log.er/log.xml
hostile cut-map.er
head -c 300 good.er/map.xml >made/cut-map.er/map.xml
hostile random-log.er
head -c 100000 /bin/sh >made/random-log.er/log.xml
hostile random-map.er
head -c 100000 /bin/sh >made/random-map.er/map.xml
hostile 'two words.er'
hostile "quo'te\".er"
hostile 'line
break.er'
hostile 'semi;touch outside;.er'
hostile '-rf.er'
is "$(find made -mindepth 1 -maxdepth 1 -printf x)" xxxxxxxxxxxxxxxxxxxxxxxx "each experiment is there"

# Files outside, which an experiment must never cause to be read or written.
escapes() {
	[ "$(find outside -mindepth 1)" = outside/file ] && [ "$(cat outside/file)" = untouched ] ||
		echo 'outside is touched'
	head -n 1 /etc/passwd | grep -rlFf - work && echo 'passwords are copied'
	find work -name '*shadow*' -type f
}

# attack COMMAND...: give the command each experiment as its last operand. A death by a signal is a crash; a
# command still running after 20 seconds hangs.
attack() {
	crashed=''
	hung=''
	escaped=''
	unnamed=''
	for source in made/*; do
		rm -rf work outside
		mkdir work outside
		echo untouched >outside/file
		cp -R "$source" work/
		name=$(basename "$source")
		(cd work && timeout -s KILL 20 "$@" "./$name" >../out 2>../err </dev/null)
		status=$?
		if [ $status = 137 ]; then
			hung="$hung ${name%.er}"
		elif [ $status -gt 125 ] || grep -q Sanitizer err; then
			crashed="$crashed ${name%.er}"
		elif [ $status != 0 ] && ! [ -s err ]; then
			unnamed="$unnamed ${name%.er}"
		fi
		[ -z "$(escapes)" ] || escaped="$escaped ${name%.er}"
	done
}

ours() {
	attack "$@"
	is "$crashed$hung$escaped" '' "$*: no crash, no hang, no escape"
	is "$unnamed" '' "$*: each failure has a message"
}

peer() {
	if ! command -v "$1" >/dev/null; then
		skip "$1 is not installed" "$1 on the same experiments"
		return
	fi
	attack "$@"
	ok 0 "$1 on the same experiments"
	note "crashes:${crashed:- none}; hangs:${hung:- none}; touches what it should not:${escaped:- none}"
}

ours er_archive -a copy
ours er_archive -a usedsrc
ours er_archive --check
ours er_export -o ../bundle.tar.zst
ours er_export --anonymize -o ../anonymous.tar.zst
ours er_export --text
ours er_print -functions -callers-callees -objects -header all
ours er_rm -n
ours er_rm
# shellcheck disable=SC2016
{
	ours sh -c 'er_cp --verify "$1" copy.er' sh
	ours sh -c 'er_mv "$1" moved.er' sh
	ours sh -c 'er_export -o - "$1" | er_import -C . --force -' sh
}
peer gp-archive
peer gp-display-text -functions
rm -rf work made
done_testing

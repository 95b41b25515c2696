#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# The first er_print of an experiment without archives makes them: on the host where it was recorded, if it
# may write there, and if they were wanted.

# make NAME HOST [COMMENT]
make() {
	rm -rf shape.er "$1"
	"$TESTDIR/make-experiments" shape.er
	# Recorded just now, because the object must not be newer than the run.
	sed -i "s/hostname=\"example\"/hostname=\"$2\"/; s/ time=\"[0-9]*\"/ time=\"$(date +%s)\"/" \
		shape.er/log.xml
	[ -z "$3" ] || echo "<event kind=\"comment\" id=\"400\">$3</event>" >>shape.er/log.xml
	mv shape.er "$1"
}

here=$(uname -n)
make here.er "$here"
er_print -functions here.er >first 2>&1
check "archives are made" test -n "$(ls here.er/archives)"
er_print -functions here.er >second 2>&1
check "nothing is said of it, and the table stays the same" cmp first second
is "$(head -1 first)" "Functions sorted by metric: Exclusive Total CPU Time" "the table comes first"

er_print -archive here.er >archive
is "$(grep -c ' described .*/shape$\| present .*/shape$' archive)" 1 "the state of the archive names the object"

make elsewhere.er not-this-host
er_print -functions elsewhere.er >/dev/null
is "$(ls elsewhere.er/archives)" "" "not on another host"

make ours.er "$here" "No archive command: archiving is off"
er_print -functions ours.er >/dev/null
is "$(ls ours.er/archives)" "" "not if collect was told not to"

make theirs.er "$here" "No archive command run"
er_print -functions theirs.er >/dev/null
is "$(ls theirs.er/archives)" "" "not if gprofng was told not to"

make wanted.er "$here" "Archive command \`er_archive -q -a on'"
er_print -functions wanted.er >/dev/null
check "if the recorder's archiver came to nothing" test -n "$(ls wanted.er/archives)"

make locked.er "$here"
chmod a-w locked.er locked.er/archives
if [ "$(id -u)" = 0 ]; then
	skip "root may write anywhere" "not in a directory that may not be written"
else
	er_print -functions locked.er >third 2>&1
	ok $? "a directory that may not be written is read"
	is "$(ls locked.er/archives)" "" "and left alone"
fi
done_testing

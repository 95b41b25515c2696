#!/bin/sh
# The index of a bundle must account for every byte of the archive. One that omits members, or describes them
# wrongly, is reported by every tool that can notice it, and er_import writes nothing that it hides.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

"$TESTDIR/make-experiment" one.er || exit
mkdir one.er/archives
echo text >one.er/archives/there
find one.er -exec touch -h -d @1600000000 {} +
er_export -q -a off one.er && cp one.er.tar.zst made.tar.zst || exit
python3 "$TESTDIR/make-bundles.py" made.tar.zst || exit

# imports STATUS FILE: er_import ends with it, and leaves something only if it is 0.
imports() {
	rm -rf in
	mkdir in
	er_import -C in "$2" >got 2>&1
	[ $? = "$1" ] || return 1
	[ "$1" != 0 ] || return 0
	[ -z "$(ls -A in)" ]
}

# pipes STATUS FILE: the same from a pipe, where the index comes last.
pipes() {
	# shellcheck disable=SC2002 # a pipe is what is wanted
	cat "$2" | imports "$1" -
}

# refused FILE MESSAGE: when read in place, and, with any message, when all of it is read.
refused() {
	er_export --check "$1" >got 2>&1 && return 1
	for tool in 'er_export -l' 'er_print -header' 'er_export --text' 'er_archive --check'; do
		$tool "$1" >got 2>&1
		if [ $? != 1 ] || ! grep -q "$2" got; then
			note "$tool"
			cat got
			return 1
		fi
	done
}

imports 0 true.tar.zst && diff -r one.er in/one.er
ok $? 'an index that is true is fine'
er_export -l true.tar.zst >list
is "$(awk '{ print $NF }' list)" "$(tar --zstd -tf true.tar.zst)" 'and lists what tar does'
refused gap.tar.zst 'the index of the bundle ends at byte'
ok $? 'an omitted member is noticed'
imports 1 gap.tar.zst
ok $? 'and ends the import' || cat got
refused room.tar.zst 'the index of the bundle is damaged at line'
ok $? 'and so is one in the room of another'
refused end.tar.zst 'the index of the bundle ends at byte'
ok $? 'and one at the end'
refused unsaid.tar.zst 'the index of the bundle is damaged at line 1'
ok $? 'an index of another form is refused' || cat got
imports 0 unsaid.tar.zst && diff -r one.er in/one.er
ok $? 'and cannot hide members from an import'

for name in true unsaid; do
	pipes 0 $name.tar.zst && diff -r one.er in/one.er
	ok $? "$name: a pipe is fine with it" || cat got
done
for name in gap room end; do
	pipes 1 $name.tar.zst && grep -q 'the index of the bundle' got
	ok $? "$name: from a pipe it is seen, too" || cat got
done
for name in hidden time mode; do
	pipes 1 $name.tar.zst &&
		grep -q "its members differ from its index\|not in the manifest" got
	ok $? "$name: from a pipe nothing is written either" || cat got
	# shellcheck disable=SC2002
	cat $name.tar.zst | er_export --check /dev/stdin >got 2>&1
	is "$? $(grep -c 'its members differ from its index' got)" '1 1' "$name: and a check says it"
done

# Several experiments of one bundle wait for the index at its end, which covers all of them. Concatenated
# bundles have no such index.
cp -R one.er two.er && er_export -q -a off -o both.tar.zst one.er two.er || exit
cp both.tar.zst made.tar.zst && python3 "$TESTDIR/make-bundles.py" made.tar.zst || exit
pipes 0 both.tar.zst && diff -r one.er in/one.er && diff -r two.er in/two.er
ok $? 'two in one bundle come through a pipe' || cat got
pipes 1 time.tar.zst
ok $? 'and neither arrives when the index does not match them' || cat got
mv two.er three.er && er_export -q -a off three.er &&
	cat mode.tar.zst three.er.tar.zst >behind.tar.zst || exit
imports 0 behind.tar.zst && diff -r three.er in/three.er && pipes 0 behind.tar.zst &&
	diff -r three.er in/three.er
ok $? 'an index that does not cover the whole file does not count in a pipe' || cat got

for name in hidden time mode; do
	imports 1 $name.tar.zst && grep -q "differs from the index\|not in the index" got
	ok $? "$name: an error that only reading shows stops the import" || cat got
	er_export --check $name.tar.zst >got 2>&1
	is "$? $(grep -c 'differs from the index\|not in the index' got | sed 's/[1-9].*/some/')" \
		'1 some' "$name: and is a finding of the check"
done
done_testing

#!/bin/sh
# A recording by gprofng, with descendants and all kinds of data, goes through each of our tools and reads the
# same afterwards in gprofng's reader: with its own archives, with its archives in a common directory, and
# with ours.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v gp-collect-app >/dev/null || ! command -v gp-archive >/dev/null; then
	skip "gprofng is not installed" "carrying its experiments"
	done_testing
fi

cp "$BUILD/tests/er_export/programs/mixture" mixture
gp-collect-app -a off -p hi -H on -s on -i on -F on -o recorded.er ./mixture >recording 2>&1
check "gprofng records descendants" test -d recorded.er/_f1.er
mkdir plain common ours elsewhere
for kind in plain common ours; do
	cp -a recorded.er $kind/test.1.er
done
gp-archive -q plain/test.1.er >archiving 2>&1
gp-archive -q -d "$PWD/store" common/test.1.er >archiving 2>&1
er_archive -a copy ours/test.1.er
is $? 0 "er_archive archives it"
check "the common archive is one of links" test -h "$(echo common/test.1.er/archives/mixture_*)"
if other=$(mktemp -d /dev/shm/erkit-test.XXXXXX 2>/dev/null); then
	trap 'rm -rf "$other"' EXIT
else
	other=$PWD/elsewhere
fi
cp -a plain before_plain
cp -a common before_common
cp -a ours before_ours
mv mixture mixture.away

# Everything that gprofng shows of an experiment, except for the experiment's own name.
show() {
	gp-display-text -metrics e.%totalcpu:i.heapallocbytes:i.syncn:i.iowritecnt:name -functions \
		-callers-callees -statistics -leaks -ioactivity "$1" 2>&1 |
		sed -e 's/^Experiment: .*//'
}

same() { # EXPERIMENT TEXT
	show "$1" >after
	check "$kind: $2" diff before after
}

for kind in plain common ours; do
	show before_$kind/test.1.er >before
	is "$(grep -cw main before | sed 's/^[1-9].*/some/')" some "$kind: functions have names"
	same $kind/test.1.er "gprofng always shows the same"

	er_cp $kind/test.1.er copy.er
	is "$? $(diff -r --no-dereference $kind/test.1.er copy.er)" "0 " "$kind: er_cp copies every byte"
	same copy.er "read from the copy"

	er_mv copy.er "$other/moved.er"
	is "$? $(diff -r --no-dereference $kind/test.1.er "$other/moved.er")" "0 " \
		"$kind: er_mv moves every byte to another file system"
	same "$other/moved.er" "read from there"

	er_export -a off -o bundle.tar.zst "$other/moved.er"
	is $? 0 "$kind: er_export packs it"
	er_rm "$other/moved.er"
	check "$kind: er_rm removes it" test ! -e "$other/moved.er"
	check "$kind: and nothing else" diff -r --no-dereference before_$kind $kind
	er_import -q -C elsewhere bundle.tar.zst
	# A link out of the experiment is replaced by the file it names.
	is "$? $(diff -r $kind/test.1.er elsewhere/moved.er)" "0 " "$kind: er_import unpacks every byte"
	same elsewhere/moved.er "read from where it was unpacked"
	is "$(find elsewhere/moved.er -type l)" "" "$kind: and needs nothing from outside"
	rm -r elsewhere/moved.er bundle.tar.zst
done
check "the common archive is whole" test -n "$(ls store)"
done_testing

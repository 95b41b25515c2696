#!/bin/sh
# At whichever call er_export or er_import is killed or meets an error, the final name is free or has a whole
# result, a partial result is an error, and the same command run again works and cleans up.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/faults.sh
. "$TOP/tests/lib/faults.sh"

mkdir -p source/t.1.er/archives source/t.1.er/_f1.er
for file in overview archives/sh_UHyILZt997d; do
	head -c 10000 /dev/urandom >source/t.1.er/$file
done
for log in log.xml _f1.er/log.xml; do
	printf '<process wdir="/%s"/>\n' "$(head -c 5000 /dev/urandom | od -An -tx1 | tr -d ' \n')" \
		>source/t.1.er/$log
done
# One load object that is not archived, so that the export itself adds it to the bundle.
object=$(readlink -f "$(command -v ls)")
cat >source/t.1.er/map.xml <<X
<event kind="map" object="segment" tstamp="0.000000000" vaddr="0x400000" size="4096" pagesz="4096" foffset="0x0" modes="0x005" chksum="0xFFFFFFFF" name="$object"/>
X
cp source/t.1.er/map.xml source/t.1.er/_f1.er
mkdir copy imported && cp -a source/t.1.er copy
er_export -q -o whole.tar.zst source/t.1.er
er_import -q -C imported whole.tar.zst

# ---- er_export ----

prepare() {
	rm -rf out
	mkdir out
}

# is_whole_bundle STATUS: libelf treats what it cannot read as absent, so a bundle may lack descriptions after
# a failing call. It may lack load objects as well, which is an error.
is_whole_bundle() {
	cmp -s out/t.tar.zst whole.tar.zst && return 0
	rm -rf unpacked
	mkdir unpacked && er_import -q -C unpacked out/t.tar.zst || return 1
	if [ "$1" = 0 ]; then
		diff -r -x manifest -x '*.archive' unpacked/t.1.er imported/t.1.er
	else
		grep -q "$object" sweep.out && diff -r -x archives unpacked/t.1.er imported/t.1.er
	fi
}

exports_again() {
	diff -r source/t.1.er copy/t.1.er && er_export -q -f -o out/t.tar.zst source/t.1.er &&
		cmp out/t.tar.zst whole.tar.zst && [ "$(ls -A out)" = t.tar.zst ]
}

holds() {
	if [ "$1" = 0 ] || [ -e out/t.tar.zst ]; then
		is_whole_bundle "$1" || return 1
	fi
	exports_again
}

sweep_all 'er_export, nothing or a whole bundle:' 50 er_export -q -o out/t.tar.zst source/t.1.er

prepare() {
	rm -rf out
	mkdir out
	echo 'of before' >out/t.tar.zst
}

holds() {
	if [ "$1" = 0 ] || [ "$(head -c 9 out/t.tar.zst)" != 'of before' ]; then
		is_whole_bundle "$1" || return 1
	fi
	exports_again
}

sweep_all 'er_export -f, the old bundle or the new one:' 50 \
	er_export -q -f -o out/t.tar.zst source/t.1.er

# ---- for other programs ----

"$TOP/tests/er_print/make-experiments" shape.er
er_export -q --format=json -o whole.json shape.er

prepare() {
	rm -rf out
	mkdir out
}

# Names that cannot be read are missing, and so are events, but not without an error; the rest is well-formed.
holds() {
	if [ "$1" = 0 ] || [ -e out/rows.json ]; then
		python3 -m json.tool --json-lines out/rows.json /dev/null || return 1
	fi
	if [ "$1" = 0 ]; then
		[ "$(cut -d '"' -f 1-13 out/rows.json)" = "$(cut -d '"' -f 1-13 whole.json)" ] || return 1
	fi
	er_export -q -f --format=json -o out/rows.json shape.er && cmp out/rows.json whole.json &&
		[ "$(ls -A out)" = rows.json ]
}

sweep_all 'er_export --format, nothing or a whole file:' 50 er_export -q --format=json -o out/rows.json shape.er

# ---- er_import ----

prepare() {
	rm -rf out
	mkdir out
}

is_whole_experiment() {
	diff -r out/t.1.er imported/t.1.er
}

imports_again() {
	er_import -q -f -C out whole.tar.zst && is_whole_experiment && [ "$(ls -A out)" = t.1.er ]
}

holds() {
	if [ "$1" = 0 ] || [ -e out/t.1.er ]; then
		is_whole_experiment || return 1
	fi
	imports_again
}

sweep_all 'er_import, nothing or a whole experiment:' 50 er_import -q -C out whole.tar.zst

prepare() {
	rm -rf out
	mkdir out
	cp -a imported/t.1.er out
	echo 'of before' >out/t.1.er/notes
}

holds() {
	[ -e out/t.1.er ] || return 1
	if [ "$1" = 0 ] || [ ! -e out/t.1.er/notes ]; then
		is_whole_experiment || return 1
	fi
	imports_again
}

sweep_all 'er_import -f, the old experiment or the new one:' 50 er_import -q -f -C out whole.tar.zst

# ---- a group, anonymous, by gzip ----

cp -a source/t.1.er source/t.2.er
printf '#analyzer experiment group\nt.1.er\nt.2.er\n' >source/t.erg
er_export -q -a off -z gzip --anonymize -o whole.tar.gz source/t.erg
mkdir group
er_import -q -C group whole.tar.gz

prepare() {
	rm -rf out
	mkdir out
}

holds() {
	if [ "$1" = 0 ] || [ -e out/t.tar.gz ]; then
		cmp out/t.tar.gz whole.tar.gz || return 1
	fi
	er_export -q -f -a off --anonymize -o out/t.tar.gz source/t.erg &&
		cmp out/t.tar.gz whole.tar.gz && [ "$(ls -A out)" = t.tar.gz ]
}

sweep_all 'er_export of a group, nothing or a whole bundle:' 50 \
	er_export -q -a off -z gzip --anonymize -o out/t.tar.gz source/t.erg

# Experiments appear one after the other, and the group after them.
holds() {
	for name in t.1.er t.2.er t.erg; do
		if [ -e out/$name ]; then
			diff -r out/$name group/$name || return 1
		elif [ "$1" = 0 ] || [ -e out/t.erg ]; then
			return 1
		fi
	done
	er_import -q -f -C out whole.tar.gz && diff -r out group
}

sweep_all 'er_import of a group, only whole ones:' 50 er_import -q -C out whole.tar.gz

done_sweeping

#!/bin/sh
# Disk full, errors, kills: never a half file under a final name, always a message, and a rerun works.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"
. "$TOP/tests/lib/faults.sh"

experiment test.1.er
for i in 1 2; do
	library $i.so $i
	segment test.1.er "$PWD/$i.so"
done

# Every file under a final name is whole.
whole() {
	for i in 1 2; do
		copy=$(stored "$1" "$PWD/$i.so")
		if [ -n "$copy" ] && ! cmp -s $i.so "$copy"; then
			return 1
		fi
	done
	find "$1/archives" -name '*.archive' ! -name '.*' >descriptions
	while read -r file; do
		readelf -S "$file" >/dev/null 2>&1 || return 1
	done <descriptions
}

# Another run makes it complete, and clears up.
runs_again() {
	er_archive x.er && whole x.er && [ -z "$(find x.er -name '*.part')" ] &&
		[ "$(sed 1d x.er/archives/manifest | wc -l)" = 2 ]
}

prepare() {
	rm -rf x.er
	cp -a test.1.er x.er
}

holds() {
	[ ! -d x.er/archives ] || whole x.er || return 1
	if [ "$1" = 0 ] && ! er_archive --check x.er; then
		echo 'status 0, but it is not complete'
		return 1
	fi
	if [ "$1" = 1 ] && [ ! -s sweep.out ]; then
		echo 'an error without a message'
		return 1
	fi
	runs_again
}

sweep_all 'no half file:' 30 er_archive x.er

# Made anew, the old archive or the new one is there at any moment, and what is not ours stays.
cp -a test.1.er done.er
er_archive done.er
echo "not ours" >done.er/archives/source

prepare() {
	rm -rf x.er
	cp -a done.er x.er
}

holds() {
	er_archive --check x.er && [ -f x.er/archives/source ] && runs_again
}

sweep_all 'anew, the old archive or the new one:' 50 er_archive -F x.er

experiment readonly.er
segment readonly.er "$PWD/1.so"
mkdir readonly.er/archives
chmod 555 readonly.er/archives
if [ "$(id -u)" = 0 ]; then
	skip "root writes anywhere" "a directory that cannot be written"
else
	er_archive readonly.er 2>err
	is "$? $(grep -c 'Permission denied' err)" "1 1" "a directory that cannot be written"
fi
done_sweeping

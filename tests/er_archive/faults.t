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

# Another run completes it, and cleans up.
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

# Renewed: the old archive or the new one is there at any moment, and foreign files stay.
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

sweep_all 'renewed, the old archive or the new one:' 50 er_archive -F x.er

# A file that cannot be listed or read is not treated as absent: neither files nor lines are lost.
kept() {
	for experiment in done.er x.er; do
		ls $experiment/archives >$experiment.files
		cut -d ' ' -f 1,2 $experiment/archives/manifest | LC_ALL=C sort >$experiment.lines
	done
	[ -z "$(comm -23 done.er.files x.er.files; comm -23 done.er.lines x.er.lines)" ]
}
holds() {
	er_archive x.er 2>/dev/null # adopts again the copy that could not be opened
	kept || diff done.er.lines x.er.lines
}
rm 1.so
printf 'source %s - - - - - - - %032d -\n' /nowhere/main.c 0 >>done.er/archives/manifest
sweep 'directories that cannot be read:' 1 -e EIO -s getdents64 -- er_archive -F x.er
sweep 'files that cannot be opened:' 2 -e EMFILE -s openat,openat2 -- er_archive -F x.er
library 3.so 3
segment done.er "$PWD/3.so"
rm 3.so
sweep 'a manifest that cannot be opened:' 2 -e EMFILE -s openat,openat2 -- er_archive x.er

mkdir done.er/_f1.er
cp test.1.er/*.xml done.er/_f1.er
library 4.so 4
segment done.er/_f1.er "$PWD/4.so"
holds() {
	[ "$1" != 0 ] || [ -n "$(stored x.er 4.so)" ]
}
sweep 'descendants that cannot be listed:' 1 -e EIO -s getdents64 -- er_archive -m 4.so x.er

# If the rights of a file cannot be changed, root's archive still gives another user nothing more to read.
# archives/ is root's, so that rights are changed often.
if [ "$(id -u)" = 0 ]; then
	mkdir -m 700 private
	library private/private.so 5
	rm -rf test.1.er
	experiment test.1.er
	for object in 3.so private/private.so 4.so; do
		segment test.1.er "$PWD/$object"
	done
	library 3.so 3
	chmod 755 .. .
	chown -R 65534:65534 test.1.er
	mkdir test.1.er/archives
	prepare() {
		rm -rf x.er
		cp -a test.1.er x.er
	}
	holds() {
		[ -z "$(stored x.er private.so)" ]
	}
	for error in EPERM ENOMEM; do
		sweep "rights that cannot be changed, $error:" 1 -e $error \
			-s setresuid,setresgid,setgroups,capget,capset -- er_archive x.er
	done
	sweep 'another user, EIO:' 40 -e EIO -- er_archive x.er
else
	skip 'this needs root' 'rights that cannot be changed'
fi

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

#!/bin/sh
# Disk full, errors, kills: never a half file under a final name, always a message, and a rerun works.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

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

# inject CALL ACTION: run er_archive with a fault at each time it calls CALL.
inject() {
	fault=0
	bad=
	while fault=$((fault + 1)); do
		rm -rf x.er
		cp -a test.1.er x.er
		strace -f -o trace -e trace="$1" -e inject="$1:$2:when=$fault" \
			er_archive x.er >out 2>err
		status=$?
		grep -qE 'INJECTED|SIGKILL' trace || break
		[ ! -d x.er/archives ] || whole x.er || bad="$bad half-made:$fault"
		case $2 in
		*signal*) ;;
		*)
			[ $status = 1 ] || bad="$bad status-$status:$fault"
			[ -s err ] || bad="$bad silent:$fault"
			;;
		esac
		er_archive x.er 2>err || bad="$bad rerun:$fault"
		whole x.er || bad="$bad incomplete:$fault"
		[ "$(find x.er -name '*.part' | wc -l)" = 0 ] || bad="$bad left:$fault"
		[ "$(sed 1d x.er/archives/manifest | wc -l)" = 2 ] || bad="$bad lines:$fault"
	done
	fault=$((fault - 1))
	is "$bad" "" "$1 $2, at each of $fault times"
	[ $fault -gt 0 ] || ok 1 "$1 is called at all"
}

# renew CALL: kill er_archive -F at each time it calls CALL; an archive is there at any moment.
renew() {
	fault=0
	bad=
	while fault=$((fault + 1)); do
		rm -rf x.er
		cp -a done.er x.er
		strace -f -o trace -e trace="$1" -e inject="$1:signal=KILL:when=$fault" \
			er_archive -F x.er >out 2>err
		grep -q SIGKILL trace || break
		er_archive --check x.er 2>err || bad="$bad incomplete:$fault"
		[ -f x.er/archives/source ] || bad="$bad lost:$fault"
		er_archive x.er 2>err || bad="$bad rerun:$fault"
		[ "$(find x.er -name '*.part' | wc -l)" = 0 ] || bad="$bad left:$fault"
	done
	fault=$((fault - 1))
	is "$bad" "" "-F killed in $1, at each of $fault times"
	[ $fault -gt 0 ] || ok 1 "$1 is called at all"
}

if ! strace -o /dev/null true 2>/dev/null; then
	skip "strace cannot trace here" "injected faults"
else
	ER_THREADS=1 # so that calls come in the same order each time
	ASAN_OPTIONS=detect_leaks=0 # which cannot be done under strace
	export ER_THREADS ASAN_OPTIONS
	inject pwrite64 error=ENOSPC
	inject write error=EIO
	inject renameat error=EIO
	inject pwrite64 signal=KILL
	inject renameat signal=KILL
	inject openat signal=KILL

	cp -a test.1.er done.er
	er_archive done.er
	echo "not ours" >done.er/archives/source
	for call in mkdirat linkat renameat renameat2 unlinkat fchmod; do
		renew $call
	done
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
done_testing

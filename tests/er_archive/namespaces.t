#!/bin/sh
# In a mount namespace of his own an attacker puts any file at any path, and names it through /proc. A file of
# root's there, in directories of root's, must not be trusted.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

if [ "$(id -u)" != 0 ]; then
	skip 'needs root' 'names in the namespaces of others'
	done_testing
fi
user_directory theirs er_archive
if ! as_user unshare -Urm true 2>/dev/null; then
	skip 'no user namespaces' 'names in the namespaces of others'
	done_testing
fi

# A file that only root may read, older than the run; and an object that names it as its source. The object
# belongs to root, which a copy in an archive made by root may, too.
mkdir secret && chmod 700 secret
echo 'the secret of root' >secret/source.c
touch -d '2 hours ago' secret/source.c
printf '\t.text\n\t.file 1 "%s/secret" "source.c"\n\t.loc 1 1\n\tnop\n' "$PWD" >names.s
cc -shared -nostdlib -Wa,-gdwarf-5 -Wl,--build-id -o theirs/object.so names.s
identity=$(identity theirs/object.so)
echo 'int x;' >x.c
cc -shared -Wl,--build-id -o secret/private.so x.c
chmod 700 secret/private.so

# Mount it over a file of root's, in directories of root's.
# shellcheck disable=SC2016
setpriv --reuid=65534 --regid=65534 --clear-groups unshare -Urm sh -c '
	mount --bind theirs/object.so /etc/passwd && exec 3<theirs/object.so && cd theirs && : >ready && exec sleep 60' &
pid=$!
for _ in $(seq 100); do
	[ -e theirs/ready ] && break
	sleep .05
done
check 'the attacker has mounted his object' cmp theirs/object.so "/proc/$pid/root/etc/passwd"

# archived NAME ATTRIBUTES: list the archive that root makes of an experiment that names it.
archived() {
	rm -rf theirs/test.1.er
	experiment theirs/test.1.er
	printf '<event kind="run" tstamp="5.000000000" time="%s"/>\n' $(($(date +%s) - 3600)) >theirs/test.1.er/log.xml
	segment theirs/test.1.er "$1" "$2"
	chown -R 65534:65534 theirs/test.1.er
	for archived_mode in src usedsrc copy; do
		timeout -s KILL 60 er_archive -q -a $archived_mode theirs/test.1.er >out 2>&1
		[ $? -le 1 ] || echo 'it does not end'
	done
	timeout -s KILL 60 er_export -q -a src -fo theirs/test.tar.zst theirs/test.1.er >out 2>&1
	tar -C theirs -xf theirs/test.tar.zst 2>/dev/null
	grep -rl 'the secret of root' theirs
	as_user find theirs/test.1.er/archives -type f -readable ! -name manifest -printf '%f\n' | grep -v object.so
}
for name in "/proc/$pid/root/etc/passwd" "/proc/$pid/root$PWD/theirs/object.so" "/proc/$pid/cwd/object.so" \
	"/proc/$pid/fd/3" "/proc/$pid/task/$pid/root/etc/passwd" "$PWD/theirs/object.so"; do
	is "$(archived "$name" "$identity")" '' "$name"
done
ln -s "/proc/$pid/root/etc" theirs/link
is "$(archived "$PWD/theirs/link/passwd" "$identity")" '' 'and by a link to there'
for name in /proc/kmsg /proc/self/mem /proc/self/fd/0 /proc/self/exe /proc/1/mem /proc/self/root/proc/1/exe \
	"/proc/self/cwd/secret/private.so"; do
	is "$(archived "$name" "$(identity secret/private.so)")" '' "$name"
done
kill $pid
done_testing

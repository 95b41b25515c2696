#!/bin/sh
# Only programs and libraries get into the archive. Anything else named by a map.xml is refused by name, and
# the rest is archived.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

experiment test.1.er
library good.so 1
library last.so 2
mkfifo fifo
mkdir directory
ln -s good.so link.so
printf '\177ELF\002\001\001' >cut.so
long=$(head -c 5000000 /dev/zero | tr '\0' a)

segment test.1.er "$PWD/good.so"
segment test.1.er /etc/passwd
segment test.1.er ../../x
segment test.1.er /usr/../etc/passwd
segment test.1.er "$PWD/fifo"
segment test.1.er "$PWD/directory"
segment test.1.er "$PWD/link.so"
segment test.1.er "$PWD/cut.so"
segment test.1.er "$PWD/missing.so"
segment test.1.er "$PWD/gone.so (deleted)"
segment test.1.er /dev/zero
segment test.1.er /dev/stdin
segment test.1.er /proc/self/environ
segment test.1.er /proc/kcore
for memory in '[vdso]' '[heap]' '/memfd:x (deleted)' '/SYSV00000000 (deleted)' \
	'/dev/zero (deleted)' 'anon_inode:[perf_event]' DYNAMIC_FUNCTIONS; do
	segment test.1.er "$memory"
done
segment test.1.er "$PWD/last.so"

timeout 10 er_archive -v test.1.er >out 2>err
is $? 1 "the status shows that something was refused"
is "$(cat out)" "copied $PWD/good.so: unverified
copied $PWD/last.so: unverified" "the rest is archived"

said() { # OUTCOME NAME TEXT: exactly one message of this form
	is "$(grep -cF "er_archive: $1 '$2'" err)" 1 "$3 is $1"
}
said refused /etc/passwd "a text file"
said refused ../../x "a relative name"
said refused /usr/../etc/passwd "a name with '..'"
said refused "$PWD/fifo" "a fifo"
said refused "$PWD/directory" "a directory"
said refused "$PWD/link.so" "a link"
said refused "$PWD/cut.so" "a file that ends in its first bytes"
said refused /dev/zero "a device"
said refused /proc/self/environ "a file of procfs"
said missing "$PWD/missing.so" "a missing file"
said missing "$PWD/gone.so (deleted)" "a deleted file"
is "$(grep -c kcore err)" 1 "a core file is not taken"
is "$(grep -cE 'vdso|heap|memfd|SYSV|perf_event|DYNAMIC|zero .deleted' err)" 0 \
	"memory without a file is not worth a word"
is "$(find test.1.er/archives -type f ! -name '*.archive' ! -name manifest | wc -l)" 2 \
	"nothing else is in the archive"
is "$(find test.1.er/archives -name '.*' | grep -c part)" 0 "nothing half-made is left"

manifest=$(stat -c '%i %y' test.1.er/archives/manifest)
timeout 10 er_archive -v test.1.er >out2 2>err2
is $? 1 "a second run says it again"
is "$(cat err2)" "$(grep -v "^er_archive: missing '" err)" "with the same words, but for files that are gone"
is "$(grep -c '^missing' out2)" "$(grep -c "missing '" err)" "which are no longer errors"
is "$(grep -c '^present' out2)" 2 "and does the rest no more"
is "$(stat -c '%i %y' test.1.er/archives/manifest)" "$manifest" "nor writes what it knows"

experiment long.er
segment long.er "/$long"
segment long.er "$PWD/good.so"
timeout 10 er_archive -v long.er >out 2>err
is $? 1 "a name of 5 MB is an error"
is "$(grep -c . err)" 1 "it is refused, or its place in the map named"
is "$(find test.1.er long.er -size +1024k -path '*archives*' | wc -l)" 0 "it goes nowhere"
is "$(wc -c <err | awk '{ print ($1 < 500) }')" 1 "and not into the message either"

experiment linked.er
segment linked.er "$PWD/good.so"
mkdir elsewhere
ln -s ../elsewhere linked.er/archives
er_archive linked.er 2>err
is $? 1 "a link named archives is refused"
is "$(cat err)" "er_archive: 'linked.er/archives' is not a directory" "by name"
is "$(find elsewhere -type f | wc -l)" 0 "and not followed"

experiment planted.er
segment planted.er "$PWD/good.so"
segment planted.er "$PWD/last.so"
mkdir planted.er/archives
name=$(basename "$(stored test.1.er "$PWD/good.so")")
mkfifo "planted.er/archives/$name"
mkfifo planted.er/archives/manifest
timeout 10 er_archive planted.er 2>err
is $? 0 "fifos in archives/ are replaced"
check "by the copy" cmp good.so "planted.er/archives/$name"
check "and by a manifest" test -f planted.er/archives/manifest

experiment setid.er
library setid.so 4
chmod 7755 setid.so
segment setid.er "$PWD/setid.so"
er_archive setid.er
is "$(stat -c %a "$(stored setid.er "$PWD/setid.so")")" 755 "copies have no set-id bits"
done_testing

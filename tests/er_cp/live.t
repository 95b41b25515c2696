#!/bin/sh
# An experiment that is being recorded is copied as it is at one moment. It is neither moved nor removed.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

# start NAME.er DIRECTORY: make an experiment in which a process of the test still writes to DIRECTORY.
start() {
	make_experiment "$1"
	(
		while :; do
			head -c 40000 /dev/urandom
		done
	) >>"$1/profile" &
	writer=$!
	{
		echo '<?xml version="1.0" encoding="UTF-8"?>'
		echo '<experiment version="12.4">'
		echo "<system hostname=\"$(uname -n)\"/><process pid=\"$writer\"/>"
		echo "<event kind=\"run\" tstamp=\"5.0\" time=\"$(date +%s)\"/>"
	} >"$2/log.xml"
}
trap 'kill $writer 2>/dev/null' EXIT

# Every file is the beginning of its original, and one that was cut says so.
# shellcheck disable=SC2317 # check calls it
# Every file is the beginning of the one it was copied from, and one more says so.
is_cut() {
	grep -q ' cut="[0-9]*">copied while it was being recorded' "$1/warnings.xml" || return 1
	(cd "$1" && find . -type f ! -name warnings.xml) | while read -r file; do
		size=$(stat -c %s "$1/$file")
		[ "$(stat -c %s "$2/$file")" -ge "$size" ] &&
			cmp -n "$size" "$1/$file" "$2/$file" || exit 1
	done
}

start live.er live.er
for i in 1 2 3 4 5; do
	er_cp live.er "copy.$i.er" 2>err
	is $? 0 "copy $i succeeds"
	grep -q "warning: 'live.er': still being recorded" err
	ok $? 'with a warning'
	check 'and is a cut' is_cut "copy.$i.er" live.er
done
er_cp -q live.er quiet.er 2>err
is "$(cat err)" '' '-q says nothing'
er_cp copy.1.er copy.of.1.er 2>err
is "$(cat err)" '' 'a copy of a copy is an ordinary one: no process writes to it'
er_rm copy.of.1.er 2>err
is $? 0 'and it can be removed'
# Recorders reserve space and give back what they do not use.
(
	while :; do
		printf x | dd of=live.er/synctrace bs=1 seek=8000000 conv=notrunc 2>/dev/null
		truncate -s 1 live.er/synctrace
	done
) &
reserver=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	er_cp -qf --no-sync live.er shrinking.er || break
done 2>err
is "$(cat err)" '' 'files that become shorter are not an error'
kill $reserver
wait $reserver 2>/dev/null
# Descendants get their names once they are complete.
(
	for i in $(seq 10 300); do
		cp -r live.er/_f1.er "live.er/._f$i.er.record.part"
		mv "live.er/._f$i.er.record.part" "live.er/_f$i.er"
	done
) &
forker=$!
while kill -0 $forker 2>/dev/null; do
	er_cp -qf --no-sync live.er growing.er || break
	er_export -qf -a off -o growing.er.tar.zst live.er || break
	find growing.er -name '.*.part'
done >err 2>&1
is "$(cat err)" '' 'nor are descendants that come, and none is there in parts'
kill $forker 2>/dev/null
wait $forker
er_mv live.er moved.er 2>err
is "$?-$(cat err)" "1-er_mv: 'live.er' is still being recorded" 'er_mv refuses'
er_rm live.er 2>err
is "$?-$(cat err)" "1-er_rm: 'live.er' is still being recorded" 'er_rm refuses'
er_mv -f live.er moved.er 2>err
is $? 0 'er_mv -f does it'
grep -q 'still being recorded under its old name' err
ok $? 'with the consequence'
er_rm -f moved.er
is $? 0 'er_rm -f removes it'
kill $writer

# The founder has ended, but a descendant goes on.
start live.er live.er/_f1.er
er_rm live.er 2>err
is "$?-$(cat err)" "1-er_rm: 'live.er' is still being recorded" 'a live descendant counts'
er_cp live.er copy.6.er 2>err
grep -q 'still being recorded' err
ok $? 'for er_cp, too'
kill $writer
wait 2>/dev/null
er_rm live.er
is $? 0 'when it has ended the experiment can be removed'

# ---- closed, but still written to, as by a recorder that cuts its files or by an archiver ----
make_experiment closed.er
head -c 30M /dev/urandom >closed.er/profile # so that there is time to write
(
	for i in 1 2 3 4 5 6 7 8 9 10; do
		echo more >>closed.er/data.frameinfo
		sleep 0.01
	done
) &
er_cp closed.er settled.er 2>err
is "$?-$(cat err)" 0- 'a file that changes only for a moment is copied again'
wait
check 'as it is' diff -r -x data.frameinfo closed.er settled.er
check 'or was, at a moment' cmp -n "$(stat -c %s settled.er/data.frameinfo)" \
	closed.er/data.frameinfo settled.er/data.frameinfo

(
	while [ -d closed.er ]; do
		echo more >>closed.er/data.frameinfo
	done
) 2>/dev/null &
# On a busy machine the writer may not run while the copy is made.
for _ in 1 2 3 4 5; do
	er_cp closed.er restless.er 2>err
	status=$?
	[ "$status" = 0 ] || break
	rm -rf restless.er
done
is "$status-$(cat err)" "1-er_cp: changed 'data.frameinfo': grew while it was copied" \
	'a file that keeps changing is reported, after a few attempts'
mv closed.er gone
wait

done_testing

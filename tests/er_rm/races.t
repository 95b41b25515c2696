#!/bin/sh
# Names exchanged by an attacker while er_rm works do not lead it elsewhere: all files outside keep their
# mode.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

rounds=${RACE_ROUNDS:-800}
ER_THREADS=1
export ER_THREADS

if [ "$(id -u)" != 0 ]; then
	skip 'several users need root' 'races against other users'
	done_testing
fi
work_in_memory
user_directory home er_rm
look_at_home() {
	find home -printf '%P %y %m %U %i\n' | sort
}

# The victim has programs at home, and directories that can be entered only by their names.
for i in 1 2 3 4 5 6 7 8; do
	cp /bin/true home/p$i
	chmod 755 home/p$i
	mkdir home/d$i home/d$i/log.xml
	chmod 311 home/d$i
done
mkdir home/_f1.er
chmod 311 home/_f1.er
chown -R 65534:65534 home
look_at_home >home.before

# The attacker's experiment has directories with the same names. One cannot be searched: the one that a file
# system in memory lists last.
mkdir shared
make_experiment shared/x.er
rm -r shared/x.er/jdynclasses/org
mkdir -m 0 shared/x.er/jdynclasses/locked
for i in 1 2 3 4 5 6 7 8; do
	mkdir -m 4277 shared/x.er/jdynclasses/p$i shared/x.er/jdynclasses/d$i
done
ln -s "$PWD/home" shared/other
chown -hR 12345:12345 shared
chmod 777 shared shared/x.er shared/x.er/jdynclasses

# attacked TEXT OPTION... A B COMMAND...: the command leaves everything outside as it is, although A and B are
# exchanged during its work.
attacked() {
	attacked_text=$1
	shift
	race -n "$rounds" -a 12345 "$@" >out 2>&1
	note "$(sed "s/'.*'/NAME/" out | sort | uniq -c)"
	look_at_home | diff home.before - >changes
	is "$(cat changes)" '' "$attacked_text"
	[ "$(sed -n 's/race: \([0-9]*\) exchanges/\1/p' out)" -gt "$rounds" ]
	ok $? 'with thousands of exchanges'
}
attacked 'removals by a user change nothing outside' \
	-u 65534 shared/x.er/jdynclasses shared/other er_rm shared/x.er
rounds=$((rounds / 8))
attacked 'nor do those that search' \
	-u 65534 shared/x.er/jdynclasses shared/other er_rm -r --older-than=0s shared

# Root may remove anything: the experiment is removed, wherever the names in it lead by then.
make_experiment made.er
rm -r made.er/data.frameinfo made.er/heaptrace made.er/archives
mkdir made.er/archives
for i in 1 2 3 4; do
	: >made.er/archives/p$i
	mkdir made.er/jdynclasses/d$i
done
chown -hR 12345:12345 made.er
again="rm -rf shared; mkdir shared; chown 12345 shared; cp -a made.er shared/x.er
	ln -s '$PWD/home' shared/other; chown -h 12345 shared/other"
for part in /archives /jdynclasses /_f1.er ''; do
	attacked "removals by root change nothing outside: x.er$part" \
		-p "$again" shared/x.er$part shared/other er_rm shared/x.er
done
done_testing

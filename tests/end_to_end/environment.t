#!/bin/sh
# Languages, time zones and servers in the environment, and variables left by a recording, do not change the
# tools' decisions or actions.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/experiment.sh
. "$TOP/tests/lib/experiment.sh"

mkdir empty home elsewhere locale
mkfifo fifo
cp "$BUILD/bin/er_rm" locale/LC_ALL
mkdir fixture
collect -A off -o fixture/recorded.1.er /bin/true 2>/dev/null || exit
now=$(date +%s)

# ended NAME DAYS: an experiment that ended so many days ago.
ended() {
	make_experiment "fixture/$1"
	printf '<?xml version="1.0"?>\n<experiment version="12.4">\n<event kind="run" tstamp="5.000000000" time="%s"/>\n<event kind="exit" tstamp="1.500000000"/>\n</experiment>\n' \
		$((now - $2 * 86400 - 40000)) >"fixture/$1/log.xml"
	cp "fixture/$1/log.xml" "fixture/$1/_f1.er/log.xml"
}
ended old.1.er 31
ended old.2.er 29
ended I.1.er 400
ended i.1.er 2

# judge: every choice of er_rm. The ages that it prints grow, and are left out.
judge() {
	for judged in '--older-than 30d' '--older-than 43200m' '--keep 1' '--max-total 1k' '--min-free 900000T' \
		'--name=I*' '--name=i*' '--comment=I' '--larger-than 1M' '--older-than 0,5d' '--older-than 30' \
		'--max-total 1,5k' '--max-total 1.5k'; do
		echo "$judged"
		# shellcheck disable=SC2086
		timeout -s KILL 20 er_rm -n -r $judged fixture 2>&1
		echo "status $?"
	done | sed 's/, [0-9]* [a-z]* old)/)/'
}

# work: the whole life of an experiment, and all messages about it.
work() {
	cp -R fixture work && (
		cd work || exit
		er_cp old.1.er copy.1.er
		er_mv copy.1.er moved.1.er
		er_archive -q -a src recorded.1.er
		er_archive --check recorded.1.er
		er_export -q -o bundle.tar.zst recorded.1.er moved.1.er
		er_import -q -C ../empty bundle.tar.zst
		er_archive --check bundle.tar.zst
		# Times of day are those of the time zone.
		er_print -header -statistics -functions -sample_list recorded.1.er bundle.tar.zst/moved.1.er |
			sed '/^Experiment started /d'
		er_export --text recorded.1.er
		er_rm -r --older-than 30d .
		find . ../empty -print | sort
	) 2>&1
	rm -rf work empty/*
}

judge >judged
work >worked
is "$(sed -n 's/^would remove .fixture\/\(.*\.er\)..*/\1/p' judged | head -n 2 | tr '\n' ' ')" 'I.1.er old.1.er ' \
	'there is something to judge'
check 'and something to do' grep -q 'moved.1.er' worked

sed -n '/^judge() {/,/^}/p;/^work() {/,/^}/p' "$TESTDIR/environment.t" >functions
# same_judging WORD=VALUE...
same_judging() {
	env "$@" sh -c ". '$PWD/functions'; judge" >again 2>&1
	is "$(diff judged again | head -n 5)" '' "er_rm judges the same: $*"
}
# same WORD=VALUE...
same() {
	same_judging "$@"
	env "$@" sh -c ". '$PWD/functions'; work" >again 2>&1
	is "$(diff worked again | head -n 5)" '' "all do the same"
}

same_judging LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 LANGUAGE=tr LC_CTYPE=tr_TR
same_judging LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8
same_judging LC_ALL=../../../../dev/zero LOCPATH=/dev "NLSPATH=$PWD/fifo" LANGUAGE=../../dev/zero
same LC_ALL=LC_ALL "LOCPATH=$PWD/locale" "GCONV_PATH=$PWD/locale" CHARSET=X OUTPUT_CHARSET=X "NLSPATH=$PWD/fifo"
same_judging TZ=:/dev/zero
same_judging TZ=../../../../etc/shadow TZDIR=/etc
same_judging TZ=Pacific/Kiritimati
same TZ=AAA999999BBB,J1/999999,J365/999999
# er_rm must not even look: a fifo would block it.
same_judging TZ="$PWD/fifo" TZDIR="$PWD"
same MALLOC_PERTURB_=165 MALLOC_ARENA_MAX=1 MALLOC_TOP_PAD_=100000000 MALLOC_TRACE="$PWD/elsewhere/trace" \
	GLIBC_TUNABLES=glibc.malloc.check=3:glibc.malloc.perturb=90 MALLOC_CHECK_=3 HOME=/dev/zero TMPDIR= \
	XDG_CONFIG_HOME=/dev/zero POSIXLY_CORRECT=
same DEBUGINFOD_URLS=http://127.0.0.1:9 DEBUGINFOD_CACHE_PATH="$PWD/elsewhere" DEBUGINFOD_VERBOSE=1 \
	http_proxy=http://127.0.0.1:9 XML_CATALOG_FILES="$PWD/fifo" SGML_CATALOG_FILES="$PWD/fifo" ZSTD_CLEVEL=99 \
	OPENSSL_CONF=/dev/null SSLKEYLOGFILE="$PWD/elsewhere/keys" COLUMNS=-1 TERM=../../../dev/zero TERMINFO="$PWD/fifo"
# Variables of a recording that this process belongs to.
same SP_COLLECTOR_EXPNAME="$PWD/elsewhere" SP_COLLECTOR_PARAMS="p:1000;a:on;P:$PWD/elsewhere/archiver;D:1:2:3;" \
	SP_COLLECTOR_FOUNDER=1 SP_COLLECTOR_LINEAGE=_x9 SP_COLLECTOR_RUN=1:1:1 SP_COLLECTOR_PRELOAD=/none \
	SP_COLLECTOR_FOLLOW_SPEC='(' GPROFNG_MAX_CALL_STACK_DEPTH=999999999999
is "$(find elsewhere -mindepth 1)" '' 'nothing is written where a variable points'

for program in collect er_archive er_cp er_mv er_rm er_export; do
	is "$(nm -D -u "$BUILD/bin/$program" 2>/dev/null | grep -cwE 'setlocale|newlocale|uselocale|strtod|system|popen')" 0 \
		"$program: no locale, no shell"
done

# Missing objects do not make a tool ask a server.
if strace -o trace true 2>/dev/null; then
	DEBUGINFOD_URLS=http://127.0.0.1:9 strace -f -o trace -e trace=socket,connect sh -c ". '$PWD/functions'; work" >again
	is "$(grep -c 'AF_INET\|AF_UNIX' trace)" 0 'no server is asked'
else
	skip 'no strace' 'no server is asked'
fi

# collect begins a recording of its own, even if the environment names another.
env SP_COLLECTOR_EXPNAME="$PWD/elsewhere" SP_COLLECTOR_PARAMS='p:1;a:on;P:/none;D:1:2:3;' SP_COLLECTOR_FOUNDER=1 \
	SP_COLLECTOR_LINEAGE=_x9 SP_COLLECTOR_RUN=1:1:1 collect -A off -o mine.er sh -c '/bin/true; env | grep SP_' \
	>out 2>/dev/null
is "$(cat out)" '' 'collect: the program does not see it'
check 'collect: it records as its options say' grep -aq 'kind="exit"' mine.er/_f1_x1.er/log.xml
is "$(find elsewhere -mindepth 1)" '' 'and nothing else'
done_testing

#!/bin/sh
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/readers.sh"
# I/O of real programs, compared with other tools: strace for the calls, gprofng for the experiments.

counts=e+ioreadcnt:e+ioreadbytes:e+iowritecnt:e+iowritebytes:e+ioothercnt:e+ioerrorcnt

# ---- the same files for every program ----

mkdir work
seq 20000 >work/numbers
seq 5000 -1 1 | sed 's/$/ some words to sort/' >work/words
printf 'one\ntwo\nthree\n' >work/short
cat >work/lines.sh <<'END'
while read -r line; do
	echo "$line" >>out.$1
done <short
read -r first <numbers
END
cat >work/files.py <<'END'
import os, shutil
with open("words") as words, open("copy", "w") as copy:
    for line in words:
        copy.write(line.upper())
descriptor = os.open("raw", os.O_RDWR | os.O_CREAT)
os.pwrite(descriptor, b"x" * 5000, 100)
os.preadv(descriptor, [bytearray(1000), bytearray(3000)], 0)
os.close(descriptor)
shutil.copy("numbers", "numbers.copy")
try:
    open("absent")
except FileNotFoundError:
    print(sum(1 for _ in open("numbers")))
END

# ---- the calls that reach the system, beside strace ----

# as_strace NAME calls|bytes COMMAND...: each file of the work directory was read and written by the same
# number of calls and bytes, or only bytes where streams have buffers, and the program behaved the same.
as_strace() {
	as_strace_name=$1
	as_strace_what=$2
	shift 2
	rm -rf alone traced recorded io.er
	for as_strace_place in alone traced recorded; do
		cp -rp work "$as_strace_place" # tar and others keep times
	done
	# Through a pipe: some programs copy between files without reading.
	{ (cd alone && "$@"); echo "status $?"; } 2>alone.err | cat >alone.out
	(cd traced && strace -y -s 0 -o ../calls -e trace=desc "$@") 2>errors | cat >traced.out
	{
		(cd recorded && collect -i on -p off -A off -o ../io.er "$@")
		echo "status $?"
	} 2>recorded.err | cat >recorded.out
	sed -i '/^collect: recording to/d' recorded.err
	check "$as_strace_name: the same output as without us" cmp alone.out recorded.out
	check "$as_strace_name: so are the errors" cmp alone.err recorded.err
	check "$as_strace_name: so are the files" diff -r alone recorded
	python3 "$TOP/tests/collector/io_records.py" strace calls traced >theirs
	python3 "$TOP/tests/collector/io_records.py" files io.er recorded >ours
	if [ "$as_strace_what" = bytes ]; then
		sed -i 's/^\(.*\) [0-9]* \([0-9]*\) [0-9]* \([0-9]*\)$/\1 \2 \3/' theirs ours
	fi
	[ -s theirs ]
	ok $? "$as_strace_name: strace sees its files"
	check "$as_strace_name: $as_strace_what of each file are strace's" diff theirs ours
	read_alike "$as_strace_name" io.er
}

# ---- the experiments, beside gprofng ----

# Rows that have a figure, whatever name functions without symbols have.
# Where a stripped program begins is known to us alone: it divides the code without names.
counted() {
	sed -n '/^[0-9]/p' | grep -v '^ *\(0  *\)*[^ 0-9]' | sed 's/<static>@0x[0-9a-f]*/<static>/'
}

# Both readers' lines on files, in any order: gprofng drops events that do not belong to a file, and prints
# "error" where it does not know a file system.
of_files() {
	sed -e '/<Total>/d' -e '/<Other IO activity>/d' -e 's/ (FS=[^)]*)$//' -e 's/  */ /g' | sort
}

# read_alike NAME EXPERIMENT: both readers show the same calls and bytes. (gprofng cuts the time of each
# call to microseconds.)
read_alike() {
	command -v gp-display-text >/dev/null || return
	for read_alike_list in -ioactivity -iodetail; do
		gp-display-text -metrics $counts $read_alike_list "$2" 2>/dev/null | of_files >theirs
		er_print -metrics $counts $read_alike_list "$2" 2>errors | of_files >ours
		check "$1: $read_alike_list is gprofng's" diff theirs ours
	done
	gp-display-text -iostat "$2" 2>/dev/null | sed '/^Other I/,$d' >theirs
	er_print -iostat "$2" 2>errors | sed '/^Other I/,$d' >ours
	check "$1: -iostat is equal to gprofng's" diff theirs ours
	gp-display-text -metrics $counts -functions "$2" 2>/dev/null | counted >theirs
	er_print -metrics $counts -functions "$2" 2>errors | counted >ours
	[ -s theirs ]
	ok $? "$1: gprofng shows functions"
	check "$1: functions have gprofng's figures" diff theirs ours
}

if command -v strace >/dev/null && strace -o calls true 2>/dev/null; then
	as_strace cat calls cat numbers short absent
	as_strace cp calls cp numbers copy
	as_strace dd calls dd if=numbers of=copy bs=1000 skip=3 count=20 status=none
	as_strace tar calls tar cf all.tar numbers words short
	as_strace sort bytes sort -o sorted words
	as_strace bash bytes bash lines.sh 1
	as_strace python3 calls "$(python3 -c 'import sys; print(sys.executable)')" \
		-c "$(cat work/files.py)"
	if command -v sqlite3 >/dev/null; then
		as_strace sqlite3 calls sqlite3 data.db \
			'create table t(n); insert into t values (1), (2); select sum(n) from t;'
	else
		skip "sqlite3 is not installed" "sqlite3"
	fi
else
	skip "strace does not work here" "calls are those that strace sees"
fi

if ! command -v gp-display-text >/dev/null; then
	skip "gprofng is not installed" "er_print agrees with gprofng"
	done_testing
fi

build_shape shape
SHAPE=$PWD/shape "$TOP/tests/er_print/make-experiments" io.er io_second.er io_odd.er
for command in -functions -callers-callees -metric_list -ioactivity -iodetail -iocallstack -iostat; do
	same_output "by hand" $command io.er
	same_output "two experiments" $command io.er io_second.er
done
for metrics in $counts e.%ioreadtime:i+ioothercnt:e%iowritebytes:e.totalcpu e.totalcpu; do
	same_output "metrics $metrics" -metrics "$metrics" -iodetail io.er
done
same_output "a function" -fsingle leaf_a -csingle leaf_a io.er
is "$(er_print -header 1 io.er | grep tracing)" "$(gp-display-text -header 1 io.er | grep tracing)" \
	"the header calls it the same"

# Calls missing from gprofng's lists still count in its functions; er_print counts them everywhere.
total() { # READER COMMAND: calls that are neither reads nor writes
	"$1" -metrics e+ioothercnt "$2" io_odd.er 2>/dev/null | sed -n 's/^\([0-9]*\) .*<Total>$/\1/p'
}
is "$(total er_print -functions) $(total er_print -iodetail) $(total gp-display-text -functions)" \
	"5 5 5" "no call is lost from the lists of files"
is "$(total gp-display-text -iodetail)" 3 "gprofng loses those of descriptors that it does not know"
is "$(er_print -metrics e.ioreadtime -functions io_odd.er | sed -n 's/ .*leaf_a$//p')" 0.093 \
	"times of less than a microsecond add up"

# ---- recorded by gprofng ----

cp -rp work theirs.dir
if command -v gp-collect-app >/dev/null; then
	(cd theirs.dir && gp-collect-app -p off -i on -O ../gprofng.er "$(command -v sort)" -o sorted words) \
		>collected 2>&1
	ok $? "gprofng records a program"
	read_alike "gprofng's recording" gprofng.er
else
	skip "gp-collect-app is not installed" "gprofng's recordings"
fi
done_testing

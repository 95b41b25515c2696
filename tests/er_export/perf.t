#!/bin/sh
# er_import makes experiments of recordings of perf record: functions have the shares that perf report shows.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

cat >work.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile unsigned long sum;

NOINLINE void work_leaf(long count)
{
	for (long i = 0; i < count; i++)
		sum += (unsigned long)(i * i);
}

NOINLINE void work_other(long count)
{
	for (long i = 0; i < count; i++)
		sum ^= (unsigned long)i;
}

NOINLINE void work_middle(long count)
{
	work_leaf(count);
	work_other(count / 2);
	sum++;
}

NOINLINE void work_pages(long count)
{
	char *memory = mmap(NULL, (size_t)count * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	madvise(memory, (size_t)count * 4096, MADV_NOHUGEPAGE);
	for (long i = 0; i < count; i++)
		memory[i * 4096] = 1;
	munmap(memory, (size_t)count * 4096);
}

NOINLINE void work_top(long count)
{
	work_middle(count);
	work_other(count);
	work_pages(200);
	sum++;
}

int main(int argc, char *argv[])
{
	long count = atol(argv[1]);
	int forks = atoi(argv[2]);

	for (int i = 0; i < forks; i++)
		if (fork() == 0) {
			work_leaf(10 * count);
			if (i == 1)
				execl("/proc/self/exe", "again", argv[1], "0", NULL);
			_exit(0);
		}
	for (int i = 0; i < 10; i++)
		work_top(count);
	while (wait(NULL) > 0)
		;
	return 0;
}
END
cc -O1 -g -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer -o framed work.c && cc -O1 -g -fomit-frame-pointer -o bare work.c
perf=$(perf record -q -e cpu-clock -o try.data ./framed 1000 0 2>&1)
# shellcheck disable=SC2181 # the output is kept
if [ $? != 0 ]; then
	skip "perf cannot record: $(echo "$perf" | tail -n 1 | cut -c1-100)" 'recordings of perf are imported'
	done_testing
fi

# The programs run for a while however fast the machine is.
count=2000000

# recorded NAME OPTIONS-AND-PROGRAM...: make NAME.data and NAME.er of it. A busy machine may lose records.
recorded() {
	name=$1
	shift
	perf record -q -o "$name.data" "$@" >/dev/null 2>&1
	er_import -o "$name.er" "$name.data" >said 2>&1
	is "$? $(grep -v 'warning: .*: the kernel lost [0-9]* records$' said)" '0 ' \
		"$name: the recording is imported, without a word"
}

# agrees TEXT ARGUMENTS...: perf and er_print agree, see perf_shares.py
agrees() {
	text=$1
	shift
	if "$TESTDIR/perf_shares.py" "$@" >out 2>err; then
		ok 0 "$text: the shares of functions are perf's"
	else
		ok 1 "$text: the shares of functions are perf's"
		note "$(cat out)"
	fi
	note "$text: $(tail -n 3 err)"
}

recorded plain -e cpu-clock ./framed $count 0
agrees plain plain.data plain.er
recorded frames -g -e cpu-clock ./framed $count 0
agrees frames frames.data frames.er
recorded forks -g -F 2000 -e cpu-clock ./framed $count 3
# What executes another program is in none of both for a moment.
agrees forks --only work_ forks.data forks.er
is "$(cd forks.er && echo _*)" '_f1.er _f2.er _f2_x1.er _f3.er' 'descendants are named as collect names them'
is "$(er_import -f --max-entries=20 -o few.er forks.data 2>&1 | tail -n 1)" \
	'er_import: the experiment would have more files than --max-entries allows' 'too many files'
check 'nothing is left of them' [ ! -e few.er ]
is "$(er_print -header forks.er/_f2_x1.er | grep -c "'exe'")" 1 'a descendant has the name of its program'
is "$(er_print -header forks.er | sed -n "s/^Target command (64-bit): //p" | head -n 1)" "'./framed $count 3'" \
	'the founder has the command'
recorded copies --call-graph dwarf,4096 -F 499 -e cpu-clock ./bare $count 0
agrees 'without frame pointers' --only work_ copies.data copies.er
recorded events -g -e cpu-clock -e page-faults ./framed 200000 0
agrees 'several events: time' --only work_ events.data events.er cpu-clock totalcpu
agrees 'several events: faults' events.data events.er page-faults page-faults
recorded alone -g -e page-faults -c 1 ./framed 20000 0
ok "$([ ! -e alone.er/profile ]; echo $?)" 'without a clock there is no profile'
is "$(er_print -metrics e.page-faults:name -functions alone.er | awk '$2 == "work_pages" && $1 >= 2000 { print "all" }')" \
	all 'each page fault counts'

# ---- what runs already, and all processes ----

./framed 300000000 0 &
process=$!
recorded attached -g -e cpu-clock -p $process sleep .5
kill $process
agrees 'a process that runs' attached.data attached.er
is "$(er_print -header attached.er | grep -c "^Process pid $process,")" 1 'it is the founder'
if perf record -q -a -e cpu-clock -o try.data true >/dev/null 2>&1; then
	recorded machine -a -g -F 499 -e cpu-clock ./framed $count 1
	agrees 'all processes' --only work_ machine.data machine.er
	is "$(find machine.er -name '_framed_PID_*.er' | wc -l)" 2 'each process has an experiment'
else
	skip 'perf may not record all processes' 'all processes are recorded'
fi
if perf record -q -z -g -e cpu-clock -o packed.data ./framed $count 0 >/dev/null 2>&1; then
	er_import -q packed.data
	# perf does not look at build-ids then, so the kernel is unknown.
	agrees compressed --only work_ packed.data packed.1.er
else
	skip 'this perf does not compress' 'compressed records'
fi

# ---- all programs ----

if command -v gp-display-text >/dev/null; then
	# shellcheck disable=SC2016 # awk's
	top='$NF == "work_leaf" { print $1, $2 }'
	is "$(gp-display-text -limit 5 -functions forks.er 2>/dev/null | awk "$top")" \
		"$(er_print -limit 5 -functions forks.er 2>/dev/null | awk "$top")" 'gp-display-text shows the same'
else
	skip 'there is no gp-display-text' 'gp-display-text shows the same'
fi
check 'er_archive' er_archive -q -a copy forks.er
check 'er_cp' er_cp -q forks.er copied.er
check 'er_export' er_export -q -o packed.tar.zst copied.er
check 'er_html' er_html -q -o page.html copied.er
agrees 'a copy with its archive' --only work_ forks.data copied.er

# ---- names ----

is "$(er_import -v frames.data 2>&1; er_import -n frames.data 2>&1)" "unpacked 'frames.1.er'
unpacked 'frames.2.er'" 'the default name has the next free number'
is "$(ls -d frames.*.er)" frames.1.er 'a dry run makes nothing'
is "$(er_import -o frames.er frames.data 2>&1; echo $?)" "er_import: cannot create 'frames.er': File exists
1" 'a name that is taken is refused'
check 'and replaced with -f' er_import -f -o frames.er frames.data
mkdir place
check '-C' er_import -C place -o there.er frames.data
is "$(ls -A place)" there.er '-C is where it appears, and nothing else'
is "$(er_import -o x.er packed.tar.zst 2>&1)" "er_import: 'packed.tar.zst' is not a recording of perf: -o has no meaning, \
use -C or --rename" '-o is for recordings'
is "$(er_import -o x frames.data 2>&1)" "er_import: 'x' is not the name of an experiment: it does not end in '.er'" \
	'-o is the name of an experiment'

# ---- files that are not those that were recorded ----

cp framed moved && perf record -q -g -e cpu-clock -o moved.data ./moved $count 0 >/dev/null 2>&1
cc -O0 -g -o moved work.c
er_import -q -o changed.er moved.data
is "$? $(er_print -functions changed.er 2>/dev/null | grep -c " work_")" '0 0' 'a program that was built again names nothing'
rm moved && mkfifo moved
check 'a fifo in its place is not opened' timeout 60 er_import -q -o fifo.er moved.data
kernel=$(perf buildid-list -k 2>/dev/null)
if [ -n "$kernel" ] && grep -q "^ffff.* T _text" /proc/kallsyms; then
	python3 - "$kernel" <<'END'
import sys
data = open("frames.data", "rb").read()
id = bytes.fromhex(sys.argv[1])
open("other.data", "wb").write(data.replace(id, id[::-1]))
END
	er_import -o other.er other.data 2>err
	is "$? $(cat err)" "0 er_import: warning: 'other.data': the functions of the kernel are unknown: it is not the one that \
runs here" 'another kernel has no functions'
	is "$(ls -A other.er/archives)" '' 'and none are saved'
else
	skip 'this kernel does not show itself' 'another kernel has no functions'
fi

# ---- damage ----

python3 - <<'END'
import struct
data = bytearray(open("frames.data", "rb").read())
end = sum(struct.unpack_from("<QQ", data, 40))
struct.pack_into("<Q", data, 48, 0)
open("killed.data", "wb").write(data[:end - 5])
data = open("frames.data", "rb").read()
open("short.data", "wb").write(data[:3000])
open("reverse.data", "wb").write(data[:8][::-1] + data[8:])
END
er_import -o killed.er killed.data >said 2>&1
is "$(head -n 1 said)" \
	"er_import: warning: 'killed.data': perf record did not end: records are missing" 'perf was killed: a warning'
check 'and what there is, is imported' er_print -functions killed.er
is "$(er_import short.data 2>&1)" "er_import: 'short.data' is damaged at byte 3000: the file ends there, and its data at \
byte $(python3 -c '
import struct
print(sum(struct.unpack_from("<QQ", open("frames.data", "rb").read(), 40)))')" 'a file that is cut off'
is "$(er_import reverse.data 2>&1)" "er_import: 'reverse.data' was recorded on a machine with another byte order" \
	'another byte order'
perf record -q -e cpu-clock -o - ./framed 1000 0 2>/dev/null >piped.data
is "$(er_import piped.data 2>&1 | cut -c1-45)" "er_import: 'piped.data' was written to a pipe" 'a pipe'
perf record -q -F 200 -g -e cpu-clock -e page-faults -o small.data ./framed 300000 2 >/dev/null 2>&1
perf record -q -F 200 --call-graph dwarf,1024 -e cpu-clock -o small_copies.data ./bare 300000 0 >/dev/null 2>&1
for small in small small_copies; do
	mkdir $small && cd $small || exit
	check "$small: recordings that are damaged in ${PERF_DAMAGED:-40} ways" \
		"$TESTDIR/perf_damaged.py" ../$small.data "${PERF_DAMAGED:-40}" 1
	note "${tap_output-}"
	cd ..
done

done_testing

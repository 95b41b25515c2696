#!/bin/sh
# A recording that lost the end of a file, or a whole file, after it had ended: er_print says so wherever the
# cut is, between two packets too, and fails. A recording that was ended by a kill has lost nothing.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/await.sh
. "$TOP/tests/lib/await.sh"

cat >two.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void *work(void *argument)
{
	struct timespec now;

	do {
		for (volatile int i = 0; i < 10000; i++)
			free(malloc((size_t)i % 1000));
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec == 0 && now.tv_nsec < 300000000);
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t other;

	(void)argv;
	pthread_create(&other, NULL, work, NULL);
	work(NULL);
	pthread_join(other, NULL);
	puts("ready");
	fflush(stdout);
	if (argc > 1)
		pause();
	return 0;
}
END
${CC:-cc} -O1 -pthread -o two two.c || exit
check 'a program is recorded' collect -H on -o test.er ./two

# lengths EXPERIMENT: the files of packets and their lengths on the disk, sorted.
lengths() {
	for file in profile data.frameinfo heaptrace; do
		[ -e "$1/$file" ] && stat -c "%n %s" "$1/$file"
	done | sed 's:.*/::' | sort
}
# recorded EXPERIMENT: what its log says of them.
recorded() {
	sed -n 's/^<dataptr name="\([^"]*\)" size="\([0-9]*\)".*/\1 \2/p' "$1/log.xml" | sort
}
is "$(recorded test.er)" "$(lengths test.er)" 'the log has the lengths of the files'
is "$(er_print -functions test.er 2>&1 >/dev/null)" '' 'nothing is reported of a whole one'

# missing FILE WANTED: er_print on bad.er names what is lost of the file, and shows the rest.
missing() {
	er_print -metrics e.totalcpu:i.totalcpu:e.heapalloccnt -functions bad.er >out 2>err
	[ $? = 1 ] && grep -q '<Total>' out && grep -q "bad.er: $1: $2" err && return
	echo "# $1: $(head -n 3 err)"
	return 1
}
for file in profile data.frameinfo heaptrace; do
	size=$(stat -c %s test.er/$file)
	failed=0
	for cut in 0 1 56 112 1000 4096 16384 32768 $((size / 2)) $((size - size % 8 - 8)) $((size - 1)); do
		[ "$cut" -lt "$size" ] || continue
		rm -rf bad.er
		cp -r test.er bad.er
		truncate -s "$cut" bad.er/$file
		missing $file "the file has $cut of the $size bytes" || failed=1
	done
	ok $failed "$file may be cut anywhere, and that is said"
	rm bad.er/$file
	missing $file "the file is missing; $size bytes were recorded"
	ok $? "$file may be missing, and that is said"
	cp test.er/$file bad.er/$file
	echo more >>bad.er/$file
	er_print -functions bad.er 2>&1 >/dev/null | grep -q "$file: the file"
	ok $((! $?)) "$file may have become longer"
done

# A copy is as long as what was recorded, and an export, too.
er_cp test.er copy.er && er_export -q -a off test.er
is "$(recorded copy.er)" "$(lengths copy.er)" 'a copy has these lengths'
is "$(er_print -functions test.er.tar.zst 2>&1 >/dev/null)" '' 'a bundle, too'

collect -H on -o killed.er ./two wait >ready 2>/dev/null &
await grep -q ready ready
kill -KILL "$(sed -n 's/<process pid="\([0-9]*\)".*/\1/p' killed.er/log.xml)"
wait
is "$(recorded killed.er)" '' 'a killed program leaves no lengths'
check 'its recording is whole' er_print -functions killed.er

# A program that is seen from outside.
cat >still.c <<'END'
int main(void)
{
	for (volatile int i = 0; i < 100000000; i++)
		;
	return 0;
}
END
if ${CC:-cc} -static -O1 -o still still.c 2>/dev/null; then
	check 'a static program is recorded' collect -o still.er ./still
	# No process waits for its sampler.
	await grep -aq 'kind="exit"' still.er/log.xml
	is "$(recorded still.er)" "$(lengths still.er)" 'its lengths are in the log'
else
	skip 'no static libc' 'a static program'
fi
done_testing

#!/bin/sh
# Static programs are recorded from outside; programs that gain privileges are refused.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

cat >program.c <<'END'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static volatile long count;
static void count_up(void)
{
	for (long i = 0; i < 100000000; i++)
		count += i;
}
int main(void)
{
	for (char **entry = environ; *entry; entry++)
		puts(*entry);
	printf("%d children, %d\n", wait(NULL), dup(0));
	fflush(stdout);
	if (fork() == 0) {
		count_up();
		return 0;
	}
	wait(NULL);
	count_up();
	return 3;
}
END
# is_closed EXPERIMENT: the sampler ends a moment after the program.
is_closed() {
	for _ in $(seq 100); do
		grep -aqs 'kind="exit"' "$1/log.xml" && return 0
		sleep .1
	done
	return 1
}
static="collect: warning: './static' is statically linked: only clock profiling is possible"
if ! cc -static -fno-omit-frame-pointer -o static program.c 2>/dev/null; then
	skip "no static libc here" "static programs"
elif collect -A off -o s.er ./static >out 2>message; [ $? = 126 ] && grep -q 'permit sampling' message; then
	skip "events of the kernel are not available" "static programs"
else
	./static >alone
	collect -o s.1.er ./static >out 2>message
	is $? 3 "a static program is recorded"
	check "it behaves as alone" diff alone out
	is "$(sed 's/process [0-9]*/process N/' message)" "$static
collect: recording to 's.1.er' (process N)" "with a warning"
	check "the experiment becomes complete" is_closed s.1.er
	is "$(cd s.1.er && echo _*)" _f1.er "its child is recorded, too"
	is "$(er_print -functions s.1.er | awk '$NF == "count_up" { print ($2 > 90) }')" 1 "its hot function is seen"
	check "gprofng's reader sees it" sh -c 'gp-display-text -functions s.1.er | grep -q count_up'
	for _ in $(seq 100); do
		[ -e s.1.er/archives/manifest ] && break
		sleep .1
	done
	check "it is archived" grep -q '/static ' s.1.er/archives/manifest
	printf '#!%s/static\n' "$PWD" >script
	chmod +x script
	collect -F off -A off -o s.2.er ./script >out 2>message
	is "$?-$(grep -c 'only clock profiling' message)" 3-1 "so is the interpreter of a script"
	is_closed s.2.er
	is "$(cd s.2.er && echo _*)" '_*' "-F off: without its child"
	cc -static -O2 -D_GNU_SOURCE -fno-omit-frame-pointer -o roots "$TOP/tests/collector/programs/handmade.c"
	collect -p 1m -A off -o s.3.er ./roots goroutines >out 2>message
	is_closed s.3.er
	er_print -functions s.3.er >functions
	# A tick may fall into the switch to a stack, which has no frame yet.
	# shellcheck disable=SC2016 # of awk
	check "stacks end at the root that a run-time made, as Go's" awk '
		/<Total>/ { all = $3 }
		/Stack-unwind-failed/ { failed = $3 }
		$NF == "goexit" { root = $3 }
		END { if (failed) print failed " of " all " failed"; exit !(root > .9 * all && failed < .02 * all) }' functions
	collect -h page-faults ./static 2>message
	is $? 126 "data other than the clock is refused"
	is "$(cat message)" \
		"collect: cannot record './static': it is statically linked: only clock profiling (-p) is possible" \
		"with the reason"
	is "$(echo test.*.er)" 'test.*.er' "nothing was written"
fi

cc -o setuid program.c
if [ "$(id -u)" = 0 ] && chown 1:1 setuid && chmod u+s setuid && [ -u setuid ]; then
	collect ./setuid 2>message
	is $? 126 "a set-id program is refused"
else
	skip "only root can make one of another user" "set-id programs"
fi
done_testing

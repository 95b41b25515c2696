#!/bin/sh
# Settings from collect and their effects: -t, -L, -S, samples, and a file that is cut short.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

between() { # LOW HIGH TEXT
	between_seen=$(seconds recorded.er)
	awk -v s="$between_seen" -v l="$1" -v h="$2" 'BEGIN { exit !(s >= l && s <= h) }'
	ok $? "$3: $between_seen s, $1 to $2"
}

record recorded.er 'p:1000;t:100:400;a:off;' "$programs/threads" measured 1 1 .8 >/dev/null
between .02 .34 "-t: recorded between start and end"
check "-t: the log has the pause, the beginning and the end" \
	sh -c 'tr "\0" "\n" <recorded.er/log.xml | grep -Ec "kind=\"(pause|resume|exit)\"" | grep -qx 3'
check "-t: the reader has no complaint" is_clean recorded.er
for reader in er_print gp-display-text; do
	is "$($reader -header recorded.er 2>/dev/null | grep -o 'Data collection [dt].*' | tr '\n' ';')" \
		'Data collection delay start 0.100 seconds;Data collection termination after 0.400 seconds;' \
		"-t: $reader shows fractions of seconds"
done
record recorded.er 't:0:90000;a:off;' true
is "$(grep -ao 'terminate="[0-9.]*"' recorded.er/log.xml)" 'terminate="90"' "-t: whole seconds work as usual"

record recorded.er 'p:1000;L:1;a:off;' "$programs/threads" measured 40 40 .02 >/dev/null
tr '\0' '\n' <recorded.er/log.xml >log.txt
is "$(python3 - <<'END'
import re
log = open("log.txt").read()
reached = re.findall(r'kind="cwarn" id="203">size limit reached after ([0-9]+\.[0-9]{9}) seconds: no more profile data<',
                     log)
end = re.search(r'kind="exit" tstamp="([0-9.]+)"', log)
print(len(reached), 0 < float(reached[0]) < float(end.group(1)) if reached and end else "never")
END
)" '1 True' "-L: the log says that the limit is reached, and when"
is "$(er_print -header recorded.er | sed -n 's/ *Experiment size limit, //p')" '1 MB' "-L: the header shows its unit"
is "$(($(cat recorded.er/profile recorded.er/data.frameinfo | wc -c) <= 1 << 20))" 1 \
	"-L: no more than that is written"
check "-L: the experiment is closed as usual" grep -aq 'kind="exit"' recorded.er/log.xml

record recorded.er 'p:10007;a:off;' "$programs/threads" measured 1 1 2.2 >/dev/null
periodic=$(grep -ac 'label="periodic"' recorded.er/log.xml)
check "-S: samples, $periodic in some 2 s or more" [ "$periodic" -ge 2 ]
is "$(wc -c <recorded.er/overview)" "$(((periodic + 2) * 504))" \
	"-S: a record for each, the first and the last"

record recorded.er 'a:off;' "$programs/threads" busy
check "no clock: samples only" is_clean recorded.er
is "$(find recorded.er -mindepth 1 -printf '%f\n' | sort | tr '\n' ' ')" "archives data.frameinfo log.xml map.xml overview " \
	"no clock: no file for it"

record recorded.er 'p:1000;a:off;' "$programs/descriptors" cut "$PWD/recorded.er"
is $? 0 "a file cut short does not affect the program"
check "and is named in the log" grep -aq 'a file was truncated' recorded.er/log.xml

# The depth of stacks, set by Sun's variable, in a descendant too.
cat >deep.c <<'END'
static volatile long count;
static void deep(int n)
{
	if (n > 0)
		deep(n - 1);
	else
		for (long i = 0; i < 60000000; i++)
			count += i;
	count++;
}
int main(void)
{
	deep(400);
	return 0;
}
END
cc -O0 -o deep deep.c
SP_COLLECTOR_STACKBUFSZ=160 collect -A off -o deep.er sh -c './deep; :' 2>/dev/null
er_export --text deep.er/_f1_x1.er >deep.txt
stacks=$(grep -c '<Truncated-stack>' deep.txt)
check "SP_COLLECTOR_STACKBUFSZ: stacks are cut" [ "$stacks" -ge 1 ]
is "$(grep -c '	deep+' deep.txt)" $((20 * stacks)) "SP_COLLECTOR_STACKBUFSZ: of 160 bytes, to 20 frames"

# ---- versions ----

collect -A off -o versions.er true 2>/dev/null
version=$(collect -V | sed -n '1s/.* //p')
for reader in er_print gp-display-text; do
	is "$($reader -header versions.er 2>/dev/null | sed -n "s/^Collector version: .\(.*\)'; .*/\1/p")" \
		"erkit $version, $(getconf GNU_LIBC_VERSION), collect $version" \
		"$reader shows the versions of the library, libc and collect"
done

done_testing

#!/bin/sh
# Code that real programs make at run time has the names that they write for perf. What Java tells our agent is in java.t.
. "$TOP/tests/lib/tap.sh"

# inclusive NAME EXPERIMENT: the percentage of the time with a function whose name begins like this.
inclusive() {
	er_print -metrics i.totalcpu -functions "$2" | awk -v name="$1" '/<Total>/ { total = $1 }
		index($0, name) && !found { found = $1 } END { print total ? int(100 * found / total + 0.5) : 0 }'
}

# named TEXT NAME LIMIT COMMAND...: recorded and archived, the function has its time.
named() {
	named_text=$1 named_name=$2 named_limit=$3
	shift 3
	rm -rf test.1.er
	check "$named_text: is recorded" collect -j off -o test.1.er -p hi "$@"
	[ "$(inclusive "$named_name" test.1.er)" -ge "$named_limit" ]
	ok $? "$named_text: $named_name has its time" ||
		er_print -limit 10 -metrics i.totalcpu -functions test.1.er | sed 's/^/# /'
	is "$(grep -c '^names ' test.1.er/archives/manifest)" 1 "$named_text: one file was taken along"
	sed -n 's/^names \([^ ]*\) .*/\1/p' test.1.er/archives/manifest | xargs rm -f
	[ "$(inclusive "$named_name" test.1.er)" -ge "$named_limit" ]
	ok $? "$named_text: the original is not needed"
}

# tidily COMMAND...: quietly, without leaving a perf map.
tidily() {
	sh -c 'echo $$ >pid; exec "$@" >/dev/null 2>&1' sh "$@"
	set -- $?
	rm -f "/tmp/perf-$(cat pid).map"
	return "$1"
}

if command -v node >/dev/null; then
	cat >fib.js <<-'END'
		function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
		const start = process.cpuUsage();
		while (process.cpuUsage(start).user < 600000)
			fib(20);
	END
	named "node's perf map" "fib $PWD/fib.js" 40 node --perf-basic-prof fib.js
	named "node's jitdump" "fib $PWD/fib.js" 40 node --perf-prof fib.js
else
	skip "it is not installed" "node"
fi

if command -v javac >/dev/null && command -v java >/dev/null &&
	tidily java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit -version; then
	cat >Fib.java <<-'END'
		import java.lang.management.ManagementFactory;
		public class Fib {
			static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
			public static void main(String[] words) {
				var threads = ManagementFactory.getThreadMXBean();
				long start = threads.getCurrentThreadCpuTime();
				while (threads.getCurrentThreadCpuTime() - start < 2000000000L)
					fib(20);
			}
		}
	END
	javac Fib.java
	named "Java's perf map" "int Fib.fib(int)" 20 java -XX:+UnlockDiagnosticVMOptions \
		-XX:+DumpPerfMapAtExit -cp . Fib
else
	skip "there is no JDK that writes perf maps" "Java"
fi

python=
for candidate in python3 python3.12 python3.13 python3.14; do
	[ -z "$python" ] && tidily $candidate -X perf -c '
import sys
sys.exit(not (sys.version_info >= (3, 12) and sys.is_stack_trampoline_active()))' && python=$candidate
done
if [ -n "$python" ]; then
	cat >fib.py <<-'END'
		import time
		def fib(n):
		    return n if n < 2 else fib(n - 1) + fib(n - 2)
		while time.process_time() < 0.6:
		    fib(15)
	END
	named "$python's perf map" "py::fib:$PWD/fib.py" 40 "$python" -X perf fib.py
else
	skip "there is no Python 3.12" "Python"
fi

done_testing

#!/bin/sh
# The time of methods and lines in Java, interpreted, compiled and inlined, against what the program itself finds on the
# clock of its thread.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v javac >/dev/null || ! command -v java >/dev/null; then
	skip 'no JDK is installed' 'Java'
	done_testing
fi
cat >Truth.java <<'END'
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
public class Truth {
	static final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
	static double sum;
	static long first, second, inlined, begin;
	static long now() {
		return bean.getCurrentThreadCpuTime();
	}
	static double step(double x, int i) {
		return x + Math.sqrt(x * i) * 1e-9;
	}
	static double inlining(int n) {
		double x = 1;
		for (int i = 0; i < n; i++) x = step(x, i);
		return x;
	}
	static double lines(int n) {
		double x = 1;
		long start = now(), middle;
		for (int i = 0; i < n; i++) x += Math.sqrt(x + i);
		middle = now();
		for (int i = 0; i < 2 * n; i++) x -= x / (i + 2);
		first += middle - start;
		second += now() - middle;
		return x;
	}
	public static void main(String[] arguments) {
		int n = Integer.parseInt(arguments[0]);
		while (first + second + inlined < 2000000000L) {
			long start = now();
			sum += inlining(n);
			inlined += now() - start;
			sum += lines(n);
		}
		System.out.println(first + " " + second + " " + inlined + " " + now());
	}
}
END
javac -g Truth.java

# line NUMBER-PATTERN: nanoseconds of a line of the source, leaf or not
line() {
	awk -v text="$1" 'index($0, text) { sub(/^## */, ""); printf "%.0f", 1e9 * $3; exit }' source
}

# near GOT TRUTH WHAT: within three standard deviations of a sample of the program's size, and one in a hundred
near() {
	awk -v got="$1" -v truth="$2" -v all="$all" 'BEGIN {
		share = truth / all; found = got / all; n = all / 997000
		allowed = 3 * sqrt(share * (1 - share) / n) + 0.01
		exit !(got != "" && found - share < allowed && share - found < allowed)
	}'
	ok $? "$3: $(awk -v got="$1" -v truth="$2" 'BEGIN { printf "%.3f s, in truth %.3f s", got / 1e9, truth / 1e9 }')"
}

judge() { # NAME COUNT OPTION...
	name=$1 count=$2
	shift 2
	rm -rf truth.er
	collect -A off -p hi -o truth.er java "$@" -cp . Truth "$count" >out 2>err
	read -r first second inlined used <out
	all=$((first + second + inlined))
	er_print -addpath . -source Truth.inlining truth.er >source 2>/dev/null
	near "$(line 'x += Math.sqrt')" "$first" "$name: one line"
	near "$(line 'x -= x /')" "$second" "$name: another line"
	near "$(line 'x = step(x, i)')" "$inlined" "$name: a line that calls"
	er_print -functions truth.er 2>/dev/null >functions
	missing=$(awk '/<Total>/ { total = $1 } /<no Java callstack recorded>/ { lost = $1 } /JVM-System/ { machine = $1 }
		END { print lost + 0, "of", total - machine, "s"; exit !(total > 0 && lost < 0.03 * (total - machine) + 0.1) }' functions)
	ok $? "$name: few stacks are missing: $missing"
	# After it has looked, the thread ends the machine. The program's own look includes the time that the collector
	# spends for its stacks, ten microseconds each on a busy machine.
	thread=$(er_print -metrics e.totalcpu:name -Threads truth.er 2>/dev/null | awk '/Thread/ { print $1; exit }')
	awk -v got="$thread" -v used="$used" 'BEGIN { exit !(got > used / 1e9 * .98 - .012 && got < used / 1e9 * 1.005 + .1) }'
	ok $? "$name: the time of the thread: $thread s, in truth $used ns and its end"
}

judge interpreted 20000 -Xint
judge 'compiled by C1' 200000 -XX:TieredStopAtLevel=1
judge 'compiled by C2' 200000 -XX:-TieredCompilation
judge 'as it comes' 200000

# The entry and the end of a method have no frame, and an exception goes through pieces of the machine that have none.
cat >Throw.java <<'END'
public class Throw {
	static int count;
	static int fail(int depth) {
		if (depth == 0)
			throw new IllegalStateException("at the bottom");
		try {
			return fail(depth - 1) + 1;
		} finally {
			count++;
		}
	}
	public static void main(String[] arguments) {
		long end = System.nanoTime() + 3000000000L;
		while (System.nanoTime() < end)
			try {
				fail(50);
			} catch (IllegalStateException e) {
				count++;
			}
		System.out.println(count > 0);
	}
}
END
javac Throw.java
rm -rf throw.er
collect -A off -p hi -o throw.er java -cp . Throw >out 2>err
# Codes of the machine's walker, of a thread that executes Java: unknown, not walkable
er_print -metrics e.totalcpu:name -pcs throw.er 2>/dev/null >pcs
lost=$(awk '/<no Java callstack recorded> \+ 0xF*F[AB]$/ { lost += $1 } /JVM-System/ { machine += $1 } /<Total>/ { all = $1 }
	END { print lost + 0, "of", all - machine; exit !(all > machine && lost < .01 * (all - machine)) }' pcs)
ok $? "exceptions: few stacks of Java code are missing: $lost s"
check 'the method is known' grep -q 'Throw.fail(int)' pcs

# A compiled synchronized method enters its monitor before its first bytecode.
cat >Enter.java <<'END'
public class Enter {
	static int count;
	static synchronized int enter(int n) {
		int x = n * 31; // the first line
		count += x;
		if (count == 12345)
			return 7;
		return 9;
	}
	public static void main(String[] arguments) {
		long end = System.nanoTime() + 2000000000L;
		int sum = 0;
		while (System.nanoTime() < end)
			for (int i = 0; i < 100000; i++)
				sum += enter(i);
		System.out.println(sum != 0);
	}
}
END
javac -g Enter.java
rm -rf enter.er
collect -A off -p hi -o enter.er java -XX:CompileCommand=quiet -XX:CompileCommand=dontinline,Enter.enter -cp . Enter >out 2>err
er_print -metrics e.totalcpu -addpath . -source Enter.enter enter.er >source 2>/dev/null
first=$(awk '/the first line/ { sub(/^## */, ""); print $1 }' source)
all=$(er_print -metrics e.totalcpu:name -functions enter.er 2>/dev/null | awk '$2 ~ /^Enter.enter/ { print $1 }')
awk -v first="$first" -v all="$all" 'BEGIN { exit !(all > 0 && first > .1 * all) }'
ok $? "the monitor of a synchronized method is entered at its first line: $first of $all s"
done_testing

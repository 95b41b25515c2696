#!/bin/sh
# What a Java machine tells of itself, against its own log and its own recorder: each pause of a collection, with
# every collector that it has, and each wait for a monitor.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v javac >/dev/null || ! command -v java >/dev/null; then
	skip 'no JDK is installed' 'Java'
	done_testing
fi

cat >Make.java <<'END'
import java.util.ArrayList;
import java.util.List;
public class Make {
	public static void main(String[] arguments) throws Exception {
		List<byte[]> kept = new ArrayList<>();
		for (int i = 0; i < 20000; i++) {
			byte[] made = new byte[100000];
			if (i % 50 == 0)
				kept.add(made);
			if (kept.size() > 200)
				kept.clear();
		}
		// No collection is under way at the end: its pauses would be logged, but told to nobody.
		if (arguments.length > 0)
			System.gc();
		Thread.sleep(100);
	}
}
END
cat >Enter.java <<'END'
public class Enter {
	static int count;
	static synchronized void enter() {
		long end = System.nanoTime() + 200000;
		while (System.nanoTime() < end)
			count++;
	}
	public static void main(String[] arguments) throws Exception {
		Thread[] threads = new Thread[8];
		for (int i = 0; i < threads.length; i++) {
			threads[i] = new Thread(() -> {
				for (int j = 0; j < 200; j++)
					enter();
			});
			threads[i].start();
		}
		for (Thread thread : threads)
			thread.join();
	}
}
END
javac --release 17 Make.java Enter.java

for java in /usr/lib/jvm/*/bin/java; do
	jdk=$(realpath "$(dirname "$java")/..")
	case $seen in *" $jdk "*) continue ;; esac
	seen="$seen $jdk "
	version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
	[ "${version:-0}" -ge 17 ] || continue

	# The parallel collector logs two pauses for System.gc(), which are one.
	for collector in Serial Parallel G1 Z Shenandoah; do
		rm -rf ./*.er
		if ! "$java" -XX:+Use${collector}GC -version >/dev/null 2>&1; then
			skip "this machine has no such collector" "$version, $collector: each pause is recorded"
			continue
		fi
		end=end
		[ $collector != Parallel ] || end=
		# shellcheck disable=SC2086
		collect -A off -o made.er "$java" -Xmx256m -XX:+Use${collector}GC \
			-Xlog:gc*:file=all -cp . Make $end >out 2>err
		pauses=$(grep -cE 'GC\([0-9]+\) ([YyOo]: )?(M[a-z]* Collection )?Pause .*[0-9]ms$' all)
		is "$(grep -ac 'kind="gc_start"' made.er/log.xml) $(grep -ac 'kind="gc_end"' made.er/log.xml)" "$pauses $pauses" \
			"$version, $collector: each pause is recorded"
		check 'there are some' test "$pauses" -gt 5
	done

	"$jdk/bin/jfr" configure jdk.JavaMonitorEnter#threshold=0ms --output entered.jfc >out
	collect -A off -s all,j -o entered.er "$java" \
		-XX:StartFlightRecording:filename=entered.jfr,settings=entered.jfc -cp . Enter >out 2>err
	waits=$("$jdk/bin/jfr" print --events jdk.JavaMonitorEnter entered.jfr | grep -c 'Enter.enter()')
	recorded=$(er_print -metrics i.syncn:name -functions entered.er 2>/dev/null | awk '$2 == "Enter.enter()" { print $1 }')
	is "$recorded" "$waits" "$version: each wait for a monitor is recorded"
	check 'there are some' test "$waits" -gt 10
done
done_testing

#!/bin/sh
# CollectorAPI, the class by which programs in Java control their recording.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v javac >/dev/null || ! command -v java >/dev/null; then
	skip 'no JDK is installed' 'Java'
	done_testing
fi
jar=$BUILD/lib/collector.jar

labels() { # EXPERIMENT: of the samples, without the collector's own
	tr '\0' '\n' <"$1/log.xml" | sed -n 's/.*kind="sample".*label="\(.*\)".*/\1/p' |
		grep -v -e '^periodic$' -e '^collector_' | xargs -d '\n' printf '%s;'
}

cp "$TOP/collector/api/examples/Phases.java" .
check 'the example compiles' javac -cp "$jar" Phases.java
alone=$(java -cp "$jar:." Phases 2>&1)
check 'it runs without a collector' test -n "$alone"
is "$(collect -o phases.er java -cp "$jar:." Phases 2>/dev/null)" "$alone" 'and recorded, as it does alone'
is "$(labels phases.er)" 'input is read;sorted;' 'its samples have their labels'
check 'it is paused' grep -aq 'kind="pause".*name="API"' phases.er/log.xml
is "$(collect -j off -o off.er java -cp "$jar:." Phases 2>/dev/null)" "$alone" 'it runs where Java is not recorded'
is "$(labels off.er)" ';' 'and has no samples then'

cat >Threads.java <<'END'
import com.sun.forte.st.collector.CollectorAPI;
public class Threads {
	static volatile boolean isRunning, isOver;
	static double spin() {
		double x = 0;
		isRunning = true;
		while (!isOver)
			x += Math.sqrt(x + 1);
		return x;
	}
	public static void main(String[] arguments) throws Exception {
		Thread thread = new Thread(Threads::spin, "spinner");
		CollectorAPI.threadPause(thread);
		thread.start();
		while (!isRunning)
			Thread.sleep(1);
		CollectorAPI.threadPause(thread);
		CollectorAPI.sample("été 日本");
		CollectorAPI.threadResume(thread);
		isOver = true;
		thread.join();
		CollectorAPI.threadPause(thread);
		CollectorAPI.threadPause(null);
		CollectorAPI.sample(null);
		CollectorAPI.resume();
		CollectorAPI.terminate();
		CollectorAPI.sample("never");
	}
}
END
check 'a program with threads compiles' javac -encoding UTF-8 -cp "$jar" Threads.java
collect -o threads.er java -cp "$jar:." Threads 2>err
is "$?" 0 'and runs'
is "$(grep -ac 'kind="thread_pause"' threads.er/log.xml) $(grep -ac 'kind="thread_resume"' threads.er/log.xml)" '1 1' \
	'a thread that runs is paused, and goes on'
check 'no label comes after the end' sh -c '! grep -aq never threads.er/log.xml'
check 'the end is recorded' grep -aq 'kind="exit"' threads.er/log.xml
check 'the reader has no complaint' sh -c 'er_print -header threads.er 2>&1 >/dev/null | wc -l | grep -qx 0'
done_testing

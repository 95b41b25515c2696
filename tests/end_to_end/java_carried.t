#!/bin/sh
# The recording of a Java program is read on a machine that has neither the program nor a JDK: all listings are the
# same there, source and bytecode included.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v javac >/dev/null || ! command -v java >/dev/null; then
	skip 'no JDK is installed' 'Java'
	done_testing
fi
jdk=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")

mkdir -p here/src/app here/src/store/impl here/src/other here/classes here/lib
cat >here/src/store/impl/Table.java <<'END'
package store.impl;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

public class Table {
	private final List<Integer> rows = new ArrayList<>();

	public void fill(int n) {
		for (int i = 0; i < n; i++)
			rows.add((i * 7919) % n);
	}

	public long sort() {
		long sum = 0;

		Collections.sort(rows, (a, b) -> Integer.compare(b, a));
		for (int i = 0; i < rows.size(); i += 2)
			sum += (long) rows.get(i) * i;
		return sum;
	}
}
END
cat >here/src/app/Main.java <<'END'
package app;

import store.impl.Table;

public class Main {
	static class Idle {
		int unused = 1;
	}

	static double hot(int n) {
		double x = 1;

		for (int i = 0; i < n; i++)
			x = Math.sqrt(x + i) * 1.0001;
		return x;
	}

	public static void main(String[] words) {
		double sum = Rare.once();

		for (int i = 0; i < 60; i++) {
			Table table = new Table();

			table.fill(20000);
			sum += table.sort() + hot(200000);
		}
		System.out.println(sum > 0);
	}
}
END
cat >here/src/app/Rare.java <<'END'
package app;

class Rare {
	static int once() {
		return 1;
	}
}
END
(
	cd here || exit
	javac -g -d lib src/store/impl/Table.java && jar cf table.jar -C lib . && rm -r lib &&
		javac -g -cp table.jar -d classes -sourcepath src src/app/Main.java
) || exit
# A file of the same name comes first, but is of another package. Its class was not run.
sed 's/^package .*/package other;/' here/src/store/impl/Table.java >here/src/other/Table.java
rm -rf here/classes/store
(cd here && collect -A off -p hi -o test.1.er java -cp classes:table.jar app.Main >said 2>&1)
is "$(tail -n 1 here/said)" true 'the program is recorded'

# listings EXPERIMENT: what people look at.
listings() {
	for mode in user expert machine; do
		er_print -viewmode $mode -limit 30 -functions -callers-callees "$1"
	done
	for method in app.Main.hot store.impl.Table.sort store.impl.Table.fill; do
		er_print -source $method "$1"
		er_print -disasm $method "$1"
	done
	er_print -viewmode machine -disasm app.Main.hot "$1"
	er_print -lines -pcs "$1"
}

cat >here/.er.rc <<END
addpath src/other
addpath src
END

for mode in src usedsrc; do
	rm -rf here/test.1.er/archives there away carried.tar.zst
	(cd here && er_archive -q -a $mode test.1.er)
	sources=$(sed -n 's/^source \([^ ]*\.java\) .*/\1/p' here/test.1.er/archives/manifest | sort | tr '\n' ' ')
	case $mode in
	src) wanted='app/Main.java app/Rare.java store/impl/Table.java ' ;;
	*) wanted='app/Main.java store/impl/Table.java ' ;;
	esac
	is "$sources" "$wanted" "$mode: the sources of classes are archived"
	(cd here && listings test.1.er) >before 2>before.messages
	is "$(grep -c 'x = Math.sqrt(x + i)' before)-$(grep -c 'Collections.sort(rows, (a, b)' before)" 3-4 \
		"$mode: the listings have the source text"
	check "$mode: and the bytecode" grep -q 'invokestatic.*Math.sqrt' before

	er_export -q -o carried.tar.zst here/test.1.er
	mkdir there
	er_import -C there carried.tar.zst
	mv here away
	if unshare -m sh -c "mount -t tmpfs none '$jdk' && ! [ -e '$jdk/bin/java' ]" 2>/dev/null; then
		unshare -m sh -c "mount -t tmpfs none '$jdk' && exec \"\$@\"" sh env PATH="$PATH" sh -c \
			"$(sed -n '/^listings()/,/^}/p' "$0"); cd there; listings test.1.er" >after 2>after.messages
	else
		echo '# the JDK stays in its place: only root can hide it'
		(cd there && listings test.1.er) >after 2>after.messages
	fi
	check "$mode: the listings are the same on another machine" diff before after
	is "$(cat after.messages)" "$(cat before.messages)" "$mode: and the messages"
	mv away here
done

# A source that was changed after the run is not the one that was compiled.
rm -rf here/test.1.er/archives
touch -d '+1 hour' here/src/app/Main.java
(cd here && er_archive -a src test.1.er) >said 2>&1
check 'a source that is newer than the run is not archived' grep -q "app/Main.java.*modified after the start of the run" said
check 'no copy of it is made' [ -z "$(find here/test.1.er/archives -name 'Main.java_*')" ]
rm here/.er.rc
rm -rf here/test.1.er/archives
(cd here && er_archive -v -a src test.1.er) >said 2>&1
check 'sources that are not found are counted' \
	grep -q "3 of 3 source files of Java classes are missing, such as '.*[.]java': use addpath" said
done_testing

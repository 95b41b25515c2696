#!/bin/sh
# The ten hottest methods of a program, by collect and by the machine's own recorder (JFR), both of one run.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v javac >/dev/null || ! command -v java >/dev/null; then
	skip 'no JDK is installed' 'Java'
	done_testing
fi

weights='4 9 16 25 36 49 64 81 100 121' # thousands of rounds: the counts' square roots are equally far apart
{
	printf 'public class Ten {\n\tstatic double sum;\n'
	for weight in $weights; do
		cat <<-END
			static double method$weight(int n) {
				double x = 1;
				for (int i = 0; i < n; i++)
					x = Math.sqrt(x + i) * 1.0001 + x / (i + 1);
				return x;
			}
		END
	done
	printf 'public static void main(String[] arguments) {\nlong end = System.nanoTime() + 5000000000L;\n'
	printf 'while (System.nanoTime() < end) {\n'
	for weight in $weights; do
		printf 'sum += method%s(%s000);\n' "$weight" "$weight"
	done
	printf '}\n}\n}\n'
} >Ten.java

for java in /usr/lib/jvm/*/bin/java; do
	[ -x "$(dirname "$java")/javac" ] && dirname "$(dirname "$(realpath "$java")")"
done | sort -u >jdks
while read -r jdk; do
	version=$(basename "$jdk")
	"$jdk/bin/javac" -g Ten.java
	"$jdk/bin/jfr" configure 'jdk.ExecutionSample#period=1 ms' --output ten.jfc >out
	rm -rf ten.er ten.jfr
	collect -A off -p hi -o ten.er "$jdk/bin/java" -XX:StartFlightRecording:filename=ten.jfr,settings=ten.jfc \
		-Xlog:jfr*=off -cp . Ten >out 2>err
	"$jdk/bin/jfr" print --events jdk.ExecutionSample --stack-depth 1 ten.jfr |
		sed -n 's/.*Ten\.\(method[0-9]*\)(.*/\1/p' | sort | uniq -c | awk '{ print $2, $1 }' >by_jfr
	er_print -metrics e.totalcpu:name -functions ten.er 2>/dev/null |
		sed -n 's/^ *\([0-9.]*\) *Ten\.\(method[0-9]*\)(int)$/\2 \1/p' >by_collect
	note "$version, samples of JFR and seconds of collect: $(sort -k 2nr by_jfr | tr '\n' ';') $(tr '\n' ';' <by_collect)"
	is "$(cut -d ' ' -f 1 by_collect | sort)" "$(cut -d ' ' -f 1 by_jfr | sort)" "$version: both have all ten methods"
	# A sample may stand for a tick of the kernel, 4 ms.
	# shellcheck disable=SC2016 # of awk
	check "$version: their shares are equal within three sigma, and so is their order" awk '
		FNR == 1 { file++ }
		{ share[file, $1] = $2; all[file] += $2; if (file == 2) name[++n] = $1 }
		function part(of, i) { return share[of, name[i]] / all[of] }
		function square(of, i, count) { return part(of, i) * (1 - part(of, i)) / count }
		function error(i) { return square(1, i, all[1]) + square(2, i, all[2] / .004) }
		function apart(x) { return x < 0 ? -x : x }
		END {
			for (i = 1; i <= n; i++) {
				if (apart(part(1, i) - part(2, i)) > 3 * sqrt(error(i)) + .01)
					wrong = 1
				if (i > 1 && part(1, i) - part(1, i - 1) > 3 * sqrt(error(i) + error(i - 1)))
					wrong = 1
			}
			exit wrong || n != 10
		}' by_jfr by_collect
done <jdks
done_testing

#!/bin/sh
# Bytecode compared with javap's, by bytecode_compare.py: a class with nearly all kinds of instructions, and large
# ones of the Java machine itself.
. "$TOP/tests/lib/tap.sh"

if command -v javac >/dev/null; then
	PATH=$(dirname "$(readlink -f "$(command -v javac)")"):$PATH
fi
for needed in javac javap jimage python3; do
	if ! command -v $needed >/dev/null; then
		skip "there is no $needed" 'bytecode is that of javap'
		done_testing
	fi
done
# Each "wide" instruction needs variables above 255.
variables() { # TYPE
	seq -f "		$1 v%g = 0;" 300
}
{
	cat <<-'END'
		import java.util.*;
		public class Every<T> {
			static final Object[][] table = new Object[3][];
			volatile long field;
			interface Shape { int area(int side); }
			static int dense(int n) {
				switch (n) { case 1: return 5; case 2: return 7; case 4: return 9; default: return -1; }
			}
			static int sparse(String word) {
				switch (word) { case "one": return 1; case "a thousand": return 1000; default: return 0; }
			}
			synchronized double numbers(double x, float y, long z, short s, byte b, char c) {
				double sum = x * 1.0001 + y / 1e30f - z % 123456789012L + 0x7fff + 100000 + s + (b << 3) + (c >>> 2);
				sum += Double.NaN + Double.NEGATIVE_INFINITY + 1e300 + Float.POSITIVE_INFINITY + 0.1f + 3;
				return (int)sum ^ (long)y & ~z | 7L;
			}
			List<String> calls(Shape shape, Object any) throws Exception {
				int[][][] cube = new int[2][3][4];
				boolean[] flags = new boolean[5];
				char[] letters = { 'a', '\n', '\u1234' };
				String text = "tab\t\"quoted\" 'single' back\\slash line\n\u00e9\u6f22";
				Runnable runnable = () -> System.out.println(text + shape.area(cube[1][1][1]++));
				if (any instanceof String && any != null) {
					synchronized (this) { field += ((String)any).length(); }
				}
				Class<?>[] types = { int.class, String.class, int[][].class, Every.class };
				for (Object one : types)
					if (one == null) throw new IllegalStateException(text);
				try { runnable.run(); } finally { flags[2] = !flags[1]; }
				return new ArrayList<>(Arrays.asList(text, String.valueOf(letters)));
			}
			static int wide(int n) {
	END
	variables int
	cat <<-'END'
				for (v280 = 0; v280 < n; v280 += 1000)
					v290 += v280;
				return v290 + v300;
			}
			static double wide(double n) {
	END
	for type in long float double Object; do
		variables $type | sed "s/ v/ $type/; s/Object\(.*\) = 0/Object\1 = null/"
	done
	echo '		double300 = double299 + long300 + float299; Object300 = Object299; return double300; } }'
} >Every.java
javac -g Every.java || exit 1
set -- java/util/HashMap java/lang/String java/util/regex/Pattern
machine=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.home = //p')
for class; do
	jimage extract --dir machine --include "regex:/java.base/$class.class" "$machine/lib/modules"
done
# shellcheck disable=SC2016,SC2046 # the name of a class; words
exec python3 -B "$TESTDIR/bytecode_compare.py" Every.class 'Every$Shape.class' $(find machine -name '*.class')

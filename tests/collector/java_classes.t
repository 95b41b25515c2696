#!/bin/sh
# What is known of classes: the lines of the longest methods, and their bytecode, which comes from the class that
# was run: jars may have one for each release of Java, and files change.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v javac >/dev/null || ! command -v java >/dev/null; then
	skip 'no JDK is installed' 'Java'
	done_testing
fi

# compile DIRECTORY FUNCTION LINES: a class whose method calls the function, after so many empty lines.
compile() {
	mkdir -p "$1" src/pkg
	{
		printf 'package pkg;\npublic class Work {\n'
		yes '' | head -n "$3"
		cat <<-END
			static double hot(int n) {
				double x = 1;
				for (int i = 0; i < n; i++)
					x = Math.$2(x + i) * 1.0001;
				return x;
			}
			public static void main(String[] arguments) {
				double sum = 0;
				for (int i = 0; i < 200; i++)
					sum += hot(100000);
				System.out.println("$2" + (sum > 0 ? "" : " "));
			}
			}
		END
	} >src/pkg/Work.java
	javac -g -d "$1" src/pkg/Work.java
}
compile jar cbrt 0
compile jar/META-INF/versions/11 sqrt 3
compile jar/META-INF/versions/17 log 6
compile jar/META-INF/versions/99 exp 9
echo 'Multi-Release: true' >manifest
jar cfm many.jar manifest -C jar .
jar cf plain.jar -C jar .

# called EXPERIMENT: what the method calls, as er_print disassembles it.
called() {
	er_print -disasm pkg.Work.hot "$1" 2>complaints | sed -n 's/.*invokestatic.*Math\.\([a-z]*\).*/\1/p'
}
collect -p hi -o many.er java -cp many.jar pkg.Work >out 2>/dev/null
release=$(cat out)
case $release in
log | sqrt) ok 0 "the machine chose the class for its release: $release" ;;
*) ok 1 "the machine chose a class for a release: $release" ;;
esac
is "$(called many.er)" "$release" 'that one is listed'
collect -p hi -o plain.er java -cp plain.jar pkg.Work >out 2>/dev/null
is "$(cat out) $(called plain.er)" 'cbrt cbrt' 'of a jar that is not for several releases, the one for all'
er_archive -a copy many.er
rm many.jar
is "$(called many.er)" "$release" 'archived jars are searched in the same way'

# A class that was compiled again, and pretends to be old.
compile classes sqrt 0
collect -p hi -o classes.er java -cp classes pkg.Work >out 2>/dev/null
is "$(called classes.er)" sqrt 'a class in a directory is listed'
compile classes cbrt 2
touch -d @1 classes/pkg/Work.class
is "$(called classes.er) $(sed 's/:.*: /: /' complaints)" ' er_print: it is not the one that was recorded' \
	'with other lines it is another'
compile classes log 0
javac -g:none -d classes src/pkg/Work.java
touch -d @1 classes/pkg/Work.class
is "$(called classes.er) $(sed 's/:.*: /: /' complaints)" ' er_print: it is not the one that was recorded' \
	'without lines, too'
collect -p hi -o bare.er java -cp classes pkg.Work >out 2>/dev/null
is "$(called bare.er)" log 'unless it was recorded so'

# More lines than a packet of them has.
{
	printf 'public class Long {\n\tstatic int work(int n) {\n\t\tint x = n;\n'
	yes '		x += n;' | head -n 9000
	cat <<-'END'
		for (int i = 0; i < 1000000; i++)
			x = x * 31 ^ i;
		return x;
		}
		public static void main(String[] arguments) {
			int sum = 0;
			for (int i = 0; i < 40; i++)
				sum += work(i);
			System.out.println(sum);
		}
		}
	END
} >Long.java
javac -g Long.java
collect -p hi -o long.er java Long >/dev/null 2>&1
er_print -metrics e.%totalcpu:name -lines long.er 2>/dev/null >lines
# Before the loop there are a few samples as well.
line=$(awk '/Long.work/ { print $5; exit }' lines | tr -d ,)
check "the hottest line of a long method: $line" [ "$line" = 9004 -o "$line" = 9005 ]
done_testing

#!/bin/sh
# Programs in Java: methods by name in the three modes of er_print, threads, classes, collections, and compiled code.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

if ! command -v javac >/dev/null || ! command -v java >/dev/null; then
	skip 'no JDK is installed' 'Java'
	done_testing
fi
mkdir pkg
cat >pkg/Work.java <<'END'
package pkg;
public class Work {
	static double sum;
	static double hot(int n) {
		double x = 1;
		for (int i = 0; i < n; i++)
			x = Math.sqrt(x + i) * 1.0001;
		return x;
	}
	static double warm(int n) {
		double x = 2;
		for (int i = 0; i < n; i++)
			x = Math.cbrt(x + i);
		return x;
	}
	static void make() {
		for (int i = 0; i < 20000; i++)
			sum += new int[200].length;
	}
	static class Inner implements Runnable {
		public void run() {
			for (int i = 0; i < 200; i++)
				sum += hot(100000);
		}
	}
	public static void main(String[] arguments) throws Exception {
		Thread thread = new Thread(new Inner(), "the inner one");
		thread.start();
		for (int i = 0; i < 100; i++) {
			sum += warm(100000);
			make();
		}
		thread.join();
		System.gc();
		System.out.println("done");
	}
}
END
javac -g pkg/Work.java

# ---- a program ----

collect -p hi -o work.1.er java -Xmx64m -cp . pkg.Work >out 2>err
is "$? $(cat out)" '0 done' 'the program runs as it does alone'
is "$(grep -vc 'recording to' err)" 0 'nothing else is on its errors'
er_print -metrics i.totalcpu:name -functions work.1.er >user.rows 2>complaints
check 'the reader does not complain' test ! -s complaints
# shellcheck disable=SC2016
for method in 'pkg.Work.hot(int)' 'pkg.Work.warm(int)' 'pkg.Work$Inner.run()' 'pkg.Work.main(java.lang.String[])'; do
	check "$method is a function" awk -v name="$method" '$2 == name { found = 1 } END { exit !found }' user.rows
done
er_print -viewmode user -csingle pkg.Work.hot work.1.er >callers 2>/dev/null
# shellcheck disable=SC2016
check 'a method has its callers' grep -q 'pkg.Work$Inner.run' callers

total() { # MODE
	er_print -viewmode "$1" -metrics e.totalcpu:name -functions work.1.er 2>/dev/null | awk '$2 == "<Total>" { print $1 }'
}
is "$(total expert) $(total machine)" "$(total user) $(total user)" 'the time is the same in all modes'
er_print -viewmode machine -metrics i.totalcpu:name -functions work.1.er >machine.rows 2>/dev/null
er_print -addpath . -source pkg.Work.hot work.1.er >source 2>/dev/null
check 'the source has its metrics' grep -q '^## *[0-9.]* .* [67]\. .*x = Math.sqrt' source
er_print -viewmode machine -disasm pkg.Work.hot work.1.er >code 2>/dev/null
check 'compiled code is disassembled, with its lines' grep -q '\[7\].*sqrtsd\|\[6\].*sqrtsd' code

# javap numbers bytecode in decimal, and tells constants after "//".
javap -c -p -cp . pkg.Work | awk '/ hot\(int\)/ { is_hot = 1 } is_hot && NF == 0 { exit } is_hot' |
	sed -n 's/^ *\([0-9]*: [a-z].*\)/\1/p' | sed 's/  *$//; s/  */ /g' >javap.code
# bytecode EXPERIMENT: that of hot() as er_print disassembles it
bytecode() {
	er_print -disasm pkg.Work.hot "$1" 2>complaints |
		sed -n 's/^.*\] *\([0-9]*: \)/\1/p' | sed 's/  *$//; s/  */ /g'
}
bytecode work.1.er >code
check 'bytecode is as javap writes it' [ "$(wc -l <javap.code)" -gt 15 ]
is "$(cat code)" "$(cat javap.code)" 'each instruction'
check 'it has metrics' [ "$(er_print -disasm pkg.Work.hot work.1.er 2>/dev/null | grep -c '^\(##\|  \) *0*[1-9.]*[0-9].*\] *[0-9]*: ')" -gt 15 ]
mkdir kept
cp -R work.1.er kept/jar.er
er_archive -a copy kept/jar.er
mv pkg/Work.class kept
is "$(bytecode kept/jar.er)" "$(cat javap.code)" 'it comes from the archives'
bytecode work.1.er >code
is "$(cat complaints)" "$(cat code)er_print: cannot find the class file of 'pkg/Work.class'" 'without its class there is none'
machine=$(er_print -functions work.1.er 2>/dev/null | sed -n 's/.* \(java\.[^ (]*\).*/\1/p' | head -n 1)
er_print -disasm "$machine" work.1.er >code 2>complaints
check "nor is there of the machine's own: $machine" \
	grep -q 'it is a class of the Java machine itself, or was made at run time' complaints
mkdir -p lib/pkg
cp kept/Work.class lib/pkg
er_print -addpath lib -disasm pkg.Work.hot work.1.er >code 2>complaints
check 'a file that is newer than the experiment is not believed' grep -q "^er_print: 'lib/pkg/Work.class': it is newer than the experiment" complaints
touch -d @1 lib/pkg/Work.class
is "$(er_print -addpath lib -disasm pkg.Work.hot work.1.er 2>/dev/null | grep -c 'invokestatic.*Math.sqrt')" 1 'an older one is looked up'
# damaged FILE COPY EXPERIMENT: how often er_print, of many damages, does not end well or says more than one sentence
damaged() {
	python3 - "$1" "$2" "$3" <<-'END'
		import os, random, subprocess, sys
		whole, failed = open(sys.argv[1], "rb").read(), 0
		random.seed(17)
		for i in range(80):
		    damaged = bytearray(whole)
		    if i % 2:
		        del damaged[random.randrange(len(damaged)):]
		    for _ in range(i % 5):
		        if damaged:
		            damaged[random.randrange(len(damaged))] = random.randrange(256)
		    with open(sys.argv[2], "wb") as file:
		        file.write(damaged)
		    os.utime(sys.argv[2], (1, 1))
		    done = subprocess.run(["er_print", "-addpath", "lib", "-disasm", "pkg.Work.hot", sys.argv[3]],
		                          capture_output=True, timeout=60)
		    if done.returncode not in (0, 1) or len(done.stderr.splitlines()) > 1:
		        failed += 1
		        print("damage", i, done.returncode, done.stderr)
		print(failed)
	END
}
is "$(damaged kept/Work.class lib/pkg/Work.class work.1.er)" 0 'damaged class files: one sentence each'
mv kept/Work.class pkg
jar cf work.jar pkg
collect -p hi -o jar.er java -cp work.jar pkg.Work >/dev/null 2>&1
is "$(bytecode jar.er)" "$(cat javap.code)" 'it comes from a jar'
cp work.jar kept
rm -r lib
is "$(damaged kept/work.jar work.jar jar.er)" 0 'damaged jars: one sentence each'
cp kept/work.jar work.jar
touch -d @1 work.jar
er_archive -a copy jar.er
rm work.jar
is "$(bytecode jar.er)" "$(cat javap.code)" 'and from an archived jar'
check 'compiled code has the names of methods in machine mode' grep -q 'pkg.Work.hot' machine.rows
check 'and there are the functions of the machine' grep -q 'JavaMain\|start_thread' machine.rows
check 'the header names the machine' sh -c "er_print -header work.1.er 2>/dev/null | grep -q 'JVM version'"
check 'threads have names' grep -aq 'jthread_start.*the inner one' work.1.er/log.xml
check 'they end' grep -aq 'jthread_end' work.1.er/log.xml
cat >Named.java <<'END'
public class Named {
	public static void main(String[] arguments) throws Exception {
		Thread thread = new Thread(() -> { }, "a" + "\u00e9".repeat(200));
		thread.start();
		thread.join();
	}
}
END
javac Named.java
collect -o named.er java -cp . Named 2>err
is "$(sed -n 's/.*jthread_start.* name="\(a[^"]*\)".*/\1/p' named.er/log.xml)" "a$(printf '%%c3%%%%a9%%%.0s' $(seq 63))" \
	'a long name is cut between two characters'
starts=$(grep -ac 'kind="gc_start"' work.1.er/log.xml)
is "$(grep -ac 'kind="gc_end"' work.1.er/log.xml)" "$starts" 'a collection that starts ends'
check 'there are collections' test "$starts" -gt 0

# ---- gprofng's reader ----

for mode in user expert machine; do
	for reader in gp-display-text er_print; do
		$reader -viewmode $mode -metrics ei.totalcpu:name -functions work.1.er 2>/dev/null |
			awk '$3 ~ /^(<Total>|pkg\.|java\.)/' | sort >$reader.rows # methods of equal time have no order
	done
	check "$mode mode: methods are equal to the character" diff gp-display-text.rows er_print.rows
done

# ---- a machine that another program starts ----

cat >starter.c <<'END'
#include <stdlib.h>
int main(void)
{
	return system("java -cp . pkg.Work && unset JAVA_TOOL_OPTIONS && env | grep -c JAVA_TOOL");
}
END
cc -o starter starter.c
collect -o started.er ./starter >out 2>err
is "$(cat out) $(grep -vc 'recording to' err)" 'done
0 0' 'it runs as it does alone, and no variable is set'
is "$(find started.er -name jclasses -size +100k | wc -l)" 1 'its classes are recorded'
collect -j off -o started_off.er ./starter >/dev/null 2>&1
is "$(find started_off.er -name jclasses | wc -l)" 0 '-j off is for it, too'

# A program that makes a machine itself; its calls may be bound at once or late.
cat >embed.c <<'END'
#include <dlfcn.h>
#include <jni.h>
typedef jint create_function(JavaVM **, void **, void *);
int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW);
	create_function *create = library ? (create_function *)dlsym(library, "JNI_CreateJavaVM") : 0;
	JavaVMOption option = { "-Djava.class.path=.", 0 };
	JavaVMInitArgs arguments = { JNI_VERSION_1_8, 1, &option, 0 };
	JavaVM *vm;
	JNIEnv *jni;
	jclass work;
	if (!create || create(&vm, (void **)&jni, &arguments) != 0)
		return 2;
	work = (*jni)->FindClass(jni, "pkg/Work");
	(*jni)->CallStaticVoidMethod(jni, work, (*jni)->GetStaticMethodID(jni, work, "main", "([Ljava/lang/String;)V"), 0);
	return (*vm)->DestroyJavaVM(vm);
}
END
jdk=$(dirname "$(dirname "$(realpath "$(command -v javac)")")")
for binding in now lazy; do
	cc -I"$jdk/include" -I"$jdk/include/linux" -Wl,-z,$binding -o embed_$binding embed.c
	collect -p hi -o embed_$binding.er ./embed_$binding "$jdk/lib/server/libjvm.so" >out 2>err
	is "$? $(cat out)" '0 done' "a machine that a program makes itself, bound $binding"
	er_print -functions embed_$binding.er >embedded 2>/dev/null
	check 'its methods are recorded' grep -qF 'pkg.Work.hot(int)' embedded
done

# One that is linked with the machine's library, or opens a library that is.
sed 's/\(create_function \*create = \).*/\1JNI_CreateJavaVM;/; s/^\tvoid \*library.*//; s/int main(.*)/int machine(void)/' embed.c >linked.c
link() {
	cc -I"$jdk/include" -I"$jdk/include/linux" "$@" -L"$jdk/lib/server" -ljvm -Wl,-rpath,"$jdk/lib/server"
}
link -Dmachine=main -o linked linked.c
link -shared -fPIC -o machine.so linked.c
cat >opener.c <<'END'
#include <dlfcn.h>
int main(void)
{
	void *library = dlopen("./machine.so", RTLD_LAZY);
	int (*machine)(void) = library ? (int (*)(void))dlsym(library, "machine") : 0;
	return machine ? machine() : 2;
}
END
cc -o opener opener.c
for program in linked opener; do
	collect -p hi -o $program.er ./$program >out 2>err
	is "$? $(cat out) $(grep -v 'recording to' err)" '0 done ' "a machine in a program that is linked with it: $program"
	er_print -functions $program.er >embedded 2>/dev/null
	check 'its methods are recorded' grep -qF 'pkg.Work.hot(int)' embedded
done

# dlsym(3) looks from the module on that calls it. The machine of this test is none.
cat >module.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
int next(const char *machine)
{
	int (*function)(void);
	dlopen(machine, RTLD_NOW);
	function = (int (*)(void))dlsym(RTLD_NEXT, "number");
	return function ? function() : 0;
}
END
for number in 1 3; do
	echo "int number(void) { return $number; }" | cc -shared -fPIC -o libnumber$number.so -x c -
done
cc -shared -fPIC -o libnumber2.so module.c
cc -shared -o libjvm.so -x c /dev/null
echo 'int next(const char *); int main(void) { return next("./libjvm.so"); }' |
	cc -o numbers -x c - -Wl,--no-as-needed -L. -lnumber1 -lnumber2 -lnumber3 -Wl,-rpath,.
collect -o numbers.er ./numbers 2>err
is $? 3 'RTLD_NEXT means the modules after the one that has opened a machine'

# As in another root, where the agent cannot be found: a machine with a wrong option would not start.
mkdir installed
cp -r "$BUILD/bin" "$BUILD/lib" installed
# shellcheck disable=SC2016 # for the inner shell
installed/bin/collect -o gone.er sh -c 'rm installed/lib/erkit/libcollector-java.so; ./embed_lazy "$0"' \
	"$jdk/lib/server/libjvm.so" >out 2>err
is "$? $(cat out)" '0 done' 'a machine starts without the agent if it is not there'
is "$(find gone.er -name jclasses | wc -l)" 0 'its native code is recorded'

is "$(collect -o javac.er javac -d compiled pkg/Work.java 2>&1 | grep -v 'recording to')" '' 'javac runs as it does alone'
check 'its methods are recorded' sh -c "er_print -functions javac.er 2>/dev/null | grep -q com.sun.tools.javac"

# ---- waits ----

cat >Lock.java <<'END'
public class Lock {
	static final Object lock = new Object();
	static void enter() {
		synchronized (lock) { }
	}
	public static void main(String[] arguments) throws Exception {
		for (int i = 0; i < 10; i++) {
			Thread thread = new Thread(Lock::enter);
			synchronized (lock) {
				thread.start();
				while (thread.getState() != Thread.State.BLOCKED)
					Thread.sleep(1);
				Thread.sleep(20);
			}
			thread.join();
		}
	}
}
END
javac Lock.java
collect -s on,j -o lock.er java -cp . Lock >out 2>err
is "$? $(cat out)" '0 ' 'a program with a monitor runs'
er_print -metrics i.syncn:name -functions lock.er >waits 2>complaints
is "$(awk '$2 == "Lock.enter()" { print $1 }' waits)" 10 'each wait for it is recorded, with its method'
collect -s on -o both.er java -cp . Lock >out 2>err
is "$(er_print -metrics i.syncn:name -functions both.er 2>/dev/null | awk '$2 == "Lock.enter()" { print $1 }')" 10 \
	'and once if native waits are recorded as well'
# Since version 24 virtual threads that wait leave their carriers.
jdk=$(for java in /usr/lib/jvm/*/bin/java; do
	version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
	[ "${version:-0}" -ge 24 ] && echo "${java%/java}" && break
done)
if [ -n "$jdk" ]; then
	cat >Virtual.java <<-'END'
		public class Virtual {
			static final Object lock = new Object();
			static void enter() {
				synchronized (lock) {
					try { Thread.sleep(20); } catch (InterruptedException e) { }
				}
			}
			public static void main(String[] arguments) throws Exception {
				Thread[] threads = new Thread[20];
				for (int i = 0; i < threads.length; i++)
					threads[i] = Thread.ofVirtual().start(Virtual::enter);
				for (Thread thread : threads)
					thread.join();
			}
		}
	END
	"$jdk/javac" Virtual.java
	collect -s on,j -o virtual.er "$jdk/java" -Djdk.virtualThreadScheduler.parallelism=2 \
		-Djdk.virtualThreadScheduler.maxPoolSize=2 -cp . Virtual >out 2>err
	# Each waits for those before it: 3.8 s in all, if all begin at once.
	check 'waits of virtual threads are those of the thread, wherever it goes on' sh -c \
		"er_print -metrics i.sync:i.syncn:name -functions virtual.er 2>/dev/null |
		awk '\$3 == \"Virtual.enter()\" { found = \$1 >= 2 && \$2 >= 15 && \$2 <= 19 } END { exit !found }'"
else
	skip 'there is no JDK 24 or later' 'waits of virtual threads'
fi
check 'the header has the scope' sh -c "er_print -header lock.er | grep -q 'Java-APIs'"

# ---- allocations ----

cat >Alloc.java <<'END'
import java.lang.management.ManagementFactory;
public class Alloc {
	static final Object[] ring = new Object[64];
	static void ints(int n) {
		for (int i = 0; i < n; i++)
			ring[i & 63] = new int[100];
	}
	static void strings(int n) {
		for (int i = 0; i < n; i++)
			ring[i & 63] = new String("x");
	}
	static void large(int n) {
		for (int i = 0; i < n; i++)
			ring[i & 63] = new byte[300000];
	}
	static long bytes() {
		return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
			.getThreadAllocatedBytes(Thread.currentThread().getId());
	}
	public static void main(String[] arguments) {
		long start = bytes();
		ints(2000000);
		long ints = bytes();
		strings(20000000);
		long strings = bytes();
		large(2000);
		System.out.println((ints - start) + " " + (strings - ints) + " " + (bytes() - strings));
	}
}
END
javac Alloc.java 2>/dev/null
collect -j on -H 1000000000 -p off -o alloc.er java -cp . Alloc >out 2>err
read -r ints strings large <out
er_print -metrics ei.heapallocbytes:name -functions alloc.er >allocated 2>/dev/null
about() { # NAME COLUMN TRUTH: within a tenth, which is three standard deviations of a thousand samples
	about_found=$(awk -v name="$1" -v column="$2" '$3 == name { print $column }' allocated)
	awk -v found="$about_found" -v truth="$3" 'BEGIN { exit !(found > 0.9 * truth && found < 1.1 * truth) }'
	ok $? "$1: $about_found bytes, in truth $3"
}
about 'Alloc.ints(int)' 2 "$ints"
about 'int[].new()' 1 "$ints"
about 'Alloc.strings(int)' 2 "$strings"
about 'java.lang.String.new()' 1 "$strings"
about 'Alloc.large(int)' 2 "$large"
is "$(er_print -metrics e.heapleakcnt:name -functions alloc.er 2>/dev/null | awk '$2 ~ /new/ { sum += $1 } END { print sum + 0 }')" 0 \
	'objects are no leaks'

# ---- names of any characters ----

cat >Names.java <<'END'
public class Names {
	static class クラス$été {
		static double メソッド_1(int n) {
			double x = 1;
			for (int i = 0; i < n; i++)
				x = Math.sqrt(x + i);
			return x;
		}
	}
	public static void main(String[] arguments) {
		double sum = 0;
		for (int i = 0; i < 200; i++)
			sum += クラス$été.メソッド_1(100000);
		System.out.println(sum > 0);
	}
}
END
LC_ALL=C.UTF-8 javac -encoding UTF-8 Names.java
LC_ALL=C.UTF-8 collect -p hi -o names.er java -cp . Names >out 2>err
is "$? $(cat out)" '0 true' 'a program with such names runs'
LC_ALL=C.UTF-8 er_print -functions names.er >names 2>/dev/null
# shellcheck disable=SC2016
check 'its methods have them' grep -qF 'Names$クラス$été.メソッド_1(int)' names

# ---- carried elsewhere ----

er_archive -a copy work.1.er 2>errors
check 'its class files are archived' grep -q '^jar .*/pkg/Work.class' work.1.er/archives/manifest
er_export -q -o bundle.tar.zst work.1.er
mkdir elsewhere moved
er_import -q -C elsewhere bundle.tar.zst
for commands in '-functions' '-viewmode machine -functions' '-addpath . -source pkg.Work.hot' '-disasm pkg.Work.hot' \
	'-gcevents'; do
	# shellcheck disable=SC2086
	er_print $commands work.1.er >here 2>/dev/null
	mv pkg/Work*.class moved
	# shellcheck disable=SC2086
	er_print $commands elsewhere/work.1.er >there 2>/dev/null
	mv moved/*.class pkg
	check "the same there: $commands" cmp here there
done

# ---- damage ----

cp -r work.1.er damaged.er
for file in jclasses dyntext data.frameinfo; do
	for part in 3 5 7 11; do
		size=$(stat -c %s "work.1.er/$file")
		head -c "$((size * part / 12))" "work.1.er/$file" >damaged.er/$file
		head -c 4000 "work.1.er/profile" >>damaged.er/$file
		timeout 60 er_print -functions -viewmode machine -functions -lines damaged.er >/dev/null 2>&1
		status=$?
		[ "$status" -le 1 ] || break 2
	done
	cp "work.1.er/$file" damaged.er/$file
done
check 'damaged files are read as far as possible' [ "$status" -le 1 ]

# ---- what is recorded as Java ----

collect -j off -o off.1.er java -cp . pkg.Work >/dev/null 2>&1
is "$? $(ls off.1.er/jclasses 2>/dev/null)" '0 ' '-j off records native code only'
printf 'Main-Class: pkg.Work\n' >manifest
jar cfm work.jar manifest pkg/*.class
chmod -x work.jar
collect -J '-Xmx64m -Xint' -o jar.1.er -p off -S off work.jar >out 2>err
is "$? $(cat out)" '0 done' 'a jar is run'
collect -n work.jar >settings 2>&1
check 'by java' grep -q 'command .*/java -agentpath:[^ ]* -jar work.jar$' settings
collect -o class.1.er pkg/Work.class >out 2>err
is "$? $(cat out)" '0 done' 'and a class'
is "$(collect -J -Xint true 2>&1 >/dev/null | sed -n 's/.*warning: //p')" "ignoring -J: 'true' is not a Java program" \
	'-J is for Java'
collect -j off -J -Xint java -version >out 2>err
is "$?" 2 'which -j off leaves out'
done_testing

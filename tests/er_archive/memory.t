#!/bin/sh
# A small load object that claims gigabytes does not get them: its sizes are checked before a library
# allocates them, and a message names the object and the section.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"
# shellcheck source=tests/lib/maps.sh
. "$TOP/tests/lib/maps.sh"

echo 'int f(int x) { return x * 2; }' >l.c
touch -d '2020-01-01' l.c
cc -g -gdwarf-5 -O1 -shared -fPIC -Wl,--build-id -o plain.so l.c
python3 "$TESTDIR/make-elf-bombs.py" plain.so || exit

# bounded COMMAND...: print its status and all its output, and any use of memory beyond 200 MB.
cat >bounded.py <<'END'
import os, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(done.returncode, done.stdout.replace(os.getcwd() + "/", ""), end="")
if used > 200:
    print("%d MB of memory" % used)
END

# object FILE: make an experiment with this object only.
object() {
	rm -rf test.1.er
	experiment test.1.er
	echo '<event kind="run" tstamp="5.000000000" time="1600000000"/>' >test.1.er/log.xml
	segment test.1.er "$PWD/$1" "fsize=\"$(stat -c %s "$1")\" mtime=\"$(stat -c %.9Y "$1")\""
}

object plain.so
is "$(python3 bounded.py er_archive -a src test.1.er)" '0 ' 'a good object is archived'
is "$(find test.1.er/archives -name 'l.c_*' | wc -l)" 1 'with its source'

# unpacks FILE SECTION [MESSAGE]: it is still archived, without the information in its debug data.
unpacks() {
	object "$1"
	size=$(stat -c %s "$1")
	reason="section '$2' expands it to [0-9]* bytes, implausible for a file of $size bytes"
	python3 bounded.py er_archive -a src test.1.er >out
	if [ "$(head -c 2 out)" = '0 ' ] && ! grep -q MB out && [ -n "$(stored test.1.er "$1")" ] &&
		grep -q "er_archive: warning: '$1': cannot list all of its source files: $reason\$" out &&
		{ [ -z "$3" ] || grep -q "er_archive: warning: '$1': $3: $reason\$" out; }; then
		ok 0 "$1: archived without its sources"
	else
		ok 1 "$1: archived without its sources"
		note "$(cat out)"
	fi
	is "$(python3 bounded.py er_print -objects test.1.er | grep MB)" '' "$1: er_print works"
}

unpacks compressed.so .debug_info
unpacks old.so .zdebug_info
unpacks split.so .debug_info 'cannot list all of its split debug files'
unpacks many.so .debug_aranges 'cannot list all of its split debug files'

# refuses FILE MESSAGE: no program accepts it as a load object. Sizes in the message are N.
refuses() {
	object "$1"
	for mode in src on; do
		is "$(python3 bounded.py er_archive -a $mode test.1.er | sed 's/[0-9]\{5,\}/N/g')" \
			"1 er_archive: refused '$1': $2" "$1: refused, -a $mode"
	done
	is "$(python3 bounded.py er_print -objects test.1.er | sed 's/[0-9]\{5,\}/N/g' |
		grep -e MB -e "$2" | head -n 1)" \
		"	*** Warning: '$1': $2" "$1: not read"
}

refuses hole.so 'N bytes of sections are implausible in a file of N bytes'
refuses count.so 'N sections are implausible in a file of N bytes'

# Sections whose names are compressed remain unknown.
object names.so
for mode in src on; do
	is "$(python3 bounded.py er_archive -a $mode test.1.er)" '0 ' "names.so: archived, -a $mode"
done
is "$(python3 bounded.py er_archive --check test.1.er)" '0 ' 'names.so: checked'
is "$(python3 bounded.py er_print -objects test.1.er | grep MB)" '' 'names.so: printed'

# A package beside it, and the file that it shares with others.
cc -g -gsplit-dwarf -gdwarf-5 -O1 -shared -fPIC -Wl,--build-id -o packed.so l.c
mv split.so.dwp packed.so.dwp
object packed.so
is "$(python3 bounded.py er_archive -a copy test.1.er)" \
	"0 er_archive: warning: 'packed.so': skipped 'packed.so.dwp': it is from another build" \
	'a package is not unpacked'
done_testing

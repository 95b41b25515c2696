#!/bin/sh
# Jars and class files from which Java programs loaded classes are copied whole. Files that only claim to be
# such are not.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/maps.sh"

if ! python3 -c 'import zipfile' 2>/dev/null; then
	skip "no python3" "jars"
	done_testing
fi

# jar PATH TEXT: make a jar with one member of this text; after a script, as in some jars, if $before is set.
jar() {
	python3 - "$1" "$2" <<-'END'
		import os, sys, zipfile
		with open(sys.argv[1], "wb") as file:
		    file.write(os.environ.get("before", "").encode())
		with zipfile.ZipFile(sys.argv[1], "a") as jar:
		    jar.writestr("org/example/A.class", sys.argv[2])
	END
}

# classes EXPERIMENT LOCATION...: record that A was loaded from these.
classes() {
	python3 - "$@" <<-'END'
		import struct, sys
		def text(words):
		    words = words.encode() + b"\0"
		    return words + bytes(-len(words) % 4)
		packets = b""
		for number, location in enumerate(sys.argv[2:], 1):
		    body = text("Lorg/example/A;") + text(location)
		    body += bytes(-len(body) % 8)
		    packets += struct.pack("<HHIQ", 16 + len(body), 0xe03, 0, number) + body
		with open(sys.argv[1] + "/jclasses", "wb") as file:
		    file.write(packets)
	END
}

jars() { # EXPERIMENT: the files that the manifest has of them
	sed -n 's/^jar \([^ ]*\) .*/\1/p' "$1/archives/manifest" | sed "s|^$PWD/||" | tr '\n' ' '
}

stamp() { # PATH: the identity of what has no build-id
	printf 'fsize="%s" mtime="%s"' "$(stat -c %s "$1")" "$(stat -c %.9Y "$1")"
}

fresh() {
	rm -rf test.1.er
	experiment test.1.er
}

# ---- named by the map ----

mkdir lib 'with blank'
jar lib/map.jar first
before='#!/bin/sh' jar lib/script.jar second
fresh
segment test.1.er "$PWD/lib/map.jar" "$(stamp lib/map.jar)"
segment test.1.er "$PWD/lib/script.jar"
er_archive -a on -v test.1.er >out
is "$? $(cat out)" "0 " "-a on ignores jars"
er_archive --dry-run test.1.er >plan
er_archive -v test.1.er >out
is "$? $(jars test.1.er)" "0 lib/map.jar lib/script.jar " "-a copy takes jars of the map"
check "as --dry-run announced" cmp plan out
check "whole" cmp lib/map.jar "$(stored test.1.er map.jar)"
is "$(er_archive -v test.1.er)" "present $PWD/lib/map.jar
present $PWD/lib/script.jar" "a second run finds them"
rm -r lib/map.jar
er_archive --check -v test.1.er >out
is "$? $(cut -d' ' -f1 out | tr '\n' ' ')" "0 present present " "and so does --check, when one is gone"
er_archive -F test.1.er 2>err
is "$? $(jars test.1.er)" "1 lib/script.jar " "-F misses it"
check "and keeps its copy" test -s "$(stored test.1.er map.jar)"
printf X | dd of="$(stored test.1.er script.jar)" bs=1 conv=notrunc 2>/dev/null
er_archive --check -m script test.1.er 2>err
is "$? $(cat err)" "1 er_archive: changed '$PWD/lib/script.jar': the checksum of its copy does not match" \
	"--check finds damage"

fresh
jar lib/map.jar third
segment test.1.er "$PWD/lib/map.jar" "$(stamp lib/map.jar)"
touch lib/map.jar
er_archive test.1.er 2>err
is "$? $(cat err)" "1 er_archive: changed '$PWD/lib/map.jar': its size or modification time differs from the recorded one" \
	"a rebuilt one is reported and left out"
er_archive --check test.1.er 2>err
is "$? $(grep -c "changed '$PWD/lib/map.jar'" err)" "1 1" "--check says so as well"

# ---- named by the file of the Java agent ----

library lib/libjvm.so 1
jar 'with blank/app.jar' fourth
printf '\312\376\272\276class' >lib/C.class
mkdir -p classes/org/example
printf '\312\376\272\276class' >classes/org/example/A.class
fresh
segment test.1.er "$PWD/lib/libjvm.so" "$(identity lib/libjvm.so)"
classes test.1.er "file:$PWD/with%20blank/app.jar" "jar:file:///$PWD/lib/script.jar!/org/example/A.class" \
	"$PWD/lib/C.class" "file:$PWD/classes/" "jrt:/java.base" "file:$PWD/with%20blank/app.jar"
er_archive test.1.er 2>err
is "$? $(jars test.1.er)$(cat err)" "0 classes/org/example/A.class lib/C.class lib/script.jar with%20blank/app.jar " \
	"jars, class files and those in directories, each once"
check "whole" cmp 'with blank/app.jar' "$(stored test.1.er app.jar)"
er_archive -F -d store test.1.er
is "$? $(find test.1.er/archives -type l | wc -l)" "0 5" "into a store as well"
check "which has them" er_archive --check test.1.er

# ---- files that are not jars ----

fresh
cp /etc/passwd lib/passwd.jar
head -c 100000 /dev/zero >lib/zero.jar
printf 'PK\003\004 and more' >lib/begun.jar
printf 'PK\005\006%0100d' 1 >lib/end.jar
mkfifo lib/fifo.jar
ln -s script.jar lib/link.jar
mkdir lib/directory.jar
for name in passwd zero begun end fifo link directory gone; do
	segment test.1.er "$PWD/lib/$name.jar"
done
segment test.1.er "$PWD/lib/../lib/script.jar"
timeout 20 er_archive test.1.er 2>err
is "$? $(jars test.1.er)" "1 " "only jars are archived"
is "$(sed "s|$PWD/||; s/er_archive: //" err)" "refused 'lib/passwd.jar': not a jar or class file
refused 'lib/zero.jar': not a jar or class file
refused 'lib/begun.jar': not a jar or class file
refused 'lib/end.jar': not a jar or class file
refused 'lib/fifo.jar': not a regular file
refused 'lib/link.jar': not a regular file
refused 'lib/directory.jar': not a regular file
missing 'lib/gone.jar'
refused 'lib/../lib/script.jar': a component of the path is '..'" "and each is named"
done_testing

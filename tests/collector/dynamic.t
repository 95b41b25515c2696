#!/bin/sh
# Code made at run time: both readers name it, and its description stays with the experiment.
. "$TOP/tests/lib/tap.sh"
. "$TOP/tests/lib/record.sh"

cc -std=gnu11 -D_GNU_SOURCE -O2 -g -fomit-frame-pointer -pthread -I"$TOP" -I"$TOP/collector/api" \
	-o dynamic "$TOP/tests/collector/api/dynamic.c" -L"$BUILD/lib" -lcollectorAPI -Wl,-rpath,"$BUILD/lib"

# The rows of one reader whose names match, without figures.
rows() { # READER PATTERN
	"$1" -functions recorded.er 2>/dev/null | sed 's/^ *[0-9.]* *[0-9.]* *[0-9.]* *[0-9.]* *//' |
		grep -E "$2" | sort
}

printf 'push:\n\tcount\n\tdown\n' >stack.src
./dynamic functions "$PWD/stack.src" >/dev/null
is $? 0 "functions: runs alone"
record recorded.er 'p:1000;a:on;' ./dynamic functions "$PWD/stack.src" >printed
is $? 0 "functions: and recorded"
pattern='Stack|Queue|Heap|0x'
rows er_print "$pattern" | grep -v static >ours.txt
rows gp-display-text "$pattern" | grep -v static >theirs.txt
{
	printf '%s\n' 'Heap.take' 'Queue.get' 'Stack.pop' 'Stack.push "<é>" & co'
	cat printed
} | sort >expected.txt
check "functions: er_print shows all their names" diff expected.txt ours.txt
check "functions: gp-display-text, too" diff expected.txt theirs.txt
for reader in er_print gp-display-text; do
	$reader -functions recorded.er 2>/dev/null | awk '{ print $1, $3, $NF }' |
		grep -E 'Total|take|pop|get|co$|work' >$reader.txt
done
check "functions: with the same figures" diff er_print.txt gp-display-text.txt
is "$(awk '$NF == "Heap.take" { print ($1 > 0) }' er_print.txt)" 1 "functions: which are not zero"
check "functions: their callers are known" sh -c \
	'er_print -csingle Stack.pop recorded.er | grep -q " work$"'
er_print -fsingle Queue.get recorded.er >single.txt 2>&1
check "functions: a function by its name" grep -q 'Queue.get' single.txt
tr '\0' '\n' <recorded.er/map.xml >map.txt
check "functions: the map keeps alias and source" \
	grep -qF "alias=\"push, as people call it\" srcfile=\"$PWD/stack.src\"" map.txt
check "functions: the reader has no complaint" is_clean recorded.er

cat >dyntext.py <<'END'
"""The contents of a dyntext: for each function the size of its code, its lines and its source."""
import struct
import sys
with open(sys.argv[1], "rb") as file:
    data = file.read()
at, text = 0, []
while at < len(data):
    kind, size = struct.unpack_from("<II", data, at)
    body = data[at + 8:at + size]
    assert size >= 8 and len(body) == size - 8
    if kind == 1:
        assert size == 24
        text.append("function")
    elif kind == 2:
        assert len(body) % 16 == 0
        text.append("code " + body.hex())
    elif kind == 3:
        text.append("lines " + " ".join(map(str, struct.unpack("<%dI" % (len(body) // 4), body))))
    elif kind == 4:
        assert len(body) % 16 == 0
        text.append("source " + body.rstrip(b"\0").decode())
    at += size
print("\n".join(text))
END
code='code 554889e54883ef0175fa5dc300000000'
{
	printf '%s\n' function "$code" "source $PWD/stack.src" 'lines 0 11 4 12 10 13'
	printf 'function\n%s\n' "$code" "$code" "$code" "$code"
} >expected.txt
check "functions: dyntext has code, source and lines" sh -c 'python3 dyntext.py recorded.er/dyntext | diff expected.txt -'
gp-display-text -lines recorded.er >lines.txt 2>&1
check "functions: gp-display-text attributes to lines of the source" \
	grep -qF 'co, line 12 in "stack.src"' lines.txt
for reader in er_print gp-display-text; do
	$reader -fsingle 'Stack.push "<é>" & co' recorded.er 2>/dev/null | grep -E 'Size|Source File|Load Obj' >$reader.txt
done
is "$(sed -n 's/.*Source File: //p' er_print.txt)" "$PWD/stack.src" "functions: er_print names the source whole"
sed -i "s|: $PWD/|: |" er_print.txt
check "functions: gp-display-text by its last part, and the rest in one way" diff er_print.txt gp-display-text.txt
gp-display-text -disasm Stack.pop recorded.er >disasm.txt 2>&1
check "functions: so gp-display-text shows their instructions" grep -Eq 'subq? +.0x1,' disasm.txt

# A copy and a bundle hold the same.
er_archive -a copy recorded.er >/dev/null 2>&1
er_cp recorded.er copy.er && er_export -o carried.er.tar.zst copy.er >/dev/null 2>&1
mkdir there && er_import -C there carried.er.tar.zst >/dev/null 2>&1
check "a copy has the same" cmp recorded.er/dyntext copy.er/dyntext
check "a bundle, too" cmp recorded.er/dyntext there/copy.er/dyntext
check "and names are the same" sh -c 'er_print -functions recorded.er >a; er_print -functions there/copy.er | diff a -'

record recorded.er 'p:1000;a:off;' ./dynamic invalid
is $? 0 "invalid: meaningless calls do no harm to the program"
is "$(tr '\0' '\n' <recorded.er/log.xml | grep -c 'collector_func_load')" 6 "invalid: each is named in the log"
is "$(rows er_print 'nowhere|empty|negative|around|unsorted|missing')" missing "invalid: the last one lives"
is "$(python3 dyntext.py recorded.er/dyntext | grep -c -e lines -e code)" 2 \
	"invalid: neither unsorted lines nor unreadable code"

record recorded.er 'p:1000;a:off;' ./dynamic children
for reader in er_print gp-display-text; do
	is "$(rows $reader '^of the' | sort -u | xargs -d '\n' printf '%s;')" 'of the child;of the parent;' \
		"children: $reader knows the functions of parent and child"
done
is "$(python3 dyntext.py recorded.er/_f1.er/dyntext | grep -c code)" 2 "children: with its code"
check "children: the reader has no complaint" is_clean recorded.er

record recorded.er 'p:1000;a:off;' ./dynamic many
is $? 0 "many: a great number, from several threads"
is "$(rows er_print '^the last$')" 'the last' "many: the last is there"
loaded=$(tr '\0' '\n' <recorded.er/map.xml | grep -c 'object="function"')
is "$loaded" 80002 "many: so are all others, with the vdso"
is "$(python3 dyntext.py recorded.er/dyntext | grep -c function)" 80001 "many: and their code"
check "many: the reader has no complaint" is_clean recorded.er

record recorded.er 'p:1000;L:7;a:off;' ./dynamic large
is "$(python3 dyntext.py recorded.er/dyntext | awk '/^code/ { print length($2) / 2 }' | xargs)" \
	"$((6 << 19)) $((6 << 19)) 16" "large: the code is recorded up to the limit"
is "$(tr '\0' '\n' <recorded.er/log.xml | grep -c 'dynamic code is left out')" 1 "large: the log says so"
is "$(rows er_print '^(small|very large)$')" small "large: other functions have names and events"

record recorded.er 'p:1000;a:off;' ./dynamic lines
is "$(rows er_print '^(first|second)')" 'first\012second\011third' "lines: a name is one row"
is "$(er_print -name long:soname -functions recorded.er | grep -c '   first.012second.011third \[')" 1 \
	"lines: with its object, too"
is "$(er_print -sample_detail recorded.er | sed -n 's/^ *End Label: begin/begin/p')" 'begin\012end' \
	"lines: and so is a label"

# A library of the program that is initialised before the collector is.
cat >early.c <<'END'
#include <collectorAPI.h>
#include <string.h>
#include <sys/mman.h>
static const unsigned char code[] = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xef, 0x01, 0x75, 0xfa, 0x5d, 0xc3 };
void (*made)(unsigned long);
__attribute__((constructor)) static void make(void)
{
	made = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy((void *)made, code, sizeof code);
	collector_func_load("made early", NULL, NULL, (void *)made, sizeof code, 0, NULL);
}
END
cat >early_main.c <<'END'
extern void (*made)(unsigned long);
int main(void)
{
	made(500000000);
	return 0;
}
END
cc -shared -fPIC -I"$TOP/collector/api" -o libearly.so early.c -L"$BUILD/lib" -lcollectorAPI \
	-Wl,-rpath,"$BUILD/lib" && cc -o early early_main.c -L. -learly -Wl,-rpath,"$PWD"
record recorded.er 'p:1000;a:off;' ./early
is "$(rows er_print '^made early$')" 'made early' "functions loaded before the recording are remembered"
is "$(python3 dyntext.py recorded.er/dyntext | grep -c code)" 1 "with its code"

# The second half of a function is no longer mapped.
cat >gone.c <<'END'
#include <string.h>
#include <sys/mman.h>
#include <collectorAPI.h>
int main(void)
{
	char *page = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memset(page, 0x90, 8192);
	munmap(page + 4096, 4096);
	collector_func_load("gone", 0, "gone.c", page + 4000, 1000, 0, 0);
	collector_func_load("there", 0, "there.c", page, 100, 0, 0);
	return 0;
}
END
cc -I"$TOP/collector/api" -o gone gone.c -L"$BUILD/lib" -lcollectorAPI -Wl,-rpath,"$BUILD/lib"
record recorded.er 'p:1000;a:off;' ./gone
is "$? $(python3 dyntext.py recorded.er/dyntext | grep -c code) $(grep -c 'name="gone"' recorded.er/map.xml)" "0 1 1" \
	"code that is gone is left out, and the next is there"
is "$(grep -ac cerror recorded.er/log.xml)" 0 "that is no error"

record recorded.er 'p:1000;a:off;' "$programs/threads" busy
check "a program without such code has no dyntext" test ! -e recorded.er/dyntext

done_testing

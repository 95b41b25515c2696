#!/bin/sh
# er_export --format: no name in an experiment changes what a file says, whatever characters it has.
# shellcheck source=tests/lib/tap.sh
. "$TOP/tests/lib/tap.sh"

cat >make.py <<'END'
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from experiment import Experiment, symbols

NAMES = [b"semi;colon 1", b"new\nline\ttab", b'quote"back\\slash', b"\xff\xfeinvalid", "bidi\u202eover".encode(),
         b"</script><b>", b"two words 12", b"L" * 1000000]
PLAIN = [(b"PLACE%d_" % i).ljust(len(name), b"x") for i, name in enumerate(NAMES)]
with open("hostile.s", "wb") as out:
    out.write(b'.text\n.file 1 "we;ird\\"\\\\na\\033me.c"\n')
    for line, name in enumerate([b"main"] + PLAIN):
        out.write(b".globl %s\n.type %s,@function\n%s:\n.loc 1 %d\n" % (name, name, name, line + 1) +
                  b"nop\n" * 16 + b"ret\n.size %s,.-%s\n" % (name, name))
    out.write(b'.section .note.GNU-stack,"",@progbits\n')
subprocess.run(["cc", "-no-pie", "-o", "plain", "hostile.s"], check=True)
places = symbols(os.path.abspath("plain"))
program = open("plain", "rb").read()
for name, plain in zip(NAMES, PLAIN):
    assert plain in program
    program = program.replace(plain, name)
open("hostile", "wb").write(program)

made = Experiment('ho"st;ile.er', numstates=2, command='./we"ird;<b>\\ name')
made.segment(os.path.abspath("hostile"))
for i, plain in enumerate(PLAIN):
    for _ in range(i + 1):
        made.clock([places[plain.decode()] + 4, places["main"] + 4], state=0)
made.write()

plain = {"semi;colon 1": 10, "new\nline\ttab": 20, 'quote"back\\slash': 30, "\ufffd\ufffdinvalid": 40,
         "bidi\u202eover": 50, "</script><b>": 60, "two words 12": 70, "L" * 1000000: 80}
escaped = dict(zip(["semi;colon 1", "new\\012line\\011tab", 'quote"back\\slash', "\\377\\376invalid",
                    "bidi\\342\\200\\256over"] + list(plain)[5:], plain.values()))
for file, names, semicolon in ("json", plain, ";"), ("text", escaped, ";"), ("lines", escaped, "\\073"):
    rows = {("<Total>", "360.000"), ("main", "0.000")} | {
        (name.replace(";", semicolon), "%.3f" % value) for name, value in names.items()}
    with open(file, "w") as out:
        out.write(repr(sorted(rows)))
END
python3 make.py || note 'cannot make the experiment'

# A name may contain what separates the lines and columns of formats.py.
for format in pprof collapsed speedscope firefox chrome callgrind csv json; do
	er_export -q -o out --format=$format --metric=totalcpu 'ho"st;ile.er' 2>err
	is "$? $(cat err)" '0 ' "$format is written"
	case $format in
	pprof | callgrind) expected=text ;;
	collapsed | csv) expected=lines ;;
	*) expected=json ;;
	esac
	python3 "$TESTDIR/formats.py" $format out totalcpu >rows 2>&1
	python3 - >got <<'END'
import re
text = open("rows", encoding="utf-8", newline="\n").read()
print(repr(sorted((name, exclusive) for name, exclusive in
                  re.findall(r"(?s)(.*?)\t(\d+\.\d\d\d)\t\d+\.\d\d\d\n", text))), end="")
END
	check 'and the names are what they are' cmp got $expected
	rm -f out
done

er_export -q --format=json 'ho"st;ile.er' >rows
is "$(python3 -c 'import json
row = json.loads(open("rows").readline())
print(ascii((row["experiment"], row["stack"][0]["file"].split("/")[-1])))')" \
	"('ho\"st;ile.er', 'we;ird\"\\\\na\\x1bme.c')" 'so are those of experiments and sources'
er_export -q --format=callgrind 'ho"st;ile.er' >rows
is "$(grep -c '^cmd: ./we"ird;<b>.* name$' rows)" 1 'and commands'
done_testing

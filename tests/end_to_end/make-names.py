#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make-names PROGRAM - make an experiment whose names all contain characters that control a terminal, or
are invisible. Its name, and that of a tarball with such members, go to the standard output, one line each,
in Python's form. The load object is PROGRAM with other names for its functions."""
import io
import os
import sys
import tarfile

sys.path.insert(0, os.path.join(os.environ["TOP"], "tests/lib"))
from experiment import Experiment, symbols  # noqa: E402

# The first and the last character of each range, and bytes that are not characters
HIDDEN = "\u0085\u009f\u00ad\u061c\u180e\u200b\u200f\u2028\u202a\u202e\u2060\u2066\u2069\u206f\ufeff" \
         "\ufff9\ufffb\U000e0001\U000e0020\U000e007f\ufe0f\U000e0100\u3164\u115f\u034f"
IN_XML = "x" + HIDDEN + "y"
IN_TEXT = IN_XML + "\nFAKE\tz"
BYTES = b"x" + HIDDEN.encode() + b"\x1b[31m\x07\x7f\x9b2J\xff\xc0\x9b\nFAKE\tz"

program = sys.argv[1]
places = symbols(program)
raw = open(program, "rb").read()
# Function names of the same length: three bytes replace three.
for old, new in ((b"leaf_a\0", b"l\xe2\x80\xaea\n\0"), (b"leaf_b\0", b"\x1b[31mb\0"),
                 (b"top_one\0", b"to\xe2\x81\xa6\t1\0"), (b"top_two\0", b"t\xef\xbb\xbf\x9b\xff2\0"),
                 (b"middle\0", b"m\xf3\xa0\x81\x81e\0")):
    assert raw.count(old) > 0
    raw = raw.replace(b"\0" + old, b"\0" + new)
# The map can name only what XML can hold.
path = os.path.join(os.getcwd(), "object" + IN_XML)
with open(path, "wb") as file:
    file.write(raw)
os.chmod(path, 0o755)


class Named(Experiment):
    def log(self):
        return super().log().replace("TEXT", IN_TEXT).replace("NAME", IN_XML)


top = b"test" + BYTES[:150] + b".1.er"
made = Named("made.er", kinds=("profile", "heaptrace", "synctrace", "iotrace", "hwcounters"),
             command="TEXT", host="NAME", numstates=2, counters=(("NAME", 0),))
made.segment(program)
for name in ("leaf_a", "leaf_b", "middle"):
    stack = [places[n] + 4 for n in (name, "top_one", "main")]
    made.clock(stack, state=0)
    made.heap(stack, 0, 100, 0x1000 + places[name])
    made.sync(stack, 5 * 10**6, 0x77)
    made.io(stack, 2, 3, name=IN_TEXT, wait=1000)
    made.count(stack, 0, 1000)
made.sample(10**9, "NAME")
made.events += ['<event kind="%s" id="207" ec="28" lineage="NAME" variant="NAME" msg="NAME" text="NAME">TEXT</event>'
                % kind for kind in ("cwarn", "cerror", "comment", "exec_start", "exec_error", "desc_start",
                                    "strange")]
made.tail = '<setting NAME="1"/>\n<event kind="&bad;NAME'
made.maps = [line.replace(program, path) for line in made.maps]
made.write()
with open("made.er/notes", "wb") as file:
    file.write(BYTES.replace(b"\nFAKE", b"") + b"\n")
os.mkdir(b"made.er/archives/" + BYTES[:100])
with open(b"made.er/archives/file" + BYTES[:100], "wb") as file:
    file.write(b"x")
with open(b"made.er/_f1.er" + BYTES[:100], "wb") as file:
    file.write(b"x")
os.rename(b"made.er", top)
print(ascii(top))

out = b"bundle" + BYTES[:150] + b".tar"
with tarfile.open(os.fsdecode(out), "w", format=tarfile.GNU_FORMAT, encoding="utf-8",
                  errors="surrogateescape") as tar:
    for name in ("x" + HIDDEN + ".er/log.xml", "x" + HIDDEN + ".er/archives/" + HIDDEN,
                 os.fsdecode(b"x" + HIDDEN.encode() + b".er/archives/" + BYTES)):
        info = tarfile.TarInfo(name)
        info.size = 1
        tar.addfile(info, io.BytesIO(b"x"))
print(ascii(out))
with open("all.erg", "wb") as file:
    file.write(b"#analyzer experiment group\n" + top.replace(b"\n", b"") + b"\nno\xe2\x80\xae\x1b.er\n")
